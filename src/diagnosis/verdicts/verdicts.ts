import type { Evidence, Hop, HopVerdict, SeenBy, Task, Trajectory } from "#domain";
import type { CameBack, Standing } from "../reading/came-back.ts";
import type { ChainReading, HopReading } from "../reading/chain-reading.ts";
import { foldedWords, holdsApart, holdsWords } from "../reading/folded-words.ts";
import { misreadOperand } from "../reading/operands.ts";
import { otherEvidenceOf } from "../reading/other-evidence.ts";
import { splitWords, stemsOf } from "../reading/query-words.ts";
import { isMadeFor, least, type Seeking, saysValue } from "../reading/seeking.ts";
import { type ValueSeen, valuesSeen } from "../reading/values-seen.ts";

/** What became of one hop, with what the findings say of it. */
export type HopJudged = { reading: HopReading; tried: readonly Seeking[] } & (
	| {
			is: "judged";
			verdict: HopVerdict;
			/** By what its reading, right or wrong, was seen. */
			seen?: { by: SeenBy; place?: number | undefined } | undefined;
			/** Place of the step by which it was solved. */
			solvedAt?: number | undefined;
			used?: string | undefined;
			/** What later queries carry on, where it is another value. */
			carried?: string | undefined;
			/** Evidence outside the gold set that states its value. */
			others?: readonly Evidence[] | undefined;
			/** Of `misread`: where the wrong value stands. */
			cited?: readonly string[] | undefined;
			/** Of `misread`: its evidence came back and no value was given for it. */
			unread?: true;
			/** Of `out-of-order`: the hop that was tried or solved too late. */
			late?: string;
			/** Of `misread`: why nobody can say whether the value stands in what came back. */
			unclear?: string;
			/** Of `unobserved`: why nothing shows it. */
			why?: string;
	  }
	| { is: "not-judged"; reason: string }
);

export interface VerdictInput {
	task: Task;
	trajectory: Trajectory;
	chain: ChainReading;
	/** Whether the final answer is right; undefined where nobody can say, or the agent gives none by design. */
	right: boolean | undefined;
	/** The final answer, unless it declines. */
	answer: string | undefined;
	/** The protocol has sub-answers. */
	subAnswers: boolean;
	/** What broke the trajectory off, if something did. */
	broken: string | undefined;
	/** Too few of its actions could be read, so that nothing is known of its planning. */
	unreadable: boolean;
	/** What came back, where its texts are at hand. */
	texts: CameBack | undefined;
}

/** The value that was stated for a hop, or for the sink the final answer. */
interface Value {
	text: string;
	right: boolean;
	/** Undefined where it is the final answer. */
	place?: number;
}

/** What is known of a hop before its verdict. */
interface State {
	reading: HopReading;
	value: Value | undefined;
	seen: ValueSeen;
	others: readonly Evidence[];
	/** Places of the steps that brought what states it, gold or not. */
	came: readonly number[];
	got: { is: "solved" | "known"; by: SeenBy; place: number | undefined; used?: string | undefined } | undefined;
	/** Another value was used, by what is seen best. */
	wrong: { by: SeenBy; place: number | undefined; value: string; words?: readonly string[] } | undefined;
}

const cannotTell = { is: "unknown", reason: "the texts of what came back are not at hand" } as const satisfies Standing;

/** One verdict for each hop, in the order of dependency, by the order of cause before effect (`brokenOrder`). */
export function judgeHops(input: VerdictInput): HopJudged[] {
	const { chain, right } = input;
	const seen = valuesSeen(input);
	const states = chain.hops.map((reading) => stateOf(reading, seen.get(reading.hop), input));
	if (right === true && chain.searches.length === 0) for (const state of states) implyKnown(state);
	const judged = states.map((state) => verdictOf(state, states, input));
	return vouched(judged, states, input);
}

