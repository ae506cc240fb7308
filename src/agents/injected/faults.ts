/** The faults of the injected agent: what each does to a walk and what it can strike. A family of siblings of one shape. */
import { type Hop, type InjectedFault, identifyingHops, type SearchTool, type Task } from "#domain";
import { plainTitle } from "../reading/words.ts";
import { ancestorsIn, firstDependent, retrieving, several } from "../walker/chain-hops.ts";
import { drawn, oneOf } from "../walker/drawn.ts";
import { isAccepted, says } from "../walker/other-values.ts";
import { keywords, namesIn } from "./queries.ts";
import { guessed, invented, misjudged, misreading, type Result, shownBy, type World } from "./reading.ts";
import { type Conduct, keep, questionOf, saidOf, searchStep, think, type Walk } from "./walk.ts";

/** One fault injected into one walk. */
export interface Strike {
	task: Task;
	/** In the order of dependency. */
	hops: readonly Hop[];
	/** The hop drawn among those that it can strike. */
	hop: Hop;
	world: World;
	/** Of the whole benchmark. */
	tasks: readonly Task[];
	seedKey: string;
	/** What it did, once it has. */
	done?: {
		did: string;
		hop?: string;
		value?: string;
		expected?: string[];
		also?: { fault: InjectedFault; hop: string }[];
	};
}

export interface InjectedFaultKind {
	/** What it does, in one sentence for people. */
	does: string;
	/** Names of findings that are right for it; none: nothing is broken. */
	expected: readonly string[];
	/** It concerns no single hop: the drawn one is only where it starts. */
	hopless?: boolean;
	/** Hops that it can strike by the chain's shape; none: it cannot strike the task. */
	strikes(task: Task, hops: readonly Hop[]): Hop[];
	conduct(strike: Strike): Conduct;
	/** Why it missed its mark after all; undefined where it did not. */
	missed?(strike: Strike, walk: Walk): string | undefined;
}

const worded = (task: Task, hops: readonly Hop[]): Hop[] => {
	const byImage = identifyingHops(task);
	return retrieving(task, hops).filter(({ id, modality }) => modality !== "image" && !byImage.has(id));
};

/** Hops to search for that need this one. */
function later(task: Task, hops: readonly Hop[], { id }: Hop): Hop[] {
	const ancestors = ancestorsIn(task);
	return retrieving(task, hops).filter((other) => ancestors.get(other.id)?.has(id));
}

const came = ({ seen }: Walk, { evidence }: Hop) => evidence.some((id) => seen.has(id));
/** Of a fault that keeps evidence away. */
const unlessCame = ({ hop }: Strike, walk: Walk) =>
	came(walk, hop) ? "the evidence came back all the same" : undefined;
/** Of a fault that strikes a walk that is sound up to its end. */
const unlessWhole = (_: Strike, { hops, known }: Walk) =>
	hops.every(({ id }) => known.get(id)?.right) ? undefined : "not every hop was solved";

const wrongly = (value: string, { answer }: Hop) => `took “${value}” for “${answer.value}”`;

const offTarget = {
	en: ["tourism", "history of art", "football", "famous people", "climate", "cuisine", "newspapers", "weather today"],
	es: ["turismo", "historia del arte", "fútbol", "personas famosas", "clima", "cocina", "periódicos", "el tiempo hoy"],
};
const languageOf = (task: Task) => (task.tags.language.startsWith("es") ? "es" : "en");

/** The entity alone, with a relation that nobody asked for, or what is asked without the entity. */
function badQueries({ task, seedKey, hop }: Strike, asked: string): string[] {
	const entity = namesIn(asked)[0] ?? asked.replace(/[¿?]/g, "").split(" ").slice(-2).join(" ");
	const other = `${entity} ${oneOf(offTarget[languageOf(task)], seedKey, "off", hop.id)}`;
	const bare = keywords(asked.replaceAll(entity, ""), { names: [], turn: 0 });
	const kinds = [[entity, other], [other], [bare], [bare, other]];
	return oneOf(kinds, seedKey, "bad", hop.id) ?? [other];
}

