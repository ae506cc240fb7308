import { z } from "zod";
import { freeRecord, type Message, noUsage, type StopReason, type Usage } from "#domain";
import { openArchive } from "#store";
import { type AgentCall, type AgentTurn, stepsOfTurns, textOfContent } from "./agent-turns.ts";
import { isFields, written } from "./traces/values.ts";
import {
	type FileFormat,
	issueOf,
	most,
	type Transcript,
	type TranscriptFile,
	type TranscriptsRead,
} from "./transcript.ts";

/** What is read of a file at most. */
const bounds = { entries: 500_000, unpacked: 8 * 1024 ** 3, sample: 64 * 1024 ** 2, header: 64 * 1024 ** 2 } as const;
const mostSamples = 100_000;

/**
 * Logs of Inspect (inspect_ai): `.eval`, a zip archive with a file for each sample, and `.json`, the whole log. One sample
 * is one transcript; epochs are repeats. Written from `EvalLog` of 0.3.285 and its own files.
 */
export const inspectFormat: FileFormat = {
	name: "inspect",
	source: {
		name: "Inspect log",
		licence: "unknown",
		attribution: "whoever made the log; what its tools brought back belongs to its authors",
		url: "https://inspect.aisi.org.uk/eval-logs.html",
	},
	agent: "inspect",
	language: "und",
	documents: { licence: "unknown", attribution: "the document's authors" },
	cautions: [],
	tried: "logs that Inspect 0.3.285 wrote with its mock model",
	recognisesFile: ({ name, head }) =>
		/\.eval$/i.test(name)
			? head.subarray(0, 4).toString("latin1") === "PK\u0003\u0004"
			: looksLikeLog(head.toString("utf8")),
	async readFiles(files) {
		const read: TranscriptsRead = { transcripts: [], refused: [], losses: [] };
		const losses = new Set<string>();
		for (const file of files) {
			const refuse = (place: string, reason: string) =>
				read.refused.push({ place: placeIn(file, files, place), reason });
			try {
				for await (const { place, json, header } of samplesIn(file)) {
					const made = read.transcripts.length < mostSamples ? transcriptOf(json, header) : tooMany;
					if ("problem" in made) refuse(place, made.problem);
					else read.transcripts.push({ place: placeIn(file, files, place), transcript: made });
				}
			} catch (error) {
				refuse(file.name, reasonOf(error));
			}
		}
		return { ...read, losses: [...losses] };
	},
};

