import {
	type AskedAgain,
	type Diagnosis,
	type Finding,
	type HopDiagnosis,
	type Intervention,
	inDependencyOrder,
	interventionName,
	isBroken,
	stepsOfHop,
	type Task,
} from "#domain";
import { mostIds } from "../verdicts/hop-words.ts";
import { namedFirst } from "../verdicts/primary.ts";
import type { InterventionPlan } from "./intervention-plan.ts";
import { type Rerun, type RerunItem, type Standing, standingOf } from "./reruns.ts";

/*
 * Of a failure's unobserved hops the one that broke is found by bisection: of the prefixes of the chain that end with one
 * of them, the shortest with which the agent succeeds. That one hop broke is supposed: of two that broke independently of
 * one another, the later is found.
 */

export interface SettlingOptions {
	tasks: readonly Task[];
	/** What was asked so far. */
	reruns: readonly Rerun[];
	/** Whether the agent is first asked again without a change: what is right then recovers by itself. */
	control: boolean;
	/**
	 * A repeat of a re-run speaks of the record of the same repeat, as with agents that do not sample; otherwise all repeats
	 * of a re-run vote on every record of the task.
	 */
	paired: boolean;
}

/** Whether a record failed with hops of which re-runs could say which one broke. */
export const canBeSettled = (diagnosis: Diagnosis): boolean =>
	diagnosis.right === false && candidatesOf(diagnosis).length > 0;

/**
 * The next round of re-runs that settling takes, one for each length of prefix, on the tasks that need it: nothing where
 * all is settled or what is asked does not tell. Which prefix comes next depends on the last outcome.
 */
export function planSettling(diagnoses: readonly Diagnosis[], options: SettlingOptions): InterventionPlan[] {
	const byId = new Map(options.tasks.map((task) => [task.id, task]));
	const plans = new Map<string, { what: Intervention; tasks: Set<string> }>();
	for (const diagnosis of diagnoses.filter(canBeSettled)) {
		const task = byId.get(diagnosis.task);
		const what = task && nextQuestion(diagnosis, { ...options, task });
		if (!what || wasAsked(what, diagnosis, options.reruns)) continue;
		const name = interventionName(what);
		const plan = plans.get(name) ?? { what, tasks: new Set() };
		plan.tasks.add(diagnosis.task);
		plans.set(name, plan);
	}
	return [...plans.values()]
		.sort((a, b) => prefixLength(a.what) - prefixLength(b.what))
		.map(({ what, tasks }) => ({ what, tasks: [...tasks] }));
}

const prefixLength = (what: Intervention): number => (what.is === "gold-prefix" ? what.hops : 0);

/** What the re-runs say of one record, each prefix once: only those whose every end is known. */
export function askedOf(
	diagnosis: Diagnosis,
	{ task, reruns, paired }: Pick<SettlingOptions, "reruns" | "paired"> & { task: Task },
): AskedAgain[] {
	const order = task.chain ? inDependencyOrder(task.chain).map(({ id }) => id) : [];
	const found = new Map<string | null, AskedAgain>();
	for (const { what, items } of reruns) {
		if (what.is !== "again" && what.is !== "gold-prefix") continue;
		const upTo = order[Math.min(prefixLength(what), order.length) - 1] ?? null;
		const given = upTo === null ? [] : candidatesUpTo(diagnosis, upTo);
		const own = items.filter(
			(item) => item.task.id === diagnosis.task && (!paired || item.row?.repeat === diagnosis.repeat),
		);
		const ends = own.map((item) => endOf(item, given));
		if (ends.length === 0 || ends.includes("unknown")) continue;
		found.set(upTo, { upTo, right: ends.filter((end) => end === "right").length, of: ends.length });
	}
	return [...found.values()];
}

/** A wrong answer says nothing where the agent never met what was to be given. */
function endOf(item: RerunItem, given: readonly string[]): Standing {
	const end = standingOf(item);
	const { intervened } = item.record?.trajectory ?? {};
	const met = !intervened || given.every((hop) => intervened.hops.includes(hop));
	return end === "failed" && !met ? "unknown" : end;
}

/**
 * The diagnosis with what re-runs said of its unobserved hops: the one that broke is misread, those before it are solved,
 * both seen by settling; where no prefix recovers the answer, all are solved, and what was made of them is wrong. Nothing is
 * changed where the agent was right when it was only asked again. `unobserved` is what is left.
 */
