import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importTranscripts, type TranscriptFormatName } from "#benchmarks";
import { RunRecord, retrievalSteps, Task } from "#domain";
import { longTest } from "../../../test/long.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-traces-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const fixtures = join(import.meta.dirname, "fixtures");
let count = 0;

async function read(format: TranscriptFormatName, ...files: (string | Buffer | object)[]) {
	const paths: string[] = [];
	for (const content of files) {
		const path = join(dir, `${count++}`);
		await writeFile(path, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
		paths.push(path);
	}
	return importTranscripts(paths, format);
}

/** A request of OTLP in JSON, each span with its attributes as an object. */
function otlp(...spans: SpanParts[]): object {
	return {
		resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: "t" }, spans: spans.map(spanOf) }] }],
	};
}

interface SpanParts {
	id: number;
	parent?: number;
	trace?: number;
	name?: string;
	at?: number;
	ms?: number;
	error?: string;
	attributes?: Record<string, unknown>;
	events?: { name: string; attributes: Record<string, unknown> }[];
}

const hex = (number: number, length: number) => number.toString(16).padStart(length, "0");
const nanoseconds = (ms: number) => `${BigInt(Math.round(ms)) * 1_000_000n}`;
const begun = Date.UTC(2026, 4, 1);

function spanOf({
	id,
	parent,
	trace = 1,
	name = `span ${id}`,
	at = id * 10,
	ms = 5,
	error,
	attributes = {},
	events = [],
}: SpanParts) {
	return {
		...{ traceId: hex(trace, 32), spanId: hex(id, 16), name },
		...(parent === undefined ? {} : { parentSpanId: hex(parent, 16) }),
		...{ startTimeUnixNano: nanoseconds(begun + at), endTimeUnixNano: nanoseconds(begun + at + ms) },
		...{ attributes: keyValues(attributes), ...(error === undefined ? {} : { status: { code: 2, message: error } }) },
		events: events.map((event) => ({ ...event, attributes: keyValues(event.attributes) })),
	};
}

const keyValues = (attributes: Record<string, unknown>) =>
	Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: unknown): object {
	if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
	if (typeof value === "boolean") return { boolValue: value };
	if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
	if (typeof value === "object" && value !== null)
		return { kvlistValue: { values: keyValues(value as Record<string, unknown>) } };
	return { stringValue: String(value) };
}

const agent = (more: Record<string, unknown> = {}) => ({
	"openinference.span.kind": "AGENT",
	...{ "input.value": "Where is it?", "output.value": "In Vik.", ...more },
});
const retriever = (query: string, ...ids: string[]) => ({
	"openinference.span.kind": "RETRIEVER",
	"input.value": query,
	...Object.fromEntries(
		ids.flatMap((id, at) => [
			[`retrieval.documents.${at}.document.id`, id],
			[`retrieval.documents.${at}.document.content`, `Text of ${id}.`],
		]),
	),
});

const steps = ({ records }: Awaited<ReturnType<typeof read>>, record = 0) => records[record]?.trajectory.steps ?? [];
const shown = (found: Awaited<ReturnType<typeof read>>, record = 0) =>
	steps(found, record).map(({ call, results, merges, thought }) =>
		[
			call?.arguments.query ?? call?.tool ?? (merges ? `merges ${merges}` : thought),
			results.map(({ id }) => id).join(" "),
		].join(": "),
	);

