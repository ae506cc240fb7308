import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importTranscripts } from "#benchmarks";
import { replyServer } from "#models";
import { openArchive } from "#store";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns, withChain } from "../../../test/support/commands.ts";
import { printedBy, pythonWith } from "../../../test/support/python.ts";

let workspace: string;
let run: string;
const hopscope = commandsOn(() => workspace);
const to = (name: string) => join(workspace, name);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-export-logs-"));
	await makeTowns(workspace, { towns: 3, more: withChain });
	// two towns are looked up, one is guessed
	const server = await replyServer(({ body }) => {
		const { messages } = body as { messages: unknown[] };
		const [, town = ""] = /Question: How many inhabitants has Town (\d)/.exec(JSON.stringify(messages)) ?? [];
		if (town === "1") return "<think>A guess.</think><answer>7</answer>";
		if (messages.length === 2) return `<think>I look.</think><text_search>Town ${town} inhabitants</text_search>`;
		return `<think>It says so.</think><answer>${town}00</answer>`;
	});
	const ran = await hopscope(
		"run",
		"-b",
		"towns",
		"-a",
		"tagged",
		"-m",
		`openai:m@${server.url}`,
		"--repeats",
		"2",
		"--json",
	);
	expect(ran.code, ran.err).toBe(0);
	run = ran.json().run;
	await server.close();
	for (const [verb, file] of [
		["otlp", "run.jsonl"],
		["inspect", "run.eval"],
		["inspect", "run.json"],
	] as const)
		expect((await hopscope("export", verb, run, "-o", to(file))).code).toBe(0);
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

interface Attribute {
	key: string;
	value: { stringValue?: string; intValue?: string; doubleValue?: number };
}
interface WrittenSpan {
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	startTimeUnixNano: string;
	endTimeUnixNano: string;
	attributes: Attribute[];
	events?: { name: string; attributes: Attribute[] }[];
}
const spansIn = (requests: ReturnType<typeof JSON.parse>[]): WrittenSpan[] =>
	requests.flatMap(({ resourceSpans }) =>
		resourceSpans.flatMap(({ scopeSpans }: ReturnType<typeof JSON.parse>) =>
			scopeSpans.flatMap(({ spans }: ReturnType<typeof JSON.parse>) => spans),
		),
	);
const attributesOf = ({ attributes }: Pick<WrittenSpan, "attributes">) =>
	Object.fromEntries(
		attributes.map(({ key, value }) => [
			key,
			value.stringValue ?? value.doubleValue ?? (value.intValue && Number(value.intValue)),
		]),
	);
