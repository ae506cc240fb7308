import type { GoldFreeLine, PseudoHop, PseudoHopReading } from "#domain";
import type { ReaderStamp } from "../../reader/readings.ts";
import { judgedFlags } from "../flags.ts";

type Place = Pick<PseudoHopReading, "task" | "repeat" | "attempt" | "step">;

/** Names one pseudo-hop of one attempt. */
export const keyOfPlace = ({ task, repeat, attempt, step }: Place): string =>
	JSON.stringify([task, repeat, attempt, step]);

/** The last reading of each pseudo-hop by one judge. */
export function hopReadingsBy(
	readings: readonly PseudoHopReading[],
	{ model, prompt }: ReaderStamp,
): (place: Place) => PseudoHopReading | undefined {
	const own = readings.filter(({ reader }) => reader.model === model && reader.prompt === prompt);
	const last = new Map(own.map((reading) => [keyOfPlace(reading), reading]));
	return (place) => last.get(keyOfPlace(place));
}

/** What came of asking a judge about pseudo-hops. */
export interface HopJudgeReport {
	/** The model's id. */
	judge: string;
	/** Whether it judged its own searches. */
	sameModel: boolean;
	asked: number;
	/** Of them, those with no usable reply, and those at which the provider failed. */
	unparsed: number;
	failed: number;
}

/** Readings with what one judge said of their pseudo-hops: by default the judge of the last reading. Undefined without any. */
export function withJudged(
	lines: readonly GoldFreeLine[],
	readings: readonly PseudoHopReading[],
	judge: ReaderStamp | undefined = readings.at(-1)?.reader,
): { lines: GoldFreeLine[]; told: HopJudgeReport } | undefined {
	if (!judge) return undefined;
	const readingOf = hopReadingsBy(readings, judge);
	const found: PseudoHopReading[] = [];
	const judged = lines.map((line) => ({
		...line,
		hops: line.hops.map((hop): PseudoHop => {
			const { task, repeat, attempt } = line;
			const reading = readingOf({ task, repeat, attempt, step: hop.steps[0] ?? 0 });
			if (reading) found.push(reading);
			if (reading?.outcome.is !== "read") return hop;
			const { is: _, ...said } = reading.outcome;
			return { ...hop, judged: { by: judge.model, ...said }, flags: [...hop.flags, ...judgedFlags(said)] };
		}),
	}));
	const ended = (is: PseudoHopReading["outcome"]["is"]) => found.filter(({ outcome }) => outcome.is === is).length;
	const sameModel = found.some((reading) => reading.sameModel === true);
	return {
		lines: judged,
		told: { judge: judge.model, sameModel, asked: found.length, unparsed: ended("unparsed"), failed: ended("model") },
	};
}
