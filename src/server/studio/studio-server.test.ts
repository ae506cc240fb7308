import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startStudio } from "#server";
import { openWorkbench } from "#workbench";
import { longTest } from "../../../test/long.ts";
import { makeTownsOfStudio, recordOfTown, writeStudioRun } from "../../../test/support/studio-run.ts";

const towns = 6;
let workspace: string;
let dir: string;
let server: RunningServer;
const problems: string[] = [];

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-studio-server-"));
	await makeTownsOfStudio(workspace, { towns });
	const records = Array.from({ length: towns }, (_, n) =>
		recordOfTown(n, { towns, said: n === 1 ? "<script>alert(1)</script>".repeat(8000) : "" }),
	);
	dir = await writeStudioRun(workspace, { towns, records });
	const studio = await openWorkbench(workspace).openStudio();
	// an index that takes longer than a request waits is answered for with 202
	await studio.run("made-up");
	server = await startStudio(studio, { port: 0, onProblem: (message) => void problems.push(message) });
});
afterAll(async () => {
	await server?.close({ grace: 0 });
	await rm(workspace, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init);
const api = "/api/runs/made-up";

/** A request with headers that fetch does not let one set. */
const raw = (path: string, headers: Record<string, string>, at = server.url) =>
	new Promise<{ status: number; body: string }>((resolve, reject) => {
		const { hostname, port } = new URL(at);
		request({ hostname, port, path, headers }, (response) => {
			let body = "";
			response.setEncoding("utf8").on("data", (piece) => {
				body += piece;
			});
			response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
		})
			.on("error", reject)
			.end();
	});

describe("the pages", () => {
	test("come with a policy under which no script but their own runs", async () => {
		const page = await get("/");
		const html = await page.text();
		const policy = Object.fromEntries(
			(page.headers.get("content-security-policy") ?? "").split("; ").map((part) => {
				const [name = "", ...sources] = part.split(" ");
				return [name, sources];
			}),
		);
		expect(policy).toMatchObject({
			"default-src": ["'none'"],
			"script-src": ["'self'"],
			"style-src": ["'self'"],
			"connect-src": ["'self'"],
			"base-uri": ["'none'"],
			"form-action": ["'none'"],
			"frame-ancestors": ["'none'"],
		});
		expect(JSON.stringify(policy)).not.toMatch(/unsafe|https?:|\*/);
		expect(page.headers.get("x-content-type-options")).toBe("nosniff");
		for (const [, attributes = "", inside = ""] of html.matchAll(/<script\b([^>]*)>([^<]*)/g))
			expect([attributes, inside.trim()]).toEqual([expect.stringContaining("src="), ""]);
		expect(html).not.toMatch(/\son\w+=|<style|style=|https?:/);
		for (const [, name] of html.matchAll(/(?:src|href)="\.?\/?([^":]+)"/g)) {
			const file = await get(`/${name}`);
			expect([name, file.status]).toEqual([name, 200]);
			expect(file.headers.get("content-type")).toMatch(/javascript|css/);
		}
	});

	test("are sent again only where they changed, and HEAD says the same without the body", async () => {
		// no scores are on disk: until they are worked out, the list goes without
		await expect
			.poll(async () => (await (await get("/api/runs")).json()).runs[0].accuracy.value, { timeout: 20_000 })
			.not.toBeNull();
		for (const path of ["/", "/api/legend", "/api/runs", `${api}/rows`, `${api}/task?task=t1`]) {
			const whole = await get(path);
			await whole.arrayBuffer();
			const etag = whole.headers.get("etag") ?? "";
			expect([path, etag]).toEqual([path, expect.stringMatching(/^"\w+"$/)]);
			const again = await get(path, { headers: { "if-none-match": etag } });
			expect([path, again.status, await again.text()]).toEqual([path, 304, ""]);
			expect((await get(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
			const head = await get(path, { method: "HEAD" });
			expect([path, head.status, await head.text(), head.headers.get("etag")]).toEqual([path, 200, "", etag]);
			expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
		}
	});

	test("data is sent as data, which no browser takes for a page", async () => {
		const task = await get(`${api}/messages?task=t1&repeat=0&offset=0&limit=50`);
		expect(task.headers.get("content-type")).toContain("application/json");
		expect(task.headers.get("x-content-type-options")).toBe("nosniff");
		expect(await task.text()).toContain("<script>alert(1)</script>");
		const text = await get(`${api}/text?task=t1&message=1&part=0&offset=0`, { headers: { "accept-encoding": "gzip" } });
		expect([text.headers.get("content-encoding"), (await text.json()).length]).toEqual(["gzip", 100_000]);
	});
});

describe("what is refused", () => {
	test("a Host header that names another server, and what a page of another site asks", async () => {
		for (const host of ["evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example"])
			for (const path of ["/", "/studio.js", "/api/runs", "/api/changes?runs=made-up"])
				expect([host, path, (await raw(path, { host })).status]).toEqual([host, path, 403]);
		const { status, body } = await raw("/api/runs", { host: "localhost" });
		expect([status, body]).toEqual([200, expect.stringContaining("made-up")]);
		for (const path of ["/", "/api/runs", `${api}/rows`]) {
			const answer = await get(path, { headers: { origin: "https://evil.example" } });
			expect(answer.headers.get("access-control-allow-origin")).toBeNull();
			expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
		}
		for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
			expect([method, (await get(`${api}/rows`, { method })).status]).toEqual([method, 405]);
	});

	test("queries that cannot be, each with what to do", async () => {
		for (const query of [
			"rows?offset=-1",
			"rows?offset=x",
			"rows?limit=501",
			"rows?limit=1e9",
			"rows?limit=1.5",
			`rows?where=${"x".repeat(2001)}`,
			`rows?sort=${"x".repeat(61)}`,
			"task",
			"task?task=t1&repeat=-1",
			"task?task=nothing",
			"task?task=../../run.json",
			"task?task=t1&repeat=7",
			"next?task=t1",
			"next?task=t1&step=2",
			"next?task=t1&step=1&failures=perhaps",
			"messages?task=t1&limit=201",
			"text?task=t1",
			"text?task=t1&message=x&part=0",
		]) {
			const answer = await get(`${api}/${query}`);
			const { error } = await answer.json();
			expect([query, answer.status >= 400 && answer.status < 500]).toEqual([query, true]);
			if (!/nothing|run\.json|repeat=7/.test(query)) expect([query, answer.status]).toEqual([query, 400]);
			expect([query, error]).toEqual([
				query,
				{ ...error, code: expect.any(String), message: expect.any(String), remedy: expect.stringMatching(/\w/) },
			]);
		}
	});

	test("runs, files and pictures by paths", async () => {
		await cp(dir, join(workspace, "elsewhere"), { recursive: true });
		const picture = Buffer.from("i\0t1\0a").toString("base64url");
		const elsewhere = ["../elsewhere", join(workspace, "elsewhere"), "made-up/../../elsewhere"].map(encodeURIComponent);
		const byRun = (run: string) => [
			...["", "/rows", "/task?task=t1", "/next?task=t1&step=1", "/messages?task=t1", "/budget"].map(
				(path) => `/api/runs/${run}${path}`,
			),
			...[`/api/changes?runs=${run}`, `/api/changes?runs=made-up,${run}`],
			...[`/api/media/${run}/${picture}`, `/api/tables?runs=${run}`, `/api/compare?runs=made-up,${run}`],
			...[`/api/compare/rows?runs=made-up,${run}`, `/api/compare?runs=${run},made-up`],
		];
		for (const path of [
			...elsewhere.flatMap(byRun),
			"/api/runs/nothing",
			"/api/runs/mad%2Fe",
			"/api/runs/nothing/budget",
			"/api/tables?runs=nothing",
			"/api/runs/..%2Fmade-up",
			"/api/runs/..%2F..%2Fetc/rows",
			"/api/runs/%00",
			"/api/media/made-up/..%2F..%2Frun.json",
			`/api/media/made-up/${Buffer.from("e\0../../runs/made-up/run.json").toString("base64url")}`,
			`/api/media/..%2Fmade-up/${Buffer.from("i\0t1\0a").toString("base64url")}`,
			"/run.json",
			"/../package.json",
			"/%2e%2e/%2e%2e/etc/passwd",
			"/studio.js/..%2f..%2fpackage.json",
			"/api/runs/%E0%A4%A",
		]) {
			const { status, body } = await raw(path, { host: "localhost" });
			expect([path, status >= 400 && status < 500]).toEqual([path, true]);
			expect(body).not.toContain(workspace);
		}
		const { images } = await (await get(`${api}/task?task=t1`)).json();
		for (const [small, type] of [
			["", "image/png"],
			["?small=1", "image/webp"],
		]) {
			const picture = await get(`/api/media/made-up/${images[0].name}${small}`);
			expect([picture.status, picture.headers.get("content-type")]).toEqual([200, type]);
			expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
		}
	});

	test("whatever is asked is answered or refused, and never a failure", async () => {
		const path = fc.constantFrom("rows", "task", "next", "messages", "text");
		const value = fc.oneof(
			fc.string({ unit: "grapheme" }),
			fc.constantFrom("0", "1", "-1", "t1", "made-up", "outcome:wrong", '"'),
		);
		const query = fc.dictionary(
			fc.constantFrom("where", "sort", "offset", "limit", "task", "repeat", "step", "message", "part", "__proto__"),
			value,
		);
		await fc.assert(
			fc.asyncProperty(path, query, async (what, given) => {
				const answer = await get(`${api}/${what}?${new URLSearchParams(given)}`);
				expect(answer.status).toBeLessThan(500);
				await answer.json();
			}),
			{ numRuns: 120 },
		);
		expect(problems).toEqual([]);
	});

	test("an address that others reach without a token, and with one whoever has not got it", async () => {
		const studio = await openWorkbench(workspace).openStudio();
		await expect(startStudio(studio, { host: "0.0.0.0", port: 0 })).rejects.toMatchObject({ code: "no-token" });
		const open = await startStudio(studio, { host: "0.0.0.0", port: 0, token: "secret" });
		try {
			const at = `http://127.0.0.1:${new URL(open.url).port}`;
			for (const path of ["/", "/studio.js", "/api/runs", "/api/changes?runs=made-up", "/api/media/made-up/x"]) {
				expect([path, (await raw(path, {}, at)).status]).toEqual([path, 401]);
				expect((await raw(path, { authorization: "Bearer other" }, at)).status).toBe(401);
			}
			for (const authorization of ["Bearer secret", `Basic ${Buffer.from("any:secret").toString("base64")}`])
				expect((await raw("/api/runs", { authorization }, at)).status).toBe(200);
		} finally {
			await open.close({ grace: 0 });
		}
	});
});

longTest("whoever follows a run hears when it grows", async () => {
	const over = new AbortController();
	const { body, headers } = await get("/api/changes?runs=made-up", { signal: over.signal });
	expect(headers.get("content-type")).toContain("text/event-stream");
	const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
	let heard = "";
	const hear = async (events: number) => {
		while (heard.split("event: changed").length - 1 < events) heard += (await reader?.read())?.value ?? "";
	};
	for (let n = 1; n <= 2; n++) {
		const { total } = await (await get(`${api}/rows?where=task:t2`)).json();
		expect(total).toBe(1);
		await appendFile(join(dir, "records.jsonl"), `${JSON.stringify(recordOfTown(2, { towns, attempt: n }))}\n`);
		await hear(n);
		expect((await (await get(`${api}/task?task=t2`)).json()).attempt).toBe(n);
	}
	over.abort();
	const none = await get("/api/changes?runs=nothing");
	expect(none.status).toBeLessThan(500);
	await none.body?.cancel();
});