const jsonLines = async (file: string) =>
	(await readFile(file, "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

describe("export otlp -o", () => {
	test("writes a trace for each answer: agent, replies, searches with documents, scores and verdicts", async () => {
		const made = await hopscope("export", "otlp", run, "-o", to("first.jsonl"), "--json");
		expect(made.json()).toMatchObject({ run, answers: 6, requests: 1, rejected: 0 });
		const spans = spansIn(await jsonLines(to("run.jsonl")));
		expect(spans).toHaveLength(made.json().spans);
		const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
		expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(6);
		const [first] = roots as [WrittenSpan];
		expect(attributesOf(first)).toMatchObject({
			...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "tagged", "openinference.span.kind": "AGENT" },
			...{ "input.value": "How many inhabitants has Town 0?", "output.value": "000", "session.id": run },
			...{ "hopscope.task.id": "t0", "hopscope.outcome": "right", "hopscope.hop.a.verdict": "solved" },
			...{ "hopscope.score.accuracy": 1, "gen_ai.request.model": "m", "gen_ai.provider.name": "openai" },
		});
		expect(first.events?.map((event) => attributesOf(event))).toEqual(
			expect.arrayContaining([
				{ "gen_ai.evaluation.name": "accuracy", "gen_ai.evaluation.score.value": 1 },
				{ "gen_ai.evaluation.name": "hop a", "gen_ai.evaluation.score.label": "solved" },
			]),
		);
		const under = spans.filter(
			({ traceId, parentSpanId }) => traceId === first.traceId && parentSpanId === first.spanId,
		);
		expect(under.map(({ name }) => name)).toEqual(["chat m", "retrieval towns", "chat m"]);
		const [asking, search, answering] = under.map(attributesOf);
		expect(asking).toMatchObject({ "gen_ai.usage.input_tokens": expect.any(Number), "openinference.span.kind": "LLM" });
		expect(JSON.parse(answering?.["gen_ai.input.messages"] as string).at(-1)).toMatchObject({
			role: "user",
			parts: [{ type: "text", content: expect.stringContaining("Town 0 has 000 inhabitants.") }],
		});
		expect(search).toMatchObject({
			...{ "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "Town 0 inhabitants" },
			...{ "retrieval.documents.0.document.id": "town#0", "openinference.span.kind": "RETRIEVER" },
			"retrieval.documents.0.document.content": "Town 0 has 000 inhabitants.",
		});
		expect(JSON.parse(search?.["gen_ai.retrieval.documents"] as string)[0]).toEqual({
			id: "town#0",
			score: expect.any(Number),
		});
		// whatever stands under another stands within its time
		for (const { startTimeUnixNano, endTimeUnixNano } of under) {
			expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(first.startTimeUnixNano));
			expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(BigInt(first.endTimeUnixNano));
		}
	});

	test("gives the same spans the same ids each time", async () => {
		await hopscope("export", "otlp", run, "-o", to("again.jsonl"));
		expect(await readFile(to("again.jsonl"), "utf8")).toBe(await readFile(to("run.jsonl"), "utf8"));
		const ids = spansIn(await jsonLines(to("run.jsonl"))).map(({ traceId, spanId }) => `${traceId} ${spanId}`);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test("is given where to, and one place alone", async () => {
		for (const args of [[], ["-o", to("x.jsonl"), "--to", "http://127.0.0.1:4318"], ["--to", "127.0.0.1"]])
			expect((await hopscope("export", "otlp", run, ...args)).code).toBe(2);
		const { code, err } = await hopscope("export", "otlp", run, "--to", "http://user:secret@127.0.0.1:4318");
		expect([code, err.includes("secret")]).toEqual([2, false]);
		expect((await hopscope("export", "otlp", run, "--to", "http://127.0.0.1:1", "--header", "a b=c")).code).toBe(2);
	});
});

interface Received {
	headers: IncomingHttpHeaders;
	url: string;
	body: Buffer;
}

describe("export otlp --to", () => {
	const received: Received[] = [];
	let answers: { status: number; headers?: Record<string, string>; body?: Buffer }[];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			received.push({ headers: request.headers, url: request.url ?? "", body: gunzipSync(Buffer.concat(chunks)) });
			const { status, headers = {}, body = Buffer.alloc(0) } = answers.shift() ?? { status: 200 };
			response.writeHead(status, headers).end(body);
		});
	});
	const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
	afterAll(() => server.close());
	beforeEach(() => {
		received.length = 0;
		answers = [];
	});
	const send = (...args: string[]) => hopscope("export", "otlp", run, "--to", address(), "--json", ...args);

	test("posts gzipped requests with the headers that are given, and what is written to a file", async () => {
		process.env.OTEL_EXPORTER_OTLP_HEADERS = "x-one=a%20b,x-two=2";
		const made = await send("--protocol", "http/json", "--header", "Authorization=Basic abc=", "--header", "x-two=3");
		delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
		expect(made.json()).toMatchObject({ answers: 6, to: `${address()}/v1/traces` });
		expect(received).toHaveLength(1);
		const [{ headers, url, body }] = received as [Received];
		expect([url, headers["content-type"], headers["x-one"], headers["x-two"], headers.authorization]).toEqual([
			"/v1/traces",
			"application/json",
			"a b",
			"3",
			"Basic abc=",
		]);
		expect(JSON.parse(body.toString())).toEqual((await jsonLines(to("run.jsonl")))[0]);
	});

	test("sends again what will pass, and gives up at what will not, with its words", async () => {
		answers = [{ status: 503, headers: { "retry-after": "0" } }, { status: 200 }];
		expect((await send()).code).toBe(0);
		expect(received).toHaveLength(2);
		expect(received[0]?.body.equals(received[1]?.body as Buffer)).toBe(true);
		answers = [{ status: 401, body: Buffer.from("no key\u0007") }];
		const { code, err } = await send();
		expect([code, received.length]).toEqual([1, 3]);
		expect(err).toContain("it answered 401: no key");
		answers = [{ status: 503 }];
		expect((await send("--retry-for", "0")).code).toBe(1);
	});

	test("tells what a receiver did not take", async () => {
		// partial_success {rejected_spans: 3, error_message: "full"}, by hand
		const partial = Buffer.from([10, 8, 8, 3, 18, 4, ...Buffer.from("full")]);
		answers = [{ status: 200, headers: { "content-type": "application/x-protobuf" }, body: partial }];
		const { code, json } = await send();
		expect([code, json()]).toEqual([3, expect.objectContaining({ rejected: 3, said: "full" })]);
		answers = [{ status: 200, body: Buffer.from('{"partialSuccess":{"rejectedSpans":"2"}}') }];
		expect((await send("--protocol", "http/json")).json()).toMatchObject({ rejected: 2 });
		// an answer that is no message at all says nothing
		answers = [{ status: 200, body: Buffer.from([255, 255, 255, 255]) }];
		expect((await send()).code).toBe(0);
	});

	const python = pythonWith("opentelemetry.proto.collector.trace.v1.trace_service_pb2");
	longTest.skipIf(python === undefined)("sends what the published protobuf definitions read, whole", async () => {
		await send();
		await writeFile(to("sent.binpb"), received[0]?.body as Buffer);
		const read = await printedBy(
			python ?? "",
			`import json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
request = ExportTraceServiceRequest.FromString(open(sys.argv[1], "rb").read())
spans = [s for r in request.resource_spans for p in r.scope_spans for s in p.spans]
print(json.dumps([[s.trace_id.hex(), s.span_id.hex(), s.parent_span_id.hex(), s.name, str(s.start_time_unix_nano), s.kind,
  {a.key: json_format.MessageToDict(a.value) for a in s.attributes}, len(s.events), s.status.code] for s in spans]))`,
			[to("sent.binpb")],
		);
		const written = spansIn(await jsonLines(to("run.jsonl")));
		expect(read.map((span: unknown[]) => span.slice(0, 5))).toEqual(
			written.map(({ traceId, spanId, parentSpanId = "", name, startTimeUnixNano }) => [
				...[traceId, spanId, parentSpanId, name, startTimeUnixNano],
			]),
		);
		expect(read.map((span: unknown[]) => span[6])).toEqual(
			written.map(({ attributes }) => Object.fromEntries(attributes.map(({ key, value }) => [key, value]))),
		);
	});
});