export function settled(
	diagnosis: Diagnosis,
	{ task, asked }: { task: Pick<Task, "chain">; asked: readonly AskedAgain[] },
): Diagnosis {
	if (asked.length === 0 || !canBeSettled(diagnosis)) return diagnosis;
	const places = new Map<string | null, number>(diagnosis.hops.map(({ hop }, place) => [hop, place]));
	const inOrder = [...asked].sort((a, b) => (places.get(a.upTo) ?? -1) - (places.get(b.upTo) ?? -1));
	const settling = (is: "settled" | "by-itself" | "open") => ({ is, asked: inOrder });
	if (recoversByItself(asked)) return { ...diagnosis, settling: settling("by-itself") };
	const candidates = candidatesOf(diagnosis);
	const { low, high } = rangeOf(diagnosis, asked);
	if (low > high) return { ...diagnosis, settling: settling("open") };
	const solved = new Set(candidates.slice(0, low));
	const decisive = low === high ? diagnosis.hops.find(({ hop }) => hop === candidates[low]) : undefined;
	const hops = diagnosis.hops.map((hop): HopDiagnosis => {
		if (hop.is !== "judged") return hop;
		const { why: _nowKnown, ...known } = hop;
		const seen = { by: "settled" as const };
		if (solved.has(hop.hop)) return { ...known, verdict: "solved", seen };
		return hop === decisive && isRead(hop) ? { ...known, verdict: brokenVerdict(hop), seen } : hop;
	});
	if (low < high) {
		const over = high < candidates.length ? new Set(candidates.slice(high + 1)) : new Set<string>();
		const unobserved = diagnosis.unobserved.filter((hop) => !solved.has(hop) && !over.has(hop));
		return { ...diagnosis, hops, unobserved, settling: settling("open") };
	}
	const isBrokenHop = hops.some((hop) => hop.is === "judged" && isBroken(hop.verdict));
	const findings = [
		...diagnosis.findings.filter(({ is, hop }) => is !== "unobserved" && (hop !== decisive?.hop || hop === undefined)),
		...(decisive && isRead(decisive) ? [decisiveFinding(decisive, { diagnosis, asked })] : []),
		...(isBrokenHop ? [] : [compositionFinding(decisive, { diagnosis, asked })]),
	];
	return {
		...{ ...diagnosis, hops, findings },
		...namedFirst({ task, hops, findings, right: diagnosis.right }),
		...{ unobserved: [], settling: settling("settled") },
	};
}

type JudgedHop = Extract<HopDiagnosis, { is: "judged" }>;

/** Whether evidence of a hop came back to be read; one that only computes has none. */
const isRead = (hop: HopDiagnosis | undefined): hop is JudgedHop =>
	hop?.is === "judged" && (hop.brought.length > 0 || hop.evidence.length > 0);

const brokenVerdict = ({ verdict }: JudgedHop) => (isBroken(verdict) ? verdict : "misread");

/** The unobserved hops up to the last that was read: of those that only compute behind it, composition speaks. */
function candidatesOf({ unobserved, hops }: Diagnosis): string[] {
	const byId = new Map(hops.map((hop) => [hop.hop, hop]));
	return unobserved.slice(0, unobserved.findLastIndex((id) => isRead(byId.get(id))) + 1);
}

function candidatesUpTo(diagnosis: Diagnosis, upTo: string): string[] {
	const places = new Map(diagnosis.hops.map(({ hop }, place) => [hop, place]));
	const end = places.get(upTo) ?? -1;
	return candidatesOf(diagnosis).filter((hop) => (places.get(hop) ?? Number.POSITIVE_INFINITY) <= end);
}

/** What is right even once when nothing was changed can be right by chance under any prefix. */
const recoversByItself = (asked: readonly AskedAgain[]): boolean =>
	asked.some(({ upTo, right }) => upTo === null && right > 0);

/** Places among the candidates between which the broken hop lies; beyond the last: none of them broke. */
function rangeOf(diagnosis: Diagnosis, asked: readonly AskedAgain[]): { low: number; high: number } {
	let low = 0;
	let high = candidatesOf(diagnosis).length;
	for (const { upTo, right, of } of asked) {
		if (upTo === null) continue;
		const given = candidatesUpTo(diagnosis, upTo).length;
		if (right * 2 > of) high = Math.min(high, given - 1);
		if (right * 2 < of) low = Math.max(low, given);
	}
	return { low, high };
}

