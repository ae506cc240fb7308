import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longTest } from "./long.ts";
import { faults } from "./support/recipes/planted-faults.ts";
import { lanes, measureFaults, measureGood, measureReal } from "./support/recipes/planted-recipes.ts";
import { goodTable, plantedLegend, plantedTable, type Run } from "./support/recipes/planted-tables.ts";

/** Units of each kind in each way of a recipe: enough to see a kind that comes through, few enough for seconds. */
const each = 2;
/** The good ones of each. */
const good = 10;
const morehopqa = "../shared/data/morehopqa/morehopqa_150.json";

let dir = "";
const runs: Run[] = [];

beforeAll(async () => {
	dir = mkdtempSync(join(tmpdir(), "hopscope-planted-"));
	for (const lane of lanes) {
		const how = { lane, cast: "off", family: "main", seed: 2 } as const;
		const at = (kind: string) => join(dir, lane.name.replaceAll(/\W+/g, "-"), kind);
		const kept = await measureGood({ ...how, each: good, dir: at("good") });
		runs.push({ ...(await measureFaults({ ...how, faults, each, dir: at("bad") })), good: kept });
	}
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Planted and accepted over all recipes. */
const over = (name: string) =>
	runs
		.flatMap(({ faults: counted }) => counted.get(name) ?? [])
		.reduce((sum, { planted, accepted }) => ({ planted: sum.planted + planted, accepted: sum.accepted + accepted }), {
			planted: 0,
			accepted: 0,
		});

describe("faults planted in recipes without their optional roles", () => {
	test("every kind is planted in some recipe, and said in the tables", () => {
		expect(faults.filter(({ name }) => over(name).planted < each).map(({ name }) => name)).toEqual([]);
		expect(faults.length).toBeGreaterThanOrEqual(12);
		const table = plantedTable(runs, ["off"]);
		for (const { name, plants } of faults) {
			expect(table).toContain(`| ${name} |`);
			expect(plantedLegend()).toContain(plants);
		}
		expect(goodTable(runs.map((run) => run.good))).toContain("mc-search");
	});

	longTest.skipIf(!existsSync(morehopqa))("hardly a question that people wrote is lost", async () => {
		const { good: tried, lost, reasons } = await measureReal(morehopqa, join(dir, "real"));
		expect(tried).toBe(120);
		// of four, the row's own answer on the way stands in its sub-question ("Lost!" to '"Lost!" is a song by which band?')
		expect(lost.length, [...reasons, ...lost].join("\n")).toBeLessThanOrEqual(4);
	});
});