describe("export inspect", () => {
	test("writes samples, epochs, scores and the diagnosis, as an archive and as one object", async () => {
		const made = await hopscope("export", "inspect", run, "-o", to("first.eval"), "--json");
		expect(made.json()).toMatchObject({ run, samples: 6, scores: { accuracy: 6, hps: 6 } });
		const archive = await openArchive(to("run.eval"));
		const entry = async (name: string) => JSON.parse(String(await archive.read(name)));
		const sample = await entry("samples/t0_epoch_2.json");
		const header = await entry("header.json");
		const summaries = await entry("summaries.json");
		archive.close();
		expect(sample).toMatchObject({ id: "t0", epoch: 2, target: "000", output: { completion: "000" } });
		expect(sample.messages.map(({ role }: { role: string }) => role)).toEqual([
			"user",
			"assistant",
			"tool",
			"assistant",
		]);
		expect(sample.messages[1]).toMatchObject({
			content: [{ type: "reasoning", reasoning: "I look." }],
			tool_calls: [{ id: "call_0", function: "text_search", arguments: { query: "Town 0 inhabitants" } }],
		});
		expect(Object.keys(sample.scores).slice(0, 2)).toEqual(["accuracy", "diagnosis"]);
		expect(sample.scores.diagnosis).toMatchObject({ value: "nothing found", metadata: { hops: { a: "solved" } } });
		expect(summaries).toHaveLength(6);
		expect(header).toMatchObject({
			version: 2,
			status: "success",
			results: { total_samples: 6, completed_samples: 6 },
		});
		const whole = JSON.parse(await readFile(to("run.json"), "utf8"));
		expect(whole.samples).toHaveLength(6);
		expect(whole.samples.find(({ id, epoch }: { id: string; epoch: number }) => id === "t0" && epoch === 2)).toEqual(
			sample,
		);
		expect({ ...whole, samples: undefined, reductions: undefined }).toEqual({
			...header,
			samples: undefined,
			reductions: undefined,
		});
		expect((await hopscope("export", "inspect", run, "-o", to("run.txt"))).code).toBe(2);
	});

	test("is byte for byte the same each time", async () => {
		await hopscope("export", "inspect", run, "-o", to("again.eval"));
		expect((await readFile(to("again.eval"))).equals(await readFile(to("run.eval")))).toBe(true);
	});

	test.each([
		"run.eval",
		"run.json",
	])("comes back from %s with its questions, answers, queries and ids", async (file) => {
		const back = await importTranscripts(to(file), "inspect");
		expect([back.problems, back.repeats, back.model]).toEqual([[], 2, "openai/m"]);
		const records = await jsonLines(join(workspace, "runs", run, "records.jsonl"));
		const shortly = ({ task, repeat, trajectory }: ReturnType<typeof JSON.parse>) => ({
			...{ task: task.replace("inspect-", ""), repeat, answer: trajectory.answer, stop: trajectory.stop },
			steps: trajectory.steps.map(({ call, results, thought }: ReturnType<typeof JSON.parse>) => ({
				...{ thought, tool: call?.tool, query: call?.arguments.query, valid: call?.valid },
				found: results.map(({ id, score }: { id: string; score: number }) => [id, score]),
			})),
		});
		const inOrder = (all: readonly object[]) =>
			all.map(shortly).sort((a, b) => `${a.task} ${a.repeat}`.localeCompare(`${b.task} ${b.repeat}`));
		expect(inOrder(back.records)).toEqual(inOrder(records));
		expect(back.tasks.map(({ question, answer }) => [question, answer.accepted])).toEqual(
			[0, 1, 2].map((n) => [`How many inhabitants has Town ${n}?`, [`${n}00`]]),
		);
		const graded = back.judged.map(({ task, rater, said }) => [task, rater, said]);
		expect(graded).toContainEqual(["inspect-t0", "accuracy", "True"]);
		expect(graded).toContainEqual(["inspect-t1", "accuracy", "False"]);
		expect(back.passages.map(({ id, text }) => [id, text])).toContainEqual(["town#2", "Town 2 has 200 inhabitants."]);
	});

	test("and so do traces from a file", async () => {
		const back = await importTranscripts(to("run.jsonl"), "otlp");
		expect([back.problems, back.records.length, back.spans?.kept, back.spans?.refused]).toEqual([[], 6, 0, 0]);
		const first = back.tasks.findIndex(({ question }) => question === "How many inhabitants has Town 0?");
		const { answer, steps } = back.records[first]?.trajectory ?? {};
		expect([answer, steps?.[0]?.call?.arguments.query]).toEqual(["000", "Town 0 inhabitants"]);
		const recorded = await jsonLines(join(workspace, "runs", run, "records.jsonl"));
		const found = recorded.find(({ task }) => task === "t0").trajectory.steps[0].results;
		expect(steps?.[0]?.results).toEqual(found);
	});

	const python = pythonWith("inspect_ai");
	longTest.skipIf(python === undefined).each(["run.eval", "run.json"])(
		"is a log to Inspect itself (%s)",
		async (file) => {
			const read = await printedBy(
				python ?? "",
				`import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries
log = read_eval_log(sys.argv[1])
one = read_eval_log_sample(sys.argv[1], id="t0", epoch=2)
print(json.dumps({
  "status": log.status, "model": log.eval.model, "samples": [[s.id, s.epoch] for s in log.samples],
  "total": log.results.total_samples, "completed": log.results.completed_samples,
  "scores": {s.name: [s.scored_samples, s.metrics["mean"].value] for s in log.results.scores},
  "reductions": len(log.reductions), "summaries": len(read_eval_log_sample_summaries(sys.argv[1])),
  "headline": log.results.headline.score,
  "calls": [[c.function, c.arguments["query"]] for m in one.messages if m.role == "assistant" for c in (m.tool_calls or [])],
  "found": [json.loads(m.content)[0]["id"] for m in one.messages if m.role == "tool"],
  "completion": one.output.completion, "events": [e.event for e in one.events if e.event != "score"],
}))`,
				[to(file)],
			);
			const { json } = await hopscope("report", run, "--json");
			const { metrics } = json().runs[0];
			expect(read).toMatchObject({
				...{ status: "success", model: "openai/m", total: 6, completed: 6, summaries: 6, headline: "accuracy" },
				...{ calls: [["text_search", "Town 0 inhabitants"]], found: ["town#0"], completion: "000" },
				events: ["sample_init", "model", "tool", "model"],
			});
			expect(read.samples).toHaveLength(6);
			// two of three towns, as our own report counts it
			expect(read.scores.accuracy).toEqual([6, 4 / 6]);
			expect(read.reductions).toBe(Object.keys(read.scores).length);
			expect(metrics).toBeDefined();
		},
	);
});