const tooMany = { problem: `more than ${mostSamples} samples` };
const looksLikeLog = (text: string) =>
	/^\s*\{/.test(text) && /"samples"\s*:\s*\[|"eval"\s*:\s*\{/.test(text) && /"(epoch|eval_id|task_id)"\s*:/.test(text);
const placeIn = ({ name }: TranscriptFile, files: readonly TranscriptFile[], place: string) =>
	files.length === 1 || place === name ? place : `${name}, ${place}`;
const reasonOf = (error: unknown): string =>
	error instanceof RangeError
		? "nests too deep"
		: (error as Error).message.split("\n")[0]?.slice(0, 300) || "cannot be read";

/** What of a log's header its samples are read with. */
const Header = z.object({
	eval: z
		.object({
			model: z.string().max(500).optional().catch(undefined),
			solver: z.string().max(200).nullish().catch(undefined),
			task: z.string().max(500).optional().catch(undefined),
		})
		.prefault({}),
	plan: z
		.object({ steps: z.array(z.object({ solver: z.string().max(200) })).max(100) })
		.nullish()
		.catch(undefined),
	results: z
		.object({ headline: z.object({ score: z.string().nullish() }).nullish() })
		.nullish()
		.catch(undefined),
});
type Header = z.infer<typeof Header>;

interface SampleRead {
	place: string;
	json: unknown;
	header: Header;
}

async function* samplesIn({ name, bytes }: TranscriptFile): AsyncGenerator<SampleRead> {
	if (bytes.subarray(0, 2).toString("latin1") !== "PK") {
		const json = jsonIn(bytes.toString("utf8"));
		const samples = isFields(json) ? json.samples : undefined;
		if (!Array.isArray(samples)) throw new Error("is no Inspect log: it has no samples");
		const header = headerOf(json);
		for (const [place, one] of samples.entries())
			yield { place: placeOf(one) ?? `sample ${place + 1}`, json: one, header };
		return;
	}
	const archive = await openArchive(bytes, bounds);
	try {
		const read = async (entry: string, mostBytes: number) => {
			const found = await archive.read(entry, mostBytes);
			return found && jsonIn(found.toString("utf8"));
		};
		// of an evaluation that was broken off there is only what was known at its start
		const header = headerOf(
			(await read("header.json", bounds.header)) ?? (await read("_journal/start.json", bounds.header)),
		);
		const entries = archive.names.filter((one) => /^samples\/.*\.json$/s.test(one)).sort();
		if (entries.length === 0) throw new Error(`${name} is no Inspect log: it has no samples`);
		for (const entry of entries) {
			try {
				const json = await read(entry, bounds.sample);
				yield { place: placeOf(json) ?? entry, json, header };
			} catch (error) {
				yield { place: entry, json: new Error(reasonOf(error)), header };
			}
		}
	} finally {
		archive.close();
	}
}

const headerOf = (json: unknown): Header => Header.catch({ eval: {} }).parse(json ?? {});

function placeOf(sample: unknown): string | undefined {
	if (!isFields(sample)) return undefined;
	const { id, epoch } = sample;
	return typeof id === "string" || typeof id === "number"
		? `sample ${`${id}`.slice(0, 100)}, epoch ${epoch}`
		: undefined;
}

/** JSON as Python writes it: with NaN and Infinity, which become null. */
function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (!/\b(?:NaN|Infinity)\b/.test(text)) throw new Error(`is not JSON: ${(error as Error).message}`);
		return JSON.parse(
			text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs, (part) =>
				part.startsWith('"') ? part : "null",
			),
		);
	}
}

const Text = z.string().max(10_000_000);
/** Parts of a message; of kinds that are not read only the name counts. */
const Content = z.union([
	Text,
	z
		.array(
			z.object({ type: z.string().max(100), text: Text.nullish(), reasoning: Text.nullish(), summary: Text.nullish() }),
		)
		.max(10_000),
]);
const Call = z.object({
	id: z.string().max(500).default(""),
	function: z.string().max(500),
	arguments: freeRecord(z.unknown()).catch({}),
	parse_error: Text.nullish(),
});
const Failure = z.object({ type: z.string().max(100).optional(), message: Text }).nullish();
const InspectMessage = z.object({
	id: z.string().max(200).nullish(),
	role: z.enum(["system", "user", "assistant", "tool"]),
	content: Content,
	tool_calls: z.array(Call).max(1000).nullish(),
	tool_call_id: z.string().max(500).nullish(),
	error: Failure.catch(undefined),
});
type InspectMessage = z.infer<typeof InspectMessage>;

