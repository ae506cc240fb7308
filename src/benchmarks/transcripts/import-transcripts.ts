import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import {
	type Answer,
	type HopscopeError,
	mostRepeats,
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
import { atifFormat } from "./atif.ts";
import { inspectFormat } from "./inspect.ts";
import { jsonlFormat } from "./jsonl.ts";
import { r1SearcherFormat } from "./r1-searcher.ts";
import { langfuseFormat, langsmithFormat, otlpFormat, phoenixFormat } from "./traces/trace-formats.ts";
import type { LineFormat, Transcript, TranscriptDocument, TranscriptFormat, TranscriptsRead } from "./transcript.ts";
import { webdancerFormat } from "./webdancer.ts";

export const transcriptFormats = {
	"r1-searcher": r1SearcherFormat,
	webdancer: webdancerFormat,
	inspect: inspectFormat,
	atif: atifFormat,
	jsonl: jsonlFormat,
	otlp: otlpFormat,
	phoenix: phoenixFormat,
	langfuse: langfuseFormat,
	langsmith: langsmithFormat,
} as const satisfies Record<string, TranscriptFormat>;
export type TranscriptFormatName = keyof typeof transcriptFormats;

/** Transcripts made elsewhere, as a benchmark with a corpus and the records of one run over it. */
export interface TranscriptImport {
	source: Source;
	format: string;
	agent: string;
	/** Null where the transcripts name none, or several. */
	model: string | null;
	/**
	 * One task for each transcript that could be read, named by format and line or its own id, or for each task that they
	 * name; the same question twice shares a cluster.
	 */
	tasks: Task[];
	/** Every document that stands in the transcripts, each once. */
	passages: Passage[];
	/** One for each transcript, in their order. */
	records: RunRecord[];
	/** The most records that a task has. */
	repeats: number;
	/** What judges that came with the file said of answers, in their own words. */
	judged: { task: string; repeat: number; rater: string; said: string }[];
	/** Documents that most searches brought back: what they were asked for, as far as the file tells. */
	k: number;
	/** Conversion warnings: what could not be carried over or had to be assumed, with the lines it is of. */
	losses: string[];
	/** What is left out, where it stands and why. */
	problems: string[];
	spans?: TranscriptsRead["spans"];
}

const mostBytes = 1024 * 1024 * 1024;
const mostCharacters = 16 * 1024 * 1024;
const mostTranscripts = 100_000;

/**
 * Reads files of transcripts in one of the known forms: JSON lines, one file, or files that the form reads whole. What
 * cannot be read is named in `problems` and stops nothing. Throws (exit 2) where there is no such file, it is too large,
 * or none can be read.
 */
export async function importTranscripts(
	files: string | readonly string[],
	formatName: TranscriptFormatName,
	{ mapping }: { /** From our field names to the rows', of a form that needs it. */ mapping?: unknown } = {},
): Promise<TranscriptImport> {
	const named = [files].flat();
	const format = formatCalled(formatName, mapping);
	for (const file of named) await mustFit(file);
	const pool = createPool(format);
	const tasks: Task[] = [];
	const records: RunRecord[] = [];
	const judged: TranscriptImport["judged"] = [];
	const losses = new Map<string, string[]>();
	const brought = new Map<number, number>();
	const names = { agent: new Set<string>(), model: new Set<string>() };
	const now = new Date().toISOString();
	const read = await readTranscripts(named, format);
	const ids = taskIds(format);
	for (const { place, transcript } of read.transcripts) {
		const { id, repeat } = ids(transcript, place);
		const task = taskOf(transcript, { id, format });
		const trajectory = transcriptTrajectory(transcript, pool.idOf);
		for (const { results } of trajectory.steps)
			if (results.length > 0) brought.set(results.length, (brought.get(results.length) ?? 0) + 1);
		if (repeat === 0) tasks.push(task);
		records.push({ version: 1, task: id, repeat, attempt: 0, at: transcript.at ?? now, trajectory });
		if (transcript.judged) judged.push({ task: id, repeat, ...transcript.judged });
		for (const loss of transcript.losses) losses.set(loss, [...(losses.get(loss) ?? []), place]);
		if (transcript.agent !== undefined) names.agent.add(transcript.agent);
		for (const model of transcript.models ?? []) names.model.add(model);
	}
	const problems = read.refused.map(({ place, reason }) => `${place}: ${reason}; left out`);
	if (tasks.length === 0) throw nothing(named.join(", "), format, problems);
	const [k = 1] = [...brought].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([count]) => count);
	const [agent = format.agent] = names.agent.size === 1 ? names.agent : [];
	const [model = null] = names.model.size === 1 ? names.model : [];
	return {
		...{ source: format.source, format: format.name, agent, model, tasks, passages: pool.passages(), records },
		...{ judged, k, problems, repeats: records.reduce((most, { repeat }) => Math.max(most, repeat + 1), 1) },
		...(read.spans ? { spans: read.spans } : {}),
		losses: [
			read.transcripts.some(({ transcript }) => transcript.accepted.length > 0)
				? "no gold chains: only answers can be scored, not retrieval"
				: "no gold chains and no right answers: nothing is scored, and diagnosis reads what was done without them",
			...format.cautions,
			...read.losses,
			...[...losses].map(([loss, places]) => `${loss} (${placesOf(places)})`),
		],
	};
}

