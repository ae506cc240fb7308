import type { Diagnosis, GoldFreeFlag, GoldFreeReading, HopDiagnosis, HopVerdict, PseudoHop, Task } from "#domain";
import { cohenKappa, type Estimate, type Interval, interval, pearson } from "#scoring";
import { type Counted, clustersIn, type Share, shareOf } from "../shares.ts";
import { untold, untoldNames } from "./flags.ts";

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
	{ flag: "not-answered", verdicts: ["retrieval-miss"], over: "search" },
	{ flag: "does-not-follow", verdicts: ["misread", "unsupported"], over: "search" },
];

/** The 2×2 table of a flag and a verdict, with what follows from it. */
export interface GoldAgreement extends GoldPair {
	/** Flagged and so, flagged and not, not flagged and so, neither. */
	table: { both: number; flagOnly: number; verdictOnly: number; neither: number };
	/** Those of which the flag could be told: the table's sum. */
	n: number;
	/** Of all that have a verdict, those of which the flag could be told. */
	coverage: Share;
	/** Of those with the verdict, those flagged; and of those without it. Clustered by task. */
	sensitivity: Share;
	falseFlags: Share;
	/** Of those flagged, those with the verdict. */
	precision: Share;
	/** Cohen's, of flag and verdict; its interval takes them as independent. */
	kappa: Estimate;
	/** The share flagged less the share with the verdict, paired, clustered by task. */
	bias: Interval;
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
	/** Whether the flag could be told. */
	told: boolean;
}

/** How far each flag goes with the verdict that the gold chain gives, for the pairs that can occur in these records. */
export function agreementWithGold(items: readonly ReadBothWays[]): GoldAgreement[] {
	return goldPairs.map((pair) => {
		const all = flaggedIn(items, pair);
		const things = all.filter(({ told }) => told);
		const count = (flag: boolean, label: boolean) =>
			things.filter((thing) => thing.flag === flag && thing.label === label).length;
		const shareWhere = (of: (thing: Flagged) => boolean, is: (thing: Flagged) => boolean): Share =>
			shareOf(things.filter(of).map((thing): Counted => ({ task: thing.task, is: is(thing) })));
		const isFlagged = ({ flag }: Flagged) => flag;
		const [flags, labels] = [things.map(isFlagged).map(Number), things.map(({ label }) => Number(label))];
		return {
			...pair,
			table: {
				both: count(true, true),
				flagOnly: count(true, false),
				verdictOnly: count(false, true),
				neither: count(false, false),
			},
			n: things.length,
			coverage: shareOf(all.map(({ task, told: is }) => ({ task, is }))),
			sensitivity: shareWhere(({ label }) => label, isFlagged),
			falseFlags: shareWhere(({ label }) => !label, isFlagged),
			precision: shareWhere(isFlagged, ({ label }) => label),
			kappa: cohenKappa(flags, labels),
			bias: interval(
				flags.map((flag, at) => flag - (labels[at] ?? 0)),
				{ clusters: clustersIn(things), share: false },
			),
			correlation: pearson(flags, labels),
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
		const answer = answerIn(item, flag);
		// a judge's flag is of the searches that it was asked about
		const hops = reading.hops.flatMap((hop) => {
			const why = untold(hop, flag);
			return why === null ? [] : [{ hop, told: why === undefined }];
		});
		if (over === "record") {
			const all = [...hops.map(({ hop, told }) => ({ flag: isFlagged(hop), told })), ...answer];
			const flagged = all.some((one) => one.flag);
			const told = flagged || all.every((one) => one.told);
			return [{ task, trace, step: null, flag: flagged, told, label: judged.some(has) }];
		}
		const byId = new Map(judged.map((hop) => [hop.hop, hop]));
		const searches = hops.flatMap(({ hop, told }): Flagged[] => {
			const aims = judged.filter(({ aimed }) => aimed.some((step) => hop.steps.includes(step)));
			const labelled =
				over === "search"
					? aims
					: aims.flatMap(({ hop: id }) => neededBy(task, id).flatMap((need) => byId.get(need) ?? []));
			if (labelled.length === 0) return [];
			return [{ task, trace, step: hop.steps[0] ?? null, flag: isFlagged(hop), told, label: labelled.some(has) }];
		});
		const sink = byId.get(task.chain?.sink ?? "");
		if (over === "search" || !sink) return searches;
		return [...searches, ...answer.map((one) => ({ ...one, task, trace, step: null, label: has(sink) }))];
	});
}

/** Of names the final answer counts beside the pseudo-hops. */
function answerIn({ reading: { answer } }: ReadBothWays, flag: GoldFreeFlag): Pick<Flagged, "flag" | "told">[] {
	if (!answer || flag !== "unsupported-by-results") return [];
	return [{ flag: answer.flags.includes(flag), told: untoldNames(answer) === undefined }];
}

type Judged = Extract<HopDiagnosis, { is: "judged" }>;
const isJudged = (hop: HopDiagnosis): hop is Judged => hop.is === "judged";

const neededBy = ({ chain }: Task, id: string): string[] =>
	chain?.hops.find((hop) => hop.id === id)?.needs.map(({ hop }) => hop) ?? [];
