import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longTest } from "../long.ts";
import golden from "./golden.json" with { type: "json" };
import { expectTable, imported, ownCells, picture, type Reproducing, reproducing, shownIn } from "./tables.ts";
import fixture from "./vistahop.json" with { type: "json" };

describe("VistaHop, of files as its synthesis writes them", () => {
	let made: Reproducing;
	let runs: string[];
	beforeAll(async () => {
		made = await reproducing(fixture, {
			benchmark: "vistahop",
			judge: (equivalent) => JSON.stringify({ reason: "Compared.", equivalent, relevant: [], support: "none" }),
			async make(workspace, hopscope) {
				const images = join(workspace, "out");
				await mkdir(images);
				for (const [at, name] of ["quay", "light", "mill"].entries())
					await writeFile(join(images, `${name}.png`), await picture(at));
				const files = { stage4: fixture.questions, stage5: fixture.visual, stage6: fixture.fused };
				for (const [name, rows] of Object.entries(files))
					await writeFile(join(workspace, `${name}.json`), JSON.stringify(rows, null, 1));
				const named = Object.keys(files).map((name) => join(workspace, `${name}.json`));
				const read = await imported(hopscope, ["vistahop", ...named, "--images", images]);
				expect(read).toMatchObject({ tasks: 8, losses: 0 });
			},
		});
		runs = await made.run("vistahop:4", "arena", "--repeats", "1");
	});
	afterAll(() => made?.close());

	test("Table 4: tools", async () => {
		expectTable(await made.views("vistahop:4", runs), { golden: golden["vistahop:4"] });
	});

	longTest("Table 5: the most rounds", async () => {
		// the played model says the same each time
		const mars = await made.run("vistahop:5", "arena-mars", "--repeats", "1");
		expectTable(await made.views("vistahop:5", mars), { golden: golden["vistahop:5"] });
	});

	test("Table 9: shares of wrong traces that add up to one", async () => {
		const views = await made.views("vistahop:9", [
			await made.runWith(runs, ({ setting }) => setting.name === "search+crop"),
		]);
		expectTable(views);
		const shares = views.flatMap((view) => [...ownCells(view).values()].map(shownIn)).map(Number);
		expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
	});

	test("Tables 3 and 8 and Figure 3: what there is", async () => {
		expectTable(await made.views("vistahop:3"), { golden: golden["vistahop:3"] });
		expectTable(await made.views("vistahop:8"), {
			golden: golden["vistahop:8"],
			// files of the synthesis do not tell a place from another name, nor what an anchor is
			byDesign: [/Location .*: a place counts as an entity/, /: no task is tagged with its anchor/],
		});
		expectTable(await made.views("vistahop:figure-3"));
	});
});
