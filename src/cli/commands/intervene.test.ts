import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { RunManifest, Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { replyServer } from "#models";
import { sha256 } from "#store";
import { longTest } from "../../../test/long.ts";
import { commandsOn } from "../../../test/support/commands.ts";

const tasks = 4;
let workspace: string;
let server: Awaited<ReturnType<typeof replyServer>>;
let asked = 0;

/** A model that knows nothing but what it is told is solved, of which the last is the answer; task 0 it knows. */
function modelSays(body: object): string {
	const said = JSON.stringify(body);
	const solved = [...said.matchAll(/the answer is \\"([^"\\]+)\\"/g)].at(-1)?.[1];
	return `<answer>${solved ?? (said.includes("governs Land 0") ? "000" : "nothing")}</answer>`;
}

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-intervene-command-"));
	const about = { licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/lands"), { name: "lands", ...about });
	const passage = (id: string, title: string, text: string) =>
		corpus.add({
			...{ kind: "passage", id, document: id, title, language: "en", form: "prose" },
			...{ text, sha256: sha256(text), provenance: { source: "test" } },
		});
	for (let n = 0; n < tasks; n += 1) {
		passage(`land#${n}`, `Land ${n}`, `Land ${n} is governed from Town ${n}.`);
		passage(`town#${n}`, `Town ${n}`, `Town ${n} has ${n}00 inhabitants.`);
	}
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/lands"), join(workspace, "knowledge/lands"));
	const text = (value: string) => ({ type: "string", value, accepted: [value] });
	const hop = (id: string, question: string, evidence: string, value: string, needs: object[] = []) => ({
		...{ id, question, modality: "text", evidence: [evidence], answer: text(value), needs },
	});
	await writeBenchmark(join(workspace, "benchmarks/lands"), {
		manifest: { name: "lands", title: "Lands", description: "Lands.", ...about, knowledge: "lands" },
		tasks: Array.from({ length: tasks }, (_, n) =>
			Task.parse({
				id: `t${n}`,
				question: `How many inhabitants has the town that governs Land ${n}?`,
				answer: text(`${n}00`),
				chain: {
					hops: [
						hop("h1", `Which town governs Land ${n}?`, `land#${n}`, `Town ${n}`),
						hop("h2", `How many inhabitants has Town ${n}?`, `town#${n}`, `${n}00`, [{ hop: "h1", role: "bridge" }]),
					],
					sink: "h2",
				},
			}),
		),
		card: "# Lands",
	});
	server = await replyServer((request) => modelSays(request));
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});

const hopscope = commandsOn(() => workspace);
const calls = () => server.requests.length - asked;
const manifests = async () => {
	const names = await readdir(join(workspace, "runs"));
	const read = async (name: string) =>
		RunManifest.parse(JSON.parse(await readFile(join(workspace, "runs", name, "run.json"), "utf8")));
	return Promise.all(names.map(read));
};
let run = "";
beforeEach(async () => {
	for (const folder of ["runs", "cache"]) await rm(join(workspace, folder), { recursive: true, force: true });
	const made = await hopscope("run", "-b", "lands", "-a", "tagged", "-m", `openai:m@${server.url}`, "--json");
	run = made.json().run;
	asked = server.requests.length;
});
const intervene = (...more: string[]) => hopscope("intervene", run, ...more);