describe("import", () => {
	longTest("reads Inspect's own log, and rows by a mapping, as runs that are scored and diagnosed", async () => {
		const log = await hopscope("import", "inspect", "test/fixtures/inspect-search.eval", "--json");
		expect(log.json()).toMatchObject({ benchmark: "inspect", tasks: 5, records: 10, passages: 4, labels: 8 });
		const report = await hopscope("report", log.json().run, "--json");
		// as Inspect's own results say: half of what it scored is right, and two samples ended in an error
		expect(report.json().runs[0].outcomes).toEqual([
			...[
				{ ending: "right", count: 4 },
				{ ending: "wrong", count: 4 },
				{ ending: "error", count: 2 },
			],
		]);
		expect((await hopscope("diagnose", log.json().run)).out).toContain("unsearched");

		const rows = [1, 2].map((n) => ({
			q: `Where is ${n}?`,
			gold: "Vik",
			out: "Vik",
			log: [{ ask: "Vik", docs: ["Vik is north."] }],
		}));
		await writeFile(to("rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
		await writeFile(
			to("map.yaml"),
			"question: q\nanswer: out\naccepted: gold\nsteps:\n  in: log\n  query: ask\n  documents: {in: docs, text: '@'}\n",
		);
		const mapped = await hopscope("import", "jsonl", to("rows.jsonl"), "--mapping", to("map.yaml"), "--json");
		expect(mapped.json()).toMatchObject({ tasks: 2, records: 2, passages: 1, problems: [] });
		const { code, err } = await hopscope("import", "jsonl", to("rows.jsonl"));
		expect([code, err.includes("--mapping")]).toEqual([2, true]);
	});
});
