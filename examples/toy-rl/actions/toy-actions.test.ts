import { describe, expect, test } from "vitest";
import { agents, settingFor } from "#agents";
import { Evidence, Task } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { seededRandom } from "#scoring";
import { sha256 } from "#store";
import { createEnvironment } from "#training";
import { longTest } from "../../../test/long.ts";
import { createAdam } from "../adam.ts";
import { type ActionCondition, actionConditions } from "./conditions.ts";
import { forms, written } from "./moves.ts";
import { featureNames } from "./place.ts";
import { createPlays, readsRight } from "./plays.ts";
import { backward, createPass, drawPolicy, forward, parameterCount } from "./policy.ts";
import { type Rollout, rollOut } from "./rollout.ts";
import { runActionToy } from "./run-action-toy.ts";
import { toyTasks } from "./toy-task.ts";
import { paid, update } from "./update.ts";
import { createActionWorld } from "./world.ts";

const countries = 40;
const facts = [
	{
		kind: "capital",
		says: (n: number) => `The capital of Land${n} is City${n}.`,
		asks: (n: number) => `What is the capital of Land${n}?`,
		gives: (n: number) => `City${n}`,
	},
	{
		kind: "founder",
		says: (n: number) => `City${n} was founded by Person${n}.`,
		asks: (n: number) => `Who founded City${n}?`,
		gives: (n: number) => `Person${n}`,
	},
	{
		kind: "trade",
		says: (n: number) => `Person${n} worked as maker of thing${n}.`,
		asks: (n: number) => `What did Person${n} work as?`,
		gives: (n: number) => `maker of thing${n}`,
	},
];

/** Invented lands: a chain of two or three facts each, one passage a fact. */
const evidence = Array.from({ length: countries }, (_, n) =>
	facts.map(({ kind, says }) =>
		Evidence.parse({
			...{ kind: "passage", id: `${kind}#${n}`, document: `${kind}-${n}`, title: `${kind} ${n}`, language: "en" },
			...{ text: says(n), sha256: sha256(says(n)), provenance: { source: "invented" } },
		}),
	),
).flat();

const answer = (value: string) => ({ type: "string", value, accepted: [value] });
const tasks = Array.from({ length: countries }, (_, n) => {
	const hops = facts.slice(0, 2 + (n % 2)).map(({ kind, asks, gives }, at, all) => ({
		...{ id: kind, question: asks(n), modality: "text", evidence: [`${kind}#${n}`], answer: answer(gives(n)) },
		needs: at === 0 ? [] : [{ hop: facts[at - 1]?.kind, role: "bridge" }],
		last: all.length,
	}));
	const last = facts[hops.length - 1];
	return Task.parse({
		id: `land-${n}`,
		question: `What is at the end of the chain from Land${n}?`,
		answer: answer(last?.gives(n) ?? ""),
		chain: { hops, sink: last?.kind },
	});
});
const benchmark = { dir: ".", manifest: { name: "lands" }, tasks } as unknown as Parameters<
	typeof createActionWorld
>[0]["benchmark"];
const knowledge = fakeKnowledge(evidence, { name: "lands" });
const worldOf = () => createActionWorld({ benchmark, knowledge, most: { train: 16, test: 12 } });

const condition = (name: string, start: ActionCondition["start"]): ActionCondition => {
	const found = actionConditions().find((one) => one.name === name && one.start === start);
	if (!found) throw new Error(`no condition ${name}`);
	return found;
};
const environment = createEnvironment({
	benchmark,
	knowledge,
	agent: agents.tagged,
	setting: settingFor(agents.tagged),
});
const land = () => toyTasks(tasks).find(({ id }) => id === "land-1") ?? expect.fail("land-1 is not playable");