/** Real results of another task's question, without anything of this task's. */
async function unrelated(
	{ task, tasks, seedKey, hop }: Strike,
	search: Parameters<NonNullable<Conduct["below"]>>[1],
	run: Parameters<NonNullable<Conduct["below"]>>[2],
): Promise<Result[]> {
	const own = new Set(task.chain?.hops.flatMap(({ evidence }) => evidence));
	const other = oneOf(tasks, seedKey, hop.id, search.query);
	const query = oneOf(other?.chain?.hops ?? [], seedKey)?.question ?? other?.question ?? task.id;
	const tool: SearchTool = search.tool === "image_search_by_image" ? "image_search_by_text" : search.tool;
	const results = await run({ tool, query, k: search.k + own.size });
	const free = results.filter(({ id }) => !own.has(id)).slice(0, search.k);
	return free.map((result, index) => ({ ...result, rank: index + 1 }));
}

const outages = [
	"HTTP 503 Service Unavailable",
	"HTTP 429 Too Many Requests",
	"HTTP 500 Internal Server Error",
	"connect ECONNREFUSED",
	"The operation was aborted due to timeout",
];

const invalidCalls = [
	{ tool: "none", written: "I will search for that now.", error: "no-action: the reply holds no call" },
	{ tool: "none", written: '{"name": "text_search", "arguments": {"query": ', error: "bad-json: the call is no JSON" },
	{ tool: "google", written: '{"q": "…"}', error: "unknown-tool: there is no tool google" },
	{ tool: "text_search", written: '{"text": "…"}', error: "bad-arguments: query: expected string" },
	{ tool: "none", written: "<search>…<search>", error: "mismatched-tags: <search> is not closed" },
];

/** Another value is read for the struck hop, where there is one. */
function readingOtherwise(
	strike: Strike,
	misread: NonNullable<Conduct["read"]>,
	told: (value: string, hop: Hop) => string,
): Conduct {
	return {
		read(hop, came) {
			const value = hop === strike.hop ? misread(hop, came) : undefined;
			if (value !== undefined) strike.done = { did: told(value, hop), value };
			return value;
		},
	};
}