const Count = z.number().int().min(0).max(1e15).nullish().catch(undefined);
const ModelUsage = z.object({
	input_tokens: Count,
	output_tokens: Count,
	input_tokens_cache_read: Count,
	input_tokens_cache_write: Count,
	reasoning_tokens: Count,
	total_cost: z.number().min(0).nullish().catch(undefined),
});
const Seconds = z.number().min(0).max(1e10).nullish().catch(undefined);
const Event = z.object({
	event: z.string().max(100),
	id: z.string().max(500).nullish().catch(undefined),
	timestamp: z.string().max(100).nullish().catch(undefined),
	completed: z.string().max(100).nullish().catch(undefined),
	result: z.unknown().optional(),
	error: Failure.catch(undefined),
	output: z
		.object({
			choices: z
				.array(z.object({ message: z.object({ id: z.string().max(200).nullish() }) }))
				.max(100)
				.nullish(),
			usage: ModelUsage.nullish(),
			time: Seconds,
		})
		.nullish()
		.catch(undefined),
});
const Score = z.object({ value: z.unknown() });
const Sample = z.object({
	id: z.union([z.string().min(1).max(2000), z.number()]),
	epoch: z.number().int().min(1).max(100_000).default(1),
	input: z.union([z.string().max(1_000_000), z.array(InspectMessage).max(10_000)]),
	choices: z.array(z.string().max(100_000)).max(1000).nullish(),
	target: z.union([z.string().max(100_000), z.array(z.string().max(100_000)).max(1000)]).default(""),
	messages: z
		.array(InspectMessage)
		.max(4 * most.steps)
		.default([]),
	output: z.object({ completion: Text.nullish().catch(undefined) }).prefault({}),
	scores: freeRecord(Score).nullish(),
	metadata: freeRecord(z.unknown()).nullish().catch(undefined),
	events: z.array(z.unknown()).max(1_000_000).nullish(),
	model_usage: freeRecord(ModelUsage).nullish().catch(undefined),
	started_at: z.string().max(100).nullish().catch(undefined),
	total_time: Seconds,
	uuid: z.string().max(200).nullish().catch(undefined),
	error: Failure,
	limit: z
		.object({ type: z.string().max(100) })
		.nullish()
		.catch(undefined),
	attachments: freeRecord(z.string()).nullish().catch(undefined),
});
type Sample = z.infer<typeof Sample>;

function transcriptOf(json: unknown, header: Header): Transcript | { problem: string } {
	if (json instanceof Error) return { problem: json.message };
	const parsed = Sample.safeParse(json);
	if (!parsed.success) return { problem: issueOf(parsed.error) };
	const sample = parsed.data;
	const losses = new Set<string>();
	const question = questionOf(sample, losses);
	if (question === "") return { problem: "no question: its input holds no text" };
	const whole = attachedTo(sample);
	const turns = turnsOf(sample, whole, losses);
	const { steps, losses: assumed } = stepsOfTurns(turns);
	if (steps.length > most.steps) return { problem: `more than ${most.steps} steps` };
	const { error, scores, started_at: started, total_time: seconds } = sample;
	const answer = answerOf(sample, whole);
	const { solver, model } = header.eval;
	const agent = solver ?? header.plan?.steps.map((step) => step.solver).join(" + ");
	return {
		...{ task: String(sample.id), id: sample.uuid ?? `${sample.id}-${sample.epoch}`, question },
		accepted: [
			...new Set(
				[sample.target]
					.flat()
					.map((one) => one.trim().slice(0, 10_000))
					.filter((one) => one !== ""),
			),
		],
		...{ tags: languageOf(sample), steps, answer, stop: stopOf(sample, answer, losses) },
		messages: sample.messages.map((one) => messageOf(one, whole)),
		...judgedIn(scores ?? {}, header, losses),
		...(started && !Number.isNaN(Date.parse(started)) ? { at: new Date(started).toISOString() } : {}),
		...(seconds ? { ms: seconds * 1000 } : {}),
		usage: usageOf(sample),
		...(error ? { error: { boundary: "agent", message: error.message.slice(0, 10_000) } } : {}),
		models: model === undefined || model === "none/none" ? [] : [model],
		...(agent ? { agent: agent.slice(0, 200) } : {}),
		losses: [...losses, ...assumed],
	};
}

function questionOf({ input, choices }: Sample, losses: Set<string>): string {
	if (Array.isArray(choices) && choices.length > 0) losses.add("the choices of a question stand behind it");
	const listed = (choices ?? []).map((choice, place) => `${String.fromCharCode(65 + (place % 26))}) ${choice}`);
	const asked =
		typeof input === "string" ? input : textOfContent(input.filter(({ role }) => role === "user").at(-1)?.content);
	if (typeof input !== "string" && input.filter(({ role }) => role === "user").length > 1)
		losses.add("of several messages that ask, the last is the question");
	return [asked.trim(), ...listed].join("\n").trim().slice(0, 100_000);
}