describe("what real exporters sent", () => {
	// made by test/support/traces/export_traces.py; spans counted by the exporters themselves
	const searches = [
		["Who built the ferry of Lund?: ferry vik", "Where was Ada Berg born?: berg ferry"],
		["Ada Berg town of birth: ferry berg", "How many people live in Vik?: berg vik"],
	];
	test.each([
		["otlp", "otlp-openinference.pb", { all: 21, understood: 16, kept: 4, refused: 1 }],
		["otlp", "otlp-genai.pb", { all: 17, understood: 17, kept: 0, refused: 0 }],
		["otlp", "otlp-langfuse.pb", { all: 12, understood: 12, kept: 0, refused: 0 }],
		["langsmith", "langsmith.jsonl", { all: 12, understood: 12, kept: 0, refused: 0 }],
	] as const)("%s: %s", async (format, file, spans) => {
		const found = await importTranscripts(join(fixtures, file), format);
		expect(found.spans).toEqual(spans);
		expect(found.tasks.slice(0, 2).map(({ question }) => question)).toEqual([
			"In which town was the builder of the ferry of Lund born?",
			"How many people live in Ada Berg's town of birth?",
		]);
		expect([0, 1].map((record) => shown(found, record))).toEqual(searches);
		expect(found.records.slice(0, 2).map(({ trajectory }) => trajectory.answer)).toEqual([
			"She was born in Vik.",
			"4,200 people live in Vik.",
		]);
		for (const { trajectory } of found.records.slice(0, 2)) {
			// the scripted server reported 100, 150 and 200 tokens in, 20 out each
			expect(trajectory.usage).toMatchObject({ calls: 3, inputTokens: 450, outputTokens: 60 });
			expect(trajectory.messages.map(({ role }) => role).join(" ")).toBe(
				"system user assistant tool assistant tool assistant",
			);
		}
		expect(steps(found).map(({ thought, round }) => [thought, round])).toEqual([
			["I need the builder first.", 0],
			["Ada Berg built it. Where was she born?", 1],
		]);
		expect(found.agent).toBe("notes-agent");
		expect(found.tasks.every(({ answer }) => answer.type === "unknown")).toBe(true);
		expect(found.records[0]?.at.slice(0, 10)).toBe("2026-11-28");
	});

	// sent by the SDK, 6.0.326, through OpenTelemetry's exporter of JSON, 0.223.1, to a file
	test("otlp: what the AI SDK of Vercel sent", async () => {
		const found = await importTranscripts(join(fixtures, "otlp-ai-sdk.json"), "otlp");
		expect(found.spans).toEqual({ all: 6, understood: 6, kept: 0, refused: 0 });
		expect(shown(found)).toEqual(["Who built the ferry of Lund?: ferry vik", "Where was Ada Berg born?: berg ferry"]);
		expect(steps(found).map(({ thought, round }) => [thought, round])).toEqual([
			["I need the builder first.", 0],
			["Ada Berg built it.", 1],
		]);
		expect(found.records[0]?.trajectory).toMatchObject({
			...{ answer: "She was born in Vik.", usage: { calls: 3, inputTokens: 450, outputTokens: 60 } },
		});
		expect([found.agent, found.model]).toEqual(["notes-agent", "scripted-1"]);
		expect(found.records[0]?.trajectory.messages.map(({ role }) => role).join(" ")).toBe(
			"system user assistant tool assistant tool assistant",
		);
	});

	test("an attempt that an error ended, and spans that asked nobody anything", async () => {
		const failed = await importTranscripts(join(fixtures, "otlp-genai.pb"), "otlp");
		expect(failed.records[2]?.trajectory).toMatchObject({
			...{
				answer: null,
				stop: "error",
				error: { boundary: "agent", message: "RuntimeError: the model's server is gone" },
			},
		});
		const found = await importTranscripts(join(fixtures, "otlp-openinference.pb"), "otlp");
		expect(found.problems).toEqual([
			expect.stringMatching(/^trace [0-9a-f]{32}: no span says what was asked \(1 spans\)/),
		]);
		expect(found.records[0]?.trajectory.others?.map(({ name, kind, step }) => [name, kind, step])).toEqual([
			["embed", "embedding", 1],
			["embed", "embedding", 2],
		]);
		expect(found.passages.find(({ id }) => id === "ferry")).toMatchObject({
			...{ title: "Ferry of Lund", document: "notes.pdf", section: "page 1" },
		});
	});

	test("gzipped, in pieces, behind lengths, twice: the same spans", async () => {
		const bytes = await readFile(join(fixtures, "otlp-genai.pb"));
		const length = Buffer.alloc(4);
		length.writeUInt32BE(bytes.length);
		const framed = Buffer.concat([length, bytes, length, bytes]);
		for (const file of [gzipSync(bytes), framed]) {
			const found = await read("otlp", file);
			expect(found.spans).toMatchObject({ all: 17, understood: 17 });
			expect(shown(found)).toHaveLength(2);
		}
		const twice = await read("otlp", bytes, bytes);
		expect(twice.losses).toContain("17 spans stand in the files more than once: each counts once");
	});
});

