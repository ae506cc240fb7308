import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedAcross, type splitLinks, splitTasks, withSplit } from "#benchmarks";
import { Task } from "#domain";
import { keysOf, taskLinks } from "./linked.ts";

const reading = { words: (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [] };
const answer = (value: string) => ({ type: "string", value, accepted: [value] }) as const;

function task(id: string, shared: { evidence?: string; ladder?: string; type?: string; answer?: string } = {}): Task {
	const { evidence = `e-${id}`, ladder, type = "bridge" } = shared;
	const own = answer(shared.answer ?? id);
	return Task.parse({
		...{ id, question: `What of ${id}?`, answer: own, tags: { language: "en", questionType: type } },
		chain: {
			hops: [{ id: "1", question: `Which ${id}?`, modality: "text", evidence: [evidence], answer: own }],
			sink: "1",
		},
		...(ladder === undefined ? {} : { ladder: { id: ladder, level: 1 } }),
	});
}

const tasks = fc
	.array(
		fc.record({
			evidence: fc.integer({ min: 0, max: 40 }).map((n) => `e${n}`),
			ladder: fc.option(
				fc.integer({ min: 0, max: 10 }).map((n) => `l${n}`),
				{ nil: undefined },
			),
			type: fc.constantFrom("bridge", "comparison", "arithmetic"),
		}),
		{ maxLength: 60 },
	)
	.map((list) =>
		list.map(({ ladder, ...one }, at) => task(`t${at}`, { ...one, ...(ladder === undefined ? {} : { ladder }) })),
	);

describe("a split", () => {
	test("never parts what is linked, takes every task once, whatever the order", () => {
		fc.assert(
			fc.property(tasks, fc.integer({ min: 0, max: 5 }), fc.nat(), (list, seed, turn) => {
				const split = splitTasks(list, { reading, seed });
				expect([...split.of.keys()].sort()).toEqual(list.map(({ id }) => id).sort());
				const partOf = (one: Task) => split.of.get(one.id);
				for (const a of list)
					for (const b of list) {
						const [x, y] = [a.chain?.hops[0]?.evidence[0], b.chain?.hops[0]?.evidence[0]];
						if (x === y || (a.ladder && a.ladder.id === b.ladder?.id)) expect(partOf(a)).toBe(partOf(b));
					}
				const counted = split.parts.reduce((sum, part) => sum + part.tasks, 0);
				expect(counted).toBe(list.length);
				expect(split.strata.reduce((sum, row) => sum + row.tasks, 0)).toBe(list.length);
				const turned = [...list.slice(turn % (list.length + 1)), ...list.slice(0, turn % (list.length + 1))].reverse();
				const again = splitTasks(turned, { reading, seed });
				expect([...again.of].sort()).toEqual([...split.of].sort());
				expect(again.strata).toEqual(split.strata);
			}),
			{ numRuns: 60 },
		);
	});

	test("of tasks that share nothing reaches the weights in every stratum", () => {
		const list = Array.from({ length: 300 }, (_, at) =>
			task(`t${at}`, { type: at % 3 === 0 ? "comparison" : "bridge" }),
		);
		const { parts, strata, deviation, clusters } = splitTasks(list, { reading });
		expect(parts.map((part) => [part.name, part.tasks])).toEqual([
			["train", 210],
			["validation", 30],
			["test", 60],
		]);
		expect(strata.map(({ counts }) => counts)).toEqual([
			[140, 20, 40],
			[70, 10, 20],
		]);
		expect({ deviation, oversized: clusters.oversized }).toEqual({ deviation: 0, oversized: [] });
	});

	test("another seed is another split; the same is the same", () => {
		const list = Array.from({ length: 60 }, (_, at) => task(`t${at}`));
		const of = (seed: number) => JSON.stringify([...splitTasks(list, { reading, seed }).of]);
		expect(of(1)).toBe(of(1));
		expect(of(1)).not.toBe(of(2));
	});

	test("tells a group too large to be placed as wanted, and what ties it", () => {
		const list = Array.from({ length: 40 }, (_, at) => task(`t${at}`, at < 30 ? { evidence: "hub" } : {}));
		const { clusters, deviation } = splitTasks(list, {
			reading,
			parts: [
				{ name: "a", weight: 1 },
				{ name: "b", weight: 1 },
			],
		});
		expect(clusters.oversized).toEqual([{ tasks: 30, part: "a", ties: [{ key: "evidence hub", tasks: 30 }] }]);
		expect(deviation).toBeCloseTo(0.25);
	});

	test("writes its part as a tag and leaves the tasks that it was given", () => {
		const list = [task("a"), task("b")];
		const split = splitTasks(list, { reading, parts: [{ name: "all", weight: 1 }] });
		expect(list.map((one) => withSplit(one, split).tags.split)).toEqual(["all", "all"]);
		expect(list[0]?.tags.split).toBeUndefined();
	});

	test("of nothing is nothing", () => {
		expect(splitTasks([], { reading })).toMatchObject({ deviation: 0, strata: [], clusters: { count: 0 } });
	});
});

test("links: evidence joins by place, a fact only with its answer, answers only where asked for", () => {
	const list = [
		task("a", { evidence: "table" }),
		task("b", { evidence: "table" }),
		task("c", { answer: "x" }),
		task("d", { answer: "x" }),
	];
	const clustersOf = (tasks: Task[], links: readonly (typeof splitLinks)[number][]) => {
		const linked = taskLinks();
		for (const one of tasks) linked.add(keysOf(one, links, reading).map(({ key }) => key));
		return linked.clusters(tasks.keys()).length;
	};
	const count = (...links: (typeof splitLinks)[number][]) => clustersOf(list, links);
	const supported = ["a", "b"].map((id): Task => ({ ...(list[2] as Task), id, supporting: ["table"] }));
	expect(
		clustersOf(
			supported.map(({ chain: _chain, ...rest }) => rest),
			["evidence"],
		),
	).toBe(1);
	expect([count("evidence"), count("fact"), count("answer"), count("evidence", "answer"), count()]).toEqual([
		3, 4, 3, 2, 4,
	]);
});

test("what crosses a split is counted by the tasks that share it with another part", async () => {
	const list = [
		task("a", { evidence: "table", answer: "one" }),
		task("b", { evidence: "table", answer: "two" }),
		task("c", { evidence: "table", answer: "three" }),
		task("d", { answer: "one" }),
	];
	const of = new Map([
		["a", "train"],
		["b", "train"],
		["c", "test"],
		["d", "test"],
	]);
	expect(await sharedAcross(list, { of }, reading)).toEqual({
		evidence: { train: 2, test: 1 },
		answer: { train: 1, test: 1 },
	});
	expect(await sharedAcross(list, { of: new Map(list.map(({ id }) => [id, "train"])) }, reading)).toEqual({});
});
