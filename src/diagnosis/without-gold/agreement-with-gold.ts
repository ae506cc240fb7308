import type { Diagnosis, GoldFreeFlag, GoldFreeReading, HopDiagnosis, HopVerdict, PseudoHop, Task } from "#domain";
import { type Estimate, pearson } from "#scoring";
import { type Counted, type Share, shareOf } from "../shares.ts";

/** A record read without its gold chain, with what the chain says of it. */
export interface ReadBothWays {
	task: Task;
	reading: GoldFreeReading;
	diagnosis: Diagnosis;
}

/** A flag beside the verdict by the gold chain that it should go with. */
export interface GoldPair {
	flag: GoldFreeFlag;
	verdicts: readonly HopVerdict[];
	/**
	 * What is counted. `search`: pseudo-hops that aim at a judged gold hop, by that hop's verdict; `carried`: pseudo-hops
	 * by the verdicts of the hops that theirs needs, and the final answer by its hop's; `record`: whether any has it.
	 */
	over: "search" | "carried" | "record";
}

export const goldPairs: readonly GoldPair[] = [
	{ flag: "low-relevance", verdicts: ["retrieval-miss"], over: "search" },
	{ flag: "nothing-came-back", verdicts: ["retrieval-miss"], over: "search" },
	{ flag: "unused-results", verdicts: ["misread"], over: "search" },
	{ flag: "unused-results", verdicts: ["misread", "unsupported", "retrieval-miss"], over: "search" },
	{ flag: "unused-results", verdicts: ["not-planned"], over: "record" },
	{ flag: "unsupported-by-results", verdicts: ["unsupported"], over: "carried" },
	{ flag: "unsupported-by-results", verdicts: ["unsupported"], over: "record" },
	{ flag: "tool-error", verdicts: ["tool-failed"], over: "search" },
];

/** The 2×2 table of a flag and a verdict, with what follows from it. */
export interface GoldAgreement extends GoldPair {
	/** Flagged and so, flagged and not, not flagged and so, neither. */
	table: { both: number; flagOnly: number; verdictOnly: number; neither: number };
	n: number;
	/** Of those with the verdict, those flagged; and of those without it. Clustered by task. */
	sensitivity: Share;
	falseFlags: Share;
	/** Pearson's of the two, which is phi; its interval takes them as independent. */
	correlation: Estimate;
}

/** Below this correlation the labels alone serve as well as labels and flag together. */
export const leastCorrelation = 0.5;

/** One thing that can be flagged and labelled. */
export interface Flagged {
	task: Task;
	/** The trace it belongs to. */
	trace: string;
	/** The first step of its pseudo-hop; null: the final answer, or the whole record. */
	step: number | null;
	flag: boolean;
	label: boolean;
}

/** How far each flag goes with the verdict that the gold chain gives, for the pairs that can occur in these records. */
export function agreementWithGold(items: readonly ReadBothWays[]): GoldAgreement[] {
	return goldPairs.map((pair) => {
		const things = flaggedIn(items, pair);
		const count = (flag: boolean, label: boolean) =>
			things.filter((thing) => thing.flag === flag && thing.label === label).length;
		const share = (label: boolean): Share =>
			shareOf(
				things.flatMap((thing): Counted[] => (thing.label === label ? [{ task: thing.task, is: thing.flag }] : [])),
			);
		return {
			...pair,
			table: {
				both: count(true, true),
				flagOnly: count(true, false),
				verdictOnly: count(false, true),
				neither: count(false, false),
			},
			n: things.length,
			sensitivity: share(true),
			falseFlags: share(false),
			correlation: pearson(
				things.map(({ flag }) => Number(flag)),
				things.map(({ label }) => Number(label)),
			),
		};
	});
}

/** What a pair is counted over, in records with a judged hop. */
export function flaggedIn(items: readonly ReadBothWays[], { flag, verdicts, over }: GoldPair): Flagged[] {
	return items.flatMap((item): Flagged[] => {
		const { task, reading, diagnosis } = item;
		const judged = diagnosis.hops.filter(isJudged);
		if (judged.length === 0) return [];
		const trace = JSON.stringify([diagnosis.task, diagnosis.repeat]);
		const has = ({ verdict }: Judged) => verdicts.includes(verdict);
		const isFlagged = ({ flags }: Pick<PseudoHop, "flags">) => flags.includes(flag);
		if (over === "record") {
			const flagged = [...reading.hops, ...(reading.answer ? [reading.answer] : [])].some(isFlagged);
			return [{ task, trace, step: null, flag: flagged, label: judged.some(has) }];
		}
		const byId = new Map(judged.map((hop) => [hop.hop, hop]));
		const searches = reading.hops.flatMap((hop): Flagged[] => {
			const aims = judged.filter(({ aimed }) => aimed.some((step) => hop.steps.includes(step)));
			const labelled =
				over === "search"
					? aims
					: aims.flatMap(({ hop: id }) => neededBy(task, id).flatMap((need) => byId.get(need) ?? []));
			if (labelled.length === 0) return [];
			return [{ task, trace, step: hop.steps[0] ?? null, flag: isFlagged(hop), label: labelled.some(has) }];
		});
		const sink = byId.get(task.chain?.sink ?? "");
		if (over === "search" || !sink || !reading.answer) return searches;
		return [...searches, { task, trace, step: null, flag: isFlagged(reading.answer), label: has(sink) }];
	});
}

type Judged = Extract<HopDiagnosis, { is: "judged" }>;
const isJudged = (hop: HopDiagnosis): hop is Judged => hop.is === "judged";

const neededBy = ({ chain }: Task, id: string): string[] =>
	chain?.hops.find((hop) => hop.id === id)?.needs.map(({ hop }) => hop) ?? [];
