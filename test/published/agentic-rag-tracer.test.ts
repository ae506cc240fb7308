import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fixture from "./agentic-rag-tracer.json" with { type: "json" };
import golden from "./golden.json" with { type: "json" };
import { expectTable, imported, type Reproducing, reproducing } from "./tables.ts";

describe("AgenticRAGTracer, of rows as its generator writes them", () => {
	let made: Reproducing;
	let runs: string[];
	beforeAll(async () => {
		made = await reproducing(fixture, {
			benchmark: "tracer",
			judge: (score) => JSON.stringify({ answer_reason: "Compared.", answer_score: score }),
			async make(workspace, hopscope) {
				const file = join(workspace, "rows.jsonl");
				await writeFile(file, fixture.rows.map((row) => JSON.stringify(row)).join("\n"));
				expect(await imported(hopscope, ["tracer", file])).toMatchObject({ tasks: 16, losses: 0 });
			},
		});
		runs = await made.run("agentic-rag-tracer:1", "planner");
	});
	afterAll(() => made?.close());

	test("Table 1: answers, as its script scores them and a judge", async () => {
		expectTable(await made.views("agentic-rag-tracer:1", runs), { golden: golden["agentic-rag-tracer:1"] });
	});

	test("Table 2: reached depth and steps", async () => {
		expectTable(await made.views("agentic-rag-tracer:2", runs), { golden: golden["agentic-rag-tracer:2"] });
	});

	test("Figures 2 and 3: what there is, and the k that is asked for", async () => {
		expectTable(await made.views("agentic-rag-tracer:figure-2"), {
			golden: { "4-hop comparison | tracer | number": 2, "2-hop inference | tracer | number": 2 },
		});
		expectTable(await made.views("agentic-rag-tracer:figure-3", runs), {
			golden: golden["agentic-rag-tracer:figure-3"],
		});
	});
});
