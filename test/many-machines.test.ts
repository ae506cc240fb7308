import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunManifest, RunRecord, Verdict } from "#domain";
import { replyServer } from "#models";
import { openWorkbench } from "#workbench";
import { commandsOn, makeTowns, withChain } from "./support/commands.ts";
import { hasQueueServer, longQueueTest, type NatsServer, natsServer, queueTest } from "./support/nats-server.ts";

let root: string;
let server: NatsServer | undefined;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-many-"));
	await makeTowns(root, { towns: 24, more: withChain });
	server = hasQueueServer ? await natsServer() : undefined;
});
afterAll(async () => {
	await server?.remove();
	await rm(root, { recursive: true, force: true });
});
const run = commandsOn(() => root);

/** The records of a run's interventions, by what each is. */
async function rerunsOf(base: string): Promise<[string, unknown[]][]> {
	const found: [string, unknown[]][] = [];
	for (const id of await readdir(join(root, "runs"))) {
		const { intervention } = JSON.parse(await readFile(join(root, "runs", id, "run.json"), "utf8")) as RunManifest;
		if (intervention?.of === base) found.push([JSON.stringify(intervention.what), await recordsOf(id)]);
	}
	return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Workers in this process, which stop when `use` is done; how many jobs each did. */
async function withWorkers(concurrency: number[], use: (queue: string) => Promise<void>): Promise<number[]> {
	const queue = server?.url ?? "";
	const stop = new AbortController();
	const bench = openWorkbench(root, { signal: stop.signal });
	const sources = [join(root, "documents")];
	const workers = concurrency.map((concurrency) => bench.worker({ queue, concurrency, sources }));
	await use(queue).finally(() => stop.abort());
	return (await Promise.all(workers)).map(({ answered }) => answered);
}

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
	const towns = ["run", "-b", "towns", "-a", "extractive", "--repeats", "2", "--json"];
	const alone = await run(...towns, "--name", "alone");
	const answered = await withWorkers([3, 5], async (queue) => {
		const many = await run(...towns, "--name", "many", "--queue", queue);
		expect([alone.code, many.code], many.err).toEqual([0, 0]);
	});
	expect(await recordsOf("many")).toEqual(await recordsOf("alone"));
	expect(answered.reduce((sum, count) => sum + count, 0)).toBe(48);
	expect(answered.every((count) => count > 0)).toBe(true);
});

longQueueTest("two workers intervene as one process does", async () => {
	const bases = ["by-one", "by-two"];
	for (const name of bases) await run("run", "-b", "towns", "-a", "extractive", "--name", name);
	const asked = ["--all-tasks", "--distractors", "2", "--only", "oracle-retrieval,gold-prefix", "--json"];
	const alone = await run("intervene", "by-one", ...asked);
	const answered = await withWorkers([3, 5], async (queue) => {
		const many = await run("intervene", "by-two", ...asked, "--queue", queue);
		expect([alone.code, many.code], many.err).toEqual([0, 0]);
	});
	const [one, two] = await Promise.all(bases.map(rerunsOf));
	expect(one?.length).toBe(3);
	expect(two).toEqual(one);
	expect(answered.reduce((sum, count) => sum + count, 0)).toBe(72);
});

