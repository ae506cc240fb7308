/**
 * The walk of an injected agent along a gold chain: real searches in its own words, values read where evidence came
 * back, wrong values carried on. What goes wrong is told by a `Conduct`; without one the agent is competent.
 */
import {
	type Hop,
	identifyingHops,
	inDependencyOrder,
	type Observability,
	type QueryStyle,
	type SearchTool,
	type Step,
	type StopReason,
	type Task,
	type TaskView,
	type Trajectory,
} from "#domain";
import { createRecorder, type Recorder } from "../driver/recorder.ts";
import type { Tools } from "../tools/tools.ts";
import { computed } from "../walker/compute.ts";
import { drawn, oneOf } from "../walker/drawn.ts";
import { askedQuestion } from "../walker/wording.ts";
import { namesIn, queriesFor, together } from "./queries.ts";
import { guessed, type Result, readElsewhere, transformed, type World } from "./reading.ts";
import { rephrased } from "./rephrasings.ts";
import { type Found, thoughtOf } from "./thoughts.ts";

/** A search as it is put to the tools. */
export interface Search {
	tool: SearchTool;
	query: string;
	/** Index of a question image: the search is by it. */
	image?: number | undefined;
	k: number;
}

export interface Conduct {
	/** The hops it walks, from all in the order of dependency. */
	plan?(hops: readonly Hop[]): Hop[];
	/** Asks a hop although it does not know what the hop needs: a generic word stands for it. */
	careless?: boolean;
	/** Hops that are asked alone, and always asked. */
	apart?(hop: Hop): boolean;
	/** Other queries for a hop than its question's. */
	queries?(hop: Hop, asked: string): string[] | undefined;
	tool?(tool: SearchTool): SearchTool;
	/** What stands below the agent: other results than the search's own, or how it failed. */
	below?(hop: Hop, search: Search, run: (search: Search) => Promise<Result[]>): Promise<Result[] | { error: string }>;
	/** Another value than the right one, read for a hop whose evidence came back. */
	read?(hop: Hop, came: { brought: Result[]; seen: Result[] }): string | undefined;
	/** A value read for a hop whose evidence did not come back. */
	readWithout?(hop: Hop, brought: Result[]): string | undefined;
	/** Another result of a computing hop than the right one. */
	computed?(hop: Hop, walk: Walk): string | undefined;
	/** A value that stands for a hop that it does not walk. */
	instead?(hop: Hop, walk: Walk): string | undefined;
	/** Searches after the walk. */
	after?(walk: Walk): Promise<void>;
	/** How it ends, from how it would. */
	end?(end: Ending, walk: Walk): Ending;
	/** The whole walk. */
	script?(walk: Walk): Promise<Ending>;
}

export interface Ending {
	answer: string | null;
	abstained: boolean;
	stop: StopReason;
}

interface Known {
	value: string;
	right: boolean;
}

export interface Walk {
	task: Task;
	view: TaskView;
	hops: Hop[];
	world: World;
	observability: Observability;
	style: QueryStyle;
	seedKey: string;
	k: number;
	recorder: Recorder;
	tools: Tools;
	conduct: Conduct;
	/** Told what goes with a search, and the steps before it, before it is made. */
	onSearch?: ((about: Pick<Step, "thought" | "subQuestion">, before: readonly Step[]) => void) | undefined;
	known: Map<string, Known>;
	/** All that came back, first come first. */
	seen: Map<string, Result>;
	/** Hops that were searched for, and those of them given up. */
	searchedFor: Set<string>;
	missed: Set<string>;
	/** Hops that were asked with another hop's search. */
	asked: Set<string>;
	/** What the next thought will tell. */
	mind: { found: Found[]; worked: string[]; failed: "nothing" | "error" | undefined; turn: number };
}

export type Setup = Pick<
	Walk,
	"task" | "view" | "world" | "observability" | "style" | "seedKey" | "tools" | "conduct" | "onSearch"
>;

const shown = 5;

