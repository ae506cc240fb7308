/** One corpus behind Hopscope's own index, behind services of HTTP, in PostgreSQL and in object storage: agents find the same. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark, writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import type { Evidence, Task } from "#domain";
import { openTextEncoder } from "#encoders";
import { buildKnowledge, type KnowledgeBase, openKnowledge } from "#knowledge";
import { type ReplyServer, replyServer } from "#models";
import { type RunningServer, startServer } from "#server";
import { openWorkbench } from "#workbench";
import { temporaryFolder } from "./command-line.ts";
import { makeSmallWorld } from "./small-world.ts";
import { players } from "./support/agents/scripted-models/index.ts";
import { asked } from "./support/agents/scripted-models/scripted-model.ts";
import { commandsOn } from "./support/commands.ts";
import { fakeTextEncoder } from "./support/encoders/fakes.ts";
import { type JsonServer, jsonServer } from "./support/encoders/json-server.ts";
import { type ObjectStorage, objectStorage } from "./support/object-storage.ts";
import { fillPassages, type Postgres, postgres } from "./support/postgres.ts";

const folder = temporaryFolder();
const workspace = join(folder, "workspace");
const here = commandsOn(() => workspace);
const stored = "s3://bucket/words";
const environment = () => ({ ...process.env, ...storage.environment, PGPASSWORD: "toy secret/of@16" });

let local: KnowledgeBase;
let passages: Extract<Evidence, { kind: "passage" }>[];
let tasks: Task[];
let encoders: JsonServer;
let storage: ObjectStorage;
let database: Postgres;
let foreign: JsonServer;
let own: RunningServer;
let model: ReplyServer;
const before = { ...process.env };

beforeAll(async () => {
	const world = await makeSmallWorld(join(folder, "world"), { countries: 12 });
	passages = world.evidence.flatMap((one) => (one.kind === "passage" ? [one] : []));
	const words = (task: Task) =>
		task.images.length === 0 && task.chain?.hops.every(({ modality }) => modality !== "page");
	const benchmark = await openBenchmark(world.benchmark);
	// two of each country in turn: of words and of numbers
	tasks = benchmark.tasks.filter(words).slice(0, 8);
	const about = { name: "words", licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/words"), about);
	for (const passage of passages) corpus.add(passage);
	await corpus.finish();
	await writeBenchmark(join(workspace, "benchmarks/words"), {
		manifest: { ...about, title: "Words", description: "Tasks in words alone.", knowledge: "words" },
		tasks,
		card: "# Words",
	});

	const vectors = fakeTextEncoder(64);
	encoders = await jsonServer(async ({ body }) => {
		const made = await vectors.encodePassages(body.input as string[]);
		// a part that all share keeps every cosine above zero, where rounding would decide what is found at all
		const embedding = (one: Float32Array) => [...one, 1];
		return { object: "list", data: made.map((one, index) => ({ index, embedding: embedding(one) })) };
	});
	const encoder = await openTextEncoder(`openai:words@${encoders.url}/v1`);
	const dir = join(workspace, "knowledge/words");
	await buildKnowledge(join(workspace, "corpora/words"), dir, { encoders: { text: encoder } });
	// by vectors alone, so that PostgreSQL, whose words rank otherwise, can find the same
	const manifest = JSON.parse(await readFile(join(dir, "knowledge.json"), "utf8"));
	await writeFile(
		join(dir, "knowledge.json"),
		JSON.stringify({ ...manifest, modes: { ...manifest.modes, passage: "dense" } }),
	);
	local = await openKnowledge(dir);
	own = await startServer(local, { port: 0 });
	foreign = await jsonServer(async ({ path, headers, body }) => {
		if (path !== "/find") return { status: 404, raw: "<h1>Not here</h1>", headers: { "content-type": "text/html" } };
		if (headers["x-search-key"] !== "secret of the search engine")
			return { status: 401, json: { message: "who are you?" } };
		const { q, size } = body as { q: string; size: number };
		const found = await local.search({ text: q, target: "passage", k: size });
		const entries = found.map(({ id, score }) => {
			const { title, text, document, language } = passages.find((one) => one.id === id) as (typeof passages)[number];
			return { key: id, relevance: score, passage: { heading: title, body: text, of: document, lang: language } };
		});
		return { took: 1, data: { entries } };
	});
	storage = await objectStorage();
	database = await postgres();
	const embedded = await encoder.encodePassages(passages.map(({ title, text }) => `${title}\n${text}`));
	const rows = passages.map(({ id, title, text, document, language }) => ({
		...{ id, title, body: text, source: document, lang: language },
	}));
	await fillPassages(database, rows, embedded);
	model = await replyServer(({ body }) => {
		const said = JSON.stringify(body.messages);
		const task = tasks.find(({ question }) => said.includes(JSON.stringify(question).slice(1, -1)));
		if (!task) return { is: "status", status: 400, message: "nobody asks that" };
		return played.competent(asked(task, body));
	});
	Object.assign(process.env, environment(), { SEARCH_KEY: "secret of the search engine" });
	await mkdir(folder, { recursive: true });
	await writeFile(
		join(folder, "foreign.yaml"),
		`kind: http
address: ${foreign.url}/find
request: { q: "{query}", size: "{k}" }
results: data.entries
fields:
  id: key
  text: passage.body
  title: passage.heading
  document: passage.of
  language: passage.lang
  score: relevance
headers: { x-search-key: $SEARCH_KEY }
`,
	);
	await writeFile(
		join(folder, "database.yaml"),
		`kind: pgvector
address: ${database.address}
table: passages
fields: { id: key, text: body, title: title, document: source, language: lang }
encoder: openai:words@${encoders.url}/v1
vector: embedding
mode: dense
`,
	);
}, 120_000);
afterAll(async () => {
	for (const name of Object.keys(process.env)) if (before[name] === undefined) delete process.env[name];
	Object.assign(process.env, before);
	await local.close();
	await Promise.all([own.close({ grace: 0 }), foreign.close(), encoders.close(), storage.close(), database.close()]);
	await model.close();
});

/** Who plays the model: set before each agent runs. */
let played = players.tagged as NonNullable<(typeof players)[string]>;