describe("OpenInference", () => {
	test("spans out of order, over files, with a parent that is missing: one attempt by trace", async () => {
		const found = await read(
			"otlp",
			otlp({ id: 3, parent: 1, attributes: retriever("second", "b") }),
			otlp(
				{ id: 2, parent: 1, attributes: retriever("first", "a") },
				{ id: 7, trace: 2, parent: 99, attributes: agent() },
			),
			otlp({ id: 1, ms: 100, attributes: agent() }),
		);
		expect(shown(found)).toEqual(["first: a", "second: b"]);
		expect(found.tasks).toHaveLength(2);
		expect(found.records[0]?.trajectory).toMatchObject({ answer: "In Vik.", ms: 100, stop: "answered" });
		expect(found.records[0]?.at).toBe("2026-05-01T00:00:00.010Z");
	});

	test("rankings put together: a retriever of retrievers, and a reranker of those whose documents it was handed", async () => {
		const found = await read(
			"otlp",
			otlp(
				{ id: 1, ms: 500, attributes: agent() },
				{ id: 2, parent: 1, at: 20, ms: 60, attributes: retriever("fused", "b", "a") },
				{ id: 3, parent: 2, at: 30, attributes: retriever("words", "a") },
				{ id: 4, parent: 2, at: 40, attributes: retriever("vectors", "b") },
				{ id: 5, parent: 1, at: 200, attributes: retriever("again", "c") },
				{
					...{ id: 6, parent: 1, at: 300 },
					attributes: {
						...{ "openinference.span.kind": "RERANKER", "reranker.query": "again" },
						...{
							"reranker.output_documents.0.document.id": "c",
							"reranker.output_documents.0.document.content": "Text of c.",
						},
					},
				},
			),
		);
		expect(shown(found)).toEqual(["words: a", "vectors: b", "merges 0,1: b a", "again: c", "merges 3: c"]);
		expect(found.spans).toEqual({ all: 6, understood: 6, kept: 0, refused: 0 });
	});

	test("a tool that searches twice is one call, and what it made of both a ranking put together", async () => {
		const tool = { "openinference.span.kind": "TOOL", "tool.name": "find", "input.value": '{"query":"both"}' };
		const both = [
			{ id: "b", text: "Text of b." },
			{ id: "a", text: "Text of a." },
		];
		const found = await read(
			"otlp",
			otlp(
				{ id: 1, ms: 500, attributes: agent() },
				{ id: 2, parent: 1, ms: 100, attributes: { ...tool, "output.value": JSON.stringify(both) } },
				{ id: 3, parent: 2, attributes: retriever("words", "a") },
				{ id: 4, parent: 2, attributes: retriever("vectors", "b") },
			),
		);
		expect(shown(found)).toEqual(["words: a", "vectors: b", "merges 0,1: b a"]);
		expect(steps(found).map(({ call }) => call?.joined)).toEqual([undefined, true, undefined]);
	});

	test("what broke an attempt: a model, a tool, or the agent itself", async () => {
		const failed = (kind: string) =>
			otlp(
				{
					id: 1,
					ms: 500,
					error: "It broke.",
					attributes: { "openinference.span.kind": "AGENT", "input.value": "Where?" },
				},
				{ id: 2, parent: 1, error: "gone", attributes: { "openinference.span.kind": kind } },
			);
		for (const [kind, boundary] of [
			["LLM", "model"],
			["RETRIEVER", "tool"],
			["CHAIN", "agent"],
		] as const) {
			const { records } = await read("otlp", failed(kind));
			expect(records[0]?.trajectory).toMatchObject({ stop: "error", error: { boundary, message: "It broke." } });
		}
	});

	test("a root that says nothing, as a server's request; a search that is all there is", async () => {
		const found = await read(
			"otlp",
			otlp(
				{ id: 1, ms: 500, name: "POST /ask", attributes: { "http.request.method": "POST" } },
				{ id: 2, parent: 1, ms: 100, attributes: agent({ "openinference.span.kind": "CHAIN" }) },
				{ id: 3, parent: 2, attributes: retriever("first", "a") },
				{ id: 4, trace: 2, attributes: retriever("alone", "b") },
			),
		);
		expect(found.records.map(({ trajectory }) => [trajectory.answer, trajectory.stop, trajectory.searchOnly])).toEqual([
			["In Vik.", "answered", undefined],
			[null, "answered", true],
		]);
		expect(found.records[0]?.trajectory.others).toMatchObject([{ name: "POST /ask", kind: "unknown" }]);
		expect(found.tasks[1]?.question).toBe("alone");
	});

	test("a part that was asked and answered in words states a sub-question and a sub-answer", async () => {
		const part = { "openinference.span.kind": "CHAIN", "input.value": "Who built it?", "output.value": "Ada Berg" };
		const found = await read(
			"otlp",
			otlp(
				{ id: 1, ms: 500, attributes: agent() },
				{ id: 2, parent: 1, ms: 50, attributes: part },
				{ id: 3, parent: 2, attributes: retriever("builder", "a") },
				{ id: 4, parent: 1, attributes: { ...part, "input.value": '{"state": {"x": 1}}' } },
			),
		);
		expect(steps(found)).toMatchObject([{ subQuestion: "Who built it?", subAnswer: "Ada Berg" }]);
		expect(found.records[0]?.trajectory.others).toMatchObject([{ kind: "chain", name: "span 4" }]);
	});
});