describe("training", () => {
	longTest("raises accuracy from what chance gives, with ratios of 1 at every first epoch", async () => {
		const { before, after, best, training } = await runActionToy(worldOf(), {
			seed: 1,
			condition: condition("full", "warm"),
			updates: 40,
			groups: 12,
		});
		expect(before.accuracy).toBeLessThan(0.45);
		expect(after.accuracy).toBeGreaterThan(0.7);
		expect(best.accuracy).toBeGreaterThanOrEqual(after.accuracy - 0.1);
		expect(after.format).toBeGreaterThan(0.9);
		expect(training.firstOff).toBeLessThan(1e-3);
		expect(training.ratio).toBeGreaterThan(1e-3);
		expect(training.curve).toHaveLength(40);
		expect(training.kept + training.allWrong).toBeCloseTo(1, 9);
	});

	longTest("the same seed gives the same run, another seed another, whatever was played before", async () => {
		const options = { condition: condition("without action", "cold"), updates: 3, groups: 4 };
		const world = worldOf();
		const strip = ({ ms: _ms, ...rest }: Awaited<ReturnType<typeof runActionToy>>) => rest;
		const first = strip(await runActionToy(world, { seed: 5, ...options }));
		const other = strip(await runActionToy(world, { seed: 6, ...options }));
		expect(strip(await runActionToy(world, { seed: 5, ...options }))).toEqual(first);
		expect(strip(await runActionToy(worldOf(), { seed: 5, ...options }))).toEqual(first);
		expect(other).not.toEqual({ ...first, seed: 6 });
	});

	test("a filter that keeps nothing leaves the policy as it was", async () => {
		const [policy, plays] = [drawPolicy(seededRandom(1)), createPlays(environment)];
		const options = { pass: createPass(policy), random: seededRandom(2), seed: 0 };
		const group: Rollout[] = [];
		while (group.length < 4) {
			const rollout = await rollOut(policy, { plays, task: land() }, options);
			if (rollout.end.outcome === 0) group.push(rollout);
		}
		const before = policy.parameters.slice();
		const given = { groups: [group], adam: createAdam(before.length) };
		const of = (filter: "paper" | "none") => update(policy, given, { reward: {}, filter, epochs: 2, rate: 0.01 });
		expect(of("paper")).toMatchObject({ kept: [], allWrong: 1, firstOff: 0 });
		expect(policy.parameters).toEqual(before);
		expect(of("none").kept).toEqual([0]);
	});
});