export const injectedFaults: Record<InjectedFault, InjectedFaultKind> = {
	misread: {
		does: "takes another value of the same kind out of the evidence that came back",
		expected: ["misread"],
		strikes: worded,
		conduct: (strike) =>
			readingOtherwise(strike, (hop, { brought }) => misreading(hop, { ...strike, brought }), wrongly),
	},
	"hallucinated-entity": {
		does: "gives a name that stands in nothing that came back, and continues with it",
		expected: ["unsupported"],
		strikes: (task, hops) => retrieving(task, hops).filter(({ answer }) => answer.type === "string"),
		conduct: (strike) =>
			readingOtherwise(
				strike,
				(hop, { seen }) => invented(hop, { ...strike, seen }),
				(value, hop) => `made up “${value}” for “${hop.answer.value}”`,
			),
	},
	"bad-query": {
		does: "searches for the entity alone, or for something else about it",
		expected: ["retrieval-miss"],
		strikes: worded,
		conduct: (strike) => ({
			apart: (hop) => hop === strike.hop,
			queries(hop, asked) {
				if (hop !== strike.hop) return undefined;
				const queries = badQueries(strike, asked);
				strike.done = { did: `searched for ${queries.map((query) => `“${query}”`).join(" and ")}` };
				return queries;
			},
		}),
		missed: unlessCame,
	},
	"broken-retriever": {
		does: "lies below the agent: sound searches for one hop bring real results of another question",
		expected: ["retrieval-miss"],
		strikes: retrieving,
		conduct: (strike) => ({
			apart: (hop) => hop === strike.hop,
			async below(hop, search, run) {
				if (hop !== strike.hop) return run(search);
				strike.done = { did: "its searches brought results of other questions" };
				return unrelated(strike, search, run);
			},
		}),
		missed: unlessCame,
	},
	"tool-error": {
		does: "lies below the agent: every search for one hop ends in an error",
		expected: ["tool-failed"],
		strikes: retrieving,
		conduct: (strike) => ({
			apart: (hop) => hop === strike.hop,
			async below(hop, search, run) {
				if (hop !== strike.hop) return run(search);
				const error = oneOf(outages, strike.seedKey, "outage") ?? "HTTP 503";
				strike.done = { did: `its searches ended in “${error}”` };
				return { error };
			},
		}),
		missed: unlessCame,
	},
	"wrong-modality": {
		does: "searches texts wherever it should search images",
		expected: ["wrong-modality"],
		strikes: (task, hops) =>
			retrieving(task, hops)
				.filter(({ modality }) => modality === "image")
				.slice(0, 1),
		conduct: (strike) => ({
			apart: ({ modality }) => modality === "image",
			tool(tool) {
				if (tool !== "image_search_by_text" && tool !== "image_search_by_image") return tool;
				strike.done = { did: "searched texts for what images show" };
				return "text_search";
			},
		}),
		missed: unlessCame,
	},
	"wrong-image": {
		does: "looks at another image than the right one among those that came back, and reads that",
		expected: ["misread"],
		strikes: (task, hops) =>
			retrieving(task, hops).filter(({ modality, answer }) => modality === "image" && answer.type === "string"),
		conduct(strike) {
			const other = (hop: Hop, brought: readonly Result[]) => {
				if (hop !== strike.hop) return undefined;
				const others = brought.filter(({ id }) => !hop.evidence.includes(id));
				const value = others.flatMap(shownBy).find((name) => !isAccepted(hop.answer, name));
				const missing = !brought.some(({ id }) => hop.evidence.includes(id));
				if (value !== undefined)
					strike.done = {
						...{ did: `looked at the image of “${value}” for “${hop.answer.value}”`, value },
						...(missing ? { expected: ["retrieval-miss"] } : {}),
					};
				return value;
			};
			return {
				apart: (hop) => hop === strike.hop,
				read: (hop, { brought }) => other(hop, brought),
				readWithout: other,
			};
		},
	},
	"misread-chart": {
		does: "reads a figure off the right image that does not stand there",
		expected: ["misread"],
		strikes: (task, hops) =>
			retrieving(task, hops).filter(({ modality, answer }) => modality === "image" && answer.type === "number"),
		conduct: (strike) => readingOtherwise(strike, (hop) => misjudged(hop, strike.seedKey), wrongly),
	},
	"skipped-hop": {
		does: "never asks a hop that later searches need: continues with the value before it, or with a guess",
		expected: ["not-planned"],
		strikes: (task, hops) => several(task, hops).filter((hop) => later(task, hops, hop).length > 0),
		conduct: (strike) => ({
			plan: (hops) => hops.filter((hop) => hop !== strike.hop),
			apart: (hop) => hop === strike.hop,
			instead(hop, { known }) {
				if (hop !== strike.hop) return undefined;
				const before = hop.needs.flatMap((need) => known.get(need.hop)?.value ?? [])[0];
				const value = before !== undefined && drawn(strike.seedKey, "before") < 0.6 ? before : guessed(hop, strike);
				strike.done = { did: `went on with “${value}”`, value };
				return value;
			},
		}),
		missed: (strike, walk) =>
			unlessCame(strike, walk) ??
			(later(strike.task, strike.hops, strike.hop).some(({ id }) => walk.searchedFor.has(id))
				? undefined
				: "nothing was searched for after it"),
	},
	"stop-early": {
		does: "leaves out the last hop that it would search for, and answers with what it has",
		expected: ["premature-stop"],
		strikes: (task, hops) => several(task, hops).slice(-1),
		conduct: (strike) => ({
			plan(hops) {
				const ancestors = ancestorsIn(strike.task);
				return hops.filter((hop) => hop !== strike.hop && !ancestors.get(hop.id)?.has(strike.hop.id));
			},
			apart: (hop) => hop === strike.hop,
			end(_ending, { known }) {
				const last = [...known.values()].at(-1)?.value ?? null;
				strike.done = { did: last === null ? "stopped before it" : `stopped before it and answered “${last}”` };
				return { answer: last, abstained: last === null, stop: "answered" };
			},
		}),
		missed: unlessCame,
	},
	"reversed-order": {
		does: "asks the hops from last to first; what it does not know yet stands there as a generic word",
		expected: ["out-of-order", "order"],
		strikes: firstDependent,
		conduct: (strike) => ({
			careless: true,
			apart: () => true,
			plan(hops) {
				strike.done = { did: "asked the last hop first" };
				const [found, rest] = [retrieving(strike.task, hops), hops.filter(({ evidence }) => evidence.length === 0)];
				return [...found.reverse(), ...rest];
			},
		}),
		missed: unlessCame,
	},
	"over-search": {
		does: "searches on for related things after every hop is solved",
		expected: ["over-extension"],
		hopless: true,
		strikes: (task, hops) => retrieving(task, hops).slice(-1),
		conduct: (strike) => ({
			async after(walk) {
				const about = [...walk.seen.values()].find(({ kind }) => kind === "passage") ?? [...walk.seen.values()][0];
				if (!about || unlessWhole(strike, walk)) return;
				const topics = offTarget[languageOf(strike.task)];
				const count = 2 + Math.floor(2 * drawn(strike.seedKey, "count"));
				const first = Math.floor(topics.length * drawn(strike.seedKey, "topic"));
				for (let at = 0; at < count; at += 1) {
					const query = `${plainTitle(about.title)} ${topics[(first + at) % topics.length]}`;
					await searchStep(walk, { tool: "text_search", query, k: walk.k }, { question: query });
				}
				strike.done = { did: `searched ${count} times more` };
			},
		}),
		missed: unlessWhole,
	},
	"endless-repetition": {
		does: "repeats one search that does not help until its turns are over",
		expected: ["endless-repetition"],
		strikes: worded,
		conduct: (strike) => ({
			plan: (hops) => hops.slice(0, hops.indexOf(strike.hop) + 1),
			apart: (hop) => hop === strike.hop,
			queries(hop, asked) {
				if (hop !== strike.hop) return undefined;
				const [query = asked] = badQueries(strike, asked);
				const turns = 6 + Math.floor(5 * drawn(strike.seedKey, "turns"));
				strike.done = { did: `searched ${turns} times for “${query}”` };
				return Array<string>(turns).fill(query);
			},
			end: () => ({ answer: null, abstained: false, stop: "turn-limit" }),
		}),
		missed: unlessCame,
	},
	"no-answer": {
		does: "finds everything and has no turn left for the answer",
		expected: ["ended-without-answer"],
		hopless: true,
		strikes: (task, hops) => retrieving(task, hops).slice(-1),
		conduct: (strike) => ({
			end() {
				strike.done = { did: "ended without an answer" };
				return { answer: null, abstained: false, stop: "turn-limit" };
			},
		}),
		missed: unlessWhole,
	},
	"wrong-composition": {
		does: "solves every hop and computes wrongly, or answers with another hop's value",
		expected: ["composition"],
		hopless: true,
		strikes: (task, hops) => (hops.length > 1 ? hops.filter(({ id }) => id === task.chain?.sink) : []),
		conduct(strike) {
			const { hop: sink, hops, seedKey } = strike;
			return {
				computed(hop, { known }) {
					if (hop !== sink) return undefined;
					const operands = hop.needs.flatMap((need) => known.get(need.hop)?.value ?? []);
					// the other one of two, or an operand for the result
					const choices = [guessed(hop, strike), ...(hop.answer.type === "boolean" ? [] : operands)];
					const value = oneOf(
						choices.filter((one) => !isAccepted(hop.answer, one)),
						seedKey,
						"choice",
					);
					if (value !== undefined) strike.done = { did: `made “${value}” of right operands`, value };
					return value;
				},
				end(ending, { known }) {
					if (sink.evidence.length === 0) return ending;
					const others = hops.filter(({ id }) => id !== sink.id).flatMap(({ id }) => known.get(id)?.value ?? []);
					const value = oneOf(
						others.filter((one) => !isAccepted(strike.task.answer, one)),
						seedKey,
						"choice",
					);
					if (value === undefined) return ending;
					strike.done = { did: `answered with another hop's “${value}”`, value };
					return { answer: value, abstained: false, stop: "answered" };
				},
			};
		},
		missed(_, { hops, known, task, observability }) {
			const sink = hops.find(({ id }) => id === task.chain?.sink);
			if (!hops.every((hop) => hop === sink || known.get(hop.id)?.right)) return "not every hop was solved";
			// where no sub-answer shows, another answer than the last hop's is a misreading of it
			return observability === "bare" && sink && sink.evidence.length > 0
				? "the last hop's value is the answer"
				: undefined;
		},
	},
	"format-failure": {
		does: "writes calls that cannot be carried out, nearly all of them",
		expected: ["format-failure"],
		hopless: true,
		strikes: (task, hops) => retrieving(task, hops).slice(0, 1),
		conduct: (strike) => ({
			async script(walk) {
				const { seedKey, hop } = strike;
				const question = questionOf(walk, hop);
				const count = 4 + Math.floor(4 * drawn(seedKey, "count"));
				const sound = drawn(seedKey, "sound") < 0.4 ? Math.floor(count / 2) : -1;
				for (let at = 0; at < count; at += 1) {
					if (at === sound)
						await searchStep(walk, { tool: "text_search", query: saidOf(walk, question), k: walk.k }, { question });
					const wrong = oneOf(invalidCalls, seedKey, "call", at) ?? { tool: "none", written: "", error: "no-action" };
					walk.recorder.note({
						...(walk.observability === "thought" ? { thought: think(walk, { next: saidOf(walk, question) }) } : {}),
						call: { tool: wrong.tool, arguments: { written: wrong.written }, valid: false },
						error: wrong.error,
					});
				}
				strike.done = { did: `wrote ${count} calls that could not be carried out` };
				if (drawn(seedKey, "end") < 0.6) return { answer: null, abstained: false, stop: "no-call-limit" };
				return {
					answer: guessed({ answer: strike.task.answer, question: "" }, strike),
					abstained: false,
					stop: "answered",
				};
			},
		}),
	},
	"two-faults": {
		does: "two faults at different hops; the truth is the first in the order of dependency",
		expected: [],
		strikes: (task, hops) => several(task, hops).slice(0, -1),
		conduct: (strike) => twoFaults(strike),
		missed: (strike, walk) => twoMissed(strike, walk),
	},
	"known-answer": {
		does: "answers rightly without a search; nothing is broken",
		expected: ["known"],
		hopless: true,
		strikes: (task, hops) => (task.answer.type === "none" ? [] : retrieving(task, hops).slice(0, 1)),
		conduct: (strike) => ({
			async script(walk) {
				if (walk.observability === "stated")
					for (const hop of walk.hops)
						keep(walk, hop, { value: hop.answer.value, step: undefined, question: questionOf(walk, hop) });
				strike.done = { did: "answered from memory" };
				return { answer: strike.task.answer.value, abstained: false, stop: "answered" };
			},
		}),
	},
	"other-path": {
		does: "solves a hop by another document that holds entity and value; nothing is broken",
		expected: [],
		hopless: true,
		strikes: (task, hops) => worded(task, hops).filter(({ answer }) => answer.value.length > 2),
		conduct: (strike) => ({
			apart: (hop) => hop === strike.hop,
			async below(hop, search, run) {
				if (hop !== strike.hop) return run(search);
				const wide = (await run({ ...search, k: 60 })).filter(({ id }) => !hop.evidence.includes(id));
				const at = wide.findIndex((result) => holds(strike, result, search.query));
				const found = at < search.k ? wide.slice(0, search.k) : [...wide.slice(0, search.k - 1), wide[at]];
				return found.flatMap((result, index) => (result ? [{ ...result, rank: index + 1 }] : []));
			},
			readWithout(hop, brought) {
				if (hop !== strike.hop) return undefined;
				const other = brought.find((result) => holds(strike, result, hop.question));
				if (!other) return undefined;
				strike.done = { did: `read “${hop.answer.value}” in ${other.id}`, hop: hop.id };
				return hop.answer.value;
			},
		}),
		missed: (strike, walk) => unlessCame(strike, walk) ?? unlessWhole(strike, walk),
	},
	none: {
		does: "nothing: the competent agent",
		expected: [],
		hopless: true,
		strikes: (task, hops) => retrieving(task, hops).slice(0, 1),
		conduct: (strike) => {
			strike.done = { did: "nothing" };
			return {};
		},
	},
};

