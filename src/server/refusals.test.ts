import { request } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { startServer } from "#server";
import { createWorld } from "../../test/support/server/server.ts";

const world = createWorld(createCorpus);
const { post, serve } = world;

describe("what is refused", () => {
	const send = (path: string, init: RequestInit) => fetch(`${world.server.url}${path}`, init);
	const json = { "content-type": "application/json" };

	test("paths, methods, types, sizes and broken bodies each have their status", async () => {
		expect((await send("/nothing", {})).status).toBe(404);
		const wrong = await send("/retrieve", {});
		expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
		expect((await send("/retrieve", { method: "OPTIONS" })).status).toBe(405);
		expect((await send("/health", { method: "POST", headers: json, body: "{}" })).status).toBe(405);
		expect((await send("/retrieve", { method: "POST", body: '{"query":"x"}' })).status).toBe(415);
		const gzip = { ...json, "content-encoding": "gzip" };
		expect((await send("/retrieve", { method: "POST", headers: gzip, body: "{}" })).status).toBe(415);
		for (const body of ["{", "", "\u0000", "[1"])
			expect((await send("/retrieve", { method: "POST", headers: json, body })).status).toBe(400);
		for (const body of [
			"{}",
			"[]",
			"null",
			'{"queries":"x"}',
			'{"queries":[1]}',
			'{"query":["x"]}',
			"[".repeat(100_000),
		])
			expect((await send("/retrieve", { method: "POST", headers: json, body })).status).toBe(400);
	});

	test("whatever JSON comes is answered or refused with a reason, never a failure", async () => {
		const value = fc.oneof(
			fc.jsonValue(),
			fc.constantFrom("Lima", ["Lima", ""], 0, -1, 1e308, null, true, [{ text: "a" }]),
		);
		const keys = ["query", "queries", "topk", "top_n", "k", "return_score", "return_scores", "topk_rerank", "target"];
		const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...keys, "__proto__", "image", "mode"), value));
		const path = fc.constantFrom("/retrieve", "/search", "/batch_search", "/queries", "/v1/search");
		await fc.assert(
			fc.asyncProperty(path, body, async (where, what) => {
				const { status, json } = await post(where, JSON.stringify(what));
				if (status === 200) expect(json.error).toBeUndefined();
				else expect([status, json.error]).toEqual([400, expect.objectContaining({ message: expect.any(String) })]);
			}),
			{ numRuns: 150 },
		);
	});

	test("a body that is too long, announced or not, is refused and the server goes on", async () => {
		const small = await serve({ maxBytes: 2000 });
		const long = JSON.stringify({ queries: ["x".repeat(3000)] });
		expect((await post("/retrieve", long, { at: small })).status).toBe(413);
		const stream = new Blob(Array.from({ length: 40 }, () => " ".repeat(100_000))).stream();
		const init = { method: "POST", headers: json, body: stream, duplex: "half" } as RequestInit;
		expect((await fetch(`${small.url}/retrieve`, init)).status).toBe(413);
		expect((await post("/retrieve", { queries: ["Peru"] }, { at: small })).status).toBe(200);
	});

	test("a Host header that names another server (DNS rebinding)", async () => {
		const statusFor = (host: string, at = world.server) =>
			new Promise((resolve, reject) => {
				const { port } = new URL(at.url);
				request({ port, path: "/health", headers: { host } }, (response) => resolve(response.resume().statusCode))
					.on("error", reject)
					.end();
			});
		for (const host of ["localhost", "localhost:9", "127.0.0.1:8000", "[::1]:8000", "0.0.0.0:5003", "LOCALHOST"])
			expect(await statusFor(host)).toBe(200);
		for (const host of ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"])
			expect(await statusFor(host)).toBe(403);
		expect(await statusFor("search.lab:80", await serve({ names: ["Search.lab"] }))).toBe(200);
	});

	test("no other site is let in", async () => {
		const response = await send("/health", { headers: { origin: "https://evil.example" } });
		expect(response.headers.get("access-control-allow-origin")).toBeNull();
		expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
	});
});

describe("the token", () => {
	const body = { queries: ["Peru"] };
	const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

	test("bearer, or the password of an address; health alone answers without, and says little", async () => {
		const at = await serve({ token: "söcret:1" });
		const wrong = [{}, { authorization: "Bearer x" }, { authorization: "Bearer" }, basic("söcret:1"), basic("any:x")];
		for (const headers of wrong) {
			const refused = await post("/retrieve", body, { at, headers: headers as Record<string, string> });
			expect(refused.status).toBe(401);
			expect(refused.headers.get("www-authenticate")).toContain("Bearer");
		}
		expect((await post("/retrieve", body, { at, headers: basic("any:söcret:1") })).status).toBe(200);
		const plain = await serve({ token: "abc" });
		expect((await post("/retrieve", body, { at: plain, headers: { authorization: "bearer abc" } })).status).toBe(200);
		expect(await (await fetch(`${at.url}/health`)).json()).toEqual({ ok: true, status: "healthy" });
	});

	test("an address that others reach is refused without one", async () => {
		for (const host of ["0.0.0.0", "::", "192.0.2.1"])
			await expect(startServer(world.knowledge, { host, port: 0 })).rejects.toMatchObject({
				code: "no-token",
				exitCode: 2,
			});
	});
});

test("a port that is taken, an address that is none", async () => {
	const port = Number(new URL(world.server.url).port);
	await expect(startServer(world.knowledge, { port })).rejects.toMatchObject({
		code: "cannot-listen",
		message: expect.stringContaining("another program"),
	});
	await expect(startServer(world.knowledge, { host: "192.0.2.1", token: "x", port: 0 })).rejects.toMatchObject({
		code: "cannot-listen",
	});
});

test("a failure inside is a 500 without particulars; the operator hears them", async () => {
	const failing = {
		...world.knowledge,
		search: async () => Promise.reject(new Error(`cannot read ${world.dir}/secret`)),
	};
	const at = await serve({}, failing);
	for (const [path, body] of [
		["/retrieve", { queries: ["x"] }],
		["/v1/search", { queries: [{ text: "x" }] }],
	] as const) {
		const { status, json } = await post(path, body, { at });
		expect([status, json.error.code]).toEqual([500, "internal"]);
		expect(JSON.stringify(json)).not.toContain(world.dir);
	}
	expect(world.problems.filter((problem) => problem.includes("secret"))).toHaveLength(2);
});

test("no answer names a path of this machine", async () => {
	const { json } = await post("/v1/search", { queries: [{ text: "flag" }, { image: "flags/red" }], target: "image" });
	const evidence = await (await fetch(`${world.server.url}/v1/evidence/flags%2Fred`)).text();
	const index = await (await fetch(`${world.server.url}/v1/index`)).text();
	for (const text of [JSON.stringify(json), evidence, index]) expect(text).not.toContain(world.dir);
});