function stateOf(reading: HopReading, seen: ValueSeen = { jumped: false }, input: VerdictInput): State {
	const { chain, texts, task, right } = input;
	const { hop, brought, retrieves } = reading;
	const value = valueFor(reading, input);
	const others =
		retrieves && brought.length === 0 && texts
			? otherEvidenceOf(hop, { gold: chain.gold, texts, used: seen.right !== undefined || right === true })
			: [];
	const other = new Set(others.map(({ id }) => id));
	const came = (
		other.size === 0 ? brought : chain.seekings.filter(({ step }) => step.results.some(({ id }) => other.has(id)))
	).map(({ place }) => place);
	const state: State = { reading, value, seen, others, came, got: undefined, wrong: undefined };
	const stated = value?.place === undefined ? undefined : value;
	const isSink = task.chain?.sink === hop.id;
	if (value?.right)
		got(
			state,
			{ by: value.place === undefined ? "answer" : "sub-answer", place: value.place, used: value.text },
			chain,
		);
	else if (seen.right && !(stated && !isApart(seen.right, stated, { hop, chain }))) got(state, seen.right, chain);
	if (state.got) return state;
	if (stated) state.wrong = { by: "sub-answer", place: stated.place, value: stated.text };
	else if (seen.wrong) state.wrong = seen.wrong;
	else if (isSink && value && !value.right) state.wrong = { by: "answer", place: undefined, value: value.text };
	return state;
}

/** Its right value was seen: solved where what states it had come back by then, else known. */
function got(
	state: State,
	{ by, place, used }: { by: SeenBy; place: number | undefined; used?: string | undefined },
	{ gold }: ChainReading,
): void {
	const { reading, came, value } = state;
	if (!reading.retrieves) {
		state.got = { is: "solved", by, place, used };
		return;
	}
	const had = came.some((at) => place === undefined || at < place || (by !== "query" && at === place));
	// a search of its own may say the value and find what states it at once
	const later = by === "sub-answer" && came.length > 0;
	if (had || later) state.got = { is: "solved", by, place: place ?? came[0], used };
	else if (by !== "sub-answer" && by !== "answer") state.got = { is: "known", by, place, used };
	else if (gold.tells(reading.hop) || !value?.right) state.got = { is: "known", by, place, used };
}

/** Whether a query that carries the right value says it elsewhere than within the wrong one that was stated. */
function isApart(
	{ by, place }: { by: SeenBy; place: number },
	stated: Value,
	{ hop, chain }: { hop: Hop; chain: ChainReading },
): boolean {
	if (by === "answer") return true;
	const said = by === "query" ? chain.seekings.find((seeking) => seeking.place === place)?.said : undefined;
	const wrong = foldedWords(stated.text);
	return said?.some((text) => chain.gold.formsOf(hop).some((form) => holdsApart(text, form, [wrong]))) ?? false;
}

/**
 * Of several values stated for a hop the one that was used: the final answer for the sink, the one that later searches
 * carry on for others; where that tells nothing the first right one, else the last.
 */
function valueFor(reading: HopReading, { task, chain, right, answer }: VerdictInput): Value | undefined {
	const { given, hop } = reading;
	const sink = task.chain?.sink === hop.id;
	const final = sink && answer !== undefined && right !== undefined ? { text: answer, right } : undefined;
	const fitting = given.find((one) => one.right);
	const wrong = given.filter((one) => !one.right);
	if (final?.right) return fitting ?? final;
	if (fitting) {
		const ended = final && wrong.findLast(({ text }) => foldedWords(text) === foldedWords(final.text));
		if (ended) return ended;
		if (wrong.length === 0 || isCarriedOn(fitting.text, hop, chain)) return fitting;
		return wrong.findLast(({ text }) => isCarriedOn(text, hop, chain)) ?? fitting;
	}
	return given.at(-1) ?? final;
}

/** Whether a search made for a hop that needs this one carries a value that the question does not hold. */
function isCarriedOn(value: string, hop: Hop, { gold, seekings }: ChainReading): boolean {
	const folded = foldedWords(value);
	if (holdsWords(gold.asked, folded)) return false;
	return gold.needing(hop).some((next) => seekings.some((one) => isMadeFor(one, next) && saysValue(one, folded)));
}

