import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import type { KnowledgeBase } from "#knowledge";
import type { RunningServer } from "#server";
import { isLong, longTest } from "../../test/long.ts";
import { createWorld, type Reply } from "../../test/support/server/server.ts";

const world = createWorld(createCorpus);
const { post, serve } = world;

const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();

/** A knowledge base whose searches wait until they are let go, in the order in which they began. */
function gated(): { knowledge: KnowledgeBase; begun: string[]; letGo(count?: number): void } {
	const begun: string[] = [];
	const waiting: (() => void)[] = [];
	const knowledge: KnowledgeBase = {
		...world.knowledge,
		async search(query) {
			begun.push(query.text ?? "");
			await new Promise<void>((resolve) => waiting.push(resolve));
			return world.knowledge.search(query);
		},
	};
	return {
		knowledge,
		begun,
		letGo(count = waiting.length) {
			for (const go of waiting.splice(0, count)) go();
		},
	};
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
	for (let tries = 0; !(await holds()); tries += 1) {
		if (tries > 6000) throw new Error("it never came to hold");
		await sleep(10);
	}
}

async function loadOf(at: RunningServer): Promise<{ running: number; waiting: number }> {
	const response = await fetch(`${at.url}/health`);
	return ((await response.json()) as { load: { running: number; waiting: number } }).load;
}
const loadIs = (at: RunningServer, running: number, waiting: number) => async () => {
	const load = await loadOf(at);
	return load.running === running && load.waiting === waiting;
};

test("120 requests at once, round after round, at the defaults: every one is answered, and rightly", {
	tags: "longer",
}, async () => {
	const words = ["capital of Peru", "capital of Ecuador", "novel by Orwell", "rivers rise"];
	const expected = ["lima", "quito", "1984", "andes#1/a b"];
	for (let round = 0; round < (isLong ? 3 : 1); round += 1) {
		const replies = await Promise.all(
			Array.from({ length: 120 }, (_, index) =>
				post("/retrieve", { queries: [words[index % 4]], topk: 1, return_scores: true }),
			),
		);
		for (const [index, { status, json }] of replies.entries()) {
			expect(status).toBe(200);
			expect(json.result[0][0].document.id).toBe(expected[index % 4]);
		}
	}
	expect(await loadOf(world.server)).toMatchObject({ running: 0, waiting: 0 });
});

describe("a full server", () => {
	test("refuses at once with 503 and Retry-After, answers what it took, and recovers", async () => {
		const { knowledge, letGo, begun } = gated();
		const at = await serve({ concurrency: 2, queue: 3 }, knowledge);
		const taken = Array.from({ length: 5 }, (_, index) => post("/queries", { queries: [`q${index}`] }, { at }));
		await until(loadIs(at, 2, 3));
		for (const [path, body] of [
			["/retrieve", { query: "x" }],
			["/batch_search", { query: ["x", "y"] }],
			["/v1/search", { queries: [{ text: "x" }] }],
		] as const) {
			const { status, headers, json } = await post(path, body, { at });
			expect([status, json.error.code]).toEqual([503, "overloaded"]);
			expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
		}
		expect(begun).toHaveLength(2);
		const draining = setInterval(() => letGo(), 5);
		expect(statuses(await Promise.all(taken))).toEqual([200, 200, 200, 200, 200]);
		expect((await post("/queries", { queries: ["again"] }, { at })).status).toBe(200);
		clearInterval(draining);
		expect(await loadOf(at)).toMatchObject({ running: 0, waiting: 0 });
	});

	test("counts a batch by its queries, and takes one that finds room whole", async () => {
		const { knowledge, letGo } = gated();
		const at = await serve({ concurrency: 1, queue: 4 }, knowledge);
		const batch = post("/retrieve", { queries: Array.from({ length: 10 }, (_, index) => `q${index}`) }, { at });
		await until(loadIs(at, 1, 9));
		expect((await post("/retrieve", { queries: ["x"] }, { at })).status).toBe(503);
		expect((await post("/retrieve", { queries: [] }, { at })).status).toBe(503);
		const draining = setInterval(() => letGo(), 2);
		expect((await batch).json.result).toHaveLength(10);
		clearInterval(draining);
	});

	test("does not even read a body then", async () => {
		const { knowledge, letGo } = gated();
		const at = await serve({ concurrency: 1, queue: 0 }, knowledge);
		const running = post("/queries", { queries: ["q"] }, { at });
		await until(loadIs(at, 1, 0));
		expect((await post("/retrieve", "{broken", { at })).status).toBe(503);
		letGo();
		expect((await running).status).toBe(200);
	});
});

