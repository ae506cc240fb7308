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
	runRecipe,
	type Stage,
	topReasons,
	writeBuild,
} from "#recipes";
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
import { across, eachWay, together } from "./flow.ts";
import { grow } from "./grow.ts";
import type { PlanOptions } from "./plan.ts";
import { repair } from "./repair.ts";

const plan = (flow: Parameters<typeof recipeOf>[0], options: Partial<PlanOptions> = {}, count = 10) =>
	planOf(recipeOf(flow, ["generator", "solver"]), townInputs(count), {
		models: { generator: { id: "openai:writer" }, solver: { id: "openai:solver" } },
		price: () => undefined,
		...options,
	});

const probing = (name: string, rate?: number): Check => ({
	...{ kind: "probe", name, version: 1, calls: [{ role: "solver", each: 2, most: 3 }], look: () => pass() },
	...(rate === undefined ? {} : { published: { rate, of: "of items", source: "a paper" } }),
});

const rowOf = <Row extends { stage: string }>({ rows }: { rows: Row[] }, stage: string) =>
	rows.find((row) => row.stage === stage);

test("a gate hands on what its checks are expected to let through; unknown money is null", async () => {
	const told = await plan((inputs) => asking(inputs).to(gate([probing("first", 0.5), probing("second", 0.4)])));
	expect(told.units).toEqual({ towns: 10 });
	expect(rowOf(told, "ask")).toMatchObject({
		in: { expected: 10, most: 10 },
		calls: { expected: 10, most: 20 },
		cost: null,
	});
	expect(rowOf(told, "first")).toMatchObject({ in: { expected: 10, most: 10 }, calls: { expected: 20, most: 30 } });
	expect(rowOf(told, "second")).toMatchObject({ in: { expected: 5, most: 10 }, calls: { expected: 10, most: 30 } });
	expect(told.accepted).toEqual({ expected: 2, most: 10 });
	expect(told.calls).toEqual({ expected: 40, most: 80 });
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
	expect(told.cost?.most).toBeCloseTo(2 * (told.cost?.expected ?? 0), 12);
	const shorter = await plan((inputs) => towns(inputs).to({ ...asked, calls: [{ role: "generator", each: 1 }] }), {
		price,
	});
	expect(told.inputTokens - shorter.inputTokens).toBeCloseTo((10 * townPrompt.length) / 4, 6);
});

test("repairs, growth and ways are bounded as they are run", async () => {
	const rewrite: Stage<{ item: Item }, Item> = {
		...{ kind: "rewrite", name: "mend", version: 1, output: z.custom<Item>() },
		run: ({ item }) => [{ is: "piece", piece: item }],
	};
	const mended = await plan((inputs) => asking(inputs).to(repair({ check: probing("leak", 0.5), rewrite, rounds: 2 })));
	expect(rowOf(mended, "leak")?.in).toEqual({ expected: 17.5, most: 30 });
	expect(rowOf(mended, "mend")?.in).toEqual({ expected: 7.5, most: 20 });
	expect(mended.accepted).toEqual({ expected: 8.75, most: 10 });

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
	expect(rowOf(grown, "propose")?.in).toEqual({ expected: 30, most: 30 });
	expect(rowOf(grown, "extend")?.in).toEqual({ expected: 90, most: 90 });
	expect(grown.accepted).toEqual({ expected: 40, most: 40 });

	const few = { kind: "annotate", name: "few", version: 1, total: 3, run: () => [] } as const;
	const drawn = await plan((inputs) => towns(inputs).to(across(few)).to(written));
	expect(rowOf(drawn, "few")?.in).toEqual({ expected: 10, most: 10 });
	expect(drawn.accepted).toEqual({ expected: 3, most: 3 });

	const ways = await plan((inputs) =>
		towns(inputs).to(
			eachWay(each<Town, Item>({ ...written, name: "left" }), each<Town, Item>({ ...written, name: "right" })),
		),
	);
	expect(rowOf(ways, "left")?.in).toEqual({ expected: 10, most: 10 });
	expect(ways.accepted).toEqual({ expected: 20, most: 20 });
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
		expect(told.accepted.expected).toBeCloseTo(5, 9);
		const { calls, inputTokens } = rowOf(funnel, "ask")?.usage ?? { calls: 0, inputTokens: 0 };
		expect(rowOf(told, "ask")?.inputTokens).toBeCloseTo((10 * inputTokens) / calls, 9);
		expect((await plan(flow)).accepted.expected).toBeCloseTo(9, 9);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
});

test("with items wanted, as much is read as they take; no run exceeds what the plan says at most", async () => {
	const half = await plan((inputs) => asking(inputs), { items: 4 });
	expect(half.accepted).toEqual({ expected: 4, most: 4 });
	expect(half.calls).toEqual({ expected: 4, most: 20 });
	await fc.assert(
		fc.asyncProperty(
			fc.nat(8),
			fc.nat(3),
			fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
			async (count, rounds, good) => {
				const dir = await mkdtemp(join(tmpdir(), "hopscope-plan-"));
				const rewrite: Stage<{ item: Item }, Item> = {
					...{ kind: "rewrite", name: "mend", version: 1, output: z.custom<Item>() },
					run: ({ item }) => [{ is: "piece", piece: item }],
				};
				const flow: Parameters<typeof recipeOf>[0] = (inputs) =>
					together(
						towns(inputs)
							.to(written)
							.to(repair({ check: rule("good", (n) => good[n] === true), rewrite, rounds })),
					);
				const { funnel } = await runRecipe(recipeOf(flow), townInputs(count), dir, { models: {} });
				const told = await plan(flow, {}, count);
				for (const row of funnel.rows) expect(row.in).toBeLessThanOrEqual(rowOf(told, row.stage)?.in.most ?? 0);
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