function implyKnown(state: State): void {
	if (!state.got && !state.wrong) state.got = { is: "known", by: "implied", place: undefined };
}

function verdictOf(state: State, states: readonly State[], input: VerdictInput): HopJudged {
	const { reading, seen, others, came, wrong, value } = state;
	const { chain, task, broken, unreadable, right, answer, subAnswers, texts } = input;
	const { hop, own, brought, modalities } = reading;
	const { gold } = chain;
	const tried = own.length > 0 ? own : attemptsAt(state, input);
	const base = { reading, tried };
	const carried = seen.wrong?.by === "query" && state.value?.place !== undefined ? { carried: seen.wrong.value } : {};
	const judged = (verdict: HopVerdict, more: object = {}): HopJudged => ({
		...base,
		is: "judged",
		verdict,
		...carried,
		...more,
	});
	const notJudged = (reason: string): HopJudged => ({ ...base, is: "not-judged", reason });
	if (state.got) {
		const { is, by, place, used } = state.got;
		const more = { seen: { by, place }, used, ...(others.length > 0 ? { others } : {}) };
		return is === "known" ? judged("skipped-known", more) : judged("solved", { ...more, solvedAt: place ?? came[0] });
	}
	const shown = wrong ? { used: wrong.value, seen: { by: wrong.by, place: wrong.place } } : {};
	if (!reading.retrieves)
		return judged("unobserved", {
			why: "it only computes, and its right value is stated nowhere",
			...(value ? { used: value.text } : {}),
		});
	if (unreadable) return notJudged("too few of its actions could be read");
	const isStated = value?.place !== undefined;
	if (tried.length > 0 && !wrong && tried.every(({ failed }) => failed))
		return broken === undefined ? judged("tool-failed") : notJudged(`${broken} while it was worked on`);
	if (tried.length === 0 && came.length === 0 && !isStated) {
		if (broken !== undefined) return notJudged(`${broken} before it was reached`);
		return isRefused(hop, input) ? notJudged("its calls could not be carried out") : judged("not-planned");
	}
	if (broken !== undefined && !wrong && came.length > 0) return notJudged(`${broken} while it was worked on`);
	const found = own.some((seeking) => brought.includes(seeking)) || (brought.length === 0 && came.length > 0);
	const elsewhere = ({ modality }: Seeking) => modality !== undefined && !modalities.has(modality);
	if (tried.length > 0 && !found && came.length === 0 && tried.every(elsewhere)) return judged("wrong-modality");
	const late = tried.length === 0 ? undefined : lateNeed(state, tried, states, input);
	if (late) return judged("out-of-order", { late });
	if (own.length > 0 && !found) {
		// what another hop's search had brought by then was there to be read
		const before = wrong?.place ?? (wrong ? Infinity : -1);
		const readable = isStated || subAnswers ? came.some((at) => at <= before) : came.length > 0;
		if (!readable) return judged("retrieval-miss");
	}
	if (came.length === 0) return judged(own.length > 0 || tried.length > 0 ? "retrieval-miss" : "not-planned");
	if (wrong) {
		const isAncestors = ancestorHolds(hop, wrong.value, input);
		if (tried.length === 0 && !isStated && (isAncestors || wrong.by === "answer")) {
			if (isAncestors || wrong.by !== "answer" || subAnswers) return judged("not-planned");
		}
		return readWrongly({
			judged,
			wrong,
			shown,
			asked: holdsWords(gold.asked, foldedWords(wrong.value)) || isAncestors,
			texts,
		});
	}
	if (subAnswers) return own.length === 0 ? judged("not-planned") : judged("misread", { unread: true });
	if (own.length === 0) {
		if (seen.jumped) return judged("not-planned");
		return judged("unobserved", { why: "no search of its own, and its evidence came back by the way" });
	}
	const asked = gold.needing(hop).some((next) => chain.seekings.some((seeking) => isMadeFor(seeking, next)));
	const why =
		answer === undefined && !asked
			? "its evidence came back, and nothing followed"
			: right === undefined && task.chain?.sink === hop.id
				? "no answer is given by design"
				: "nothing that the agent wrote afterwards carries its value, nor another in its place";
	return judged("unobserved", { why });
}

