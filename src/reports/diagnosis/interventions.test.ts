import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { budgetParts } from "#diagnosis";
import type { Intervention } from "#domain";
import {
	buildViews,
	interventionsReport,
	type ReportRun,
	renderCsvAll,
	renderLatexAll,
	renderTerminalAll,
	reportData,
	terminalReport,
	viewNamed,
} from "#reports";
import { makeWorld, playRun, type World } from "../../../test/report-runs.ts";

let dir: string;
let world: World;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-interventions-report-"));
	world = await makeWorld(dir, { count: 40 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const base = () => playRun(world, { agent: "agent", find: 0.4, read: 0.6, wander: 0.1 });

/** The agent again, the better the more was made perfect. */
function rerun(what: Intervention, find: number): ReportRun {
	const run = playRun(world, { agent: "agent", find, read: 0.9, wander: 0 }, { seed: Math.round(find * 100) });
	const id = `agent-${what.is}`;
	return { ...run, manifest: { ...run.manifest, id, intervention: { of: base().manifest.id, what } } };
}
const all = (): ReportRun[] => [
	base(),
	rerun({ is: "oracle-plan" }, 0.5),
	rerun({ is: "oracle-retrieval" }, 0.7),
	rerun({ is: "oracle-reading" }, 0.9),
	rerun({ is: "gold-prefix", hops: 9 }, 1),
	rerun({ is: "conflicting-evidence" }, 0.3),
];

describe("interventions in reports", () => {
	test("stand apart from plain runs and from one another: no place, no comparison, no shared table", async () => {
		const plain = playRun(world, { agent: "other", find: 0.5, read: 0.5, wander: 0.2 });
		const data = await reportData([...all(), plain]);
		expect(data.benchmarks).toHaveLength(6);
		const [first, ...others] = data.benchmarks;
		expect(first?.ranking).toHaveLength(2);
		expect(first?.comparisons).toHaveLength(1);
		for (const { ranking, comparisons, sliceComparisons, intervention, cautions } of others) {
			expect([ranking.length, comparisons.length, sliceComparisons.length]).toEqual([1, 0, 0]);
			expect(cautions[0]).toContain(`Intervention ${intervention?.what} of agent-made-up`);
		}
		for (const run of data.runs) expect(run.places === null).toBe(run.intervention !== null);
		expect(new Set(data.runs.map(({ label }) => label)).size).toBe(data.runs.length);
	});
	test("one alone is labelled in the terminal", async () => {
		const run = rerun({ is: "oracle-retrieval" }, 0.7);
		const data = await reportData([run]);
		const text = terminalReport(data);
		expect(text).toContain("Intervention oracle-retrieval of agent-made-up");
		expect(text.replaceAll("\n", " ")).toContain("These are no scores of the agent");
	});
	test("their views are marked row by row, and the budget's shares are those of the diagnosis", async () => {
		const runs = all();
		const names = ["error-budget", "interventions", "decisive-hop", "prefix-curve", "trust"];
		const views = await buildViews(runs, { builders: names.flatMap((name) => viewNamed(name) ?? []) });
		expect(views.map(({ name }) => name)).toEqual(names);
		for (const view of views) {
			expect(view.rows.every(({ kind }) => kind === "intervention")).toBe(true);
			// once under every table, not once by the table and once more by its notes
			const said = renderTerminalAll([view]).replace(/\s+/g, " ").split("they are no plain scores").length - 1;
			expect(said).toBe(view.rows.length > 0 ? 1 : 0);
		}
		const { budget } = interventionsReport(base(), runs);
		const shares = views[0]?.rows.map(({ cells: { share } }) =>
			share?.is === "measured" ? share.measured.value : null,
		);
		expect(shares).toEqual(budgetParts.map((part) => budget.parts[part].value));
		expect(budget.settled).toBeGreaterThan(5);
		expect(renderLatexAll(views)).toContain("composition");
		expect(renderCsvAll(views)).toContain("oracle-retrieval");
	});
	test("a run without re-runs has no rows and says how to come by them", async () => {
		const [view] = await buildViews([base()], { builders: [viewNamed("error-budget") ?? []].flat() });
		expect(view?.rows).toEqual([]);
		expect(view?.notes.join(" ")).toContain("hopscope intervene");
	});
});
