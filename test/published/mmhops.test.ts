import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longTest } from "../long.ts";
import golden from "./golden.json" with { type: "json" };
import fixture from "./mmhops.json" with { type: "json" };
import { expectTable, imported, makeKnowledge, type Reproducing, reproducing } from "./tables.ts";

const agents = ["tagged", "closed-book", "vanilla-mrag", "echosight", "omnisearch", "self-ask", "search-r1"];
const judge = () => "";

describe("MMhops, of rows in the manner of InfoSeek, from whose questions it grew", () => {
	let made: Reproducing;
	beforeAll(async () => {
		made = await reproducing(fixture, {
			...{ benchmark: "mmhops", judge },
			async make(workspace, hopscope) {
				const images = await makeKnowledge(workspace, "wiki", { texts: fixture.knowledge, images: fixture.images });
				const [rows, mapping] = [join(workspace, "rows.json"), join(workspace, "mapping.json")];
				await writeFile(rows, JSON.stringify(fixture.rows));
				await writeFile(mapping, JSON.stringify(fixture.mapping));
				const with_ = ["--mapping", mapping, "--images", images, "--knowledge", "wiki"];
				expect(await imported(hopscope, ["mmhops", rows, ...with_])).toMatchObject({ tasks: 8, losses: 0 });
			},
		});
	});
	afterAll(() => made?.close());

	longTest("Table 3: the methods", async () => {
		const runs: string[] = [];
		for (const agent of agents) runs.push(...(await made.run("mmhops:3", agent, "-a", agent)));
		const views = await made.views("mmhops:3", runs);
		// the retriever stands between method and column
		const rename = (name: string) => name.replace(/ \| .* \| /, " | ");
		expectTable(views, { golden: golden["mmhops:3"], rename });
	});

	longTest("Tables 6 and 7: an agent by its reward, and by how often it may search", async () => {
		expectTable(await made.views("mmhops:6", await made.run("mmhops:6", "tagged")), { golden: golden["mmhops:6"] });
		expectTable(await made.views("mmhops:7", await made.run("mmhops:7", "tagged")), { golden: golden["mmhops:7"] });
	});

	test("Table 2: what there is", async () => {
		expectTable(await made.views("mmhops:2"), {
			golden: golden["mmhops:2"],
			byDesign: [/ \| percentage: a share of nothing: it is counted by itself$/],
		});
	});
});

describe("the sets that MMhops-R1 is tried on besides", () => {
	longTest("Table 4: InfoSeek, of rows as they are released", async () => {
		const made = await reproducing(fixture, {
			...{ benchmark: "infoseek", judge },
			async make(workspace, hopscope) {
				const images = await makeKnowledge(workspace, "wiki", { texts: fixture.knowledge, images: fixture.images });
				const file = join(workspace, "infoseek_val.jsonl");
				await writeFile(file, fixture.infoseek.map((row) => JSON.stringify(row)).join("\n"));
				expect(await imported(hopscope, ["infoseek", file, "--images", images, "--knowledge", "wiki"])).toMatchObject({
					tasks: 5,
				});
			},
		});
		expectTable(await made.views("mmhops:4", await made.run("mmhops:4", "tagged")), { golden: golden["mmhops:4"] });
		await made.close();
	});

	longTest("Table 5: two hops of E-VQA, of rows as they are released", async () => {
		const made = await reproducing(fixture, {
			...{ benchmark: "e-vqa", judge },
			async make(workspace, hopscope) {
				const images = await makeKnowledge(workspace, "wiki", { images: fixture.images });
				const [first] = fixture.evqa;
				const columns = Object.keys(first ?? {}) as (keyof NonNullable<typeof first>)[];
				const lines = fixture.evqa.map((row) => columns.map((column) => `"${row[column]}"`).join(","));
				const file = join(workspace, "test.csv");
				await writeFile(file, [columns.join(","), ...lines].join("\n"));
				expect(await imported(hopscope, ["e-vqa", file, "--images", images])).toMatchObject({ tasks: 3, losses: 0 });
			},
		});
		expectTable(await made.views("mmhops:5", await made.run("mmhops:5", "tagged")), { golden: golden["mmhops:5"] });
		await made.close();
	});
});