/** The wrong value stands in what came back before it was used, or it does not. */
function readWrongly({
	judged,
	wrong,
	shown,
	asked,
	texts,
}: {
	judged(verdict: HopVerdict, more?: object): HopJudged;
	wrong: NonNullable<State["wrong"]>;
	shown: object;
	asked: boolean;
	texts: CameBack | undefined;
}): HopJudged {
	if (wrong.words && wrong.by !== "answer") {
		// a query and a thought stand before the results of their own step
		const until = wrong.place === undefined ? undefined : wrong.place - 1;
		const cited = texts?.holding(wrong.words, { until }).map(({ id }) => id) ?? [];
		if (cited.length > 0) return judged("misread", { ...shown, cited });
		if (!texts) return judged("misread", { ...shown, unclear: cannotTell.reason });
		const stands = texts.standing(wrong.value, { until });
		if (stands.is === "unknown") return judged("misread", { ...shown, unclear: stands.reason });
		return judged(stands.is === "stands" && !asked ? "misread" : "unsupported", shown);
	}
	// what the value was searched for afterwards cannot have told it
	const stands = texts ? texts.standing(wrong.value, { until: wrong.place }) : cannotTell;
	if (stands.is === "nowhere" && !(asked && wrong.by === "answer")) return judged("unsupported", shown);
	return judged("misread", { ...shown, ...(stands.is === "unknown" ? { unclear: stands.reason } : {}) });
}

/**
 * Searches that are too short or too far off to aim at a hop, and can be meant for it all the same: they say a word that
 * only it asks with, or, of a hop that needs nothing, one of the question.
 */
function attemptsAt({ reading: { hop } }: State, { chain }: VerdictInput): Seeking[] {
	const { gold, searches } = chain;
	const loose = searches.filter(({ aimed, said }) => aimed.length === 0 && said.length > 0);
	if (loose.length === 0) return [];
	const near = loose.filter(({ stems }) => stems.some((some) => gold.likeness(some, hop) > 0));
	if (near.length > 0 || hop.needs.length > 0) return near;
	return loose.filter(({ said }) => said.some((text) => splitWords(text).some((word) => isOfQuestion(word, gold))));
}

const leastAsked = 4;
const isOfQuestion = (word: string, gold: ChainReading["gold"]) =>
	word.length >= leastAsked && !gold.isEmpty(word) && gold.isAsked(word) && !gold.isRelation(word);

/** Whether a call that was refused asked for the hop. */
function isRefused(hop: Hop, { chain: { gold }, trajectory }: VerdictInput): boolean {
	return trajectory.steps.some(({ call }) => {
		if (call?.valid !== false) return false;
		const said = Object.values(call.arguments).filter((value) => typeof value === "string");
		return said.some((text) => gold.likeness(stemsOf(foldedWords(text.slice(0, 2000))), hop) >= least);
	});
}

/** A hop that this one needs and that was solved, or else first tried, only after all of its own steps. */
function lateNeed(
	{ reading: { hop } }: State,
	tried: readonly Seeking[],
	states: readonly State[],
	{ chain: { gold } }: VerdictInput,
): string | undefined {
	const needed = gold.pairs.filter(({ needing }) => needing === hop.id).map(({ needed }) => needed);
	const late = states.find(({ reading, got, seen }) => {
		if (!needed.includes(reading.hop.id) || got?.is === "known") return false;
		const at = reading.own[0]?.place ?? (got && got.by !== "implied" ? got.place : undefined);
		if (at === undefined || !tried.every(({ place }) => place < at)) return false;
		// asked with a value in its place, right or wrong, it was not asked too early
		if (tried.some(({ said }) => said.some((text) => gold.carries(text, reading.hop) !== undefined))) return false;
		return !(seen.wrong?.by === "query" && tried.some(({ place }) => place === seen.wrong?.place));
	});
	return late?.reading.hop.id;
}

