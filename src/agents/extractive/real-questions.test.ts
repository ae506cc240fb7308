import { existsSync } from "node:fs";
import { expect } from "vitest";
import { agents } from "#agents";
import { formats } from "#benchmarks";
import { viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { scoreTrajectory } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { createPool } from "../pool.ts";

const file = "../shared/data/morehopqa/morehopqa_150.json";

// The agent knows nothing of any data set: real questions that it was not made for keep it honest: they ask for what its few rules seldom reach.
longTest.skipIf(!existsSync(file))("answers some of MoreHopQA, and the oracle no fewer", async () => {
	const reading = await formats.morehopqa?.read?.([file]);
	const tasks = reading?.tasks ?? [];
	const passages = reading?.evidence.filter((one) => one.kind === "passage") ?? [];
	expect(passages).toHaveLength(235);
	const byId = new Map(passages.map((passage) => [passage.id, passage]));
	const knowledge = {
		evidence: async (id: string) => byId.get(id),
		file: async () => undefined,
	} as unknown as KnowledgeBase;
	const pool = createPool(passages);
	const accuracy = async (name: "extractive" | "oracle") => {
		let right = 0;
		for (const task of tasks) {
			const trajectory = await agents[name].answer(viewOf(task), {
				tools: pool,
				knowledge,
				setting: { name: "test", k: 3 },
				signal: new AbortController().signal,
				repeat: 0,
				imagePath: (path) => path,
				...(name === "oracle" ? { gold: task } : {}),
			});
			expect(trajectory.error).toBeUndefined();
			if (scoreTrajectory(task, trajectory).outcome === "right") right += 1;
		}
		return right / tasks.length;
	};
	const found = await accuracy("extractive");
	expect(found).toBeGreaterThan(0.02);
	expect(await accuracy("oracle")).toBeGreaterThanOrEqual(found);
});