test("each is connected, tells what it is, and finds the same", async () => {
	const connected = await here("knowledge", "connect", "foreign", join(folder, "foreign.yaml"), "--json");
	expect(connected.code, connected.err).toBe(0);
	expect(connected.json()).toMatchObject({ service: { kind: "http", said: {}, looksUp: false }, indexes: [] });
	const table = await here("knowledge", "connect", "database", join(folder, "database.yaml"), "--json");
	expect(table.code, table.err).toBe(0);
	expect(table.json()).toMatchObject({
		service: { kind: "pgvector", said: { documents: passages.length, pgvector: "0.8.7" }, looksUp: true },
		indexes: ["lexical", "dense"],
	});
	const pushed = await here("knowledge", "push", "words", stored);
	expect(pushed.code, pushed.err).toBe(0);
	const find = async (name: string) => {
		const found = await here("search", "capital of the country on the coast", "-n", name, "-k", "10", "--json");
		expect(found.code, found.err).toBe(0);
		return found
			.json()
			.results.map((one: { id: string; title: string; snippet: string }) => [one.id, one.title, one.snippet]);
	};
	const wanted = await find("words");
	expect(wanted).toHaveLength(10);
	for (const name of ["foreign", "database", stored, own.url, `${own.url}/retrieve`])
		expect(await find(name), name).toEqual(wanted);
});

/**
 * What a record says, but for when, how long, whether a reply was kept from an equal request before, and what the engines'
 * arithmetic makes of a score beyond four digits.
 */
async function recordsOf(run: string): Promise<{ task: string }[]> {
	const lines = (await readFile(join(workspace, "runs", run, "records.jsonl"), "utf8")).trim().split("\n");
	const plain = (name: string, value: unknown) => {
		if (["at", "ms", "kept"].includes(name)) return undefined;
		return name === "score" ? Number((value as number).toFixed(4)) : value;
	};
	return lines.map((line) => JSON.parse(line, plain)).sort((a, b) => (a.task < b.task ? -1 : 1));
}

const engines = () => ({ own: own.url, foreign: "foreign", database: "database", stored });

describe.each(["extractive", "tagged", "function-calling"])("%s", (agent) => {
	test("leaves the same records over each of them", async () => {
		if (agent !== "extractive") played = players[agent] as typeof played;
		const bench = openWorkbench(workspace, { environment: environment() });
		const ran = async (name: string, knowledge: string | undefined) => {
			const ended = await bench.run({
				...{ benchmark: "words", agent, name: `${agent}-${name}`, concurrency: 1 },
				...(agent === "extractive" ? {} : { model: `openai:played@${model.url}` }),
				...(knowledge === undefined ? {} : { knowledge }),
			});
			expect(ended.ended.done, name).toBe(tasks.length);
			return recordsOf(ended.manifest.id);
		};
		const wanted = await ran("local", undefined);
		expect(wanted).toHaveLength(tasks.length);
		for (const [name, knowledge] of Object.entries(engines())) expect(await ran(name, knowledge), name).toEqual(wanted);
	}, 120_000);
});