longQueueTest("two workers read documents into the index that one process makes", async () => {
	const documents = join(root, "documents");
	await mkdir(join(documents, "inner"), { recursive: true });
	for (let n = 0; n < 6; n += 1)
		await writeFile(
			join(documents, n % 2 ? "inner" : "", `page-${n}.html`),
			`<h1>Page ${n}</h1><p>Said on page ${n}.</p><img src="red.png" alt="a red square">`,
		);
	await writeFile(join(documents, "notes.md"), "# Notes\n\nWhat was noted.\n");
	await writeFile(join(documents, "broken.pdf"), "%PDF-1.7 nothing");
	const red = sharp({ create: { width: 40, height: 40, channels: 3, background: "red" } }).png();
	await writeFile(join(documents, "red.png"), await red.toBuffer());
	const alone = await run("index", documents, "--name", "read-alone", "--json");
	const answered = await withWorkers([2, 2], async (queue) => {
		const many = await run("index", documents, "--name", "read-by-many", "--queue", queue, "--json");
		expect([alone.code, many.code], many.err).toEqual([0, 0]);
		const { knowledge: _, ...one } = alone.json();
		expect(many.json()).toMatchObject(one);
		expect(many.err).not.toContain("read here instead");
	});
	// six pages and two states of a picture are one job each, and the PDF is opened
	expect(answered.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(7);
	const read = (name: string, file: string) => readFile(join(root, "corpora", name, file), "utf8");
	for (const file of ["evidence.jsonl", "documents.jsonl"])
		expect(await read("read-by-many", file)).toEqual(await read("read-alone", file));
	const again = await withWorkers([2], async (queue) => {
		await run("index", documents, "--name", "read-by-many", "--queue", queue);
	});
	// but the one that cannot be opened, which is tried again as in one process
	expect(again).toEqual([1]);
});

longQueueTest("two workers judge as one process does", async () => {
	const verdict = { reason: "the same number", equivalent: true, relevant: [1], support: "full" };
	const model = await replyServer(() => JSON.stringify(verdict));
	const judged = ["--rubric", "vistahop", "--times", "2", "-m", `openai:judge@${model.url}`, "--no-cache", "--json"];
	for (const name of ["judged-alone", "judged-by-many"])
		await run("run", "-b", "towns", "-a", "extractive", "--name", name);
	const verdictsOf = async (name: string) =>
		(await readFile(join(root, "runs", name, "verdicts.jsonl"), "utf8"))
			.trim()
			.split("\n")
			.map((line) => ({ ...(JSON.parse(line) as Verdict), at: "", ms: 0 }))
			.sort((a, b) => (JSON.stringify([a.task, a.run]) < JSON.stringify([b.task, b.run]) ? -1 : 1));
	const alone = await run("judge", "judged-alone", ...judged);
	const asked = model.requests.length;
	const answered = await withWorkers([3, 5], async (queue) => {
		const many = await run("judge", "judged-by-many", ...judged, "--queue", queue);
		expect([many.code, alone.code], many.err).toEqual([0, 0]);
		const { run: _, latency: __, ...one } = alone.json();
		expect(many.json()).toMatchObject(one);
	});
	expect(model.requests.length).toBe(2 * asked);
	await model.close();
	expect(await verdictsOf("judged-by-many")).toEqual(await verdictsOf("judged-alone"));
	expect(answered.reduce((sum, count) => sum + count, 0)).toBe(48);
	expect(answered.every((count) => count > 0)).toBe(true);
});

longQueueTest(
	"a judging that was interrupted takes up what workers went on with, and asks for none of it again",
	async () => {
		const verdict = { reason: "the same number", equivalent: true, relevant: [1], support: "full" };
		const model = await replyServer(async () => {
			await new Promise((done) => setTimeout(done, 200));
			return JSON.stringify(verdict);
		});
		await run("run", "-b", "towns", "-a", "extractive", "--name", "judged-twice");
		const asked = { times: 1, model: `openai:judge@${model.url}`, cache: false };
		const answered = await withWorkers([4], async (queue) => {
			const stop = new AbortController();
			const judging = openWorkbench(root, { signal: stop.signal }).judge("judged-twice", { ...asked, queue });
			judging.catch(() => undefined);
			await expect.poll(() => model.requests.length, { interval: 20 }).toBeGreaterThan(5);
			stop.abort();
			await expect(judging).rejects.toThrow("abort");
			// the worker's last answers are stored by then
			await new Promise((done) => setTimeout(done, 500));
			const { told } = await openWorkbench(root).judge("judged-twice", { ...asked, queue });
			expect(told.scored).toBe(24);
		});
		await model.close();
		expect([model.requests.length, answered]).toEqual([24, [24]]);
	},
);