/** Walks a task; the trajectory names neither fault nor hop. */
export async function walkInjected(setup: Setup, signal: AbortSignal): Promise<{ walk: Walk; trajectory: Trajectory }> {
	const walk: Walk = {
		...setup,
		...{ hops: setup.task.chain ? inDependencyOrder(setup.task.chain) : [], k: shown },
		recorder: createRecorder(setup.tools, { signal }),
		...{ known: new Map(), seen: new Map(), searchedFor: new Set(), missed: new Set(), asked: new Set() },
		mind: { found: [], worked: [], failed: undefined, turn: 0 },
	};
	const { conduct, recorder } = walk;
	const ending = conduct.script ? await conduct.script(walk) : await walkHops(walk);
	if (walk.observability === "thought" && ending.stop === "answered")
		recorder.note({ thought: think(walk, { answer: ending.answer }) });
	const { steps, ...trajectory } = recorder.finish(ending);
	// a record says the same whenever it is made
	return { walk, trajectory: { ...trajectory, steps: steps.map((step) => ({ ...step, ms: 0 })), ms: 0 } };
}

async function walkHops(walk: Walk): Promise<Ending> {
	const { conduct, hops } = walk;
	const plan = conduct.plan?.(hops) ?? hops;
	for (const hop of plan) await walkHop(walk, hop, plan);
	await conduct.after?.(walk);
	const ending = endingOf(walk);
	return conduct.end?.(ending, walk) ?? ending;
}

async function walkHop(walk: Walk, hop: Hop, plan: readonly Hop[]): Promise<void> {
	const { known, conduct, seen } = walk;
	for (const need of hop.needs) {
		const left = plan.some(({ id }) => id === need.hop) ? undefined : walk.hops.find(({ id }) => id === need.hop);
		const value = left && !known.has(left.id) ? conduct.instead?.(left, walk) : undefined;
		if (value !== undefined) known.set(need.hop, { value, right: false });
	}
	const lacking = hop.needs.some((need) => !known.has(need.hop));
	if (hop.evidence.length === 0) return lacking ? undefined : computeHop(walk, hop);
	if (lacking && !conduct.careless) return;
	const rightly = !lacking && hop.needs.every((need) => known.get(need.hop)?.right);
	const question = questionOf(walk, hop);
	const came = () => hop.evidence.some((id) => seen.has(id));
	const apart = conduct.apart?.(hop) ?? false;
	// what an earlier search already brought need not be searched for
	if (rightly && came() && !apart && (walk.asked.has(hop.id) || drawn(walk.seedKey, "look", hop.id) < 0.5))
		return readHop(walk, hop, { question, brought: [], step: undefined });
	const brought: Result[] = [];
	let step: Step | undefined;
	for (const search of searchesFor(walk, hop, { question, plan, apart })) {
		const found = await searchStep(walk, search, { hop, question });
		({ step } = found);
		brought.push(...found.results);
		walk.searchedFor.add(hop.id);
		if (rightly && came()) return readHop(walk, hop, { question, brought, step });
		const value = rightly ? conduct.readWithout?.(hop, brought) : wronglyRead(walk, hop, question, brought);
		const [{ title } = { title: hop.id }] = found.results;
		if (value !== undefined) return keep(walk, hop, { value, step, question, title });
		walk.mind.failed ??= "nothing";
	}
	walk.missed.add(hop.id);
	// who does not find a thing may still continue with a guess
	if (!lacking && drawn(walk.seedKey, "give up", hop.id) < 0.3)
		keep(walk, hop, { value: guessed(hop, walk), step, question });
}

/** A hop's question with the agent's own values in it; a computing one may name what its operands are of. */
export function questionOf({ hops, known }: Pick<Walk, "hops" | "known">, hop: Hop): string {
	const own = new Map([...known].map(([id, { value }]) => [id, value]));
	const operands = hop.evidence.length > 0 ? [] : hops.filter(({ id }) => hop.needs.some((need) => need.hop === id));
	const needs = [...hop.needs, ...operands.flatMap((operand) => operand.needs)];
	return askedQuestion({ ...hop, needs }, { hops, known: own });
}

function wronglyRead(walk: Walk, hop: Hop, question: string, brought: Result[]) {
	const about = hop.needs.flatMap((need) => walk.known.get(need.hop)?.value ?? []);
	return readElsewhere(hop, { ...walk, asked: question, about, results: brought });
}