test("results that another index calls otherwise are matched to the benchmark's evidence by what they say", async () => {
	const file = (await readFile(join(folder, "foreign.yaml"), "utf8")).replace("id: key", "id: sha256");
	await writeFile(join(folder, "renamed.yaml"), file);
	expect((await here("knowledge", "connect", "renamed", join(folder, "renamed.yaml"))).code).toBe(0);
	const ran = await here("run", "-b", "words", "-a", "extractive", "-n", "renamed", "--name", "renamed");
	expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("renamed has other ids than the benchmark")]);
	const found = async (run: string) =>
		(await recordsOf(run)).map((record) =>
			JSON.stringify(record, (name, value) =>
				["externalId", "matchedBy", "arguments", "cited"].includes(name) ? undefined : value,
			),
		);
	expect(await found("renamed")).toEqual(await found("extractive-local"));
	const { knowledge } = JSON.parse(await readFile(join(workspace, "runs/renamed/run.json"), "utf8"));
	expect(knowledge.matched).toMatchObject({ byId: 0, unmapped: 0 });
	expect(knowledge.matched.results).toBeGreaterThan(tasks.length);
	const again = await here("run", "--resume", "renamed");
	expect(again.code, again.err).toBe(0);
	expect(await found("renamed")).toEqual(await found("extractive-local"));
});

test("a service is served on, with episodes over it", async () => {
	const bench = openWorkbench(workspace, { environment: environment() });
	const { knowledge, sessions } = await bench.openServed({ benchmark: "words", knowledge: "foreign", agent: "tagged" });
	const server = await startServer(knowledge, { port: 0, ...(sessions ? { environment: { sessions } } : {}) });
	try {
		const tried = await here("search", "capital of the country", "-n", server.url, "--json");
		const plain = await here("search", "capital of the country", "-n", "words", "--json");
		const ids = (of: typeof tried) => of.json().results.map(({ id }: { id: string }) => id);
		expect(ids(tried)).toEqual(ids(plain));
	} finally {
		await server.close({ grace: 0 });
		await knowledge.close();
	}
});

describe("a run over a service that tells no text by its id", () => {
	const runs = (name: string, file: string) => join(workspace, "runs", name, file);

	test("says what it searched and that it may change, keeps what came back, and holds no secret", async () => {
		const { knowledge } = JSON.parse(await readFile(runs("tagged-foreign", "run.json"), "utf8"));
		expect(knowledge).toMatchObject({
			...{ name: "foreign", folder: "../../knowledge/foreign" },
			service: { kind: "http", address: `${foreign.url}/find`, said: {}, looksUp: false },
		});
		const events = await readFile(runs("tagged-foreign", "events.jsonl"), "utf8");
		expect(events).toContain("foreign is a search engine elsewhere (http), and what it searches may change");
		const kept = (await readFile(runs("tagged-foreign", "evidence.jsonl"), "utf8")).trim().split("\n");
		const came = kept.map((line) => JSON.parse(line) as { id: string; text: string });
		expect(new Set(came.map(({ id }) => id)).size).toBe(came.length);
		for (const { id, text } of came) expect(text).toBe(passages.find((one) => one.id === id)?.text);
		for (const file of ["run.json", "records.jsonl", "events.jsonl", "evidence.jsonl"])
			expect(await readFile(runs("tagged-foreign", file), "utf8")).not.toContain("secret");
		expect(await readFile(join(workspace, "knowledge/foreign/connection.json"), "utf8")).toContain("$SEARCH_KEY");
	});

	test("is diagnosed without asking it again, as one over the index itself is", async () => {
		const asked = foreign.asked.length;
		const diagnosed = async (run: string) => {
			const ended = await here("diagnose", run, "--json");
			expect(ended.code, ended.err).toBe(0);
			return (await readFile(runs(run, "findings.jsonl"), "utf8")).replaceAll(run, "RUN");
		};
		expect(await diagnosed("tagged-foreign")).toBe(await diagnosed("tagged-local"));
		expect(foreign.asked.length).toBe(asked);
	}, 60_000);

	test("is resumed, and intervened with by the benchmark's own texts", async () => {
		const resumed = await here("run", "--resume", "tagged-foreign");
		expect(resumed.code, resumed.err).toBe(0);
		played = players.tagged as typeof played;
		const again = await here(
			"intervene",
			"tagged-foreign",
			"--only",
			"oracle-retrieval",
			"--all-tasks",
			"--tasks",
			"2",
			"--json",
		);
		expect(again.code, again.err).toBe(0);
	}, 60_000);

	test("is no longer the same once an engine tells that it changed", async () => {
		await database.run("DELETE FROM passages WHERE key = $1", [passages.at(-1)?.id]);
		const refused = await here("run", "--resume", "tagged-database");
		expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`documents ${passages.length - 1}`)]);
	});

	test("is not asked where only a file names it", async () => {
		const elsewhere = join(folder, "elsewhere");
		await cp(join(workspace, "benchmarks"), join(elsewhere, "benchmarks"), { recursive: true });
		await cp(join(workspace, "runs/tagged-foreign"), join(elsewhere, "runs/tagged-foreign"), { recursive: true });
		await cp(join(workspace, "knowledge/foreign"), join(elsewhere, "knowledge/foreign"), { recursive: true });
		const asked = foreign.asked.length;
		const refused = await commandsOn(() => elsewhere)("run", "--resume", "tagged-foreign");
		expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("which nobody named")]);
		expect(foreign.asked.length).toBe(asked);
	});
});
