import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
let run: string;
const hopscope = commandsOn(() => workspace);
const morehopqa = "../shared/data/morehopqa/morehopqa_150.json";

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-benchmark-from-run-"));
	await makeTowns(workspace, {
		towns: 6,
		more(n) {
			// of two towns the gold says something else than the passage that answers
			const gold = n < 2 ? "999" : `${n}00`;
			const answer = { type: "string", value: gold, accepted: [gold] };
			const hop = { id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", answer };
			return { answer, chain: { hops: [{ ...hop, evidence: [`town#${n}`] }], sink: "h1" } };
		},
	});
	const made = (await hopscope("run", "-b", "towns", "-a", "extractive", "--json")).json();
	run = made.run ?? made.runs?.[0];
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

test("tasks that a run failed on become a benchmark that can be reviewed", async () => {
	const file = join(workspace, "failures.jsonl");
	const { code, out, err } = await hopscope("benchmark", "from-run", run, "--to", "failed", "--failures", file);
	expect(code, err).toBe(0);
	expect(out).toMatch(/^failed: \d of 6 tasks \(wrong-answer \d, broken-hop \d, judge-doubt 0\)/);
	const { manifest, tasks } = await openBenchmark(join(workspace, "benchmarks/failed"));
	const doubtful = tasks.filter(({ id }) => id === "t0" || id === "t1");
	expect(doubtful).toHaveLength(2);
	for (const { id, tags } of doubtful)
		expect(tags).toMatchObject({
			run,
			cause: expect.stringContaining("wrong-answer"),
			comment: expect.stringContaining(`stands in town#${id[1]}`),
		});
	expect(manifest.description).toContain(run);
	expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(tasks.length);
	// ready for reviewers, who see nothing of what the agent said
	const queued = await hopscope(
		"review",
		"queue",
		"failed",
		"--reviewers",
		"ana",
		"--to",
		join(workspace, "review"),
		"--json",
	);
	expect(queued.json()).toMatchObject({ items: tasks.length, reviewers: 1 });
	for (const sheet of queued.json().files) expect(await readFile(sheet, "utf8")).not.toContain("counted wrong");
});

test("only what failed so, and nothing to review is exit 1", async () => {
	const none = await hopscope("benchmark", "from-run", run, "--to", "doubtful", "--cause", "judge-doubt");
	expect(none).toMatchObject({ code: 1, err: expect.stringContaining("failed on no task by judge-doubt") });
	expect((await hopscope("benchmark", "from-run", run, "--to", "failed")).code).toBe(2);
	expect((await hopscope("benchmark", "from-run", run, "--to", "x", "--cause", "bad-luck")).code).toBe(2);
	expect((await hopscope("benchmark", "from-run", "nothing", "--to", "x")).code).toBe(2);
	const again = await hopscope(
		"benchmark",
		"from-run",
		run,
		"--to",
		"failed",
		"--force",
		"--cause",
		"wrong-answer",
		"--json",
	);
	expect(again.json()).toMatchObject({ benchmark: "failed", tasks: expect.any(Number), causes: { "judge-doubt": 0 } });
});

longTest.skipIf(!existsSync(morehopqa))(
	"what an agent fails on of MoreHopQA, and its undated answers looked at",
	async () => {
		expect((await hopscope("import", "morehopqa", morehopqa, "--json")).code).toBe(0);
		const made = (await hopscope("run", "-b", "morehopqa", "-a", "extractive", "--json")).json();
		const { json, err } = await hopscope("benchmark", "from-run", made.run ?? made.runs?.[0], "--to", "hard", "--json");
		const { tasks, of, causes } = json();
		expect({ of, err }).toMatchObject({ of: 150 });
		expect(tasks).toBeGreaterThan(75);
		expect(tasks).toBeLessThanOrEqual(150);
		expect(causes["wrong-answer"]).toBeLessThanOrEqual(tasks);
		const looked = (
			await hopscope("benchmark", "recheck", "morehopqa", "--undated", "--day", "2027-01-01", "--json")
		).json();
		const { dated, counts, waiting } = looked;
		expect({ dated, waiting, gone: counts.gone, changed: counts.changed }).toEqual({
			dated: 0,
			waiting: [],
			gone: 0,
			changed: 0,
		});
		expect(counts.holds + counts.open).toBe(150);
		expect(counts.holds).toBeGreaterThan(50);
	},
);
