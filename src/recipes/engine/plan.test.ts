import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type Item, Item as ItemSchema } from "#domain";
import {
	type Check,
	each,
	funnelTable,
	gate,
	pass,
	planOf,
	plansOf,
	runRecipe,
	type Stage,
	topReasons,
	writeBuild,
} from "#recipes";
import { longTest } from "../../../test/long.ts";
import { player } from "../../../test/support/recipes/player.ts";
import {
	asked,
	asking,
	recipeOf,
	rule,
	type Town,
	townInputs,
	townItem,
	townPrompt,
	towns,
	written,
} from "../../../test/support/recipes/towns.ts";
import { across, eachWay, source, together } from "./flow.ts";
import { grow } from "./grow.ts";
import type { PlanOptions } from "./plan.ts";
import { repair } from "./repair.ts";

const plan = (flow: Parameters<typeof recipeOf>[0], options: Partial<PlanOptions> = {}, count = 10) =>
	planOf(recipeOf(flow, ["generator", "solver"]), townInputs(count), {
		models: { generator: { id: "openai:writer" }, solver: { id: "openai:solver" } },
		price: () => undefined,
		buildFollows: true,
		...options,
	});

const probing = (name: string, rate?: number): Check => ({
	...{ kind: "probe", name, version: 1, calls: [{ role: "solver", each: 2 }], look: () => pass() },
	...(rate === undefined ? {} : { published: { rate, of: "of items", source: "a paper" } }),
});

const widthOf = (estimate = { low: 1, high: 1 }) => estimate.high / estimate.low;

const rowOf = <Row extends { stage: string }>({ rows }: { rows: Row[] }, stage: string) =>
	rows.find((row) => row.stage === stage);

test("a gate hands on what its checks are expected to let through; unknown money is null", async () => {
	const told = await plan((inputs) => asking(inputs).to(gate([probing("first", 0.5), probing("second", 0.4)])));
	expect(told.units).toEqual({ towns: 10 });
	expect(rowOf(told, "ask")).toMatchObject({ in: { expected: 10, low: 10, high: 10 }, cost: null });
	const asked = rowOf(told, "first")?.in.expected ?? 0;
	expect(rowOf(told, "first")?.calls.expected).toBeCloseTo(2 * asked, 9);
	expect(rowOf(told, "second")?.in.expected).toBeCloseTo(0.5 * asked, 9);
	expect(told.accepted.expected).toBeCloseTo(0.2 * asked, 9);
	expect(told.calls.expected).toBeCloseTo(10 + 3 * asked, 9);
	// what is guessed widens the range, stage by stage
	const widths = ["ask", "first", "second"].map((stage) => widthOf(rowOf(told, stage)?.calls));
	expect(widths).toEqual([...widths].sort((a, b) => a - b));
	expect(told.cost).toBeNull();
});

test("money is tokens times their price, and a role without a model costs nothing", async () => {
	const price = () => ({ input: 1, output: 4 });
	const told = await plan((inputs) => asking(inputs).to(gate([probing("first")])), {
		models: { generator: { id: "m" } },
		price,
	});
	expect(rowOf(told, "first")).toMatchObject({ calls: { expected: 0 }, guesses: ["skipped: nobody is solver"] });
	expect(told.cost?.expected).toBeCloseTo((told.inputTokens + 4 * told.outputTokens) / 1e6, 12);
	expect(told.cost?.high).toBeCloseTo(((told.cost?.expected ?? 0) * told.calls.high) / told.calls.expected, 12);
	const shorter = await plan((inputs) => towns(inputs).to({ ...asked, calls: [{ role: "generator", each: 1 }] }), {
		price,
	});
	expect(told.inputTokens - shorter.inputTokens).toBeCloseTo((10 * townPrompt.length) / 4, 6);
});

test("what asks nobody is planned as it will be made, and any number of items from one reading", async () => {
	let read = 0;
	const flow: Parameters<typeof recipeOf>[0] = (inputs) =>
		towns({
			...inputs,
			evidence() {
				read += 1;
				return inputs.evidence();
			},
		})
			.to(written)
			.to(gate([rule("even", (n) => n % 2 === 0)]));
	const before = await plan(flow, { buildFollows: false });
	expect(before.accepted).toEqual({ expected: 5, low: 5, high: 5 });
	const { items } = await runRecipe(recipeOf(flow), townInputs(10), join(dir, "even"), { models: {} });
	expect(items).toHaveLength(5);
	read = 0;
	const plans = await plansOf(recipeOf(flow), townInputs(10), { models: {}, price: () => undefined });
	const once = read;
	expect([undefined, 2, 3].map((wanted) => plans(wanted).accepted.expected)).toEqual([5, 2, 3]);
	expect(read).toBe(once);
});

