import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longDescribe } from "../long.ts";
import fixture from "./double-bench.json" with { type: "json" };
import golden from "./golden.json" with { type: "json" };
import {
	expectTable,
	imported,
	makeKnowledge,
	meanOf,
	ownCells,
	type Reproducing,
	reproducing,
	shownIn,
	walksOf,
} from "./tables.ts";

const languages = ["ar", "zh", "en", "fr", "ja", "es"];

longDescribe("Double-Bench, of rows as they are released", () => {
	let made: Reproducing;
	let frameworks: string[];
	let retrieving: string[];
	beforeAll(async () => {
		made = await reproducing(fixture, {
			benchmark: "double-bench",
			judge: (score) => JSON.stringify({ reason: "Compared.", score }),
			async make(workspace, hopscope) {
				await makeKnowledge(workspace, "documents", fixture);
				const files = { single_bench: fixture.single, multi_bench: fixture.multi };
				for (const [name, rows] of Object.entries(files))
					await writeFile(join(workspace, `${name}.json`), JSON.stringify(rows, null, 1));
				const named = Object.keys(files).map((name) => join(workspace, `${name}.json`));
				const read = await imported(hopscope, ["double-bench", ...named, "--knowledge", "documents"]);
				expect(read).toMatchObject({ tasks: 18, losses: 0 });
			},
		});
		frameworks = [];
		for (const [agent, setting] of Object.entries({
			...{ "page-gen": "default", mdocagent: "default" },
			...{ m3docrag: "double-bench", vidorag: "double-bench" },
		}))
			frameworks.push(...(await made.run("double-bench:4", agent, "-a", agent, "-s", setting)));
		retrieving = await made.run("double-bench:3", "nobody", "-a", "retrieve");
	});
	afterAll(() => made?.close());

	/** hit@5 of one search: every hop has a page among the first five, of the records themselves. */
	async function hitsByHand(run: string, isOf: (hops: number, language: string) => boolean): Promise<number> {
		const walks = await walksOf(made.workspace, run, "double-bench");
		const own = walks.filter(({ gold, task }) => isOf(gold.length, task.tags.language));
		const pagesIn = (step: readonly string[]) => step.slice(0, 5).map((id) => id.replace(/(#page=\d+)\.\d+$/, "$1"));
		return meanOf(
			own.map(({ gold, steps }) =>
				gold.every((hop) => steps.some((step) => pagesIn(step).some((id) => hop.includes(id)))) ? 1 : 0,
			),
		);
	}

	test("Tables 3 and 9 to 11: hits of encoders", async () => {
		expectTable(await made.views("double-bench:3", retrieving));
		for (const [table, hops] of [
			["double-bench:9", 1],
			["double-bench:10", 2],
			["double-bench:11", 3],
		] as const) {
			const views = await made.views(table, retrieving);
			expectTable(views);
			const cells = new Map(views.flatMap((view) => [...ownCells(view)]));
			const run = await made.runWith(retrieving, ({ setting }) => setting.name === "pages");
			for (const language of languages) {
				const expected = await hitsByHand(run, (count, of) => count === hops && of === language);
				expect(shownIn(cells.get(`documents · pages | ${language}`)), `${table} ${language}`).toBeCloseTo(expected, 9);
			}
		}
	});

	test.each([
		"double-bench:4",
		"double-bench:7",
		"double-bench:18",
	] as const)("%s: grades of frameworks", async (table) => {
		expectTable(await made.views(table, frameworks), { golden: golden[table] });
	});

	test("Tables 6 and 12 to 17: hits of frameworks", async () => {
		for (const n of [6, 12, 13, 14, 15, 16, 17]) expectTable(await made.views(`double-bench:${n}`, frameworks));
		expectTable(await made.views("double-bench:6", retrieving));
	});

	test("Table 5: without evidence, and with nothing else", async () => {
		const runs: string[] = [];
		for (const agent of ["closed-book", "oracle"]) runs.push(...(await made.run("double-bench:5", agent, "-a", agent)));
		expectTable(await made.views("double-bench:5", runs), { golden: golden["double-bench:5"] });
	});

	test("Figures 5 and 6: over-confidence and time", async () => {
		expectTable(await made.views("double-bench:figure-5", frameworks), {
			// who found all evidence never missed it, and who answered nothing was never right
			byDesign: [/: (no such record|none was answered)$/],
		});
		expectTable(await made.views("double-bench:figure-6", frameworks), {
			// a served model without a price
			byDesign: [/ \| cost: /],
		});
	});

	test("Tables 2 and 8: what there is", async () => {
		// of whole documents tasks say nothing
		const byDesign = [/: of whole documents, of which tasks say nothing$/];
		expectTable(await made.views("double-bench:2"), { golden: golden["double-bench:2"], byDesign });
		expectTable(await made.views("double-bench:8"), { golden: golden["double-bench:8"], byDesign });
	});
});
