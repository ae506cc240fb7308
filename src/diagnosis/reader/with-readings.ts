import type { Diagnosis, SecondReading, Task } from "#domain";
import { joinedWith } from "./joined-with.ts";
import {
	type ReaderAgreement,
	type ReadVerdict,
	readerAgreement,
	readVerdicts,
	verdictOf,
} from "./reader-agreement.ts";
import { type ReaderStamp, readingsBy } from "./readings.ts";

/** What a second reader made of a run. */
export interface ReaderReport {
	/** The model's id. */
	reader: string;
	/** SHA-256 over the fixed words that it read. */
	prompt: string;
	/** Whether it read its own answers. */
	sameModel: boolean;
	/** With the rules, where they speak: the reader's verdicts count only where this holds no doubt. */
	agreement: ReaderAgreement;
	/** Hops of which the rules cannot speak: all of them, those that the reader was asked about, and what it made of these. */
	unobserved: { hops: number; asked: number; cannotTell: number; unparsed: number; failed: number } & Record<
		ReadVerdict,
		number
	>;
}

/**
 * The diagnoses with the verdicts of a second reader on hops that are `unobserved`, where its agreement with the rules lets
 * it be believed; what is named first is named anew. By default the reader of the last reading. Undefined without readings.
 */
export function withReadings(
	diagnoses: readonly Diagnosis[],
	{
		readings,
		tasks,
		reader = readings.at(-1)?.reader,
	}: { readings: readonly SecondReading[]; tasks: readonly Task[]; reader?: ReaderStamp | undefined },
): { diagnoses: Diagnosis[]; told: ReaderReport } | undefined {
	if (!reader) return undefined;
	const { model, prompt } = reader;
	const readingOf = readingsBy(readings, reader);
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const diagnosed = diagnoses.flatMap((diagnosis) => {
		const task = byId.get(diagnosis.task);
		return task ? [{ task, diagnosis }] : [];
	});
	const agreement = readerAgreement(diagnosed, readingOf);
	const open = diagnosed.flatMap(({ task, diagnosis }) =>
		diagnosis.hops.flatMap((hop) => {
			if (hop.is !== "judged" || hop.verdict !== "unobserved") return [];
			const reading = readingOf(diagnosis, hop.hop);
			return [{ reading, verdict: reading && verdictOf(reading, task) }];
		}),
	);
	const asked = open.flatMap(({ reading, verdict }) => (reading ? [{ reading, verdict }] : []));
	const ended = (is: SecondReading["outcome"]["is"]) => asked.filter(({ reading }) => reading.outcome.is === is).length;
	const given = (verdict: ReadVerdict) => asked.filter((one) => one.verdict === verdict).length;
	const told: ReaderReport = {
		...{ reader: model, prompt, agreement },
		sameModel: readings.some((one) => one.sameModel && one.reader.model === model && one.reader.prompt === prompt),
		unobserved: {
			...{ hops: open.length, asked: asked.length, unparsed: ended("unparsed"), failed: ended("model") },
			cannotTell: asked.filter(
				({ reading: { outcome }, verdict }) =>
					outcome.is === "cannot-tell" || (outcome.is === "read" && verdict === undefined),
			).length,
			...(Object.fromEntries(readVerdicts.map((verdict) => [verdict, given(verdict)])) as Record<ReadVerdict, number>),
		},
	};
	if (agreement.doubt !== undefined) return { diagnoses: [...diagnoses], told };
	const joined = diagnoses.map((diagnosis) => {
		const task = byId.get(diagnosis.task);
		return task ? joinedWith(diagnosis, { task, readingOf }) : diagnosis;
	});
	return { diagnoses: joined, told };
}
