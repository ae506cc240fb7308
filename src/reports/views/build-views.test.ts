import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildViews, renderLatexAll, renderMarkdown, viewBuilders, viewNamed, viewsPage } from "#reports";
import { compareRuns, holm } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { makeWorld, playRun, type World } from "../../../test/report-runs.ts";
import { expectedItems } from "../summaries.ts";
import { marksOf } from "./marks.ts";
import type { ViewBuilder } from "./view.ts";

let dir: string;
let world: World;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-views-"));
	world = await makeWorld(dir, { count: 80 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const builder = (name: string): ViewBuilder[] => {
	const found = viewNamed(name);
	return found ? [found] : [];
};
const good = () => playRun(world, { agent: "good", find: 0.9, read: 0.95, wander: 0.1 });
const poor = () => playRun(world, { agent: "poor", find: 0.2, read: 0.4, wander: 0.1 });
const oracle = () => playRun(world, { agent: "oracle", reference: "has the evidence", find: 1, read: 1, wander: 0 });

describe("views", () => {
	test("have names of their own, which a file and a label can have", () => {
		const names = viewBuilders.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		for (const name of names) expect(name).toMatch(/^[a-z0-9-]+$/);
	});

	test("by topology: every task is in one row of each run, and golden F1 is the oracle's", async () => {
		const [view] = await buildViews([good(), poor(), oracle()], { builders: builder("by-topology") });
		const rows = view?.rows ?? [];
		const slices = rows.filter(({ cells }) => cells.slice?.is === "text" && cells.slice.text !== "all");
		for (const run of new Set(rows.map((row) => row.run))) {
			const counts = slices.flatMap(({ run: of, cells: { tasks } }) =>
				of === run && tasks?.is === "count" ? [tasks.value] : [],
			);
			expect(counts.reduce((sum, count) => sum + count, 0)).toBe(world.tasks.length);
		}
		const [first] = rows;
		const reference = rows.find(({ kind }) => kind === "reference");
		const numberIn = (cell: NonNullable<typeof first>["cells"][string] | undefined) =>
			cell?.is === "measured" ? cell.measured.value : undefined;
		expect(numberIn(first?.cells["golden-f1"])).toBe(numberIn(reference?.cells.f1));
		expect(first?.kind).toBeUndefined();
	});

	test("call an intervention one, name it, and never set it in bold", async () => {
		const changed = good();
		changed.manifest = {
			...{ ...changed.manifest, id: "changed" },
			intervention: { of: "poor", what: { is: "gold-prefix", hops: 2 } },
		};
		const [view] = await buildViews([poor(), changed], { builders: builder("f1-by-length") });
		expect(view?.rows.filter(({ kind }) => kind === "intervention").length).toBeGreaterThan(0);
		const shown = view ? renderMarkdown(view) : "";
		expect(shown).toContain("gold-prefix 2");
		expect(shown).toContain("no plain scores");
		expect(shown).not.toContain("**");
	});

	longTest("of every builder go into the page and into LaTeX, and stay small", async () => {
		const runs = [good(), poor(), oracle()];
		const views = (await buildViews(runs, { builders: viewBuilders.filter(({ slow }) => !slow) })).filter(
			({ rows }) => rows.length > 0,
		);
		expect(views.length).toBeGreaterThan(5);
		const page = await viewsPage(views, { title: "Tables" });
		expect(page.length).toBeLessThan(1_000_000);
		for (const { name } of views) expect(page).toContain(`<table class="view ${name}">`);
		expect(renderLatexAll(views).match(/\\bottomrule/g)).toHaveLength(views.length);
	});
});

describe("marks", () => {
	test("are paired tests against the first run, corrected over all places", () => {
		const runs = [poor(), good()].map((run) => ({
			id: run.manifest.id,
			label: run.manifest.agent.name,
			items: expectedItems(run),
		}));
		const [a, b] = runs;
		if (!a || !b) throw new Error("two runs");
		const marks = marksOf([
			{ key: "accuracy", metric: "accuracy", runs },
			{ key: "f1", metric: "f1", runs },
			{ key: "rd", metric: "rollout-deviation", better: "lower", runs },
		]);
		const ps = ["accuracy", "f1", "rollout-deviation"].map(
			(metric) => compareRuns(b.items, a.items, { metric, tests: 3 }).p ?? 1,
		);
		const found = ["accuracy", "f1", "rd"].map((key) => marks.get(key)?.get(b.id)?.[0]);
		expect(found.map((mark) => mark?.p)).toEqual(holm(ps));
		expect(found.map((mark) => mark?.against)).toEqual(["poor", "poor", "poor"]);
		expect(found[0]?.better).toBe(true);
		expect(found[0]?.p).toBeLessThan(0.001);
		expect(found[2]?.better).toBe(true);
		expect(marks.get("accuracy")?.has(a.id)).toBe(false);
	});

	test("claim nothing that the unscored could turn round", () => {
		const partly = good();
		const middling = playRun(world, { agent: "middling", find: 0.8, read: 0.7, wander: 0.1 });
		partly.rows = partly.rows.slice(0, 20);
		const runs = [middling, partly].map((run) => ({
			id: run.manifest.id,
			label: run.manifest.agent.name,
			items: expectedItems(run),
		}));
		const mark = marksOf([{ key: "it", metric: "accuracy", runs }])
			.get("it")
			?.get(partly.manifest.id)?.[0];
		expect(mark?.p).toBe(1);
	});
});
