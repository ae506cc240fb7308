import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { openRun, scoreRun } from "#runs";
import { lockFolder } from "#store";
import { openWorkbench } from "#workbench";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns, runHere } from "../../../test/support/commands.ts";

let workspace: string;
const hopscope = commandsOn(() => workspace);
const at = (...names: string[]) => join(workspace, "runs", ...names);

/** An answer that nothing says. */
const other = { answer: { type: "string", value: "nothing like it", accepted: ["nothing like it"] } };

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-runs-"));
	await makeTowns(workspace, { towns: 4 });
	const run = (name: string, ...more: string[]) =>
		hopscope("run", "-b", "towns", "-a", "extractive", "--name", name, ...more);
	expect((await run("towns-first", "--repeats", "2")).code).toBe(0);
	expect((await run("towns-second", "--tasks", "2")).code).toBe(0);
	expect((await run("other")).code).toBe(0);
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

describe("a run's name", () => {
	test("is its id, and is taken once", async () => {
		expect(JSON.parse(await readFile(at("towns-first", "run.json"), "utf8"))).toMatchObject({ id: "towns-first" });
		const { code, err } = await hopscope("run", "-b", "towns", "-a", "extractive", "--name", "other");
		expect(code).toBe(2);
		expect(err).toContain("Resume it with --resume other, or choose another --name.");
		expect((await hopscope("run", "-b", "towns", "-a", "extractive", "--name", "../x")).code).toBe(2);
	});
	test("may be cut to a beginning that no other has", async () => {
		expect((await hopscope("score", "towns-f", "--json")).json().runs[0].id).toBe("towns-first");
		const { code, err } = await hopscope("report", "towns");
		expect(code).toBe(2);
		expect(err).toContain("Write more of the one that is meant: towns-first, towns-second.");
	});
	longTest("may be @last, the one begun last, for programs too, and pages are called by its id", async () => {
		expect((await hopscope("report", "@last", "--json")).json().runs[0].id).toBe("other");
		expect((await hopscope("report", "@last", "--format", "html")).out).toContain(join("reports", "other"));
		expect((await openWorkbench(workspace).report(["@last"], {})).data.runs[0]?.id).toBe("other");
	});
	test("that is mistyped is answered with what may be meant", async () => {
		expect((await hopscope("diagnose", "townsfirst")).err).toContain("Did you mean towns-first?");
	});
});