/** Transcripts of files of one form, with the places of what could not be read. */
export async function readTranscripts(files: readonly string[], format: TranscriptFormat): Promise<TranscriptsRead> {
	if ("readFiles" in format)
		return format.readFiles(
			await Promise.all(files.map(async (file) => ({ name: basename(file), bytes: await readFile(file) }))),
		);
	const read: TranscriptsRead = { transcripts: [], refused: [], losses: [] };
	for (const file of files)
		for await (const { number, text } of readLines(file)) {
			const place = files.length === 1 ? `line ${number}` : `${basename(file)}, line ${number}`;
			const transcript =
				read.transcripts.length < mostTranscripts
					? readLine(text, format)
					: { problem: `more than ${mostTranscripts} lines` };
			if ("problem" in transcript) read.refused.push({ place, reason: transcript.problem });
			else read.transcripts.push({ place, transcript });
		}
	return read;
}

function readLine(text: string, format: LineFormat): Transcript | { problem: string } {
	if (text.length > mostCharacters) return { problem: `longer than ${mostCharacters} characters` };
	try {
		return format.read(JSON.parse(text));
	} catch {
		return { problem: "not JSON" };
	}
}

/**
 * Tasks are called by what their source calls them or the attempt, else by their line, or their number where there are
 * none. Further attempts at one task are its repeats.
 */
function taskIds({
	name,
}: TranscriptFormat): (transcript: Transcript, place: string) => { id: string; repeat: number } {
	const taken = new Set<string>();
	const attempts = new Map<string, { id: string; repeat: number }>();
	return ({ task, id, question }, place) => {
		const key = JSON.stringify([task, question]);
		const before = task === undefined ? undefined : attempts.get(key);
		if (before && before.repeat < mostRepeats - 1) {
			before.repeat += 1;
			return { ...before };
		}
		const own = task ?? id ?? /^line (\d+)$/.exec(place)?.[1] ?? `${taken.size + 1}`;
		const short = `${name}-${own}`.slice(0, 180);
		const free = taken.has(short) ? `${short}-${taken.size + 1}` : short;
		taken.add(free);
		attempts.set(key, { id: free, repeat: 0 });
		return { id: free, repeat: 0 };
	};
}

