import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench, type Studio } from "#workbench";
import { makeSmallWorld, type SmallWorld } from "../../../test/small-world.ts";
import { limiterOf, listen, type RunningServer } from "../start-server.ts";
import { dataRoutes } from "./data-routes.ts";
import { sourcesRoutes } from "./sources-routes.ts";

let folder = "";
let world: SmallWorld;
let studio: Studio;
let server: RunningServer;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "sources-routes-"));
	world = await makeSmallWorld(folder, { countries: 4 });
	studio = await openWorkbench(folder).openStudio({});
	server = await listen(
		{ port: 0 },
		{ routes: [...dataRoutes(studio), ...sourcesRoutes(studio)], limiter: limiterOf({}), onClose: studio.close },
	);
});
afterAll(async () => {
	await server.close();
	await rm(folder, { recursive: true, force: true });
});

async function ask(path: string, init: RequestInit = {}) {
	const response = await fetch(`${server.url}/api/${path}`, init);
	return { status: response.status, body: await response.json() };
}

const search = (body: unknown, headers: Record<string, string> = {}) =>
	ask("knowledge/lands/search", {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: typeof body === "string" ? body : JSON.stringify(body),
	});

test("a picture is handed over as a data URL", async () => {
	const image = world.evidence.find(({ kind }) => kind === "image");
	if (image?.kind !== "image") throw new Error("the world has pictures");
	const bytes = await readFile(join(world.corpus, image.file));
	const { status, body } = await search({ image: `data:image/png;base64,${bytes.toString("base64")}` });
	expect(status).toBe(200);
	expect(body.lists[0].hits[0].id).toBe(image.id);
	const media = `media/knowledge%3Alands/${body.evidence[image.id].picture.name}`;
	const shown = await fetch(`${server.url}/api/${media}`);
	expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
});

test("hostile and mistaken requests are refused", async () => {
	for (const [status, body] of [
		[400, "{"],
		[400, {}],
		[400, { text: "x".repeat(5000) }],
		[400, { text: "a", k: 5000 }],
		[400, { text: "a", target: "everything" }],
		[400, { image: "data:text/html;base64,AAAA" }],
		[400, { image: "data:image/png;base64,AAAA" }],
		[400, { image: "http://169.254.169.254/latest" }],
		[400, { image: "../../../etc/passwd" }],
	] as [number, unknown][])
		expect((await search(body)).status, JSON.stringify(body).slice(0, 60)).toBe(status);
	expect((await search({ text: "a" }, { origin: "https://elsewhere.example" })).status).toBe(403);
	expect((await search({ text: "a" }, { "content-type": "text/plain" })).status).toBe(415);
	for (const path of [
		"knowledge/..%2f..%2fetc",
		"benchmarks/%2fetc",
		"benchmarks/lands/task?task=..%2f..",
		"knowledge/lands/document?document=none",
		"benchmarks/lands/rows?limit=100000",
		"benchmarks/lands/next?from=none&step=7",
	]) {
		const { status } = await ask(path);
		expect([400, 404], path).toContain(status);
	}
});
