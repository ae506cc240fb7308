import { stat } from "node:fs/promises";
import {
	type Answer,
	type HopscopeError,
	noUsage,
	type Passage,
	type RunRecord,
	type Source,
	type Step,
	Task,
	type Trajectory,
	usageError,
} from "#domain";
import { readLines, sha256 } from "#store";
import { passageName } from "../passage-name.ts";
import { r1SearcherFormat } from "./r1-searcher.ts";
import type { Transcript, TranscriptDocument, TranscriptFormat } from "./transcript.ts";
import { webdancerFormat } from "./webdancer.ts";

export const transcriptFormats = {
	"r1-searcher": r1SearcherFormat,
	webdancer: webdancerFormat,
} as const satisfies Record<string, TranscriptFormat>;
export type TranscriptFormatName = keyof typeof transcriptFormats;

/** Transcripts made elsewhere, as a benchmark with a corpus and the records of one run over it. */
export interface TranscriptImport {
	source: Source;
	format: string;
	agent: string;
	/** One task for each line that could be read, named by format and line; the same question twice shares a cluster. */
	tasks: Task[];
	/** Every document that stands in the transcripts, each once. */
	passages: Passage[];
	/** One for each task, in the order of the tasks. */
	records: RunRecord[];
	/** What judges that came with the file said of answers, in their own words. */
	judged: { task: string; rater: string; said: string }[];
	/** Documents that most searches brought back: what they were asked for, as far as the file tells. */
	k: number;
	/** Conversion warnings: what could not be carried over or had to be assumed, with the lines it is of. */
	losses: string[];
	/** Lines that are left out, and why. */
	problems: string[];
}

const mostBytes = 1024 * 1024 * 1024;
const mostCharacters = 16 * 1024 * 1024;
const mostTranscripts = 100_000;

/**
 * Reads a file of transcripts, JSON lines in one of the known forms. A line that cannot be read is named in `problems`
 * and stops nothing. Throws (exit 2) where there is no such file, it is too large, or no line can be read.
 */
export async function importTranscripts(file: string, formatName: TranscriptFormatName): Promise<TranscriptImport> {
	const format: TranscriptFormat = transcriptFormats[formatName];
	await mustFit(file);
	const pool = createPool(format);
	const tasks: Task[] = [];
	const records: RunRecord[] = [];
	const judged: TranscriptImport["judged"] = [];
	const problems: string[] = [];
	const losses = new Map<string, number[]>();
	const brought = new Map<number, number>();
	const at = new Date().toISOString();
	for await (const { number, text } of readLines(file)) {
		const read =
			tasks.length < mostTranscripts ? readLine(text, format) : { problem: `more than ${mostTranscripts} lines` };
		if ("problem" in read) {
			problems.push(`line ${number}: ${read.problem}; the line is left out`);
			continue;
		}
		const task = taskOf(read, { id: `${format.name}-${number}`, format });
		const trajectory = transcriptTrajectory(read, pool.idOf);
		for (const { results } of trajectory.steps)
			if (results.length > 0) brought.set(results.length, (brought.get(results.length) ?? 0) + 1);
		tasks.push(task);
		records.push({ version: 1, task: task.id, repeat: 0, attempt: 0, at, trajectory });
		if (read.judged) judged.push({ task: task.id, ...read.judged });
		for (const loss of read.losses) losses.set(loss, [...(losses.get(loss) ?? []), number]);
	}
	if (tasks.length === 0) throw nothing(file, format, problems);
	const [k = 1] = [...brought].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([count]) => count);
	return {
		...{
			source: format.source,
			format: format.name,
			agent: format.agent,
			tasks,
			passages: pool.passages(),
			records,
			judged,
			k,
		},
		losses: [
			"no gold chains: only answers can be scored, not retrieval",
			...format.cautions,
			...[...losses].map(([loss, lines]) => `${loss} (${linesOf(lines)})`),
		],
		problems,
	};
}

function readLine(text: string, format: TranscriptFormat): Transcript | { problem: string } {
	if (text.length > mostCharacters) return { problem: `longer than ${mostCharacters} characters` };
	try {
		return format.read(JSON.parse(text));
	} catch {
		return { problem: "not JSON" };
	}
}