function readHop(
	walk: Walk,
	hop: Hop,
	{ question, brought, step }: { question: string; brought: Result[]; step: Step | undefined },
): void {
	const own = (results: Iterable<Result>) => {
		const all = [...results];
		const gold = all.filter(({ id }) => hop.evidence.includes(id));
		return [...gold, ...all.filter((result) => !gold.includes(result))];
	};
	const results = own(brought.length > 0 ? [...brought, ...goldSeen(walk, hop)] : goldSeen(walk, hop));
	const wrong = walk.conduct.read?.(hop, { brought: results, seen: [...walk.seen.values()] });
	keep(walk, hop, {
		value: wrong ?? hop.answer.value,
		right: wrong === undefined,
		step,
		question,
		title: results[0]?.title,
	});
}

const goldSeen = ({ seen }: Walk, hop: Hop) => hop.evidence.flatMap((id) => seen.get(id) ?? []);

/** Believes a value from here on, and shows as much of it as the record is to show. */
export function keep(
	walk: Walk,
	hop: Hop,
	{
		value,
		right = value === hop.answer.value,
		step,
		question,
		title,
	}: {
		value: string;
		right?: boolean;
		step: Step | undefined;
		question: string;
		title?: string | undefined;
	},
): void {
	walk.known.set(hop.id, { value, right });
	if (title !== undefined) walk.mind.failed = undefined;
	if (hop.evidence.length > 0) walk.mind.found.push({ value, title });
	else walk.mind.worked.push(value);
	if (walk.observability !== "stated") return;
	// a step that answered two questions states the second on its own
	if (step && step.subAnswer === undefined) step.subAnswer = value;
	else walk.recorder.note({ subQuestion: saidOf(walk, question), subAnswer: value });
}

/** A question as the agent puts it to itself. */
export const saidOf = ({ style, seedKey }: Walk, question: string): string =>
	style === "verbatim" ? question : rephrased(question, Math.floor(drawn(seedKey, "said", question) * 2));

interface Stepped {
	step: Step;
	results: Result[];
}

/** One search, recorded. */
export async function searchStep(
	walk: Walk,
	search: Search,
	{ hop, question }: { hop?: Hop | undefined; question: string },
): Promise<Stepped> {
	const { recorder, observability, conduct, tools } = walk;
	const about = {
		...(observability === "thought" ? { thought: think(walk, { next: saidOf(walk, question) }) } : {}),
		...(observability === "stated" ? { subQuestion: saidOf(walk, question) } : {}),
	};
	walk.onSearch?.(about, recorder.steps);
	const run = async ({ tool, query, image, k }: Search) => {
		const ask = tools[tool] as (call: object) => Promise<{ results: Result[] }>;
		return (await ask(image === undefined ? { query, k } : { image, k })).results;
	};
	const { tool, query, image, k } = search;
	const found = hop && conduct.below ? await conduct.below(hop, search, run) : await run(search);
	const call = { tool, arguments: image === undefined ? { query, k } : { image, k }, valid: true };
	if ("error" in found) {
		walk.mind.failed = "error";
		return { step: recorder.note({ ...about, call, error: found.error }), results: [] };
	}
	for (const result of found) if (!walk.seen.has(result.id)) walk.seen.set(result.id, result);
	const results = found.map(({ id, score, rank }) => ({ id, score, rank }));
	return { step: recorder.note({ ...about, call, results }), results: found };
}

/** The next thought, told once. */
export function think(walk: Walk, { next, answer = null }: { next?: string; answer?: string | null }): string {
	const { found, worked, failed, turn } = walk.mind;
	const thought = thoughtOf(
		{ found, worked, failed, next, answer },
		{ language: walk.task.tags.language, seedKey: walk.seedKey, turn },
	);
	walk.mind = { found: [], worked: [], failed: undefined, turn: turn + 1 };
	return thought;
}