describe("hopscope intervene", () => {
	longTest(
		"asks the failed tasks again under every intervention of the budget, and says where they are lost",
		async () => {
			const { code, out } = await intervene();
			expect(code).toBe(0);
			expect(out).toContain("no scores of the agent");
			expect(out).toMatch(/more than one part +100/);
			const made = (await manifests()).filter(({ intervention }) => intervention);
			expect(made.map(({ intervention }) => intervention?.what.is).sort()).toEqual(
				["again", "gold-prefix", "oracle-plan", "oracle-reading", "oracle-retrieval"].sort(),
			);
			for (const { intervention, tasks: ids, seed } of made) {
				expect(intervention?.of).toBe(run);
				expect(ids).toEqual(["t1", "t2", "t3"]);
				expect(seed).toBe(intervention?.what.is === "again" ? 1 : 0);
			}
		},
	);

	longTest("given again does nothing twice, and takes up what there is", async () => {
		const first = (await intervene("--json")).json();
		expect(first.budget.parts.combined).toMatchObject({ count: 3, of: 3 });
		expect(first.budget.chance).toMatchObject({ count: 0, of: 3 });
		const before = calls();
		const second = (await intervene("--json")).json();
		expect(calls()).toBe(before);
		expect(second.budget).toEqual(first.budget);
		const curve = (await intervene("--prefix", "--json")).json();
		expect(curve.decisive.map(({ is, prefix }: { is: string; prefix: number }) => [is, prefix])).toEqual(
			Array.from({ length: 3 }, () => ["decisive", 2]),
		);
		// prefixes of one hop are new, those of both hops are there
		expect(calls() - before).toBe(3);
		expect((await manifests()).filter(({ intervention }) => intervention?.what.is === "gold-prefix")).toHaveLength(2);
	});

	longTest("resumes where a budget ended it", async () => {
		const stopped = await intervene("--max-calls", "2", "--concurrency", "1", "--json");
		expect(stopped.json()).toMatchObject({ reason: "budget" });
		expect(stopped.err).toContain(`hopscope intervene ${run}`);
		const few = ["--only", "oracle-plan,again", "--tasks", "2"];
		const sample = await intervene(...few, "--max-calls", "1", "--json");
		expect(sample.err).toContain(`hopscope intervene ${run} ${few.join(" ")} `);
		expect(calls()).toBe(2);
		// one task, whose two sub-questions took the two calls
		expect((await intervene("--dry-run", "--json")).json().left).toBe(5 * 3 - 1);
		const whole = (await intervene("--json")).json();
		expect(whole).toMatchObject({ reason: "complete", budget: { settled: 3 } });
		expect((await intervene("--dry-run", "--json")).json().left).toBe(0);
	});

	longTest("what was re-run whole counts on, though fewer tasks are asked for", async () => {
		const only = ["--only", "oracle-reading", "--json"];
		await intervene(...only, "--tasks", "1");
		await intervene(...only);
		const fewer = (await intervene(...only, "--tasks", "1")).json();
		expect(fewer.budget.recoveries[0].share).toMatchObject({ of: 3 });
		expect(fewer.reruns.map(({ tasks: count }: { tasks: number }) => count).sort()).toEqual([1, 2]);
	});

	test("plans without running: answers, and calls at most", async () => {
		const { code, json } = await intervene("--dry-run", "--json", "--only", "oracle-plan,oracle-reading");
		expect(code).toBe(0);
		const { plan, left, mostCalls } = json();
		expect(
			plan.map(({ intervention, tasks: count }: { intervention: string; tasks: number }) => [intervention, count]),
		).toEqual([
			["oracle-plan", 3],
			["oracle-reading", 3],
		]);
		expect(left).toBe(6);
		// each of two sub-questions may take as many calls as a task
		expect(plan[0].mostCalls).toBe(2 * plan[1].mostCalls);
		expect(mostCalls).toBe(plan[0].mostCalls + plan[1].mostCalls);
		expect(calls()).toBe(0);
		expect(await manifests()).toHaveLength(1);
		expect((await intervene("--dry-run", "--only", "again")).out).toMatch(
			/^again: 3 tasks, 0\/3 done, at most \d+ calls of the model\n1 re-run, 3 answers/,
		);
	});

	longTest("reports never set interventions beside the run", async () => {
		await intervene("--only", "gold-prefix,oracle-reading");
		const ids = (await manifests()).map(({ id }) => id);
		const { benchmarks, runs } = (await hopscope("report", ...ids, "--json")).json();
		expect(benchmarks.map(({ ranking }: { ranking: string[] }) => ranking.length)).toEqual([1, 1, 1]);
		for (const benchmark of benchmarks) {
			expect(benchmark.comparisons).toEqual([]);
			if (benchmark.ranking[0] === run) expect(benchmark.intervention).toBeNull();
			else expect(benchmark.cautions[0]).toContain(`of ${run}`);
		}
		for (const one of runs) expect(one.places === null).toBe(one.id !== run);
		const { out } = await hopscope("report", ...ids);
		expect(out).toContain(`Intervention oracle-reading of ${run}`);
	});

	longTest("refuses what makes no sense, and says what to do", async () => {
		await intervene("--only", "again");
		const rerun = (await manifests()).find(({ intervention }) => intervention)?.id ?? "";
		const nested = await hopscope("intervene", rerun);
		expect([nested.code, nested.err]).toEqual([2, expect.stringContaining(`Intervene in that run: ${run}`)]);
		const strange = await intervene("--only", "oracle");
		expect([strange.code, strange.err]).toEqual([2, expect.stringContaining("oracle-retrieval")]);
		expect((await intervene("--without", "sound")).code).toBe(2);
		const silent = await hopscope("run", "-b", "lands", "-a", "retrieve", "--json");
		expect((await hopscope("intervene", silent.json().run)).err).toContain("answers nothing by design");
		const right = await hopscope("run", "-b", "lands", "-a", "gold-replay", "--json");
		const none = await hopscope("intervene", right.json().run);
		expect([none.code, none.err]).toEqual([2, expect.stringContaining("--all-tasks")]);
		await writeFile(join(workspace, "runs", right.json().run, "records.jsonl"), "");
		const empty = await hopscope("intervene", right.json().run);
		expect([empty.code, empty.err]).toEqual([2, expect.stringContaining(`run --resume ${right.json().run}`)]);
	});
});