/** Long texts stand beside a sample under a name: `attachment://HASH`. */
function attachedTo({ attachments }: Sample): (text: string) => string {
	const kept = attachments ?? {};
	const mark = "attachment://";
	return (text) => {
		const name = text.startsWith(mark) ? text.slice(mark.length) : "";
		return name !== "" && Object.hasOwn(kept, name) ? (kept[name] ?? text) : text;
	};
}

/** Replies with their calls; usage and times are those of the events about the same reply and call. */
function turnsOf(
	{ messages, events, output }: Sample,
	whole: (text: string) => string,
	losses: Set<string>,
): AgentTurn[] {
	const results = new Map(
		messages.flatMap((one) => (one.role === "tool" ? [[one.tool_call_id ?? "", one] as const] : [])),
	);
	const told = eventsOf(events ?? []);
	const known = new Set<string>();
	const turns = messages.flatMap((message): AgentTurn[] => {
		if (message.role !== "assistant") return [];
		const { id, tool_calls: made } = message;
		const reply = told.replies.get(id ?? "");
		const words = textOf(message, whole);
		const calls = (made ?? []).flatMap((call): AgentCall[] => {
			known.add(call.id);
			// how an agent of Inspect hands in its answer
			if (call.function === "submit" && output.completion) return [];
			const said = results.get(call.id);
			const event = told.calls.get(call.id);
			// a limit may have come between what the tool gave back and its message
			const kept = typeof event?.result === "string" ? whole(event.result) : event?.result;
			const result = said ? textOf(said, whole).said : kept === "" || kept === null ? undefined : kept;
			const error = said?.error?.message ?? event?.error ?? call.parse_error ?? undefined;
			const invalid = Boolean(call.parse_error);
			return [{ name: call.function, arguments: call.arguments, ms: event?.ms, result, error, invalid }];
		});
		const answer = whole(output.completion ?? "").trim();
		const isAnswer = calls.length === 0 && words.said.endsWith(answer);
		const beside = isAnswer ? words.said.slice(0, words.said.length - answer.length).trim() : words.said;
		const thought = [words.thought, beside].filter((one) => one !== "").join("\n");
		if (calls.length === 0 && thought === "" && reply === undefined) return [];
		return [{ thought, calls, usage: reply?.usage, ms: reply?.ms }];
	});
	const apart = [...told.calls.keys()].filter((id) => !known.has(id)).length;
	if (apart > 0) losses.add("calls that stand in events alone, as those of agents within agents, are left out");
	return turns;
}

/** What the events of a sample say of replies and calls; events of other kinds say nothing of either. */
function eventsOf(events: readonly unknown[]) {
	const replies = new Map<string, { usage: Usage | undefined; ms: number | undefined }>();
	const calls = new Map<string, { result: unknown; error: string | undefined; ms: number | undefined }>();
	for (const json of events) {
		const parsed = Event.safeParse(json);
		if (!parsed.success) continue;
		const { event, id, output, timestamp, completed, result, error } = parsed.data;
		const reply = output?.choices?.[0]?.message.id;
		if (event === "model" && reply)
			replies.set(reply, {
				usage: output.usage ? usageIn([output.usage], 1) : undefined,
				ms: (output.time ?? 0) * 1000,
			});
		if (event !== "tool" || !id) continue;
		const ms = Date.parse(completed ?? "") - Date.parse(timestamp ?? "");
		calls.set(id, { result, error: error?.message, ms: ms >= 0 ? ms : undefined });
	}
	return { replies, calls };
}

/** What a message says, and what it thought before. */
function textOf({ content }: InspectMessage, whole: (text: string) => string): { said: string; thought: string } {
	if (typeof content === "string") return { said: whole(content).trim(), thought: "" };
	const thoughts = content.flatMap(({ type, reasoning, summary }) =>
		type === "reasoning" ? [reasoning || (summary ?? "")] : [],
	);
	const said = content.flatMap(({ type, text }) => (type === "text" ? [whole(text ?? "")] : []));
	return { said: said.join("\n").trim(), thought: thoughts.map(whole).join("\n").trim() };
}

