import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noUsage, type RunRecord, Task, type Trajectory } from "#domain";
import { readPublished } from "#reports";
import { scorerVersion, scoreTrajectory } from "#scoring";
import { makeWorld, playRun, type World } from "../../../test/report-runs.ts";
import type { ReportRun } from "../report-data.ts";
import { viewOf } from "../views/build-views.ts";
import { viewNamed } from "../views/registry.ts";
import { reproduced } from "./build-published.ts";

let dir: string;
let world: World;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-depth-"));
	world = await makeWorld(dir, { count: 4 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const answer = { type: "string" as const, value: "yes it is", accepted: ["yes it is"] };

/** A ladder of four levels as the importer makes it: the second level compares, or it infers. */
const ladder = (id: string, questionType: "comparison" | "inference"): Task[] =>
	[1, 2, 3, 4].map((level) =>
		Task.parse({
			...{ id: `${id}-${level}`, question: `Question ${id} ${level}?`, answer, ladder: { id, level } },
			tags: { language: "en", hops: `${level}`, ...(level > 1 ? { questionType } : {}) },
			chain: {
				sink: `h${level}`,
				hops: Array.from({ length: level }, (_, at) => ({
					...{ id: `h${at + 1}`, question: "?", modality: "text", evidence: [`e${at}`], answer },
					needs: at === 0 ? [] : [{ hop: `h${at}`, role: "bridge" }],
				})),
			},
		}),
	);

/** A run over ladders whose levels in `right` were answered; every task in two rounds, the first of two searches. */
function runOver(ladders: Record<string, { type: "comparison" | "inference"; right: number[] }>): ReportRun {
	const base = playRun(world, { agent: "extractive", find: 1, read: 1, wander: 0 });
	const tasks = Object.entries(ladders).flatMap(([id, { type }]) => ladder(id, type));
	const step = (index: number, round: number) => ({
		...{ index, round, ms: 0, results: [] },
		call: { tool: "text_search", arguments: { query: "a", k: 5 }, valid: true },
	});
	const records = tasks.map((task): RunRecord => {
		const isRight = ladders[task.ladder?.id ?? ""]?.right.includes(task.ladder?.level ?? 0);
		const trajectory: Trajectory = {
			steps: [step(0, 1), step(1, 1), step(2, 2)],
			...{
				answer: isRight ? "yes it is" : "never",
				abstained: false,
				stop: "answered",
				usage: noUsage,
				ms: 1,
				messages: [],
			},
		};
		return { version: 1, task: task.id, repeat: 0, attempt: 0, at: "2026-05-01T10:00:00.000Z", trajectory };
	});
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const rows = records.flatMap(({ task, trajectory }) => {
		const known = byId.get(task);
		return known
			? [
					{
						version: 1 as const,
						task,
						repeat: 0,
						attempt: 0,
						scorer: scorerVersion,
						...scoreTrajectory(known, trajectory),
					},
				]
			: [];
	});
	const manifest = { ...base.manifest, tasks: tasks.map(({ id }) => id), repeats: 1 };
	return { ...base, manifest, tasks, records, rows, diagnoses: undefined, verdicts: undefined } as ReportRun;
}

test("MaxD is one value, in the report as in the published table: levels are hops and start at 2", async () => {
	const run = runOver({
		a: { type: "comparison", right: [1, 2, 3] },
		b: { type: "comparison", right: [1] },
		c: { type: "inference", right: [1, 2, 4] },
	});
	const [table] = await reproduced(await readPublished("agentic-rag-tracer:2"), [run]);
	const own = table?.rows.find(({ kind }) => kind !== "published")?.cells ?? {};
	const shownValue = (cell: unknown) => (cell as { measured?: { value: number | null } })?.measured?.value;
	// ladder b knows its first level only, which is none of the published ones: 0, not 1
	expect(shownValue(own["comparison-3-depth"])).toBe((3 + 0) / 2);
	expect(shownValue(own["comparison-4-depth"])).toBe((3 + 0) / 2);
	expect(shownValue(own["inference-3-depth"])).toBe(2);
	expect(shownValue(own["inference-4-depth"])).toBe(4);
	// a reply with two searches is one step of the paper's script
	expect([shownValue(own["comparison-3-right"]), shownValue(own["comparison-3-wrong"])]).toEqual([2, 2]);

	const builder = viewNamed("reached-depth");
	if (!builder) throw new Error("no view");
	const view = await viewOf(builder, [run], { label: () => "run", by: "tag:questionType" });
	const shown = view.rows.map(({ cells }) => [
		...[cells.slice, cells.level].map((cell) => (cell as { text?: string })?.text),
		shownValue(cells.depth),
	]);
	expect(shown).toEqual(
		expect.arrayContaining([
			["comparison", "3 hops", 1.5],
			["comparison", "4 hops", 1.5],
			["inference", "3 hops", 2],
			["inference", "4 hops", 4],
		]),
	);
});