function taskOf(
	{ question, accepted, tags }: Transcript,
	{ id, format }: { id: string; format: TranscriptFormat },
): Task {
	return Task.parse({
		id,
		question,
		answer: answerOf(accepted),
		tags: { ...tags, language: format.language },
		cluster: sha256(question).slice(0, 16),
		source: format.source.name,
		rights: format.source.licence,
	});
}

/** Yes and no are read out of sentences; other answers are compared as they are. */
function answerOf(accepted: string[]): Answer {
	const [first = ""] = accepted;
	const value = first.toLowerCase().replace(/\W+$/, "");
	if (value === "yes" || value === "no") return { type: "boolean", value, accepted };
	return { type: "string", value: first, accepted };
}

/** What was done and answered in a transcript, its documents under the ids that `idOf` gives them. */
export function transcriptTrajectory(
	{ steps, answer, stop, messages }: Transcript,
	idOf: (document: TranscriptDocument) => string,
): Trajectory {
	const named = steps.map(({ documents, ...step }, index): Step => {
		const ids = [...new Set(documents.map(idOf))];
		// scores were not recorded
		return { index, ...step, results: ids.map((id, place) => ({ id, score: 0, rank: place + 1 })), ms: 0 };
	});
	return { steps: named, answer, abstained: false, stop, usage: noUsage, ms: 0, messages };
}

interface Pool {
	idOf(document: TranscriptDocument): string;
	passages(): Passage[];
}

function createPool({ name, source, language, documents: terms }: TranscriptFormat): Pool {
	const passages = new Map<string, Passage>();
	return {
		idOf(quoted) {
			const { title, text, address } = quoted;
			const id = documentName(name, quoted);
			if (!passages.has(id))
				passages.set(id, {
					...{ kind: "passage", id, document: address === undefined ? title || id : pageName(address), title },
					...{ language, form: "prose", sha256: sha256(text), text },
					provenance: { source: address?.slice(0, 2000) ?? source.name, ...terms },
				});
			return id;
		},
		passages: () => [...passages.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
	};
}

/**
 * The id of a document that stands in a transcript of the form. Names of web pages are their addresses with the excerpt's
 * hash behind `#`, so that excerpts of one page share it.
 */
export function documentName(format: string, { title, text, address }: TranscriptDocument): string {
	return address === undefined
		? passageName(format, { title, text })
		: `${pageName(address)}#${sha256(text).slice(0, 8)}`;
}

/** An address as a document's name: without what would be taken for an excerpt's mark, and no longer than an id may be. */
function pageName(address: string): string {
	const plain = address.trim().replaceAll("#", "%23");
	return plain.length > 0 && plain.length <= 480 ? plain : `page:${sha256(address).slice(0, 16)}`;
}

/** "lines 3, 8, 11 and 40 more". */
function linesOf(lines: readonly number[]): string {
	const shown = lines.slice(0, 10).join(", ");
	const more = lines.length > 10 ? ` and ${lines.length - 10} more` : "";
	return `${lines.length === 1 ? "line" : "lines"} ${shown}${more}`;
}

async function mustFit(file: string): Promise<void> {
	const refuse = (message: string, remedy: string) =>
		usageError("bad-file", `${file} ${message}`, remedy, { facts: { file } });
	const found = await stat(file).catch(() => undefined);
	if (!found?.isFile()) throw refuse("is no file that can be read", "Name a file of transcripts, JSON lines.");
	if (found.size > mostBytes) throw refuse(`has ${found.size} bytes, more than ${mostBytes}`, "Split the file.");
}

function nothing(file: string, { name }: TranscriptFormat, problems: string[]): HopscopeError {
	return usageError(
		"no-transcripts",
		`${file} holds no transcript of the form ${name}${problems[0] === undefined ? "" : `: ${problems[0]}`}`,
		`Is this the form? There are: ${Object.keys(transcriptFormats).join(", ")}.`,
		{ facts: { file, problems: problems.slice(0, 100) } },
	);
}