describe("an episode of the toy", () => {
	const clean = (action: "ask" | "repeat" | "stray" | "answer" | "look") => ({ action, form: "clean" as const });

	test("is the environment's: what it is paid is what the environment pays for the same words", async () => {
		const [task, plays] = [land(), createPlays(environment)];
		const play = plays.begin(task);
		await play.take(clean("ask"), 0);
		await play.take(clean("stray"), 0);
		await play.take(clean("ask"), 0);
		await play.take(clean("ask"), 0);
		expect(play.place).toMatchObject({ turn: 4, last: true, strays: 1, repeated: 0 });
		expect(readsRight(task, play.place)).toBe(0.85);
		const end = await play.take(clean("answer"), 0);
		for (const calls of ["all", "capped", "new"] as const) {
			const paying = createEnvironment({
				benchmark,
				knowledge,
				agent: agents.tagged,
				setting: settingFor(agents.tagged),
				reward: { calls, gamma: 0.5 },
			});
			const episode = await paying.open(task.id);
			const asked = [
				tasks[1]?.chain?.hops[0]?.question,
				task.irrelevant[0],
				tasks[1]?.chain?.hops[1]?.question,
				tasks[1]?.chain?.hops[2]?.question,
			];
			for (const one of asked) await episode.take(written(one, "clean", ""));
			await episode.take(written(undefined, "clean", end.end?.outcome === 1 ? task.right : task.wrong));
			expect(paid({ end: end.end ?? expect.fail("it is not over") }, { calls, gamma: 0.5 })).toBe(
				(await episode.reward()).value,
			);
		}
	});

	test("words behind an action cost the format, a broken action the turn", async () => {
		const task = land();
		for (const form of forms) {
			const play = createPlays(environment).begin(task);
			await play.take({ action: "ask", form }, 0);
			expect(play.place.asked).toHaveLength(form === "broken" ? 0 : 1);
			await play.take(clean("answer"), 0);
			expect(play.place.end).toMatchObject({
				format: form === "clean" ? 1 : 0,
				validCalls: form === "broken" ? 0 : 1,
				invalidCalls: form === "broken" ? 1 : 0,
			});
		}
	});

	test("the same moves are played once, and lead to the same place", async () => {
		const [task, plays] = [land(), createPlays(environment)];
		const walk = async () => {
			const play = plays.begin(task);
			for (const action of ["ask", "repeat", "answer"] as const) await play.take(clean(action), 3);
			return play.place;
		};
		const first = await walk();
		expect(first).toMatchObject({ repeated: 1, end: { validCalls: 2, newCalls: 1 } });
		expect(await walk()).toBe(first);
		expect(plays.counts).toEqual({ episodes: 2, playedEpisodes: 1, moves: 6, playedMoves: 3 });
	});

	test("environments of another T search nothing that was searched before", async () => {
		const world = worldOf();
		const [task] = world.test;
		for (const limit of [4, 3, 4])
			await world
				.plays(limit)
				.begin(task ?? land())
				.take(clean("ask"), 0);
		expect(world.searches).toEqual({ asked: 2, real: 1 });
	});

	test("what the policy sees holds nothing of the gold but the asker's progress", async () => {
		const [task, plays] = [land(), createPlays(environment)];
		const after = plays.begin(task);
		await after.take(clean("stray"), 0);
		const other = createPlays(environment).begin({
			...task,
			right: "x",
			hops: task.hops.map((hop) => ({ ...hop, evidence: new Set(["none"]) })),
		});
		await other.take(clean("stray"), 0);
		expect(other.place.features).toEqual(after.place.features);
		for (const play of [after, other]) await play.take(clean("ask"), 0);
		const differing = featureNames.filter((_, at) => other.place.features[at] !== after.place.features[at]);
		expect(differing).toEqual(["next sub-question was put before"]);
	});

	test("shares no cluster between the tasks to train on and those to test on", () => {
		const twins = tasks.map((task, at) => ({ ...task, cluster: `pair-${at >> 1}` }));
		const { train, test: held } = createActionWorld({ benchmark: { ...benchmark, tasks: twins }, knowledge });
		const clusters = (some: readonly { id: string }[]) =>
			new Set(some.map(({ id }) => twins.find((task) => task.id === id)?.cluster));
		expect(train.length + held.length).toBe(twins.length);
		expect([...clusters(train)].filter((cluster) => clusters(held).has(cluster))).toEqual([]);
	});
});

test("the policy's gradient is that of its log-probabilities by finite differences", () => {
	const random = seededRandom(9);
	const policy = drawPolicy(random, { hidden: 7 });
	for (const at of policy.parameters.keys()) policy.parameters[at] = 2 * random() - 1;
	const features = Float64Array.from({ length: 17 }, () => random());
	const pass = createPass(policy);
	const slopes: [number, number] = [0.7, -1.3];
	const [action, form] = [3, 1];
	const loss = () => {
		forward(policy, features, pass);
		return slopes[0] * (pass.logs[action] ?? Number.NaN) + slopes[1] * (pass.logs[5 + form] ?? Number.NaN);
	};
	const gradient = new Float64Array(parameterCount(7));
	loss();
	backward(policy, features, pass, { action, form, slopes, gradient });
	const step = 1e-5;
	let worst = 0;
	for (const [at, slope] of gradient.entries()) {
		const kept = policy.parameters[at] ?? Number.NaN;
		policy.parameters[at] = kept + step;
		const up = loss();
		policy.parameters[at] = kept - step;
		const down = loss();
		policy.parameters[at] = kept;
		const numeric = (up - down) / (2 * step);
		worst = Math.max(worst, Math.abs(slope - numeric) / Math.max(1e-3, Math.abs(slope), Math.abs(numeric)));
	}
	expect(worst).toBeLessThan(1e-4);
	expect(gradient.some((slope) => slope !== 0)).toBe(true);
});