function messageOf(message: InspectMessage, whole: (text: string) => string): Message {
	const { said, thought } = textOf(message, whole);
	const { role, tool_calls: calls, tool_call_id: callId } = message;
	return {
		role,
		...(thought === "" ? {} : { thought }),
		...(calls?.length
			? { calls: calls.map(({ id, function: name, arguments: given }) => ({ id, name, arguments: written(given) })) }
			: {}),
		...(callId ? { callId } : {}),
		content: said === "" ? [] : [{ type: "text", text: said }],
	};
}

function answerOf({ output, messages }: Sample, whole: (text: string) => string): string | null {
	const last = messages.at(-1);
	const said =
		output.completion ?? (last?.role === "assistant" && !last.tool_calls?.length ? textOf(last, whole).said : "");
	return whole(said).trim().slice(0, most.answer) || null;
}

const budgets: ReadonlySet<string> = new Set(["token", "cost", "time", "working"]);

function stopOf({ limit, error }: Sample, answer: string | null, losses: Set<string>): StopReason {
	if (error) return "error";
	if (limit?.type === "context") return "context-limit";
	if (limit) return budgets.has(limit.type) ? "budget" : "turn-limit";
	if (answer !== null) return "answered";
	losses.add("ended without an answer: taken as stopped by the protocol's limit");
	return "turn-limit";
}

function usageOf({ model_usage: byModel, messages }: Sample): Usage {
	const parts = Object.values(byModel ?? {});
	if (parts.length === 0) return noUsage;
	return usageIn(parts, messages.filter(({ role }) => role === "assistant").length);
}

/** Inspect counts cached tokens of the input apart. */
function usageIn(parts: readonly z.infer<typeof ModelUsage>[], calls: number): Usage {
	const sum = (of: (part: z.infer<typeof ModelUsage>) => number | null | undefined) =>
		parts.reduce((total, part) => total + (of(part) ?? 0), 0);
	const cached = sum((part) => part.input_tokens_cache_read);
	const reasoning = sum((part) => part.reasoning_tokens);
	const cost = sum((part) => part.total_cost);
	return {
		calls,
		inputTokens: sum((part) => part.input_tokens) + cached + sum((part) => part.input_tokens_cache_write),
		outputTokens: sum((part) => part.output_tokens),
		...(cached > 0 ? { cachedTokens: cached } : {}),
		...(reasoning > 0 ? { reasoningTokens: reasoning } : {}),
		...(cost > 0 ? { cost } : {}),
	};
}

const languageOf = ({ metadata }: Sample): Record<string, string> => {
	const language = metadata?.language;
	return typeof language === "string" && /^[a-z]{2,3}(-\w+)?$/i.test(language) ? { language } : {};
};

/** Inspect's words for right and wrong; what lies between is neither. */
const grades = new Map<unknown, string>([
	...(["C", 1, true] as const).map((value) => [value, "True"] as const),
	...(["I", "N", 0, false] as const).map((value) => [value, "False"] as const),
]);

/** The verdict of the log's headline score, else of the first that says right or wrong. */
function judgedIn(
	scores: Readonly<Record<string, z.infer<typeof Score>>>,
	{ results }: Header,
	losses: Set<string>,
): Pick<Transcript, "judged"> {
	const names = Object.keys(scores);
	const headline = results?.headline?.score ?? "";
	const graded = names.filter((name) => grades.has(scores[name]?.value));
	const rater = graded.includes(headline) ? headline : graded[0];
	if (rater === undefined) {
		if (names.length > 0) losses.add("scores that do not say right or wrong are left out");
		return {};
	}
	if (names.length > 1) losses.add(`of several scores "${rater.slice(0, 60)}" is the label`);
	return { judged: { rater: rater.slice(0, 200), said: grades.get(scores[rater]?.value) ?? "" } };
}