describe("hopscope runs", () => {
	test("lists runs with what they came to, those begun last first", async () => {
		const { runs } = (await hopscope("runs", "--json")).json();
		expect(runs.map(({ id }: { id: string }) => id)).toEqual(["other", "towns-second", "towns-first"]);
		const [, second, first] = runs;
		expect(first).toMatchObject({ agent: "extractive", benchmark: "towns", done: 8, total: 8, errors: 0, tags: [] });
		expect(second).toMatchObject({ done: 2, total: 2, intervention: null, model: null, currency: null });
		const reported = (await hopscope("report", "towns-first", "--json")).json().runs[0];
		expect(first.accuracy).toBeCloseTo(reported.metrics.accuracy.value, 10);
	});
	test("gives no accuracy where answers have no score, as in a file that was cut, and counts a doubled record once", async () => {
		const [scores, records] = [at("other", "scores.jsonl"), at("other", "records.jsonl")];
		const [whole, recorded] = await Promise.all([scores, records].map((file) => readFile(file, "utf8")));
		const listed = async () =>
			(await hopscope("runs", "--json")).json().runs.find(({ id }: { id: string }) => id === "other");
		const { usage, accuracy } = await listed();
		expect(accuracy).not.toBeNull();
		await writeFile(scores, whole?.slice(0, -20) ?? "");
		await writeFile(records, `${recorded}${recorded?.slice(0, recorded.indexOf("\n"))}\n`);
		const reason = "1 of 4 answers are not scored: hopscope score other";
		expect(await listed()).toMatchObject({ usage, accuracy: null, interval: { reason } });
		await Promise.all([writeFile(scores, whole ?? ""), writeFile(records, recorded ?? "")]);
		expect(await listed()).toMatchObject({ accuracy });
	});
	longTest(
		"with the interval that a report gives, tasks of one cluster together, whatever an earlier version kept",
		async () => {
			const place = await mkdtemp(join(tmpdir(), "hopscope-runs-"));
			const here = commandsOn(() => place);
			// of each four towns three are asked of wrongly, so that some answers are wrong, and wrong together
			await makeTowns(place, { towns: 12, more: (n) => ({ cluster: `c${n % 4}`, ...(n % 4 === 1 ? other : {}) }) });
			await here("run", "-b", "towns", "-a", "extractive", "--name", "clustered", "--repeats", "2");
			const { value, low, high, n } = (await here("report", "clustered", "--json")).json().runs[0].metrics.accuracy;
			const listed = async () => (await here("runs", "--json")).json().runs[0];
			const cache = join(place, "cache/run-counts/clustered.json");
			const kept = JSON.parse(await readFile(cache, "utf8"));
			const { interval: _, form: __, latency: ___, ...before } = kept.counts;
			for (const content of [JSON.stringify({ of: kept.of, counts: before }), JSON.stringify(kept), "{", undefined]) {
				if (content === undefined) await rm(cache);
				else await writeFile(cache, content);
				const run = await listed();
				expect(run.accuracy).toBeCloseTo(value, 10);
				expect(run.interval.low).toBeCloseTo(low, 10);
				expect(run.interval.high).toBeCloseTo(high, 10);
				expect(run.interval.tasks).toBe(n);
				expect(run.form.read).toBe(run.form.actions);
				expect(run.latency.p95).toBeGreaterThanOrEqual(run.latency.p50);
				expect(JSON.parse(await readFile(cache, "utf8"))).toMatchObject({
					version: 2,
					counts: { accuracy: run.accuracy },
				});
			}
			expect([low < value, value < high]).toEqual([true, true]);
			// what tells which tasks belong together is gone: no interval is better than one that is too narrow
			await rm(join(place, "benchmarks"), { recursive: true });
			expect((await listed()).interval).toEqual({
				low: null,
				high: null,
				tasks: n,
				reason: "the benchmark is not there",
			});
			await rm(place, { recursive: true });
		},
	);
	test("by benchmark, agent and tag", async () => {
		const listed = async (...filter: string[]) =>
			(await hopscope("runs", "--json", ...filter)).json().runs.map(({ id }: { id: string }) => id);
		expect((await hopscope("runs", "tag", "@last", "paper", "baseline")).out).toBe("other: baseline, paper");
		expect(await listed("--tag", "paper")).toEqual(["other"]);
		expect((await hopscope("runs", "untag", "other", "paper", "--json")).json()).toEqual({
			run: "other",
			tags: ["baseline"],
		});
		expect(await listed("--tag", "paper")).toEqual([]);
		expect(await listed("--agent", "oracle")).toEqual([]);
		expect(await listed("--benchmark", "towns")).toHaveLength(3);
		expect((await hopscope("runs", "tag", "other", "two words")).code).toBe(2);
	});
	test("reads records only where they changed", async () => {
		const file = at("towns-second", "records.jsonl");
		const { mtime, size } = await stat(file);
		const records = await readFile(file);
		await utimes(file, mtime, mtime);
		await hopscope("runs");
		await writeFile(file, "x".repeat(size));
		await utimes(file, mtime, mtime);
		const done = async () =>
			(await hopscope("runs", "--json")).json().runs.map((run: { done: number }) => run.done) as number[];
		expect(await done()).toEqual([4, 2, 8]);
		await writeFile(file, records.subarray(0, records.indexOf("\n") + 1));
		expect(await done()).toEqual([4, 1, 8]);
		await writeFile(file, records);
	});
	test("works on the workspace that is named before the verb, and refuses what the verb has no option for", async () => {
		const { run } = JSON.parse((await runHere(["runs", "-w", workspace, "--json", "tag", "other", "kept"])).out);
		expect(run).toBe("other");
		const elsewhere = await runHere(["runs", "-w", join(workspace, "elsewhere"), "rm", "other"]);
		expect([elsewhere.code, existsSync(at("other"))]).toEqual([2, true]);
		const { code, err } = await runHere(["runs", "-w", workspace, "--tag", "kept", "rm", "other"]);
		expect([code, err]).toEqual([2, expect.stringContaining('--tag stands before "rm"')]);
	});
	test("shows nothing of a folder that acts on the terminal", async () => {
		await writeFile(at("other", "tags.json"), JSON.stringify(["a\u001b[31mred", "b\nforged", "plain"]));
		const { out } = await hopscope("runs");
		expect(out).toContain("plain");
		expect(out).not.toContain("\u001b");
		expect(out).not.toContain("forged");
	});
	test("never cuts an id, however narrow the terminal", async () => {
		const { out } = await hopscope("runs");
		for (const id of ["towns-first", "towns-second", "other"]) expect(out).toContain(id);
		expect(out.split("\n")[0]).toMatch(/^run +begun +agent +benchmark +done +accuracy +tags$/);
	});
	test("reads no record of a run that ended here", async () => {
		await rm(join(workspace, "cache/run-counts"), { recursive: true });
		expect((await hopscope("run", "-b", "towns", "-a", "extractive", "--name", "counted")).code).toBe(0);
		expect(await readdir(join(workspace, "cache/run-counts"))).toEqual(["counted.json"]);
		await hopscope("runs", "rm", "counted");
		expect(await readdir(join(workspace, "cache/run-counts"))).toEqual([]);
	});
	test("loses no tag where several give one at once, of a run that is being written too", async () => {
		const release = await lockFolder(at("towns-second"));
		const tags = Array.from({ length: 8 }, (_, n) => `tag${n}`);
		const given = await Promise.all(tags.map((tag) => hopscope("runs", "tag", "towns-second", tag)));
		await release();
		expect(given.map(({ code }) => code)).toEqual(tags.map(() => 0));
		expect(JSON.parse(await readFile(at("towns-second", "tags.json"), "utf8"))).toEqual(tags);
		expect((await readdir(at("towns-second"))).filter((name) => name.startsWith("tagging"))).toEqual([]);
	});
	longTest("removes the re-runs of a run and its own pages with it, and nothing brings it back", async () => {
		expect((await hopscope("run", "-b", "towns", "-a", "extractive", "--name", "shown", "--tasks", "1")).code).toBe(0);
		await cp(at("shown"), at("shown-again"), { recursive: true });
		const manifest = JSON.parse(await readFile(at("shown", "run.json"), "utf8"));
		const intervention = { of: "shown", what: { is: "again" } };
		await writeFile(at("shown-again", "run.json"), JSON.stringify({ ...manifest, id: "shown-again", intervention }));
		await hopscope("report", "shown", "--format", "html");
		await hopscope("report", "shown", "--views", "by-topology", "--format", "html");
		await hopscope("report", "shown", "other", "--format", "html");
		const pages = async () => (await readdir(join(workspace, "reports"))).filter((name) => name.startsWith("shown"));
		expect(await pages()).toEqual(["shown", expect.stringMatching(/^shown\+1-/), "shown-tables"]);
		const opened = await openRun(at("shown"));
		const benchmark = await openBenchmark(join(workspace, "benchmarks/towns"));
		expect((await hopscope("runs", "rm", "shown", "--json")).json()).toEqual({ removed: ["shown-again", "shown"] });
		expect(await pages()).toEqual([expect.stringMatching(/^shown\+1-/)]);
		await expect(scoreRun(opened, benchmark)).rejects.toThrow("was removed while scores.jsonl was made");
		await expect(lockFolder(at("shown"), { makeFolder: false })).rejects.toThrow();
		expect(existsSync(at("shown"))).toBe(false);
	});
	test("removes what is named by its whole id, several only with --yes, and nothing that is being written", async () => {
		expect((await hopscope("runs", "rm", "oth")).code).toBe(2);
		expect((await hopscope("runs", "rm", "@last")).err).toContain("Write other.");
		expect((await hopscope("runs", "rm", "other", "towns-second")).err).toContain("Add --yes");
		await symlink(at("towns-first"), at("linked"));
		expect((await hopscope("runs", "rm", "linked")).err).toContain("is a link to a run elsewhere");
		await rm(at("linked"));
		const release = await lockFolder(at("other"));
		const refused = await hopscope("runs", "rm", "towns-second", "other", "--yes");
		await release();
		expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is in use by process")]);
		expect(existsSync(at("towns-second"))).toBe(true);
		expect((await hopscope("runs", "rm", "towns-second", "other", "--yes", "--json")).json()).toEqual({
			removed: ["towns-second", "other"],
		});
		expect(await readdir(at())).toEqual(["towns-first"]);
		expect((await hopscope("runs", "--json")).json().runs).toHaveLength(1);
	});
});