test("repairs, growth and ways are bounded as they are run", async () => {
	const rewrite: Stage<{ item: Item }, Item> = {
		...{ kind: "rewrite", name: "mend", version: 1, output: z.custom<Item>() },
		run: ({ item }) => [{ is: "piece", piece: item }],
	};
	const mended = await plan((inputs) => asking(inputs).to(repair({ check: probing("leak", 0.5), rewrite, rounds: 2 })));
	// what is written of each, half of it mended, and half of that once more
	const asked = rowOf(mended, "ask")?.in.expected ?? 0;
	const first = 0.6 * asked;
	expect(rowOf(mended, "leak")?.in.expected).toBeCloseTo(1.75 * first, 9);
	expect(rowOf(mended, "mend")?.in.expected).toBeCloseTo(0.75 * first, 9);
	expect(mended.accepted.expected).toBeCloseTo(0.875 * first, 9);

	const expand: Stage<Item, { id: string }> = {
		...{ kind: "expand", name: "propose", version: 1, yields: 4, output: z.object({ id: z.string() }) },
		run: () => [],
	};
	const compose: Stage<{ item: Item }, Item> = {
		...{ kind: "compose", name: "extend", version: 1, output: z.custom<Item>() },
		run: ({ item }) => [{ is: "piece", piece: item }],
	};
	const grown = await plan((inputs) =>
		towns(inputs)
			.to(written)
			.to(grow({ expand, compose, gate: gate([rule("good", () => true)]), depth: 2, perHop: 3, beam: 2 })),
	);
	expect(rowOf(grown, "propose")?.in.expected).toBe(30);
	// of three proposals no more than fill a beam of two are tried
	expect(rowOf(grown, "extend")?.in.expected).toBeCloseTo((2 * 20) / 0.99, 9);
	expect(grown.accepted.expected).toBe(40);

	const few = { kind: "annotate", name: "few", version: 1, total: 3, run: () => [] } as const;
	const drawn = await plan((inputs) => towns(inputs).to(across(few)).to(written));
	expect(rowOf(drawn, "few")?.in.expected).toBe(10);
	expect(drawn.accepted.expected).toBe(3);

	const ways = await plan((inputs) =>
		towns(inputs).to(
			eachWay(each<Town, Item>({ ...written, name: "left" }), each<Town, Item>({ ...written, name: "right" })),
		),
	);
	expect(rowOf(ways, "left")?.in.expected).toBe(10);
	expect(ways.accepted.expected).toBe(20);
});

