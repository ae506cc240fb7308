import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { createWorld } from "../../test/support/server/server.ts";

const world = createWorld(createCorpus);
const { post, serve } = world;

describe("POST /v1/search", () => {
	const dataUrl = async (file: string) => `data:image/png;base64,${(await world.file(file)).toString("base64")}`;

	test("text: a hit says what it is, where it stands and which index found it", async () => {
		const { json } = await post("/v1/search", { queries: [{ text: "capital of Peru" }], topk: 1, explain: true });
		expect(json).toMatchObject({ knowledge: "towns", hash: world.knowledge.manifest.hash });
		const [{ hits, ms, explain }] = json.results;
		expect(ms).toBeGreaterThan(0);
		expect(explain.target).toBe("passage");
		expect(explain.indexes.map(({ name }: { name: string }) => name)).toContain("lexical");
		expect(hits).toEqual([
			expect.objectContaining({
				id: "lima",
				rank: 1,
				kind: "passage",
				document: "Lima",
				title: "Lima",
				contents: expect.stringContaining("capital of Peru"),
				snippet: expect.any(String),
				provenance: { knowledge: "towns", hash: world.knowledge.manifest.hash, source: "test", licence: "CC0-1.0" },
			}),
		]);
	});

	test("an image finds its like, sent as bytes or named by id; the picture is at its address", async () => {
		const queries = [{ image: await dataUrl("images/red.png") }, { image: "flags/blue" }, { image: "sheet#page=1" }];
		const { json } = await post("/v1/search", { queries, topk: 1 });
		const [red, blue, page] = json.results;
		expect(red.hits[0]).toMatchObject({ id: "flags/red", kind: "image", image_url: "/v1/files/flags%2Fred" });
		expect(blue.hits[0].id).toBe("flags/blue");
		expect(page.hits).toHaveLength(1);
		const picture = await fetch(`${world.server.url}${red.hits[0].image_url}`);
		expect(picture.headers.get("content-type")).toBe("image/png");
		expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
		expect(Buffer.from(await picture.arrayBuffer())).toEqual(await world.file("images/red.png"));
	});

	test("pages are found by text", async () => {
		const { json } = await post("/v1/search", { queries: [{ text: "population" }], target: "page" });
		expect(json.results[0].hits[0]).toMatchObject({ id: "sheet#page=1", page: 0, label: "i", kind: "page" });
	});

	test("a filter, a mode and exactness reach the search; a mode that there is no index for is told", async () => {
		const ask = { queries: [{ text: "capital" }], topk: 5, mode: "hybrid", exact: true, explain: true };
		const { json } = await post("/v1/search", { ...ask, filter: { document: ["Quito", "none"], language: "en" } });
		const [{ hits, explain }] = json.results;
		expect(hits.map(({ id }: { id: string }) => id)).toEqual(["quito"]);
		expect(explain.mode).toBe("hybrid");
		const late = await post("/v1/search", { ...ask, mode: "late" });
		expect([late.status, late.json.error.code]).toEqual([400, "no-index"]);
	});

	test("one bad query stands in its place; bad ones alone give the status", async () => {
		const bad = { image: "data:image/png;base64,anVuaw==" };
		const { status, json } = await post("/v1/search", { queries: [bad, { text: "flag" }], target: "image" });
		expect(status).toBe(200);
		expect(json.results[0]).toMatchObject({ hits: [], error: { code: "bad-image" } });
		expect(json.results[1].hits.length).toBeGreaterThan(0);
		expect(await post("/v1/search", { queries: [bad] })).toMatchObject({
			status: 400,
			json: { error: { code: "bad-image" } },
		});
		for (const image of ["no/such", "data:text/html;base64,AAAA", "data:image/png;base64", "lima"])
			expect((await post("/v1/search", { queries: [{ image }] })).json.error.code).toBe("bad-image");
	});

	test.each([
		{ queries: [{}] },
		{ queries: [{ text: "x", typo: 1 }] },
		{ queries: [{ text: "x" }], topk: 1001 },
		{ queries: [{ text: "x" }], topk: -1 },
		{ queries: [{ text: "x" }], tpok: 3 },
		{ queries: [{ text: "x".repeat(10_000) }] },
		{ queries: Array.from({ length: 100 }, () => ({ text: "x" })), topk: 1000 },
		{ queries: Array.from({ length: 4097 }, () => ({ text: "x" })) },
		{ queries: [{ image: "flags/red" }], target: "text" },
		[],
		null,
		"text",
	])("refuses what does not fit (%#)", async (body) => {
		const { status, json } = await post("/v1/search", JSON.stringify(body));
		expect(status).toBe(400);
		expect(json.error).toEqual({ code: expect.any(String), message: expect.any(String), remedy: expect.any(String) });
	});

	test("images are fetched from allowed hosts only, without redirects", async () => {
		const red = await world.file("images/red.png");
		let asked = 0;
		const pictures = createServer((incoming, response) => {
			asked += 1;
			if (incoming.url === "/away") response.writeHead(302, { location: "/red.png" }).end();
			else if (incoming.url === "/endless") pump(response);
			else response.end(red);
		});
		await new Promise<void>((resolve) => pictures.listen(0, "127.0.0.1", resolve));
		const at = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
		const queries = [{ image: `${at}/red.png` }];
		expect((await post("/v1/search", { queries })).json.error.code).toBe("bad-image");
		expect(asked).toBe(0);
		const allowing = await serve({ imageHosts: ["127.0.0.1"], maxBytes: 1_000_000 });
		expect((await post("/v1/search", { queries, topk: 1 }, { at: allowing })).json.results[0].hits[0].id).toBe(
			"flags/red",
		);
		for (const image of [`${at}/away`, `${at}/endless`, "http://127.0.0.2/x"])
			expect((await post("/v1/search", { queries: [{ image }] }, { at: allowing })).status).toBe(400);
		pictures.closeAllConnections();
		pictures.close();
	});
});

