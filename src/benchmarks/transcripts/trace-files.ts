import { open } from "node:fs/promises";
import { basename } from "node:path";
import { type Evidence, parseJson, type Trajectory } from "#domain";
import { readLines, sha256 } from "#store";
import {
	createPool,
	readTranscripts,
	type TranscriptFormatName,
	transcriptFormats,
	transcriptTrajectory,
} from "./import-transcripts.ts";
import type { TranscriptFormat } from "./transcript.ts";

/** One attempt that stands in a file of transcripts, with the texts that it found. */
export interface Trace {
	/** The same for the same attempt, in whatever file: by its own id and question, else by all that it says. */
	key: string;
	question: string;
	/** BCP 47, `und` where unknown. */
	language: string;
	/** When it began, ISO 8601 in UTC; absent where the file does not say. */
	at?: string;
	trajectory: Trajectory;
	evidence: ReadonlyMap<string, Evidence>;
}

const headBytes = 64 * 1024;
/** Lines that are looked at for one that is of a form. */
const mostLooked = 5;

/** The form of a file of transcripts, by its name and beginning; undefined where it is of none. */
export async function transcriptFormatOf(file: string): Promise<TranscriptFormatName | undefined> {
	const formats = Object.entries(transcriptFormats) as [TranscriptFormatName, TranscriptFormat][];
	const head = await headOf(file);
	const whole = formats.find(
		([, format]) => "recognisesFile" in format && format.recognisesFile({ name: basename(file), head }),
	);
	if (whole) return whole[0];
	let looked = 0;
	for await (const { text } of readLines(file)) {
		const row = rowIn(text);
		const found = formats.find(([, format]) => row !== undefined && "recognises" in format && format.recognises(row));
		if (found) return found[0];
		looked += 1;
		if (looked === mostLooked) return undefined;
	}
	return undefined;
}

/** The traces of a file, and how many of its parts could not be read. Never throws for what the file holds. */
export async function tracesIn(
	file: string,
	name: TranscriptFormatName,
): Promise<{ traces: Trace[]; refused: { place: string; reason: string }[] }> {
	const format: TranscriptFormat = transcriptFormats[name];
	const { transcripts, refused } = await readTranscripts([file], format);
	const traces = transcripts.map(({ transcript }): Trace => {
		const pool = createPool(format);
		const trajectory = transcriptTrajectory(transcript, pool.idOf);
		const { id, question, at } = transcript;
		const key = sha256(JSON.stringify(id === undefined ? [name, transcript] : [name, id, question])).slice(0, 24);
		return {
			...{ key, question, language: format.language, trajectory, ...(at === undefined ? {} : { at }) },
			evidence: new Map(pool.passages().map((passage) => [passage.id, passage])),
		};
	});
	return { traces, refused };
}

async function headOf(file: string): Promise<Buffer> {
	const opened = await open(file);
	try {
		const { buffer, bytesRead } = await opened.read(Buffer.alloc(headBytes), 0, headBytes, 0);
		return buffer.subarray(0, bytesRead);
	} finally {
		await opened.close();
	}
}

function rowIn(text: string): Record<string, unknown> | undefined {
	const read = parseJson(text);
	return typeof read === "object" && read !== null && !Array.isArray(read)
		? (read as Record<string, unknown>)
		: undefined;
}
