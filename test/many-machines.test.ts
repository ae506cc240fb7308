import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunRecord } from "#domain";
import { openWorkbench } from "#workbench";
import { commandsOn, makeTowns } from "./support/commands.ts";
import { type NatsServer, natsServer, queueTest } from "./support/nats-server.ts";

let root: string;
let server: NatsServer | undefined;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-many-"));
	await makeTowns(root, { towns: 24 });
});
afterAll(async () => {
	await server?.remove();
	await rm(root, { recursive: true, force: true });
});
const run = commandsOn(() => root);

/** The records of a run in the order of its tasks, without what differs from one time to the next. */
async function recordsOf(id: string): Promise<unknown[]> {
	const lines = (await readFile(join(root, "runs", id, "records.jsonl"), "utf8")).trim().split("\n");
	return lines
		.map((line) => JSON.parse(line) as RunRecord)
		.map(({ at: _, trajectory, ...record }) => ({
			...record,
			trajectory: { ...trajectory, ms: 0, steps: trajectory.steps.map((step) => ({ ...step, ms: 0 })) },
		}))
		.sort((a, b) => (JSON.stringify([a.task, a.repeat]) < JSON.stringify([b.task, b.repeat]) ? -1 : 1));
}

queueTest("two workers give the records that one process gives, and leave nothing in the queue", async () => {
	server = await natsServer();
	const stop = new AbortController();
	const workers = [3, 5].map((concurrency) =>
		openWorkbench(root, { signal: stop.signal }).worker({ queue: server?.url ?? "", concurrency }),
	);
	const towns = ["run", "-b", "towns", "-a", "extractive", "--repeats", "2", "--json"];
	const alone = await run(...towns, "--name", "alone");
	const many = await run(...towns, "--name", "many", "--queue", server.url);
	stop.abort();
	const counts = await Promise.all(workers);
	expect([alone.code, many.code], many.err).toEqual([0, 0]);
	expect(await recordsOf("many")).toEqual(await recordsOf("alone"));
	expect(counts.reduce((sum, { answered }) => sum + answered, 0)).toBe(48);
	expect(counts.every(({ answered }) => answered > 0)).toBe(true);
});
