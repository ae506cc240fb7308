import type { HopDiagnosis, HopVerdict, SecondReading, SeenBy, Task } from "#domain";
import { cohenKappa, type Estimate } from "#scoring";
import type { DiagnosedRecord } from "../diagnose-records.ts";
import { foldedWords, holdsWords } from "../reading/folded-words.ts";
import { isRight } from "../reading/value.ts";
import type { ReadingOf } from "./readings.ts";

/** What a reading can come to. */
export const readVerdicts = ["solved", "misread", "unsupported"] as const satisfies readonly HopVerdict[];
export type ReadVerdict = (typeof readVerdicts)[number];

/** Below this a reader is not believed: hops of which both rules and reader speak, and Cohen's kappa over them. */
export const leastAgreement = { hops: 30, kappa: 0.6 };

/** How far the rules and a second reader say the same of hops of which the rules speak. */
export interface ReaderAgreement {
	/** Hops of which the rules speak that the reader was asked about. */
	asked: number;
	/** Of them, by what came of it: those that it read, of which all below is. */
	read: number;
	cannotTell: number;
	unparsed: number;
	failed: number;
	/** Of those read, on how many the two say the same. */
	same: number;
	kappa: Estimate;
	verdicts: {
		verdict: ReadVerdict;
		/** Hops to which the rules, the reader, and both give it. */
		rules: number;
		reader: number;
		both: number;
		/** Of having it or not. */
		kappa: Estimate;
	}[];
	/** Why the reader is not believed; absent where it is. */
	doubt?: string;
}

/** How the rules can have seen a reading in what the agent wrote; what is concluded or asked is no sight of theirs. */
const sights: ReadonlySet<SeenBy> = new Set(["sub-answer", "query", "thought", "answer"]);

/** Whether the rules saw how a hop's evidence was read. */
export const isSpokenOf = ({ verdict, seen }: Extract<HopDiagnosis, { is: "judged" }>): boolean =>
	seen !== undefined && sights.has(seen.by) && (readVerdicts as readonly HopVerdict[]).includes(verdict);

/**
 * What the program makes of a value that a reader found: right by the gold answer, else by whether it stands in what came
 * back (where no text tells, `misread`: its evidence came back). Undefined where nothing was found, or where the question
 * holds the value, so that using it shows nothing.
 */
export function verdictOf({ outcome, hop: id }: SecondReading, task: Task): ReadVerdict | undefined {
	const hop = task.chain?.hops.find((one) => one.id === id);
	if (outcome.is !== "read" || !hop) return undefined;
	const { value, stands } = outcome;
	if (holdsWords(foldedWords(task.question), foldedWords(value))) return undefined;
	if (isRight(value, hop.answer, task.tags.language)) return "solved";
	return stands === false ? "unsupported" : "misread";
}

/** Agreement over the hops of which the rules speak; `readingOf` gives the reader's word on a hop, if it was asked. */
export function readerAgreement(
	diagnosed: readonly Pick<DiagnosedRecord, "task" | "diagnosis">[],
	readingOf: ReadingOf,
): ReaderAgreement {
	const asked = diagnosed.flatMap(({ task, diagnosis }) =>
		diagnosis.hops.flatMap((hop) => {
			const reading = hop.is === "judged" && isSpokenOf(hop) ? readingOf(diagnosis, hop.hop) : undefined;
			return reading && hop.is === "judged"
				? [{ rules: hop.verdict, outcome: reading.outcome.is, reader: verdictOf(reading, task) }]
				: [];
		}),
	);
	const both = asked.flatMap(({ rules, reader }) => (reader === undefined ? [] : [{ rules, reader }]));
	const count = (outcome: SecondReading["outcome"]["is"]) => asked.filter((one) => one.outcome === outcome).length;
	const kappa = cohenKappa(
		both.map(({ rules }) => rules),
		both.map(({ reader }) => reader),
	);
	const doubt = doubtOf(both.length, kappa);
	return {
		...{ asked: asked.length, read: both.length, unparsed: count("unparsed"), failed: count("model") },
		cannotTell: asked.length - both.length - count("unparsed") - count("model"),
		same: both.filter(({ rules, reader }) => rules === reader).length,
		kappa,
		verdicts: readVerdicts.map((verdict) => {
			const byRules = both.map(({ rules }) => rules === verdict);
			const byReader = both.map(({ reader }) => reader === verdict);
			return {
				verdict,
				rules: byRules.filter(Boolean).length,
				reader: byReader.filter(Boolean).length,
				both: byRules.filter((is, at) => is && byReader[at]).length,
				kappa: cohenKappa(byRules, byReader),
			};
		}),
		...(doubt === undefined ? {} : { doubt }),
	};
}

function doubtOf(hops: number, { value, reason }: Estimate): string | undefined {
	const { hops: leastHops, kappa: leastKappa } = leastAgreement;
	if (hops < leastHops) return `it was compared with the rules on ${hops} hops, and ${leastHops} are needed`;
	if (value === null) return `its agreement with the rules cannot be told: ${reason ?? "unknown"}`;
	return value < leastKappa
		? `its agreement with the rules is κ = ${value.toFixed(2)}, and ${leastKappa} is needed`
		: undefined;
}
