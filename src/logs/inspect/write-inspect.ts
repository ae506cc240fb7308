import { writeArchive, writeLines } from "#store";
import type { LoggedRun } from "../logged-run.ts";
import { inspectLog } from "./inspect-log.ts";

/** What was written. */
export interface InspectWritten {
	samples: number;
	/** Scores by name: how many samples have one. */
	scores: Record<string, number>;
}

/** Writes a run as an Inspect log: `.eval`, a zip archive of a file a sample, or `.json`, one object. */
export async function writeInspectLog(run: LoggedRun, file: string): Promise<InspectWritten> {
	const log = inspectLog(run);
	if (file.endsWith(".json")) await writeLines(file, jsonPieces(log));
	else await writeArchive(file, evalEntries(log), { at: new Date(run.manifest.at) });
	const { header, summaries } = log.end();
	const scores = Object.fromEntries(header.results.scores.map(({ name, scored_samples }) => [name, scored_samples]));
	return { samples: summaries.length, scores };
}

type Log = ReturnType<typeof inspectLog>;

async function* evalEntries({ start, samples, end }: Log) {
	yield { name: "_journal/start.json", content: JSON.stringify(start) };
	for await (const sample of samples)
		yield { name: `samples/${sample.id}_epoch_${sample.epoch}.json`, content: JSON.stringify(sample) };
	const { header, summaries, reductions } = end();
	yield { name: "_journal/summaries/1.json", content: JSON.stringify(summaries) };
	yield { name: "summaries.json", content: JSON.stringify(summaries) };
	yield { name: "reductions.json", content: JSON.stringify(reductions) };
	yield { name: "header.json", content: JSON.stringify(header) };
}

/** The header's figures follow from the samples, so the samples stand before it; their order in an object is free. */
async function* jsonPieces({ samples, end }: Log) {
	yield '{"samples":[';
	let first = true;
	for await (const sample of samples) {
		yield `${first ? "" : ","}${JSON.stringify(sample)}`;
		first = false;
	}
	const { header, reductions } = end();
	yield `],${JSON.stringify({ ...header, reductions }).slice(1)}`;
}
