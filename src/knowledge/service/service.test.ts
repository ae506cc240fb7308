import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Evidence } from "#domain";
import { fakeKnowledge, type KnowledgeBase, openConnection, openKnowledge, parseConnection } from "#knowledge";
import { type Answer, type Asked, type JsonServer, jsonServer } from "../../../test/support/encoders/json-server.ts";

let dir: string;
let server: JsonServer;
let open: KnowledgeBase | undefined;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-service-"));
});
afterEach(async () => {
	await open?.close();
	open = undefined;
	await server.close();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const serve = async (answer: (asked: Asked, n: number) => Answer) => {
	server = await jsonServer(answer);
	return server;
};
const connected = async (about: object, environment: Record<string, string> = {}) => {
	const connection = parseConnection({ address: server.url, ...about }, "connection.yaml");
	open = await openConnection({ dir: join(dir, "ours"), connection }, environment);
	return open;
};
const query = { text: "capital of Peru", target: "passage", k: 3 } as const;
const lima = "Lima is the capital of Peru.";

describe("an address alone", () => {
	const found = async (answer: unknown) => {
		await serve(({ path }) =>
			path.endsWith("/v1/index") ? { status: 404, json: {} } : { status: 200, json: answer as object },
		);
		open = await openKnowledge(`${server.url}/retrieve`);
		return open.search(query);
	};
	// the answers of the published servers, as their code writes them
	test.each([
		["Search-R1", { result: [[{ document: { id: "7", contents: `"Lima"\n${lima}` }, score: 0.5 }]] }],
		["AgenticRAGTracer", { results: [{ doc_id: "7", contents: `"Lima"\n${lima}`, score: 0.5 }], message: "Success" }],
		["FlashRAG", [{ id: "7", title: "Lima", text: lima, score: 0.5 }]],
		["LangChain", { documents: [{ id: 7, page_content: lima, metadata: { title: "Lima" }, score: "0.5" }] }],
	])("gives what %s gives", async (_, answer) => {
		expect(await found(answer)).toEqual([
			{ id: "7", score: 0.5, rank: 1, kind: "passage", document: "7", title: "Lima", snippet: lima, language: "und" },
		]);
		expect(server.asked.at(-1)).toMatchObject({
			path: "/retrieve",
			body: { queries: [query.text], topk: 3, return_scores: true },
		});
		expect(await open?.evidence("7")).toMatchObject({
			text: lima,
			title: "Lima",
			provenance: { source: `${server.url}/retrieve` },
		});
		expect(open?.manifest).toMatchObject({ service: { kind: "http", looksUp: false, said: {} }, indexes: [] });
		expect(await open?.missing(["nobody"])).toEqual([]);
		await expect(open?.search({ ...query, target: "image" })).rejects.toMatchObject({ code: "no-index" });
		await expect(open?.search({ ...query, mode: "dense" })).rejects.toMatchObject({ code: "no-index" });
		await expect(open?.search({ ...query, filter: { document: "x" } })).rejects.toMatchObject({ code: "no-filter" });
	});

	test("texts without ids are named by what they say, and places stand for missing scores", async () => {
		const list = await found({ results: [lima, "Quito is the capital of Ecuador.", lima] });
		expect(list.map(({ id, score }) => [id.slice(0, 7), score])).toEqual([
			["sha256:", 1],
			["sha256:", 0.5],
		]);
	});

	test.each([
		["no list", { answer: "Lima" }, "search-engine", "gives no list of results, but an object of answer"],
		[
			"no texts",
			{ results: [{ id: "7", vector: [1] }] },
			"search-engine",
			"a result without a text: an object of id, vector",
		],
		[
			"one id for two texts",
			{
				results: [
					{ id: "7", text: "a" },
					{ id: "7", text: "b" },
				],
			},
			"ids-not-unique",
			"two texts the id 7",
		],
	])("with %s is told what is wrong", async (_, answer, code, message) => {
		await expect(found(answer)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
	});

	test("takes no more than was asked for, whatever is sent", async () => {
		const many = Array.from({ length: 5000 }, (_, at) => ({
			id: `${at}${"x".repeat(2000)}`,
			text: lima,
			score: "NaN",
		}));
		const list = await found({ results: many });
		expect(list.map(({ score }) => score)).toEqual([1, 0.5, 1 / 3]);
		for (const { id } of list) expect(id.length).toBeLessThan(100);
	});

	test.each([
		"http://me:secret@127.0.0.1/retrieve",
		"http://127.0.0.1/retrieve?key=1",
	])("holds no secret: %s", async (address) => {
		await serve(() => ({}));
		await expect(openKnowledge(address)).rejects.toMatchObject({ code: "bad-address" });
	});
});

describe("a server", () => {
	const plain = { kind: "http" };
	const good = { results: [{ id: "7", text: lima }] };

	test("that is busy is asked again, when it says so", async () => {
		await serve((_, n) => (n < 2 ? { status: n === 0 ? 429 : 503, raw: "", headers: { "retry-after": "0" } } : good));
		expect(await (await connected(plain)).search(query)).toHaveLength(1);
		expect(server.asked).toHaveLength(3);
	});

	test("that asks to wait for long is not waited for", async () => {
		await serve(() => ({ status: 503, raw: "", headers: { "retry-after": "3600" } }));
		await expect((await connected(plain)).search(query)).rejects.toMatchObject({ code: "search-engine", exitCode: 1 });
		expect(server.asked).toHaveLength(1);
	});

	test.each<[string, Answer, string]>([
		["redirects", { status: 307, raw: "", headers: { location: "http://127.0.0.1:9/" } }, "redirects are not followed"],
		["sends a page", { status: 200, raw: "<html>Log in</html>" }, "answers with a page (HTML or XML)"],
		["sends what Python writes for no number", { status: 200, raw: '{"score": NaN}' }, "answers with text where JSON"],
		[
			"refuses",
			{ status: 400, json: { detail: [{ msg: "no such field" }], error: { reason: "field k is missing" } } },
			"field k is missing",
		],
		["sends without end", { status: 200, raw: `"${"x".repeat(33 << 20)}"` }, "longer than"],
	])("that %s is told", async (_, answer, message) => {
		await serve(() => answer);
		await expect((await connected(plain)).search(query)).rejects.toMatchObject({
			message: expect.stringContaining(message),
		});
	});

	test("hears secrets of the environment, which no error and no text repeats", async () => {
		const key = "a-key-of-many-letters";
		await serve(({ headers }, n) =>
			n === 0
				? { results: [{ id: "7", text: `you sent ${headers.authorization}` }] }
				: { status: 403, json: { error: `bad ${headers.authorization}` } },
		);
		const base = await connected({ ...plain, headers: { authorization: "Bearer $SEARCH_KEY" } }, { SEARCH_KEY: key });
		const [first] = await base.search(query);
		expect(first?.snippet).toBe("you sent Bearer [secret]");
		const refusal = await base.search({ ...query, text: "other" }).catch((error: Error) => error);
		expect(String(refusal)).toContain("bad Bearer [secret]");
		expect(JSON.stringify(base.manifest)).not.toContain(key);
	});

	test.each([
		[{ ...plain, headers: { authorization: "Bearer abc" } }, "secret-in-file"],
		[{ kind: "pgvector", address: "postgres://me:word@db/x", table: "t" }, "secret-in-file"],
		[{ kind: "pgvector", address: "postgres://db/x", table: "t; DROP TABLE t" }, "bad-connection"],
		[{ kind: "pgvector", address: "postgres://db/x", table: "t", fields: { id: 'a"b' } }, "bad-connection"],
		[{ ...plain, address: "file:///etc/passwd" }, "bad-connection"],
		[{ ...plain, adress: "x" }, "bad-connection"],
		[{ kind: "solr" }, "bad-connection"],
	])("%o is refused", async (about, code) => {
		await serve(() => ({}));
		await expect(connected(about)).rejects.toMatchObject({ code });
	});

	test("is sent no secret over an open line to another machine, and none that is not set", async () => {
		await serve(() => ({}));
		const about = { ...plain, headers: { "x-key": "$SEARCH_KEY" } };
		await expect(connected(about)).rejects.toMatchObject({ code: "no-secret" });
		const away = { ...about, address: "http://search.example/find" };
		await expect(connected(away, { SEARCH_KEY: "k" })).rejects.toMatchObject({ code: "unencrypted" });
	});

	test("is asked by a GET and for single passages where the connection says so", async () => {
		await serve(({ path }) => {
			if (path.startsWith("/find")) return { hits: [{ _id: "a/b", body: lima }] };
			return path === "/passages/a%2Fb" ? { body: lima } : { status: 404, json: {} };
		});
		const base = await connected({
			...{ kind: "http", address: `${server.url}/find`, method: "GET", request: { q: "{query}", n: "{k}" } },
			...{ fields: { text: "body" }, lookup: `${server.url}/passages/{id}` },
		});
		expect(await base.evidence("a/b")).toMatchObject({ text: lima });
		expect(await base.missing(["a/b", "nobody"])).toEqual(["nobody"]);
		expect(await base.search(query)).toMatchObject([{ id: "a/b" }]);
		expect(server.asked.at(-1)?.path).toBe("/find?q=capital+of+Peru&n=3");
		expect(base.manifest.service?.looksUp).toBe(true);
	});
});

describe("Elasticsearch and OpenSearch, by answers in the shapes that their manuals document", () => {
	const hits = {
		took: 5,
		timed_out: false,
		_shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
		hits: {
			total: { value: 20, relation: "eq" },
			max_score: 1.3862942,
			hits: [
				{ _index: "towns", _id: "0", _score: 1.3862942, _source: { text: lima, title: "Lima", document: "peru" } },
			],
		},
	};
	const engine = ({ path, body }: Asked): Answer => {
		if (path === "/")
			return { name: "node-1", cluster_name: "es", version: { number: "8.15.0", build_flavor: "default" } };
		if (path === "/towns/_settings")
			return { towns: { settings: { index: { uuid: "NFBo0rR1SOyj9BcS_0Y8Ag", number_of_shards: "1" } } } };
		if (path === "/towns/_count") return { count: 20, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } };
		if (path === "/gone/_settings")
			return {
				status: 404,
				json: { error: { type: "index_not_found_exception", reason: "no such index [gone]" }, status: 404 },
			};
		expect(body).toBeDefined();
		return hits;
	};

	test("words, one passage, and what it tells of itself", async () => {
		await serve(engine);
		const base = await connected({ kind: "elasticsearch", index: "towns" });
		expect(base.manifest).toMatchObject({
			counts: { passage: 20, page: 0, image: 0 },
			service: { said: { version: "8.15.0", index: "NFBo0rR1SOyj9BcS_0Y8Ag", documents: 20 }, looksUp: true },
		});
		expect(await base.search({ ...query, filter: { document: "peru" } })).toMatchObject([
			{ id: "0", score: 1.3862942, title: "Lima", document: "peru", indexes: ["lexical"] },
		]);
		expect(server.asked.at(-1)).toMatchObject({
			path: "/towns/_search",
			body: {
				size: 3,
				query: {
					bool: {
						must: [{ multi_match: { query: query.text, fields: ["title", "text"] } }],
						filter: [{ terms: { document: ["peru"] } }],
					},
				},
			},
		});
		expect(await base.missing(["0"])).toEqual([]);
		await base.evidence("other");
		expect(server.asked.at(-1)?.body).toMatchObject({ query: { ids: { values: ["other"] } } });
	});

	test("an index that is not there is told in its words", async () => {
		await serve(engine);
		await expect(connected({ kind: "opensearch", index: "gone" })).rejects.toMatchObject({
			message: expect.stringContaining("no such index [gone]"),
		});
	});

	test.each(["elasticsearch", "opensearch"])("vectors of %s", async (kind) => {
		await serve((asked) => (asked.path === "/v1/embeddings" ? embeddings(asked) : engine(asked)));
		const base = await connected({
			kind,
			index: "towns",
			encoder: `openai:toy@${server.url}/v1`,
			vector: "embedding",
			mode: "dense",
		});
		await base.search(query);
		const { body } = server.asked.at(-1) as Asked;
		const numbers = expect.arrayContaining([expect.any(Number)]);
		expect(body).toMatchObject(
			kind === "elasticsearch"
				? { knn: { field: "embedding", query_vector: numbers, k: 3, num_candidates: 30 } }
				: { query: { knn: { embedding: { vector: numbers, k: 3 } } } },
		);
	});
});

/** The same vector for every text: what is asked is looked at, and not what is found. */
const embeddings = ({ body }: Asked): Answer => ({
	data: (body.input as string[]).map((_, index) => ({
		index,
		embedding: Array.from({ length: 16 }, (_, at) => at + 1),
	})),
});

test("Qdrant, by answers in the shapes that its manual documents", async () => {
	const ok = (result: object): Answer => ({ status: 200, json: { result, status: "ok", time: 0.001 } });
	const point = { id: 4, version: 3, score: 0.97, payload: { text: lima, title: "Lima", document: "peru" } };
	await serve((asked) => {
		const { path } = asked;
		if (path === "/v1/embeddings") return embeddings(asked);
		if (path === "/") return { title: "qdrant - vector search engine", version: "1.12.4", commit: "x" };
		if (path.endsWith("/points/count")) return ok({ count: 6 });
		if (path.endsWith("/points/query")) return ok({ points: [point] });
		return ok([point]);
	});
	const base = await connected({ kind: "qdrant", collection: "towns", encoder: `openai:toy@${server.url}/v1` });
	expect(base.manifest.service?.said).toEqual({ version: "1.12.4", documents: 6 });
	expect(await base.search({ ...query, filter: { document: ["peru"] } })).toMatchObject([
		{ id: "4", score: 0.97, document: "peru", indexes: ["dense"] },
	]);
	expect(server.asked.at(-1)).toMatchObject({
		path: "/collections/towns/points/query",
		body: { limit: 3, with_payload: true, filter: { must: [{ key: "document", match: { any: ["peru"] } }] } },
	});
	expect(await base.missing(["4", "no-point"])).toEqual(["no-point"]);
	expect(await base.evidence("nobody")).toBeUndefined();
});

test("a connection in a folder is opened as a knowledge base is", async () => {
	await serve(() => ({ results: [{ id: "7", text: lima }] }));
	await writeFile(join(dir, "connection.json"), JSON.stringify({ kind: "http", address: server.url }));
	open = await openKnowledge(dir);
	expect(await open.search(query)).toHaveLength(1);
	expect(await open.search({ ...query, text: "  ?" })).toEqual([]);
});

test("a file that is fetched from a server of Hopscope's while the knowledge base is closed goes with it", async () => {
	const { version: _, name: knowledge, ...about } = fakeKnowledge().manifest;
	let send = () => {};
	const gate = new Promise<void>((resolve) => {
		send = resolve;
	});
	let asked = () => {};
	const reached = new Promise<void>((resolve) => {
		asked = resolve;
	});
	server = await jsonServer(async ({ path }) => {
		if (path.endsWith("/v1/index")) return { knowledge, ...about };
		asked();
		await gate;
		return { status: 200, raw: "picture" };
	});
	const base = await openKnowledge(server.url);
	const flag = { kind: "image", id: "flag", file: "flag.png" } as Evidence;
	const fetched = base.file(flag);
	await reached;
	const closing = base.close();
	await expect(base.file(flag)).rejects.toMatchObject({ code: "closed" });
	send();
	const file = (await fetched) ?? "";
	await closing;
	expect(existsSync(dirname(file))).toBe(false);
});
