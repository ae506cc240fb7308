import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Agent } from "#agents";
import { longTest } from "../../test/long.ts";
import { makeTowns } from "../../test/support/commands.ts";
import { openWorkbench, type WorkEvent } from "./index.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "hopscope-workbench-"));
	await makeTowns(folder, { towns: 6 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const asked = { benchmark: "towns", agent: "gold-replay" };

test("a verb tells what happens while it works, gives its result, and prints nothing", async () => {
	const written = [vi.spyOn(process.stdout, "write"), vi.spyOn(process.stderr, "write")];
	const work = openWorkbench(folder).run(asked);
	const events: WorkEvent[] = [];
	for await (const event of work) events.push(event);
	const { ended, data, manifest } = await work;
	expect(ended).toMatchObject({ run: manifest.id, reason: "complete", done: 6, errors: 0 });
	expect(data.runs[0]).toMatchObject({ expected: 6, scored: 6 });
	expect(events.filter(({ event }) => event === "run-end")).toEqual([{ event: "run-end", ended }]);
	const progress = events.filter(({ event }) => event === "progress");
	expect(progress.at(-1)).toMatchObject({ work: "towns · gold-replay", done: 6, total: 6 });
	for (const spy of written) {
		expect(spy).not.toHaveBeenCalled();
		spy.mockRestore();
	}
});

test("whoever only awaits gets the same, and whoever listens too late hears nothing more", async () => {
	const work = openWorkbench(folder).search("Town 3", { k: 1 });
	const { knowledge, results } = await work;
	expect(knowledge).toBe("towns");
	expect(results.map(({ id }) => id)).toEqual(["town#3"]);
	const late: WorkEvent[] = [];
	for await (const event of work) late.push(event);
	expect(late).toEqual([]);
});

test("a failure is told by the promise, and ends the events", async () => {
	const work = openWorkbench(folder).run({ ...asked, benchmark: "villages" });
	const listened = (async () => {
		for await (const _ of work);
	})();
	await expect(work).rejects.toMatchObject({ code: "unknown-benchmark", exitCode: 2 });
	await listened;
});

test("the signal stops a run, which is resumed later", async () => {
	const controller = new AbortController();
	const work = openWorkbench(folder, { signal: controller.signal }).run({ ...asked, concurrency: 1 });
	for await (const event of work) if (event.event === "progress" && event.done > 0) controller.abort();
	const { ended } = await work;
	expect(ended.reason).toBe("interrupted");
	const resumed = await openWorkbench(folder).run({ resume: ended.run });
	expect(resumed.ended).toMatchObject({ run: ended.run, reason: "complete" });
	expect(resumed.data.runs[0]).toMatchObject({ scored: 6 });
});

test("options of which none is needed may be left out", async () => {
	const bench = openWorkbench(folder);
	const run = (await bench.runs()).runs[0]?.id ?? "";
	expect(await bench.diagnose(run)).toMatchObject({ run });
});

test("a verb of one's own works with the same progress and keys", async () => {
	const bench = openWorkbench(folder, { environment: { OPENAI_API_KEY: "of the test" } });
	const work = bench.work(async ({ environment, progress, say, workspace }) => {
		say("counting");
		const counted = progress("runs");
		const runs = await workspace.list("runs");
		counted.update(runs.length, runs.length);
		counted.end();
		return { runs: runs.length, key: environment.OPENAI_API_KEY };
	});
	const events: string[] = [];
	for await (const { event } of work) events.push(event);
	expect(events).toEqual(["note", "progress", "progress-end"]);
	expect(await work).toMatchObject({ key: "of the test" });
});

/** Answers with the number in the best passage. */
const ownAgent = (name = "first-number"): Agent => ({
	...{ name, version: "1", summary: "the number in the best passage", needs: { model: "none", gold: false } },
	async answer({ question }, { tools }) {
		const { results } = await tools.text_search({ query: question, k: 1 });
		const answer = results[0]?.text.match(/\d+(?= inhabitants)/)?.[0] ?? null;
		const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
		return { steps: [], answer, abstained: answer === null, stop: "answered", usage, ms: 0, messages: [] };
	},
});

describe("an agent of one's own", () => {
	const own = { benchmark: "towns", agent: ownAgent(), concurrency: 1 };
	/** A run that was stopped when one task was done. */
	async function interrupted(): Promise<string> {
		const controller = new AbortController();
		const work = openWorkbench(folder, { signal: controller.signal }).run(own);
		for await (const event of work) if (event.event === "progress" && event.done > 0) controller.abort();
		return (await work).ended.run;
	}

	test("runs as those by name do, and is named in the manifest", async () => {
		const { manifest, data } = await openWorkbench(folder).run(own);
		expect(manifest.agent).toMatchObject({ name: "first-number", version: "1" });
		expect(data.runs[0]).toMatchObject({
			agent: { name: "first-number" },
			scored: 6,
			metrics: { accuracy: { value: 1 } },
		});
		expect(await openWorkbench(folder).planRun(own)).toMatchObject({ manifest: { agent: { name: "first-number" } } });
	});

	longTest("has to be given again when its run is resumed", async () => {
		const run = await interrupted();
		await expect(openWorkbench(folder).run({ resume: run })).rejects.toMatchObject({
			code: "agent-not-given",
			exitCode: 2,
			message: expect.stringContaining('"first-number"'),
			remedy: expect.stringContaining("run({ resume, agent })"),
		});
		await expect(openWorkbench(folder).run({ resume: run, agent: ownAgent("another") })).rejects.toMatchObject({
			code: "other-agent",
		});
		const { ended } = await openWorkbench(folder).run({ resume: run, agent: own.agent });
		expect(ended).toMatchObject({ run, reason: "complete" });
	});

	test("has a name of its own", async () => {
		await expect(openWorkbench(folder).run({ ...own, agent: ownAgent("extractive") })).rejects.toMatchObject({
			code: "agent-name-taken",
			exitCode: 2,
		});
	});
});