function ancestorHolds(hop: Hop, value: string, { chain: { gold } }: VerdictInput): boolean {
	const folded = foldedWords(value);
	return [...(gold.ancestors.get(hop.id) ?? [])].some((id) => {
		const ancestor = gold.byId.get(id);
		return ancestor !== undefined && gold.acceptedOf(ancestor).includes(folded);
	});
}

const isImplied = (judged: HopJudged): boolean =>
	judged.is === "judged" && (judged.verdict === "solved" || judged.verdict === "skipped-known");

/**
 * What a right value vouches for. A hop that was solved, or a right final answer, says that the hops it needs were read
 * rightly; a yes or no, a choice and what stands in the question say nothing of them.
 */
function vouched(judged: HopJudged[], states: readonly State[], input: VerdictInput): HopJudged[] {
	const { chain, right, task } = input;
	const { gold } = chain;
	const result = [...judged];
	const placeOf = new Map(chain.hops.map(({ hop }, at) => [hop.id, at]));
	const told = new Set<string>();
	const sink = task.chain?.sink;
	const sinkTells = gold.sinkTells(input.answer);
	if (right === true && sinkTells && sink !== undefined)
		for (const id of [sink, ...(gold.ancestors.get(sink) ?? [])]) told.add(id);
	for (let at = result.length - 1; at >= 0; at--) {
		const one = result[at];
		const state = states[at];
		if (!one || !state || one.is !== "judged") continue;
		const { hop } = one.reading;
		const stated = state.value?.place !== undefined && !state.value.right;
		if (told.has(hop.id) && !stated && !isImplied(one)) {
			const open = one.verdict === "unobserved" || (one.verdict === "misread" && one.unread);
			const implied = {
				seen: { by: "implied" as const },
				...(state.others.length > 0 ? { others: state.others } : {}),
			};
			const { reading, tried } = one;
			const passed = open || one.verdict === "not-planned" || right === true;
			if (state.came.length > 0 && passed)
				result[at] = { reading, tried, is: "judged", verdict: "solved", solvedAt: state.came[0], ...implied };
			else if (!reading.retrieves) result[at] = { reading, tried, is: "judged", verdict: "solved", ...implied };
			else if (right === true) result[at] = { reading, tried, is: "judged", verdict: "skipped-known", ...implied };
		} else if (right === true && !stated && isGuess(one, state)) {
			const { reading, tried } = one;
			const why = "the final answer is right, and could be by luck";
			result[at] = { reading, tried, is: "judged", verdict: "unobserved", why };
		}
		const now = result[at];
		const speaks = hop.id === sink ? sinkTells : gold.formsOf(hop).length > 0;
		if (now && isImplied(now) && speaks) for (const need of hop.needs) told.add(need.hop);
	}
	const operand =
		right === false
			? misreadOperand(
					input,
					result.map((one) => one.is === "judged" && one.verdict === "unobserved"),
				)
			: undefined;
	const at = operand && placeOf.get(operand.hop.id);
	const found = at === undefined ? undefined : result[at];
	if (operand && at !== undefined && found)
		result[at] = {
			...{ reading: found.reading, tried: found.tried, is: "judged", verdict: "misread", used: operand.value },
			...{ seen: { by: "answer" }, cited: operand.cited },
		};
	return result;
}

/** What a weaker sign than a later query shows to be wrong, or what may have been looked for in other words. */
function isGuess(judged: HopJudged, { wrong, came }: State): boolean {
	if (judged.is !== "judged") return false;
	if (judged.verdict === "misread" || judged.verdict === "unsupported") return wrong?.by !== "query";
	return judged.verdict === "not-planned" && came.length > 0;
}