/** The searches for a hop, the likeliest first: up to three. */
function searchesFor(
	walk: Walk,
	hop: Hop,
	{ question, plan, apart }: { question: string; plan: readonly Hop[]; apart: boolean },
): Search[] {
	const { conduct, task, view, style, seedKey, known, k } = walk;
	const through = (tool: SearchTool) => conduct.tool?.(tool) ?? tool;
	const tool = through(
		hop.modality === "image" ? "image_search_by_text" : hop.modality === "page" ? "page_search" : "text_search",
	);
	const needed = hop.needs.flatMap((need) => known.get(need.hop)?.value ?? []);
	const names = [...new Set([...needed.filter((name) => question.includes(name)), ...namesIn(question)])];
	const asking = { style, language: task.tags.language, seedKey: `${seedKey} ${hop.id}`, names };
	const own = conduct.queries?.(hop, question);
	if (own) return own.map((query) => ({ tool, query, k }));
	const queries = queriesFor(question, asking);
	const partner = apart || style !== "combined" ? undefined : partnerOf(walk, hop, plan);
	if (partner) {
		walk.asked.add(partner.id);
		queries.unshift(together(question, questionOf(walk, partner), asking));
	}
	const searches: Search[] = queries.slice(0, conduct.careless ? 1 : 3).map((query) => ({ tool, query, k }));
	const image = identifyingHops(task).get(hop.id);
	if (image === undefined || image >= view.images.length) return searches;
	if (through("image_search_by_image") !== "image_search_by_image") return searches;
	const byImage: Search = { tool: "image_search_by_image", query: question, image, k };
	return [byImage, { ...byImage, k: 4 * k }];
}

/** A hop that can be asked in the same breath: of the same thing, or of what this one finds. */
function partnerOf({ known, conduct }: Walk, hop: Hop, plan: readonly Hop[]): Hop | undefined {
	const bridges = (one: Hop) =>
		one.needs
			.map((need) => need.hop)
			.sort()
			.join(" ");
	return plan.find(
		(one) =>
			one !== hop &&
			one.evidence.length > 0 &&
			one.modality === hop.modality &&
			one.modality !== "image" &&
			!known.has(one.id) &&
			!conduct.apart?.(one) &&
			((bridges(one) === bridges(hop) && one.needs.length > 0) ||
				(one.needs.some((need) => need.hop === hop.id) &&
					one.needs.every((need) => need.hop === hop.id || known.has(need.hop)))),
	);
}

function computeHop(walk: Walk, hop: Hop): void {
	const { known, hops, task, observability, recorder } = walk;
	const needed = hop.needs.flatMap((need) => {
		const from = known.get(need.hop);
		return from ? [{ ...from, hop: need.hop }] : [];
	});
	const right = needed.every((one) => one.right) && hop.answer.type !== "none";
	const operands = needed.map(({ hop: id, value }) => {
		const bridge = hops.find((one) => one.id === id)?.needs.find(({ role }) => role === "bridge");
		return { value, of: bridge && known.get(bridge.hop)?.value };
	});
	const wrong = () =>
		computed(hop, operands, { language: task.tags.language }) ??
		transformed(hop.question, needed.find((one) => !one.right)?.value ?? "") ??
		guessed(hop, walk);
	const other = right ? walk.conduct.computed?.(hop, walk) : undefined;
	const value = other ?? (right ? hop.answer.value : wrong());
	const question = questionOf(walk, hop);
	const step = observability === "stated" ? recorder.note({ subQuestion: saidOf(walk, question) }) : undefined;
	keep(walk, hop, { value, right: right && other === undefined, step, question });
}

/** The sink's answer; without one the agent says that it does not know, or guesses. */
function endingOf(walk: Walk): Ending {
	const { task, known, seedKey } = walk;
	const own = task.chain ? known.get(task.chain.sink) : undefined;
	if (own?.right) {
		const declines = task.answer.type === "none";
		return { answer: declines ? null : task.answer.value, abstained: declines, stop: "answered" };
	}
	if (own) return { answer: own.value, abstained: false, stop: "answered" };
	return drawn(seedKey, "abstain") < 0.6
		? { answer: null, abstained: true, stop: "answered" }
		: { answer: answerGuessed(walk), abstained: false, stop: "answered" };
}

/** A final answer out of the air: the last value it came to, or one of the answer's kind. */
export function answerGuessed(walk: Walk): string {
	const { task, known, seedKey } = walk;
	const last = oneOf([...known.values()].slice(-1), seedKey);
	const free = guessed({ answer: task.answer, question: task.question }, walk);
	return last &&
		task.answer.type === "string" &&
		drawn(seedKey, "last") < 0.4 &&
		!task.answer.accepted.includes(last.value)
		? last.value
		: free;
}