/** Whether a result outside the gold evidence holds what is asked about and the right value. */
function holds({ hop, task }: Strike, { title, text }: Result, asked: string): boolean {
	const whole = `${title} ${text}`;
	const needed = (task.chain?.hops ?? []).filter(({ id }) => hop.needs.some((need) => need.hop === id));
	const entities = needed.length > 0 ? needed.flatMap(({ answer }) => answer.accepted) : namesIn(asked);
	const long = hop.answer.accepted.filter((form) => form.length > 2);
	return entities.some((name) => says(whole, name)) && long.some((form) => says(whole, form));
}

const first: readonly InjectedFault[] = [
	"misread",
	"hallucinated-entity",
	"bad-query",
	"broken-retriever",
	"skipped-hop",
];
// what strikes also where the question is already a wrong one
const second: readonly InjectedFault[] = ["bad-query", "broken-retriever", "tool-error"];

function twoFaults(strike: Strike): Conduct {
	const { task, hops, hop, seedKey } = strike;
	const able = (faults: readonly InjectedFault[], at: Hop) =>
		faults.filter((fault) => injectedFaults[fault].strikes(task, hops).includes(at));
	const one = oneOf(able(first, hop), seedKey, "first");
	const later = hops.slice(hops.indexOf(hop) + 1).filter((other) => able(second, other).length > 0);
	const other = oneOf(later, seedKey, "later");
	const two = other && oneOf(able(second, other), seedKey, "second");
	if (!one || !other || !two) return {};
	const parts = [
		{ fault: one, strike: { ...strike, seedKey: `${seedKey} 1` } },
		{ fault: two, strike: { ...strike, hop: other, seedKey: `${seedKey} 2` } },
	];
	pairs.set(strike, parts);
	const [a = {}, b = {}] = parts.map((part) => injectedFaults[part.fault].conduct(part.strike));
	return {
		...a,
		apart: (at) => (a.apart?.(at) || b.apart?.(at)) ?? false,
		queries: (at, asked) => a.queries?.(at, asked) ?? b.queries?.(at, asked),
		below: (at, search, run) => (at === other ? b : a).below?.(at, search, run) ?? run(search),
	};
}

/** The two strikes behind one that stands for both. */
const pairs = new WeakMap<Strike, { fault: InjectedFault; strike: Strike }[]>();

function twoMissed(strike: Strike, walk: Walk): string | undefined {
	const [one, two] = pairs.get(strike) ?? [];
	if (!one || !two) return "there is no second hop to strike";
	for (const { fault, strike: part } of [one, two])
		if (!part.done || injectedFaults[fault].missed?.(part, walk)) return `${fault} did not strike ${part.hop.id}`;
	strike.done = {
		...one.strike.done,
		did: [one, two].map(({ fault, strike: { hop, done } }) => `${fault} at ${hop.id}: ${done?.did}`).join("; "),
		expected: [...injectedFaults[one.fault].expected],
		also: [{ fault: two.fault, hop: two.strike.hop.id }],
	};
	return undefined;
}