/** The form of that name; of one whose rows have no fields of their own, as the mapping tells them. */
function formatCalled(name: TranscriptFormatName, mapping: unknown): TranscriptFormat {
	const format = transcriptFormats[name];
	if ("mapped" in format) return format.mapped(mapping);
	if (mapping !== undefined)
		throw usageError("usage", `a mapping is given, and the fields of ${name} are known`, "Leave out --mapping.");
	return format;
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
	const [first] = accepted;
	if (first === undefined) return { type: "unknown", value: "", accepted: [] };
	const value = first.toLowerCase().replace(/\W+$/, "");
	if (value === "yes" || value === "no") return { type: "boolean", value, accepted };
	return { type: "string", value: first, accepted };
}

/** What was done and answered in a transcript, its documents under the ids that `idOf` gives them. */
export function transcriptTrajectory(
	{ steps, answer, stop, messages, usage = noUsage, ms = 0, error, models = [], others = [], searchOnly }: Transcript,
	idOf: (document: TranscriptDocument) => string,
): Trajectory {
	const named = steps.map(({ documents, ms: took = 0, ...step }, index): Step => {
		const found = new Map<string, number>();
		for (const document of documents) {
			const id = idOf(document);
			// where no score was recorded there is none to tell
			if (!found.has(id)) found.set(id, document.score ?? 0);
		}
		const results = [...found].map(([id, score], place) => ({ id, score, rank: place + 1 }));
		return { index, ...step, results, ms: took };
	});
	return {
		...{ steps: named, answer, abstained: false, stop, usage, ms, messages },
		...(error ? { error } : {}),
		...(searchOnly ? { searchOnly } : {}),
		...(models.length > 0 ? { served: { models: [...new Set(models)], ignored: [] } } : {}),
		...(others.length > 0 ? { others } : {}),
	};
}

interface Pool {
	idOf(document: TranscriptDocument): string;
	passages(): Passage[];
}

/** Names documents, and keeps each once. */
export function createPool({ name, source, language, documents: terms }: TranscriptFormat): Pool {
	const passages = new Map<string, Passage>();
	return {
		idOf(quoted) {
			const { title, text, address, source: file, page } = quoted;
			const named = documentName(name, quoted);
			const other = passages.get(named);
			// one id for two texts: a chunk named by its document, or changed since
			const id = other && other.text !== text ? `${named}#${sha256(text).slice(0, 8)}` : named;
			if (!passages.has(id))
				passages.set(id, {
					...{ kind: "passage", id, title, language, form: "prose", sha256: sha256(text), text },
					document: address !== undefined ? pageName(address) : file || title || id,
					...(page === undefined ? {} : { section: `page ${page}` }),
					provenance: { source: (address ?? file ?? source.name).slice(0, 2000), ...terms },
				});
			return id;
		},
		passages: () => [...passages.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
	};
}

/**
 * The id of a document that stands in a transcript of the form: its own, where it has one. Names of web pages are their
 * addresses with the excerpt's hash behind `#`, so that excerpts of one page share it.
 */
export function documentName(format: string, { id, title, text, address }: TranscriptDocument): string {
	if (id !== undefined && id.length > 0 && id.length <= mostIdLength) return id;
	return address === undefined
		? passageName(format, { title, text })
		: `${pageName(address)}#${sha256(text).slice(0, 8)}`;
}

/** Leaves room within an evidence id for the mark of another text under the same id. */
const mostIdLength = 480;

/** An address as a document's name: without what would be taken for an excerpt's mark, and no longer than an id may be. */
function pageName(address: string): string {
	const plain = address.trim().replaceAll("#", "%23");
	return plain.length > 0 && plain.length <= mostIdLength ? plain : `page:${sha256(address).slice(0, 16)}`;
}

/** "lines 3, 8, 11 and 40 more"; "trace 5b8e and 2 more". */
function placesOf(places: readonly string[]): string {
	const areLines = places.every((place) => place.startsWith("line "));
	const shown = places.slice(0, 10).map((place) => (areLines ? place.slice("line ".length) : place));
	const more = places.length > 10 ? ` and ${places.length - 10} more` : "";
	return `${areLines ? (places.length === 1 ? "line " : "lines ") : ""}${shown.join(", ")}${more}`;
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