describe("the GenAI conventions", () => {
	const call = (id: string, query: string) => ({ type: "tool_call", id, name: "search_notes", arguments: { query } });
	const user = { role: "user", parts: [{ type: "text", content: "Where is it?" }] };
	const chat = {
		"gen_ai.operation.name": "chat",
		"gen_ai.request.model": "m",
		"gen_ai.usage.input_tokens": 10,
		"gen_ai.usage.output_tokens": 2,
	};

	test("calls that no span carried out are read from the messages, those that one did are not counted twice", async () => {
		const asked = {
			role: "assistant",
			parts: [{ type: "reasoning", content: "Hm." }, call("c1", "one"), call("c2", "two"), call("c3", "lost")],
		};
		const back = (id: string, response: unknown) => ({
			role: "tool",
			parts: [{ type: "tool_call_response", id, response }],
		});
		const result = [{ id: "d", content: "A text.", score: 0.5, metadata: { source: "a.pdf", page: 3 } }];
		const found = await read(
			"otlp",
			otlp(
				// structured values, not JSON in a text
				{
					id: 1,
					ms: 500,
					attributes: {
						"gen_ai.operation.name": "invoke_agent",
						"gen_ai.agent.name": "helper",
						"gen_ai.usage.input_tokens": 20,
						"gen_ai.usage.output_tokens": 4,
					},
				},
				{
					id: 2,
					parent: 1,
					attributes: {
						...chat,
						"gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
						"gen_ai.input.messages": [user],
						"gen_ai.output.messages": [asked],
					},
				},
				{
					id: 3,
					parent: 1,
					attributes: {
						"gen_ai.operation.name": "execute_tool",
						"gen_ai.tool.name": "search_notes",
						"gen_ai.tool.call.id": "c1",
						"gen_ai.tool.call.arguments": { query: "one" },
						"gen_ai.tool.call.result": { results: result },
					},
				},
				{
					id: 4,
					parent: 1,
					attributes: {
						...chat,
						"gen_ai.input.messages": JSON.stringify([
							user,
							asked,
							back("c1", { results: result }),
							back("c2", JSON.stringify(result)),
						]),
						"gen_ai.output.messages": JSON.stringify([
							{ role: "assistant", parts: [{ type: "text", content: "In Vik." }] },
						]),
					},
				},
			),
		);
		expect(
			steps(found).map(({ call, error, results }) => [call?.arguments.query, call?.valid, error, results.length]),
		).toEqual([
			["two", true, undefined, 1],
			["lost", false, "nothing came back in the trace", 0],
			["one", true, undefined, 1],
		]);
		expect(steps(found)[0]).toMatchObject({
			thought: "Hm.",
			round: 0,
			call: { tool: "text_search", own: "search_notes" },
		});
		// the agent's usage is its calls', told again
		expect(found.records[0]?.trajectory).toMatchObject({
			answer: "In Vik.",
			usage: { calls: 2, inputTokens: 20, outputTokens: 4 },
		});
		expect(found.agent).toBe("helper");
	});

	test("messages as events, to 1.36, and prompt and completion of before", async () => {
		const events = [
			{ name: "gen_ai.user.message", attributes: { content: "Where is it?" } },
			{
				name: "gen_ai.assistant.message",
				attributes: {
					tool_calls: JSON.stringify([
						{ id: "c", type: "function", function: { name: "lookup", arguments: '{"query":"it"}' } },
					]),
				},
			},
			{ name: "gen_ai.tool.message", attributes: { id: "c", content: '[{"title":"Vik","text":"Vik is a town."}]' } },
			{
				name: "gen_ai.choice",
				attributes: { index: 0, finish_reason: "stop", message: '{"role":"assistant","content":"In Vik."}' },
			},
		];
		const { "gen_ai.operation.name": _, ...old } = chat;
		const prompts = {
			"gen_ai.prompt.0.role": "user",
			"gen_ai.prompt.0.content": "Where is it?",
			"gen_ai.completion.0.content": "There.",
		};
		const content = [
			{ name: "gen_ai.content.prompt", attributes: { "gen_ai.prompt": '[{"role":"user","content":"And now?"}]' } },
			{ name: "gen_ai.content.completion", attributes: { "gen_ai.completion": "Gone." } },
		];
		const found = await read(
			"otlp",
			otlp(
				{ id: 1, attributes: chat, events },
				{ id: 2, trace: 2, attributes: { ...old, ...prompts } },
				{ id: 3, trace: 3, attributes: old, events: content },
			),
		);
		expect(found.records.map(({ trajectory }) => trajectory.answer)).toEqual(["In Vik.", "There.", "Gone."]);
		expect(found.tasks.map(({ question }) => question)).toEqual(["Where is it?", "Where is it?", "And now?"]);
		expect(steps(found)).toMatchObject([
			{ call: { own: "lookup", arguments: { query: "it" } }, results: [{ rank: 1 }] },
		]);
	});

	test("the AI SDK's spans: the outer one repeats the usage of its steps", async () => {
		const usage = { "gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 3 };
		const reply = (text: string, calls?: object[]) => ({
			"ai.response.text": text,
			...(calls ? { "ai.response.toolCalls": JSON.stringify(calls) } : {}),
		});
		const messages = JSON.stringify([{ role: "user", content: [{ type: "text", text: "Where is it?" }] }]);
		const found = await read(
			"otlp",
			otlp(
				{
					id: 1,
					ms: 900,
					name: "ai.generateText",
					attributes: {
						"ai.operationId": "ai.generateText",
						"ai.prompt": '{"prompt":"Where is it?"}',
						"ai.response.text": "In Vik.",
						"ai.usage.promptTokens": 14,
						"ai.usage.completionTokens": 6,
						"ai.telemetry.functionId": "asker",
					},
				},
				{
					id: 2,
					parent: 1,
					name: "ai.generateText.doGenerate",
					attributes: {
						"ai.operationId": "ai.generateText.doGenerate",
						...usage,
						"gen_ai.request.model": "m",
						"ai.prompt.messages": messages,
						...reply("", [{ toolCallId: "t", toolName: "search", input: '{"query":"it"}' }]),
					},
				},
				{
					id: 3,
					parent: 1,
					name: "ai.toolCall",
					attributes: {
						"ai.operationId": "ai.toolCall",
						"ai.toolCall.name": "search",
						"ai.toolCall.id": "t",
						"ai.toolCall.args": '{"query":"it"}',
						"ai.toolCall.result": '[{"id":"v","text":"Vik is a town."}]',
					},
				},
				{
					id: 4,
					parent: 1,
					name: "ai.generateText.doGenerate",
					attributes: {
						"ai.operationId": "ai.generateText.doGenerate",
						...usage,
						"gen_ai.request.model": "m",
						"ai.prompt.messages": messages,
						...reply("In Vik."),
					},
				},
			),
		);
		expect(shown(found)).toEqual(["it: v"]);
		expect(found.records[0]?.trajectory).toMatchObject({
			answer: "In Vik.",
			usage: { calls: 2, inputTokens: 14, outputTokens: 6 },
		});
		expect(found.agent).toBe("asker");
	});
});

describe("exports", () => {
	test("Langfuse: a trace with its observations, and observations alone", async () => {
		const observations = [
			{
				id: "o1",
				traceId: "t",
				type: "GENERATION",
				name: "chat",
				startTime: "2026-05-01T10:00:00.000Z",
				endTime: "2026-05-01T10:00:01.000Z",
				input: [{ role: "user", content: "Where is it?" }],
				output: { role: "assistant", content: "In Vik." },
				model: "m",
				usageDetails: { input: 5, output: 2, total: 7 },
			},
			{
				id: "o2",
				traceId: "t",
				type: "RETRIEVER",
				name: "notes",
				startTime: "2026-05-01T09:59:59.000Z",
				endTime: "2026-05-01T09:59:59.500Z",
				input: { query: "it" },
				output: [{ pageContent: "Vik is a town.", metadata: { id: "v" } }],
				level: "ERROR",
				statusMessage: "slow",
			},
			{ id: "o3", traceId: "t", type: "EVENT", name: "seen", startTime: "2026-05-01T09:59:59.100Z" },
		];
		const trace = {
			id: "t",
			timestamp: "2026-05-01T09:59:58.000Z",
			name: "ask",
			input: { question: "Where is it?" },
			output: "In Vik.",
			observations,
		};
		for (const found of [await read("langfuse", trace), await read("langfuse", { data: observations })]) {
			expect(found.tasks[0]?.question).toBe("Where is it?");
			expect(steps(found)).toMatchObject([{ call: { own: "notes" }, error: "slow", ms: 500, results: [{ id: "v" }] }]);
			expect(found.records[0]?.trajectory).toMatchObject({
				answer: "In Vik.",
				usage: { inputTokens: 5 },
				others: [{ name: "seen" }],
			});
		}
	});

	test("Phoenix: spans of its API, nested attributes, and rows of its data frame", async () => {
		const context = { trace_id: "t1", span_id: "a" };
		const times = { start_time: "2026-05-01T10:00:00+00:00", end_time: "2026-05-01T10:00:02+00:00" };
		const nested = { input: { value: "Where is it?" }, output: { value: "In Vik." } };
		const documents = [{ "document.id": "v", "document.content": "Vik is a town.", "document.score": 0.7 }];
		const api = [
			{ name: "ask", context, span_kind: "CHAIN", ...times, status_code: "OK", attributes: nested },
			{
				name: "find",
				context: { ...context, span_id: "b" },
				parent_id: "a",
				span_kind: "RETRIEVER",
				...times,
				status_code: "ERROR",
				status_message: "slow",
				attributes: { "input.value": "it", "retrieval.documents": documents },
			},
		];
		const frame = [
			{
				name: "ask",
				span_kind: "CHAIN",
				parent_id: null,
				...times,
				"context.trace_id": "t1",
				"context.span_id": "a",
				"attributes.input.value": "Where is it?",
				"attributes.output.value": "In Vik.",
			},
			{
				name: "find",
				span_kind: "RETRIEVER",
				parent_id: "a",
				...times,
				status_code: "ERROR",
				status_message: "slow",
				"context.trace_id": "t1",
				"context.span_id": "b",
				"attributes.input.value": "it",
				"attributes.retrieval.documents": documents,
			},
		];
		const lines = frame.map((row) => JSON.stringify(row)).join("\n");
		for (const found of [await read("phoenix", { data: api }), await read("phoenix", lines)]) {
			expect(shown(found)).toEqual(["it: v"]);
			expect(steps(found)).toMatchObject([{ error: "slow", results: [{ score: 0.7 }] }]);
			expect(found.records[0]?.trajectory).toMatchObject({ answer: "In Vik.", ms: 2000 });
			expect(found.spans).toEqual({ all: 2, understood: 2, kept: 0, refused: 0 });
		}
	});

	test("rows and lines that are none are told and counted", async () => {
		const found = await read(
			"langsmith",
			`${JSON.stringify({ id: "a", trace_id: "t", run_type: "chain", name: "x", inputs: { question: "Q?" }, outputs: { answer: "A" } })}\n{\n{"id":"b"}\n`,
		);
		expect(found.problems).toEqual(["line 2: not JSON; left out", "row 2: no id, or no trace that it is of; left out"]);
		expect(found.spans).toEqual({ all: 3, understood: 1, kept: 0, refused: 2 });
	});
});

describe("hostile input", () => {
	test("parents in a circle, names of the prototype, times that are none", async () => {
		const found = await read(
			"otlp",
			otlp(
				{ id: 1, parent: 2, attributes: agent({ __proto__: "x", constructor: "y" }) },
				{
					id: 2,
					parent: 1,
					attributes: JSON.parse('{"__proto__": {"a": 1}, "openinference.span.kind": "CHAIN"}') as object as Record<
						string,
						unknown
					>,
				},
				{ id: 3, parent: 3, ms: -500, attributes: retriever("q", "__proto__") },
			),
		);
		expect(found.spans?.all).toBe(3);
		expect(steps(found)).toMatchObject([{ results: [{ id: "__proto__" }] }]);
		expect(found.losses.join()).toContain("a span ends before it begins");
	});

	test("what nests without end", async () => {
		const deep = `{"resourceSpans":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
		await expect(read("otlp", deep)).rejects.toMatchObject({ code: "no-transcripts" });
	});

	longTest("too many spans of one trace", async () => {
		const spans = Array.from({ length: 20_001 }, (_, at) => ({ id: at + 1, trace: 5 }));
		const found = await read("otlp", otlp(...spans), otlp({ id: 1, attributes: agent() }));
		expect(found.problems).toEqual([expect.stringContaining("more than 20000 spans (20001 spans)")]);
		expect(found.spans).toEqual({ all: 20_002, understood: 1, kept: 0, refused: 20_001 });
	});

	test("spans within spans without end, and more acts than an attempt has", async () => {
		const within = Array.from({ length: 600 }, (_, at) => ({ id: at + 1, parent: at, trace: 5, attributes: agent() }));
		const acts = Array.from({ length: 3001 }, (_, at) => ({ id: at + 1, trace: 6, attributes: retriever("q") }));
		const found = await read("otlp", otlp(...within), otlp(...acts), otlp({ id: 1, attributes: agent() }));
		expect(found.problems).toEqual([
			expect.stringContaining("spans within spans more than 500 deep (600 spans)"),
			expect.stringContaining("more than 3000 searches, tools and calls to models (3001 spans)"),
		]);
	});

	test("a request cut anywhere, or with bytes changed, is read or refused, never a failure", async () => {
		const bytes = await readFile(join(fixtures, "otlp-genai.pb"));
		await fc.assert(
			fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
				const spoilt = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
				if (!cut) spoilt[at] = byte;
				const found = await read("otlp", spoilt).catch((error: { code?: string }) => error.code);
				if (typeof found === "object") for (const record of found.records) RunRecord.parse(record);
				else expect(found).toBe("no-transcripts");
			}),
			{ numRuns: 60 },
		);
	});

	test("whatever attributes hold, what is read fits the schemas and every span is counted once", async () => {
		const names = [
			"openinference.span.kind",
			"input.value",
			"output.value",
			"llm.input_messages.0.message.role",
			"llm.output_messages",
		].concat(
			[
				"gen_ai.operation.name",
				"gen_ai.input.messages",
				"gen_ai.output.messages",
				"gen_ai.retrieval.documents",
				"retrieval.documents.0.document.id",
			],
			[
				"gen_ai.tool.name",
				"gen_ai.tool.call.arguments",
				"langfuse.observation.type",
				"langfuse.observation.output",
				"__proto__",
			],
		);
		const value = fc.oneof(
			fc.constantFrom(
				"AGENT",
				"LLM",
				"RETRIEVER",
				"TOOL",
				"RERANKER",
				"chat",
				"execute_tool",
				"retrieval",
				"generation",
				"retriever",
				"Where?",
			),
			fc.jsonValue({ maxDepth: 4 }),
			fc.json({ maxDepth: 4 }),
		);
		const attributes = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 });
		const span = fc.record({
			id: fc.integer({ min: 1, max: 6 }),
			parent: fc.integer({ min: 1, max: 6 }),
			trace: fc.integer({ min: 1, max: 2 }),
			at: fc.nat(50),
			ms: fc.integer({ min: -5, max: 50 }),
			attributes,
		});
		await fc.assert(
			fc.asyncProperty(fc.array(span, { minLength: 1, maxLength: 10 }), async (spans) => {
				const found = await read("otlp", otlp(...spans, { id: 9, trace: 9, attributes: agent() }));
				const ids = new Set(found.passages.map(({ id }) => id));
				for (const task of found.tasks) Task.parse(task);
				for (const { trajectory, ...record } of found.records) {
					RunRecord.parse({ ...record, trajectory });
					for (const { results, merges = [], index } of trajectory.steps) {
						expect(results.every(({ id }) => ids.has(id))).toBe(true);
						expect(merges.every((one) => one < index)).toBe(true);
					}
					expect(retrievalSteps(trajectory).every(({ call }) => typeof call?.arguments.query === "string")).toBe(true);
				}
				const different = new Set(spans.map(({ id, trace }) => `${trace} ${id}`)).size + 1;
				const { all = 0, understood = 0, kept = 0, refused = 0 } = found.spans ?? {};
				expect([all, understood + kept + refused]).toEqual([different, different]);
			}),
			{ numRuns: 80 },
		);
	});
});
