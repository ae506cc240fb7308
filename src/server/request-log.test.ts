import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { createWorld } from "../../test/support/server/server.ts";

const world = createWorld(createCorpus);
const { post, serve } = world;

test("the log holds what was asked and found, enough to ask it again", async () => {
	const log = join(world.dir, "log/own.jsonl");
	const at = await serve({ log });
	await post("/retrieve", { queries: ["capital of Peru", "zzzz"], topk: 2, return_scores: true }, { at });
	await post(
		"/v1/search",
		{ queries: [{ image: "flags/red" }, { image: "data:image/png;base64,AAAA" }], topk: 1 },
		{ at },
	);
	await post("/retrieve", { nothing: 1 }, { at });
	await at.close();
	const lines = (await readFile(log, "utf8")).trim().split("\n");
	const [batch, images, refused] = lines.map((line) => JSON.parse(line));
	expect(lines).toHaveLength(3);
	expect(batch).toMatchObject({ route: "POST /retrieve", status: 200, hash: world.knowledge.manifest.hash });
	expect(Date.parse(batch.time)).toBeGreaterThan(0);
	for (const { query, results } of batch.searches) {
		const again = await world.knowledge.search(query);
		expect(results).toEqual(again.map(({ id, score }) => [id, score]));
	}
	expect(batch.searches[0].results.length).toBeGreaterThan(0);
	expect(images.searches[0]).toMatchObject({
		query: { image: "flags/red", target: "image" },
		results: [["flags/red", expect.any(Number)]],
	});
	expect(images.searches[1]).toMatchObject({ query: { image: expect.stringMatching(/^sha256:/) }, error: "bad-image" });
	expect(refused).toMatchObject({ status: 400, error: "bad-request", searches: [] });
});

test("a request that closing the server cuts off is in the log", async () => {
	const log = join(world.dir, "log/cut.jsonl");
	let begun = () => {};
	const searched = new Promise<void>((resolve) => {
		begun = resolve;
	});
	const never = () => {
		begun();
		return new Promise<never>(() => {});
	};
	const at = await serve({ log }, { ...world.knowledge, search: never });
	const cut = post("/retrieve", { queries: ["capital of Peru"] }, { at }).catch(() => "cut");
	await searched;
	await at.close({ grace: 0 });
	expect(await cut).toBe("cut");
	expect(JSON.parse(await readFile(log, "utf8"))).toMatchObject({ route: "POST /retrieve", status: 499 });
});
