import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agents, settingFor } from "#agents";
import { type Benchmark, openBenchmark } from "#benchmarks";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { chainExamples, spokenProtocols, walkedSettings } from "#training";
import { atlasFixture } from "../atlas.ts";
import { longDescribe, longTest } from "../long.ts";
import { makeSmallWorld } from "../small-world.ts";
import { replayed } from "./replay.ts";

interface World {
	benchmark: Benchmark;
	knowledge: KnowledgeBase;
}

/** Every conversation of a protocol, said again by the agent; how many there are. */
async function replayAll(name: string, { benchmark, knowledge }: World, tasks = benchmark.tasks): Promise<number> {
	const agent = agents[name as keyof typeof agents];
	const setting = settingFor(agent, { name: walkedSettings[name] });
	const { examples } = await chainExamples({ benchmark, tasks, knowledge, agent, setting, evidence: "gold" });
	for (const example of examples) {
		const { written, made, trajectory, accuracy } = await replayed(example, { benchmark, knowledge, agent, setting });
		const about = `${name} ${example.task}`;
		expect([about, made]).toEqual([about, written]);
		expect([about, trajectory.stop, accuracy]).toMatchObject([about, "answered", { is: "scored", value: 1 }]);
		expect(
			trajectory.steps.flatMap(({ dropped = 0, malformed = [] }) => [...(dropped ? [dropped] : []), ...malformed]),
		).toEqual([]);
	}
	return examples.length;
}

describe("a hand-made benchmark", () => {
	let dir: string;
	let world: World;
	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "hopscope-replay-"));
		const made = await makeSmallWorld(dir, { countries: 4 });
		world = { benchmark: await openBenchmark(made.benchmark), knowledge: await openKnowledge(made.knowledge) };
	});
	afterAll(async () => {
		await world.knowledge.close();
		await rm(dir, { recursive: true, force: true });
	});

	describe.each(
		spokenProtocols.map((name, index) => [name, index % 3 === 0 ? test : longTest] as const),
	)("%s", (name, run) => {
		run("the agent makes the calls of each conversation, and is right", async () => {
			expect(await replayAll(name, world)).toBeGreaterThan(3);
		});
	});
});

longDescribe("the Atlas", () => {
	test.each(spokenProtocols)("%s", async (name) => {
		const { benchmark, knowledge } = await atlasFixture();
		const world = { benchmark: await openBenchmark(benchmark), knowledge: await openKnowledge(knowledge) };
		try {
			const tasks = world.benchmark.tasks.filter((_, at) => at % 4 === 0);
			expect(await replayAll(name, world, tasks)).toBeGreaterThan(10);
		} finally {
			await world.knowledge.close();
		}
	}, 300_000);
});
