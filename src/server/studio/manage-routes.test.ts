import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockFolder } from "#store";
import { openWorkbench, type Studio } from "#workbench";
import { makeTownsOfStudio, writeStudioRun } from "../../../test/support/studio-run.ts";
import { limiterOf, listen, type RunningServer } from "../start-server.ts";
import { manageRoutes } from "./manage-routes.ts";

let workspace = "";
let studio: Studio;
let server: RunningServer;
const token = "secret";

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "manage-routes-"));
	await makeTownsOfStudio(workspace, { towns: 4 });
	for (const id of ["one", "two"]) await writeStudioRun(workspace, { id, towns: 4, records: [] });
	studio = await openWorkbench(workspace).openStudio();
	const options = { port: 0, token };
	server = await listen(options, { routes: manageRoutes(studio), limiter: limiterOf({}), onClose: studio.close });
});
afterAll(async () => {
	await server?.close();
	await rm(workspace, { recursive: true, force: true });
});

async function ask(method: string, path: string, { body, ...headers }: Record<string, string> = {}) {
	const response = await fetch(`${server.url}${path}`, {
		method,
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
		...(body === undefined ? {} : { body }),
	});
	return { status: response.status, body: await response.json() };
}
const tag = (run: string, change: unknown, headers: Record<string, string> = {}) =>
	ask("POST", `/api/runs/${encodeURIComponent(run)}/tags`, { body: JSON.stringify(change), ...headers });
const dirOf = (id: string) => join(workspace, "runs", id);

test("tags are given and taken; what is no tag, no change or no run is refused", async () => {
	expect((await tag("one", { add: ["b", "a"] })).body).toEqual({ run: "one", tags: ["a", "b"] });
	expect((await tag("one", { remove: ["a"] })).body).toEqual({ run: "one", tags: ["b"] });
	for (const [run, change, status] of [
		["one", { add: ["<b>"] }, 400],
		["one", { add: "b" }, 400],
		["one", { add: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 400],
		["on", { add: ["x"] }, 404],
		["@last", { add: ["x"] }, 404],
		["../runs/one", { add: ["x"] }, 404],
		[dirOf("one"), { add: ["x"] }, 404],
	] as const)
		expect([run, change, (await tag(run, change)).status]).toEqual([run, change, status]);
	expect((await studio.runs()).runs.map(({ id, tags }) => [id, tags])).toEqual([
		["two", []],
		["one", ["b"]],
	]);
});

test("nobody changes anything without the token, from another site, by a form, or by an address alone", async () => {
	for (const headers of [{ authorization: "" }, { authorization: "Bearer other" }]) {
		expect((await tag("one", { add: ["x"] }, headers)).status).toBe(401);
		expect((await ask("DELETE", "/api/runs?runs=one", headers)).status).toBe(401);
		expect((await ask("GET", "/api/removal?runs=one", headers)).status).toBe(401);
	}
	const origin = "https://evil.example";
	expect((await tag("one", { add: ["x"] }, { origin })).status).toBe(403);
	expect((await ask("DELETE", "/api/runs?runs=one", { origin })).status).toBe(403);
	expect((await tag("one", { add: ["x"] }, { "content-type": "text/plain" })).status).toBe(415);
	for (const [method, path] of [
		["GET", "/api/runs/one/tags"],
		["POST", "/api/runs?runs=one"],
		["DELETE", "/api/runs/one/tags"],
	] as const)
		expect([method, path, (await ask(method, path)).status]).toEqual([method, path, 405]);
	expect(existsSync(dirOf("one"))).toBe(true);
	expect((await tag("one", {})).body.tags).toEqual(["b"]);
});

test("only whole ids of the workspace's runs are deleted, all or none, and none that is being written", async () => {
	await symlink(dirOf("one"), dirOf("linked"));
	for (const runs of ["", "tw", "@last", "nothing", "two,nothing", "../runs/two", "linked", dirOf("two")]) {
		const path = `?runs=${encodeURIComponent(runs)}`;
		for (const [method, at] of [
			["DELETE", "/api/runs"],
			["GET", "/api/removal"],
		] as const) {
			const { status, body } = await ask(method, `${at}${path}`);
			expect([runs, status >= 400 && status < 500]).toEqual([runs, true]);
			expect(JSON.stringify(body)).not.toContain(workspace);
		}
	}
	const release = await lockFolder(dirOf("two"));
	const removal = { runs: ["one", "two"], reruns: [], pages: [], written: ["two"] };
	expect((await ask("GET", "/api/removal?runs=one,two")).body).toEqual(removal);
	const refused = await ask("DELETE", "/api/runs?runs=one,two");
	expect([refused.status, refused.body.error.code]).toEqual([409, "run-written"]);
	await release();
	expect([existsSync(dirOf("one")), existsSync(dirOf("two"))]).toEqual([true, true]);
	expect((await ask("DELETE", "/api/runs?runs=one,two")).body).toEqual({ removed: ["one", "two"] });
	expect((await studio.runs()).runs).toEqual([]);
});

test("a run that stands elsewhere is tagged where it stands, and not deleted", async () => {
	const dir = join(workspace, "elsewhere/apart");
	await cp(await writeStudioRun(workspace, { id: "apart", towns: 4, records: [] }), dir, { recursive: true });
	await rm(dirOf("apart"), { recursive: true });
	const beside = await openWorkbench(workspace).openStudio({ runs: [dir] });
	expect(await beside.manage.tag("apart", { add: ["kept"] })).toEqual({ run: "apart", tags: ["kept"] });
	expect(JSON.parse(await readFile(join(dir, "tags.json"), "utf8"))).toEqual(["kept"]);
	await expect(beside.manage.removal(["apart"])).rejects.toThrow("stands elsewhere");
	await expect(beside.manage.remove(["apart"])).rejects.toThrow("stands elsewhere");
	expect((await beside.runs()).runs.map(({ id, tags }) => [id, tags])).toEqual([["apart", ["kept"]]]);
	await beside.close();
});