test("requests take turns: a single query does not wait for a whole batch", async () => {
	const { knowledge, begun, letGo } = gated();
	const at = await serve({ concurrency: 1 }, knowledge);
	const batch = post("/retrieve", { queries: ["b0", "b1", "b2", "b3", "b4", "b5"] }, { at });
	await until(loadIs(at, 1, 5));
	const single = post("/retrieve", { query: "single" }, { at });
	await until(loadIs(at, 1, 6));
	const draining = setInterval(() => letGo(1), 2);
	await Promise.all([batch, single]);
	clearInterval(draining);
	expect(begun).toEqual(["b0", "b1", "single", "b2", "b3", "b4", "b5"]);
});

test("a client that goes away takes with it what has not begun", async () => {
	const { knowledge, begun, letGo } = gated();
	const at = await serve({ concurrency: 1 }, knowledge);
	const controller = new AbortController();
	const init = { method: "POST", headers: { "content-type": "application/json" }, signal: controller.signal };
	const body = JSON.stringify({ queries: ["a0", "a1", "a2"] });
	const leaving = fetch(`${at.url}/retrieve`, { ...init, body });
	await until(loadIs(at, 1, 2));
	const staying = post("/retrieve", { query: "stays" }, { at });
	await until(loadIs(at, 1, 3));
	controller.abort();
	await expect(leaving).rejects.toThrow();
	await until(loadIs(at, 1, 1));
	const draining = setInterval(() => letGo(), 2);
	expect((await staying).status).toBe(200);
	clearInterval(draining);
	expect(begun).toEqual(["a0", "stays"]);
	expect(world.problems).toEqual([]);
});

longTest(
	"a request that takes too long is given up with 503; its running search keeps its place until it ends",
	async () => {
		const { knowledge, begun, letGo } = gated();
		const at = await serve({ concurrency: 1, timeout: 500 }, knowledge);
		const { status, headers, json } = await post("/retrieve", { queries: ["slow", "never"] }, { at });
		expect([status, json.error.code]).toEqual([503, "timeout"]);
		expect(headers.get("retry-after")).toBeTruthy();
		expect(await loadOf(at)).toMatchObject({ running: 1, waiting: 0 });
		letGo();
		await until(loadIs(at, 0, 0));
		expect(begun).toEqual(["slow"]);
	},
);

test("many large bodies at once are refused beyond what fits in memory", async () => {
	const { knowledge, letGo } = gated();
	const at = await serve({ concurrency: 1, maxBytes: 20_000 }, knowledge);
	const body = { queries: ["x".repeat(15_000)] };
	let refused = 0;
	const replies = Array.from({ length: 30 }, async () => {
		const reply = await post("/retrieve", body, { at });
		if (reply.status === 503) refused += 1;
		return reply;
	});
	// 16 of the longest are held: 21 of these
	await until(() => refused === 9);
	const draining = setInterval(() => letGo(), 2);
	expect(statuses(await Promise.all(replies)).filter((status) => status === 200)).toHaveLength(21);
	expect((await post("/retrieve", body, { at })).status).toBe(200);
	clearInterval(draining);
});

test("closing: what runs is answered, what comes is refused, what hangs is cut off", async () => {
	const { knowledge, letGo } = gated();
	const at = await serve({ concurrency: 1 }, knowledge);
	const running = [post("/retrieve", { queries: ["a"] }, { at }), post("/retrieve", { queries: ["b"] }, { at })];
	await until(loadIs(at, 1, 1));
	const closed = at.close();
	const late = await post("/retrieve", { queries: ["c"] }, { at }).catch(() => ({ status: 503 }));
	expect(late.status).toBe(503);
	const draining = setInterval(() => letGo(), 2);
	expect(statuses(await Promise.all(running))).toEqual([200, 200]);
	await closed;
	clearInterval(draining);
	await expect(fetch(at.url)).rejects.toThrow();

	const stuck = await serve({ concurrency: 1 }, gated().knowledge);
	const hanging = post("/retrieve", { queries: ["a"] }, { at: stuck });
	await until(loadIs(stuck, 1, 0));
	await Promise.all([stuck.close({ grace: 50 }), expect(hanging).rejects.toThrow()]);
});