function pump(response: {
	destroyed: boolean;
	write(part: string): boolean;
	once(event: string, next: () => void): void;
}) {
	while (!response.destroyed && response.write("x".repeat(65_536)));
	if (!response.destroyed) response.once("drain", () => pump(response));
}

describe("evidence, files and the index", () => {
	const get = async (path: string, init: RequestInit = {}) => fetch(`${world.server.url}${path}`, init);

	test("evidence by id, whatever is in it", async () => {
		const response = await get(`/v1/evidence/${encodeURIComponent("andes#1/a b")}`);
		expect(await response.json()).toMatchObject({ evidence: { id: "andes#1/a b", kind: "passage" } });
		expect((await get("/v1/evidence/none")).status).toBe(404);
		expect((await get("/v1/evidence/%ff")).status).toBe(400);
		expect((await get("/v1/evidence/")).status).toBe(404);
	});

	test("a page's file is its picture", async () => {
		const response = await get("/v1/files/sheet%23page%3D1");
		expect(response.headers.get("content-type")).toBe("image/png");
		expect(response.headers.get("content-security-policy")).toContain("sandbox");
		const head = await get("/v1/files/sheet%23page%3D1", { method: "HEAD" });
		expect(head.headers.get("content-length")).toBe(response.headers.get("content-length"));
		expect((await get("/v1/files/lima")).status).toBe(404);
	});

	test.each([
		"../../knowledge/towns/knowledge.json",
		"..%2f..%2fcorpus.json",
		"/etc/passwd",
		"images/red.png",
		"%00",
	])("no path leads to a file: %s", async (path) => {
		// fetch would resolve the dots itself
		const status = await new Promise((resolve, reject) => {
			const { port } = new URL(world.server.url);
			request({ port, path: `/v1/files/${path}` }, (response) => resolve(response.resume().statusCode))
				.on("error", reject)
				.end();
		});
		expect(status).toBe(404);
	});

	test("the index and its exactness", async () => {
		expect(await (await get("/v1/index")).json()).toMatchObject({
			knowledge: "towns",
			hash: world.knowledge.manifest.hash,
			counts: { passage: 4, image: 2, page: 1 },
			indexes: expect.arrayContaining([expect.objectContaining({ name: "lexical", exact: true })]),
		});
	});

	test("health: ours and what the published servers say", async () => {
		expect(await (await get("/health")).json()).toMatchObject({
			ok: true,
			status: "healthy",
			hash: world.knowledge.manifest.hash,
			counts: { passage: 4 },
			recall: 1,
			load: { running: 0, waiting: 0 },
			retrievers: { total: expect.any(Number), available: expect.any(Number) },
		});
	});
});