test("what an earlier build measured goes before what is published", async () => {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-plan-"));
	try {
		const flow: Parameters<typeof recipeOf>[0] = (inputs) =>
			asking(inputs).to(
				gate([{ ...rule("even", (n) => n % 2 === 0), published: { rate: 0.9, of: "of items", source: "a paper" } }]),
			);
		const model = player({ "town-question": ({ material }) => ({ question: `How big is ${material.passage}?` }) });
		const { funnel } = await runRecipe(recipeOf(flow, ["generator"]), townInputs(8), dir, {
			models: { generator: model },
		});
		const told = await plan(flow, { measured: funnel.rows });
		expect(told.accepted.expected).toBeGreaterThan(4.5);
		expect(told.accepted.expected).toBeLessThan(6.5);
		expect(told.measured).toEqual({ stages: 1, of: 1 });
		const { calls, inputTokens } = rowOf(funnel, "ask")?.usage ?? { calls: 0, inputTokens: 0 };
		expect(rowOf(told, "ask")?.inputTokens).toBeCloseTo((10 * inputTokens) / calls, 9);
		const published = await plan(flow);
		expect(published.accepted.expected).toBeCloseTo(0.9 * (rowOf(published, "even")?.in.expected ?? 0), 9);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
});

test("with items wanted, as much is read as they take", async () => {
	const whole = await plan((inputs) => asking(inputs));
	const items = whole.accepted.expected / 2;
	const half = await plan((inputs) => asking(inputs), { items, together: 1 });
	expect(half.accepted).toMatchObject({ expected: items, high: items });
	// and one that is under way when they are there
	expect(half.calls.expected).toBeCloseTo(whole.calls.expected / 2 + 1, 9);
	const wide = await plan((inputs) => asking(inputs), { items, together: 8 });
	expect(wide.calls.expected).toBe(whole.calls.expected);
});

test("what is done whole before the first item counts whole, and parts give items in turns", async () => {
	const all = { kind: "annotate", name: "all", version: 1, run: () => [] } as const;
	const barred = await plan((inputs) => asking(inputs).to(across(all)), { items: 1 });
	expect(barred.calls.expected).toBe(10);
	const parts = (inputs: Parameters<typeof towns>[0]) =>
		together(
			towns(inputs).to({ ...written, name: "first" }),
			towns(inputs).to({ ...written, name: "second", calls: [{ role: "generator", each: 1 }] }),
		);
	// two of the four are the second part's, of whose ten units six are guessed to go on; and one is under way
	expect((await plan(parts, { items: 4, together: 1 })).calls.expected).toBeCloseTo(10 / 3 + 1, 9);
	expect((await plan(parts)).calls.expected).toBe(10);
});

test("a build that stops early has items of each part", async () => {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-parts-"));
	const all = Array.from({ length: 10 }, (_, n): Town => ({ id: `town#${n}`, n, text: "" }));
	const part = (name: string, even: boolean) =>
		source({ name: `${name}-towns`, version: 1 }, () => all)
			.to({ ...written, name })
			.to(gate([rule(`${name}-half`, (n) => (n % 2 === 0) === even)]));
	const recipe = recipeOf(() => together(part("first", true), part("second", false)));
	const { items } = await runRecipe(recipe, townInputs(10), dir, { models: {}, items: 4 });
	expect(items.map(({ chain }) => chain.hops[0]?.evidence[0])).toEqual(["town#0", "town#1", "town#2", "town#3"]);
	await rm(dir, { recursive: true, force: true });
});

longTest("a plan by what a run measured holds what that run did in its range", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 9 }),
			fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
			async (count, good) => {
				const dir = await mkdtemp(join(tmpdir(), "hopscope-plan-"));
				const flow: Parameters<typeof recipeOf>[0] = (inputs) =>
					towns(inputs)
						.to(written)
						.to(gate([rule("good", (n) => good[n] === true)]));
				const { funnel } = await runRecipe(recipeOf(flow), townInputs(count), dir, { models: {} });
				const told = await plan(flow, { measured: funnel.rows }, count);
				for (const row of funnel.rows) {
					const { low, high } = rowOf(told, row.stage)?.in ?? { low: 0, high: 0 };
					expect(row.in).toBeGreaterThanOrEqual(Math.floor(low));
					expect(row.in).toBeLessThanOrEqual(Math.ceil(high));
				}
				await rm(dir, { recursive: true, force: true });
			},
		),
		{ numRuns: 10 },
	);
});

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-written-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("images that a stage keeps stand once in the build and come with the benchmark", async () => {
	const photograph = await sharp({ create: { width: 6, height: 4, channels: 3, background: "red" } })
		.png()
		.toBuffer();
	const shown: Stage<Town, Item> = {
		...{ kind: "compose", name: "show", version: 1, output: ItemSchema },
		async run(town, { keepImage }) {
			const image = await keepImage(photograph, { id: "i1", licence: "CC0-1.0" });
			return [{ is: "piece", piece: { ...townItem(town), images: [image], rights: "CC0-1.0" } }];
		},
	};
	const recipe = recipeOf((inputs) =>
		towns(inputs)
			.to(shown)
			.to(gate([rule("even", (n) => n % 2 === 0)])),
	);
	const { items, funnel } = await runRecipe(recipe, townInputs(3), join(dir, "build"), { models: {} });
	expect(items[0]?.images).toMatchObject([{ id: "i1", width: 6, height: 4, licence: "CC0-1.0" }]);
	const { manifest, card } = await writeBuild(join(dir, "build"), join(dir, "bench"), {
		...{ recipe: { ...recipe, scoring: "mmhops" as const }, date: "2026-11-22", limits: ["Towns only."] },
		benchmark: {
			name: "towns",
			title: "Towns",
			description: "Sizes.",
			licence: "CC0-1.0",
			sources: [{ name: "towns.csv", licence: "", attribution: "" }],
			knowledge: "towns",
		},
	});
	expect(manifest).toMatchObject({ tasks: 2, recipe: { name: "toy" }, scoring: "mmhops" });
	expect(await readFile(join(dir, "bench", items[0]?.images[0]?.file ?? ""))).toEqual(photograph);
	for (const part of [
		"Towns only.",
		"| even | 2 | 0 | 0 |",
		"CC0-1.0: 2 items",
		"Made on 2026-11-22",
		"| hops that retrieve | items |",
	])
		expect(card).toContain(part);
	expect(card).toContain("- towns.csv (licence not stated)\n");
	expect(topReasons(funnel.rows)).toEqual([{ stage: "even", reason: "other", count: 1 }]);
	const [head, rows] = funnelTable(funnel.rows);
	expect(head).toEqual(["stage", "kind", "in", "out", "failed", "dropped"]);
	expect(rows).toContainEqual(["even", "check", 3, 2, 1, "other 1"]);
});

test("what is no image is a fault of the item, not of the run", async () => {
	const broken: Stage<Town, Item> = {
		...{ kind: "compose", name: "show", version: 1, output: ItemSchema },
		async run(town, { keepImage }) {
			const images = town.n === 1 ? [await keepImage(Buffer.from("no image"), { id: "i" })] : [];
			return [{ is: "piece", piece: { ...townItem(town), images } }];
		},
	};
	const { items, funnel } = await runRecipe(
		recipeOf((inputs) => towns(inputs).to(broken)),
		townInputs(3),
		dir,
		{ models: {} },
	);
	expect(items).toHaveLength(2);
	expect(funnel.faults).toBe(1);
});