/** The place whose prefix halves a range; the smaller half lies before it. */
const middleOf = (low: number, high: number): number => low + Math.floor((high - low + 1) / 2) - 1;

function nextQuestion(
	diagnosis: Diagnosis,
	{ task, control, ...options }: SettlingOptions & { task: Task },
): Intervention | undefined {
	const asked = askedOf(diagnosis, { ...options, task });
	if (control && !asked.some(({ upTo }) => upTo === null)) return { is: "again" };
	const { low, high } = rangeOf(diagnosis, asked);
	if (low >= high || recoversByItself(asked) || !task.chain) return undefined;
	const hop = candidatesOf(diagnosis)[middleOf(low, high)];
	const place = inDependencyOrder(task.chain).findIndex(({ id }) => id === hop);
	return place < 0 ? undefined : { is: "gold-prefix", hops: place + 1 };
}

/** Asked, and it did not tell: asking once more in the same way is for the next call. */
function wasAsked(what: Intervention, { task: id }: Diagnosis, reruns: readonly Rerun[]): boolean {
	const name = interventionName(what);
	return reruns.some(
		(rerun) => interventionName(rerun.what) === name && rerun.items.some(({ task }) => task.id === id),
	);
}

/** How many prefixes settling still takes of one record. */
export interface SettlingSize {
	most: number;
	/** Where each unobserved hop, and none of them, is equally likely to have broken. */
	expected: number;
	/** Whether the control is still to be asked. */
	control: boolean;
}

/** Of a record of which this much was asked. */
export function settlingSize(
	diagnosis: Diagnosis,
	{ asked, control }: { asked: readonly AskedAgain[]; control: boolean },
): SettlingSize {
	const { low, high } = rangeOf(diagnosis, asked);
	if (!canBeSettled(diagnosis) || low >= high || recoversByItself(asked))
		return { most: 0, expected: 0, control: false };
	const counts = questions(low, high);
	return {
		most: Math.max(...counts),
		expected: counts.reduce((sum, count) => sum + count, 0) / counts.length,
		control: control && !asked.some(({ upTo }) => upTo === null),
	};
}

/** For each place of a range how many prefixes are asked until it is found. */
function questions(low: number, high: number): number[] {
	if (low >= high) return [0];
	const middle = middleOf(low, high);
	return [...questions(low, middle), ...questions(middle + 1, high)].map((count) => count + 1);
}

function decisiveFinding(
	hop: JudgedHop,
	{ diagnosis, asked }: { diagnosis: Diagnosis; asked: readonly AskedAgain[] },
): Finding {
	const up = shareAt(diagnosis, asked, candidatesUpTo(diagnosis, hop.hop).length);
	const before = shareAt(diagnosis, asked, candidatesUpTo(diagnosis, hop.hop).length - 1);
	return {
		is: brokenVerdict(hop),
		hop: hop.hop,
		steps: stepsOfHop(hop),
		evidence: hop.evidence.slice(0, mostIds),
		says: `Hop ${hop.hop}: settled by re-running, as the agent is right when the hops up to it are given as solved (${up}), and wrong when only those before it are (${before}).`,
	};
}

function compositionFinding(
	computing: HopDiagnosis | undefined,
	{ diagnosis, asked }: { diagnosis: Diagnosis; asked: readonly AskedAgain[] },
): Finding {
	const all = shareAt(diagnosis, asked, candidatesOf(diagnosis).length);
	const says = computing
		? `Settled by re-running: what hop ${computing.hop} computes is wrong, though what it needs was read rightly.`
		: `Settled by re-running: the answer stays wrong when every hop whose reading was not seen is given as solved (${all}).`;
	return { is: "composition", ...(computing ? { hop: computing.hop } : {}), steps: [], evidence: [], says };
}

/** `1 of 3` right with so many of the candidates given; without any the record itself failed. */
function shareAt(diagnosis: Diagnosis, asked: readonly AskedAgain[], given: number): string {
	const found = asked.find(({ upTo }) => upTo !== null && candidatesUpTo(diagnosis, upTo).length === given);
	return found ? `${found.right} of ${found.of}` : "as recorded";
}
