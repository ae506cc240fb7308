import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agents, settingFor } from "#agents";
import { type Benchmark, openBenchmark } from "#benchmarks";
import type { Task } from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { scoreTrajectory } from "#scoring";
import { hostilePlays, poisoned, remembering, tryAgent } from "./agent-trial.ts";
import { atlasFixture } from "./atlas.ts";
import { isLong } from "./long.ts";
import { makeSmallWorld } from "./small-world.ts";
import { players } from "./support/agents/scripted-models/index.ts";
import type { Player } from "./support/agents/scripted-models/scripted-model.ts";

/** The whole Atlas and every hostile play in the long tests; else a small world, and every sixth play in turn. */
const place = mkdtempSync(join(tmpdir(), "hopscope-agents-"));

let benchmark: Benchmark;
let knowledge: KnowledgeBase;
let tasks: Task[];
beforeAll(async () => {
	const made = isLong ? await atlasFixture() : await makeSmallWorld(place, { countries: 2 });
	benchmark = await openBenchmark(made.benchmark);
	knowledge = await openKnowledge(made.knowledge);
	knowledge = { ...remembering(knowledge), close: knowledge.close };
	tasks = benchmark.tasks;
});
afterAll(async () => {
	await knowledge.close();
	rmSync(place, { recursive: true, force: true });
});

const asked = Object.values(agents).filter((agent) => agent.needs.model !== "none");
const silent = Object.values(agents).filter((agent) => agent.needs.model === "none");

function playerOf(name: string): Player {
	const player = players[name];
	if (!player) throw new Error(`nobody plays the model of ${name}`);
	return player;
}

test("every agent that asks a model has a player, and says what it is", () => {
	expect(Object.keys(players).sort()).toEqual(asked.map(({ name }) => name).sort());
	for (const agent of Object.values(agents)) {
		expect(agent.card, agent.name).toBeDefined();
		expect(Object.keys(agent.settings ?? {}).length, agent.name).toBeGreaterThan(0);
		if (agent.needs.model !== "none") expect(agent.promptHash, agent.name).toMatch(/^[0-9a-f]{64}$/);
	}
	const hashes = asked.map(({ promptHash }) => promptHash);
	expect(new Set(hashes).size).toBeGreaterThan(hashes.length / 2);
	expect(readFileSync(new URL("../docs/agents.md", import.meta.url), "utf8")).toContain("message form");
});

describe("a competent model", { tags: "longer", timeout: isLong ? 3_600_000 : 120_000 }, () => {
	for (const agent of asked) {
		const player = playerOf(agent.name);
		test(agent.name, async () => {
			const setting = settingFor(agent);
			// agents take turns, so that each task of the Atlas meets a third of them
			const some = isLong ? tasks.filter((_, at) => at % 3 === asked.indexOf(agent) % 3) : tasks;
			const plays = player.competent;
			const trials = await tryAgent(agent, { tasks: some, plays, benchmark, knowledge });
			expect(trials).toHaveLength(some.length);
			const most = agent.card?.mostCalls(setting) ?? 0;
			for (const { trajectory, calls, task } of trials) {
				expect(trajectory.error, task.id).toBeUndefined();
				expect(calls, task.id).toBeLessThanOrEqual(most);
				expect(trajectory.usage.calls).toBe(calls);
			}
			const right = trials.filter(({ task, trajectory }) => {
				const { accuracy } = scoreTrajectory(task, trajectory).scores;
				return accuracy?.is === "scored" && accuracy.value === 1;
			});
			// a chain longer than a protocol's budget is cut short; whoever plays it then answers anyway or not at all
			expect(right.length / trials.length).toBeGreaterThanOrEqual(0.8);
		});
	}
});

describe("hostile models", { tags: "longer", timeout: isLong ? 3_600_000 : 120_000 }, () => {
	for (const agent of asked) {
		const player = playerOf(agent.name);
		test(agent.name, async () => {
			const most = agent.card?.mostCalls(settingFor(agent)) ?? 0;
			const all = hostilePlays(player);
			for (const [index, { name, plays }] of all.entries()) {
				// agents take turns, so that each play meets a sixth of them
				if (!isLong && (index + asked.indexOf(agent)) % 6 !== 0) continue;
				const some = isLong
					? tasks.filter((_, at) => at % all.length === index)
					: tasks.slice(index % tasks.length, (index % tasks.length) + 1);
				const trials = await tryAgent(agent, { tasks: some, plays, benchmark, knowledge });
				for (const { trajectory, calls } of trials) {
					expect(calls, name).toBeLessThanOrEqual(most);
					expect(trajectory.answer === null || trajectory.stop === "answered", name).toBe(true);
					expect(trajectory.stop === "error", name).toBe(trajectory.error !== undefined);
					expect(JSON.stringify(trajectory).length, name).toBeLessThan(40_000_000);
				}
			}
		});
		test(`${agent.name}: a server that hangs`, async () => {
			const plays = () => ({ is: "hang" }) as const;
			const [trial] = await tryAgent(agent, { tasks: tasks.slice(0, 1), plays, benchmark, knowledge, timeoutMs: 50 });
			expect(trial?.trajectory).toMatchObject({ stop: "error", answer: null, error: { boundary: "model" } });
		});
		test(`${agent.name}: documents that give orders`, async () => {
			const plays = player.competent;
			const trials = await tryAgent(agent, {
				tasks: tasks.slice(0, 5),
				plays,
				benchmark,
				knowledge: poisoned(knowledge),
			});
			for (const { trajectory, said } of trials) {
				expect(trajectory.answer ?? "").not.toContain("HIJACKED");
				expect(trajectory.stop).toBe("answered");
				const told = said.flat().filter(({ role }) => role !== "assistant");
				for (const { text } of told) expect(text).not.toMatch(/<(answer|End|tool_call)>\s*(HIJACKED|\{"name": "final)/);
			}
		});
	}
});

describe("requests share their beginning byte for byte", { tags: "longer" }, () => {
	test.each(asked.map((agent) => [agent.name, agent] as const))("%s", async (name, agent) => {
		const plays = playerOf(name).competent;
		const trials = await tryAgent(agent, { tasks: tasks.slice(0, 4), plays, benchmark, knowledge });
		// the instructions are the same for every task and at every time
		expect(new Set(trials.map(({ wire }) => wire[0]?.[0])).size).toBe(1);
		for (const { wire } of trials)
			for (const [n, later] of wire.entries()) {
				// of the requests before it that opened as it does, the longest is where it goes on from
				const opening = (messages: string[]) => messages.slice(0, 2).join();
				const before = wire.slice(0, n).filter((earlier) => opening(earlier) === opening(later));
				const longest = before.sort((a, b) => b.length - a.length)[0] ?? [];
				expect(later.slice(0, longest.length)).toEqual(longest);
			}
	});
});

describe("without a model", { tags: "longer" }, () => {
	test.each(silent.map((agent) => [agent.name, agent] as const))("%s", async (_, agent) => {
		const plays = () => ({ is: "status", status: 500 }) as const;
		for (const { trajectory, calls } of await tryAgent(agent, { tasks, plays, benchmark, knowledge })) {
			expect(calls).toBe(0);
			expect(trajectory.error).toBeUndefined();
		}
	});
});
