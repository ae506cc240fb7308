import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Item, questionOf } from "#domain";
import { ModelError } from "#models";
import { type Check, each, fail, gate, pass, runBuild, runRecipe, type Stage } from "#recipes";
import { longTest } from "../../../test/long.ts";
import { player } from "../../../test/support/recipes/player.ts";
import {
	asked,
	asking,
	recipeOf,
	rule,
	type Town,
	townInputs,
	townItem,
	townOf,
	townPrompt,
	towns,
	written,
} from "../../../test/support/recipes/towns.ts";
import { skipped } from "./check.ts";
import { across, eachWay, type Flow, together } from "./flow.ts";
import { grow } from "./grow.ts";
import { reworded } from "./new-item.ts";
import { repair } from "./repair.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-engine-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const asker = () =>
	player({
		"town-question": ({ material }) => ({ question: `How big is ${/Town \d+/.exec(material.passage ?? "")?.[0]}?` }),
	});
const numbers = (items: readonly Item[]) => items.map(townOf);
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index);
const lines = async (file: string) =>
	(await readFile(join(dir, file), "utf8"))
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));

/** Runs a flow over so many towns. */
const run = (count: number, flow: (source: Flow<void, Town>) => Flow<void, Item>, more: object = {}) =>
	runRecipe(
		recipeOf((inputs) => flow(towns(inputs)), Object.keys((more as { models?: object }).models ?? {})),
		townInputs(count),
		dir,
		{
			models: {},
			...more,
		},
	);

const rowOf = (funnel: { rows: { stage: string }[] }, stage: string) => funnel.rows.find((row) => row.stage === stage);

test("outputs come in the order of the inputs, whatever was done first", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 }),
			fc.integer({ min: 1, max: 9 }),
			async (delays, at) => {
				const slow: Stage<Town, Item> = {
					...written,
					async run(town) {
						await wait(delays[town.n]);
						return [{ is: "piece", piece: townItem(town) }];
					},
				};
				const { items } = await run(delays.length, (source) => source.to(slow), { together: at });
				expect(numbers(items)).toEqual(upTo(delays.length));
			},
		),
		{ numRuns: 15 },
	);
});

test("a fault quarantines, a drop is counted, and neither stops the others", async () => {
	const model = player({
		"town-question"({ material }, n) {
			const town = Number(/Town (\d+)/.exec(material.passage ?? "")?.[1]);
			if (town === 1) throw new ModelError("the provider is down");
			if (town === 2) return "no JSON at all";
			return { question: `How big is Town ${town}? (${n >= 0})` };
		},
	});
	const build = await run(5, (source) => source.to(asked).to(gate([rule("not-three", (n) => n !== 3)])), {
		models: { generator: model },
	});
	expect(numbers(build.items)).toEqual([0, 4]);
	expect(build.funnel).toMatchObject({ accepted: 2, faults: 2, complete: true });
	expect(rowOf(build.funnel, "ask")).toMatchObject({ in: 5, out: 3, faults: 2, dropped: {} });
	expect(rowOf(build.funnel, "not-three")).toMatchObject({ in: 3, out: 2, failed: 1, dropped: { other: 1 } });
	expect((await lines("faults.jsonl")).map(({ input }) => input).sort()).toEqual(["town#1", "town#2"]);
	expect(await lines("dropped.jsonl")).toMatchObject([
		{ stage: "not-three", reason: "other", question: expect.stringContaining("Town 3") },
	]);
	// what failed waits: the next run asks for it alone
	const mended = asker();
	const second = await run(5, (source) => source.to(asked).to(gate([rule("not-three", (n) => n !== 3)])), {
		models: { generator: { ...mended, id: model.id } },
	});
	expect(numbers(second.items)).toEqual([0, 1, 2, 4]);
	expect(mended.asked["town-question"]).toBe(2);
	expect(rowOf(second.funnel, "ask")).toMatchObject({ in: 5, reused: 3, faults: 0 });
});

test("ten failures of a model in a row stop the run, whatever free stages do in between", async () => {
	const model = player({
		"town-question"() {
			throw new ModelError("the key is wrong");
		},
	});
	await expect(
		run(50, (source) => source.to(asked).to(gate([rule("any", () => true)])), { models: { generator: model } }),
	).rejects.toMatchObject({ code: "model-failing" });
	expect(model.asked["town-question"]).toBeLessThan(30);
	expect(JSON.parse(await readFile(join(dir, "funnel.json"), "utf8"))).toMatchObject({ complete: false, accepted: 0 });
});

test("a second run asks nothing; other models, settings of a stage, and versions do", async () => {
	const first = asker();
	const before = await run(4, (source) => source.to(asked), { models: { generator: first } });
	expect(first.asked["town-question"]).toBe(4);
	const again = asker();
	const after = await run(4, (source) => source.to(asked), { models: { generator: again } });
	expect(again.asked).toEqual({});
	expect(after.items).toEqual(before.items);
	for (const changed of [{ version: 2 }, { params: { limit: 3 } }]) {
		const other = asker();
		await run(4, (source) => source.to({ ...asked, ...changed }), { models: { generator: other } });
		expect(other.asked["town-question"]).toBe(4);
	}
	const stranger = player({ "town-question": () => ({ question: "How big is Town 0?" }) }, { id: "stranger" });
	await run(4, (source) => source.to(asked), { models: { generator: stranger } });
	expect(stranger.asked["town-question"]).toBe(4);
});

test("over other contents of the inputs nothing that was kept counts", async () => {
	for (const [knowledge, expected] of [
		["before", 4],
		["before", undefined],
		["after", 4],
	] as const) {
		const model = asker();
		await run(4, (source) => source.to(asked), { models: { generator: model }, inputHashes: { knowledge } });
		expect(model.asked["town-question"], knowledge).toBe(expected);
	}
});

test("an input that comes several times at once is asked for once", async () => {
	const model = asker();
	const thrice: Stage<Town, Town> = {
		...{ kind: "extract", name: "thrice", version: 1, output: z.custom<Town>() },
		run: (town) => [town, town, town].map((piece) => ({ is: "piece", piece: { ...piece, id: "town#0" } })),
	};
	const { funnel } = await run(1, (source) => source.to(thrice).to(asked), { models: { generator: model } });
	expect(model.asked["town-question"]).toBe(1);
	expect(rowOf(funnel, "ask")).toMatchObject({ in: 3, reused: 2, out: 3 });
	expect(rowOf(funnel, "accepted")).toMatchObject({ in: 3, out: 1, dropped: { duplicate: 2 } });
});

test("foreign outcomes in the journal are made anew, and no reason that is none comes into the funnel", async () => {
	await run(3, (source) => source.to(asked), { models: { generator: asker() } });
	const kept = (await lines("journal.jsonl")) as { key: string }[];
	const foreign = [[{ is: "drop", reason: "__proto__" }], [null, 7], [{ is: "other", piece: {} }]];
	const text = kept.map((line, n) => JSON.stringify({ ...line, outcomes: foreign[n] }));
	await writeFile(join(dir, "journal.jsonl"), ["{}", "no JSON", ...text, ""].join("\n"));
	const model = asker();
	const { items, funnel } = await run(3, (source) => source.to(asked), { models: { generator: model } });
	expect(numbers(items)).toEqual([0, 1, 2]);
	expect(model.asked["town-question"]).toBe(3);
	expect(rowOf(funnel, "ask")).toMatchObject({ in: 3, out: 3, dropped: {}, reused: 0 });
});

test("what no model could say, a mistake in a stage, ends the run as itself and keeps what was asked", async () => {
	const model = asker();
	const wrong: Stage<Item, Item> = {
		...{ kind: "annotate", name: "wrong", version: 1, output: z.custom<Item>() },
		run(item) {
			if (townOf(item) === 2) throw new TypeError("a mistake");
			return [{ is: "piece", piece: item }];
		},
	};
	await expect(
		run(9, (source) => source.to(asked).to(wrong), { models: { generator: model }, together: 2 }),
	).rejects.toThrow("a mistake");
	expect(await lines("faults.jsonl")).toEqual([]);
	const before = (await lines("journal.jsonl")).length;
	const again = asker();
	await run(9, (source) => source.to(asked), { models: { generator: again } });
	expect(again.asked["town-question"]).toBe(9 - before);
});

test("a setting that the recipe does not know is refused, whatever its schema would do", async () => {
	await expect(run(1, (source) => source.to(written), { params: { depht: 3 } })).rejects.toMatchObject({
		code: "bad-setting",
		message: expect.stringContaining("depht"),
	});
});

test("an outcome of a prompt that the stage does not name is not kept", async () => {
	const careless: Stage<Town, Item> = { ...asked, calls: [{ role: "generator", each: 1, prompt: "another" }] };
	for (const _ of [1, 2]) {
		const model = asker();
		await run(2, (source) => source.to(careless), { models: { generator: model } });
		expect(model.asked["town-question"]).toBe(2);
	}
});

test("a torn line of the journal is done again, alone", async () => {
	await run(4, (source) => source.to(asked), { models: { generator: asker() } });
	const file = join(dir, "journal.jsonl");
	const kept = await readFile(file, "utf8");
	await writeFile(file, kept.slice(0, -40));
	const model = asker();
	const { items } = await run(4, (source) => source.to(asked), { models: { generator: model } });
	expect(numbers(items)).toEqual([0, 1, 2, 3]);
	expect(model.asked["town-question"]).toBe(1);
});

test("two runs of one folder at once: one of them is refused, whichever came first", async () => {
	let open = () => {};
	const refused = new Promise<void>((resolve) => {
		open = resolve;
	});
	const held: Stage<Town, Item> = {
		...written,
		async run(town) {
			await refused;
			return [{ is: "piece", piece: townItem(town) }];
		},
	};
	const both = [1, 2].map(() =>
		run(2, (source) => source.to(held)).catch((error) => {
			open();
			throw error;
		}),
	);
	const ended = await Promise.allSettled(both);
	const [failed] = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
	const [done] = ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
	expect(failed).toMatchObject({ code: "folder-in-use" });
	expect(done?.items).toHaveLength(2);
});

test("stops at so many items, and asks little for more", async () => {
	const model = asker();
	const { items, funnel } = await run(200, (source) => source.to(asked), {
		models: { generator: model },
		items: 3,
		together: 4,
	});
	expect(numbers(items)).toEqual([0, 1, 2]);
	expect(model.asked["town-question"]).toBeLessThan(12);
	expect(funnel).toMatchObject({ accepted: 3, faults: 0, complete: true });
});

test("a bound on calls ends the run without a fault, and what was asked is kept", async () => {
	const first = asker();
	await expect(
		run(10, (source) => source.to(asked), { models: { generator: first }, maxCalls: 4 }),
	).rejects.toMatchObject({ code: "budget" });
	expect(first.asked["town-question"]).toBe(4);
	expect(await lines("faults.jsonl")).toEqual([]);
	const second = asker();
	expect((await run(10, (source) => source.to(asked), { models: { generator: second } })).items).toHaveLength(10);
	expect(second.asked["town-question"]).toBe(6);
});

test("an abort ends the run without a fault", async () => {
	const controller = new AbortController();
	const model = player({
		"town-question"(_, n) {
			if (n === 3) controller.abort();
			return { question: `How big is Town ${n}?` };
		},
	});
	await expect(
		run(50, (source) => source.to(asked), { models: { generator: model }, signal: controller.signal }),
	).rejects.toMatchObject({ name: "AbortError" });
	expect(model.asked["town-question"]).toBeLessThan(15);
	expect(await lines("faults.jsonl")).toEqual([]);
});

describe("gates", () => {
	const even = rule("even", (n) => n % 2 === 0);
	const third = rule("third", (n) => n % 3 === 0);
	const blind: Check = {
		kind: "probe",
		name: "blind",
		version: 1,
		calls: [{ role: "solver", each: 1 }],
		look: () => pass(),
	};
	test.each([
		["all", {}, [0, 6]],
		["all, flagged", { onFail: "flag" as const }, upTo(10)],
	])("%s", async (_, options, expected) => {
		const { items, funnel } = await run(10, (source) => source.to(written).to(gate([even, third, blind], options)));
		expect(numbers(items)).toEqual(expected);
		for (const item of items) expect(item.checks.at(-1)).toMatchObject({ check: "blind", verdict: "skipped" });
		for (const { stage, kind, in: came, out, failed, skipped: passedBy, faults } of funnel.rows)
			if (kind === "check" || kind === "probe")
				expect([stage, out + failed + passedBy + faults]).toEqual([stage, came]);
	});
	test("a check that is not for an item leaves no record", async () => {
		const { items } = await run(3, (source) => source.to(written).to(gate([{ ...even, concerns: () => false }])));
		expect(items.map(({ checks }) => checks)).toEqual([[], [], []]);
	});
	test("with every check skipped nothing can be demanded", async () => {
		const { items } = await run(2, (source) => source.to(written).to(gate([blind])));
		expect(items).toHaveLength(2);
	});
});

describe("repair", () => {
	const long: Check = {
		...{ kind: "check", name: "long-enough", version: 1 },
		look: (item) => (questionOf(item).length >= 30 + 3 * townOf(item) ? pass() : fail("fluency", "too short")),
	};
	const longer: Stage<{ item: Item; round: number }, Item> = {
		...{ kind: "rewrite", name: "lengthen", version: 1, output: z.custom<Item>() },
		run: ({ item, round }) => [
			{
				is: "piece",
				piece: reworded(item, { text: `${questionOf(item)} ${round}ABC`, by: "lengthen", why: "fluency" }),
			},
		],
	};
	test("rewrites until it passes, keeps every verdict and wording, and drops what it cannot mend", async () => {
		const { items, funnel } = await run(9, (source) =>
			source.to(written).to(repair({ check: long, rewrite: longer, rounds: 2 })),
		);
		expect(
			items.map(({ questions, checks }) => [questions.length, checks.map(({ verdict }) => verdict).join()]),
		).toEqual(
			[
				[1, "pass"],
				[2, "fail,pass"],
				[2, "fail,pass"],
				[3, "fail,fail,pass"],
				[3, "fail,fail,pass"],
			].slice(0, items.length),
		);
		expect(items.length).toBeGreaterThan(2);
		const looked = rowOf(funnel, "long-enough") as unknown as Record<string, number> & {
			dropped: Record<string, number>;
		};
		expect(looked).toMatchObject({ dropped: { fluency: 9 - items.length } });
		expect(looked.in).toBe((looked.out ?? 0) + (looked.failed ?? 0));
		expect((rowOf(funnel, "lengthen") as unknown as { in: number }).in).toBe((looked.failed ?? 0) - (9 - items.length));
	});
	test("what is skipped is not rewritten", async () => {
		const { items, funnel } = await run(2, (source) =>
			source
				.to(written)
				.to(repair({ check: { ...long, look: () => skipped("no model") }, rewrite: longer, rounds: 2 })),
		);
		expect(items).toHaveLength(2);
		expect(rowOf(funnel, "lengthen")).toMatchObject({ in: 0 });
	});
});

longTest("growth is bounded in depth, proposals and beam, and its stages count what they did", async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat(3), fc.nat(3), fc.nat(4), fc.nat(5), async (depth, perHop, beam, given) => {
			const expand: Stage<Item, { id: string }> = {
				...{ kind: "expand", name: "propose", version: 1, output: z.object({ id: z.string() }) },
				run: () => upTo(given).map((n) => ({ is: "piece", piece: { id: String(n) } })),
			};
			const compose: Stage<{ item: Item; proposal: { id: string }; depth: number }, Item> = {
				...{ kind: "compose", name: "extend", version: 1, output: z.custom<Item>() },
				run: ({ item, proposal, depth: at }) => [
					{ is: "piece", piece: { ...item, id: `${item.id}/${at}.${proposal.id}` } },
				],
			};
			const { items, funnel } = await run(2, (source) =>
				source.to(written).to(grow({ expand, compose, gate: gate([]), depth, perHop, beam })),
			);
			const depths = items.map(({ id }) => id.split("/").length - 1);
			for (const at of upTo(depth + 2))
				expect(depths.filter((one) => one === at).length).toBeLessThanOrEqual(at === 0 || at > depth ? 0 : 2 * beam);
			const row = rowOf(funnel, "propose") as unknown as Record<string, number>;
			expect((row.in ?? 0) + (row.spread ?? 0)).toBe((row.out ?? 0) + (row.empty ?? 0));
		}),
		{ numRuns: 25 },
	);
});

test("ways, stages over all, and flows behind one another", async () => {
	const backwards = {
		kind: "annotate",
		name: "backwards",
		version: 1,
		run: (items: readonly Item[]) =>
			[...items]
				.reverse()
				.map((piece) =>
					townOf(piece) === 0
						? { is: "drop" as const, reason: "duplicate" as const, id: piece.id }
						: { is: "piece" as const, piece },
				),
	} as const;
	const plain = each<Town, Item>({
		...written,
		name: "plain",
		run: (town) => (town.n % 2 === 0 ? [{ is: "piece", piece: townItem(town) }] : []),
	});
	const loud = each<Town, Item>({
		...written,
		name: "loud",
		run: (town) => (town.n % 2 === 0 ? [] : [{ is: "piece", piece: townItem(town, `HOW BIG IS Town ${town.n}?`) }]),
	});
	const { items, funnel } = await run(4, (source) => source.to(eachWay(plain, loud)).to(across(backwards)));
	expect(items.map(questionOf)).toEqual([
		"HOW BIG IS Town 3?",
		"How many inhabitants has Town 2?",
		"HOW BIG IS Town 1?",
	]);
	expect(rowOf(funnel, "backwards")).toMatchObject({ in: 4, out: 3, dropped: { duplicate: 1 } });
	const both = recipeOf((inputs) => together(asking(inputs), towns({ ...inputs }).to(written)));
	await expect(runBuild(both, townInputs(1), dir, { models: {} })).rejects.toThrow('two stages called "towns"');
});

test("what broke its graph, repeats an id or rests on nothing is not accepted", async () => {
	const breaking: Stage<Item, Item> = {
		...{ kind: "annotate", name: "break", version: 1, output: z.custom<Item>() },
		run(item) {
			const [hop] = item.chain.hops;
			const n = townOf(item);
			if (!hop) return [];
			const mended =
				{ 0: { ...hop, needs: [{ hop: "h1", role: "bridge" as const }] }, 1: { ...hop, evidence: ["nowhere"] } }[n] ??
				hop;
			const piece = {
				...item,
				...(n === 3 ? { id: "same" } : {}),
				...(n === 4 ? { id: "same" } : {}),
				chain: { ...item.chain, hops: n === 2 ? [] : [mended] },
			};
			return [{ is: "piece", piece }];
		},
	};
	const { items, funnel } = await run(6, (source) => source.to(written).to(breaking));
	expect(numbers(items)).toEqual([3, 5]);
	expect(rowOf(funnel, "break")).toMatchObject({ in: 6, out: 4, dropped: { broken_graph: 2 } });
	expect(rowOf(funnel, "accepted")).toMatchObject({ in: 4, out: 2, dropped: { broken_graph: 1, duplicate: 1 } });
});

test("every stage accounts for what came to it", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom("one", "two", "none", "drop", "fault", "fail"), { maxLength: 20 }),
			async (fates) => {
				const fate: Stage<Town, Item> = {
					...{
						kind: "compose",
						name: "fate",
						version: 1,
						params: fates,
						output: z.custom<Item>(),
						calls: [{ role: "generator", each: 1, prompt: townPrompt.hash }],
					},
					async run(town, context) {
						const piece = townItem(town);
						if (fates[town.n] === "fault") await context.ask("generator", townPrompt, { passage: town.text });
						if (fates[town.n] === "none") return [];
						if (fates[town.n] === "drop") return [{ is: "drop", reason: "dead_end" }];
						return [
							{ is: "piece", piece },
							...(fates[town.n] === "two" ? [{ is: "piece" as const, piece: { ...piece, id: `${piece.id}b` } }] : []),
						];
					},
				};
				const model = player({ "town-question": () => "nothing to read" });
				const { items, funnel } = await run(
					fates.length,
					(source) => source.to(fate).to(gate([rule("fate-rule", (n) => fates[n] !== "fail")])),
					{ models: { generator: model } },
				);
				const kept = fates.flatMap((one, n) => (one === "two" ? [n, n] : one === "one" ? [n] : []));
				expect(numbers(items)).toEqual(kept);
				for (const row of funnel.rows) {
					const drops = Object.values(row.dropped).reduce((sum, one) => sum + one, 0);
					if (row.kind === "check")
						expect(row.in).toBe(row.out + row.failed + row.skipped + row.notApplicable + row.faults);
					else expect(row.in + row.spread).toBe(row.out + drops + row.empty + row.faults);
				}
			},
		),
		{ numRuns: 25 },
	);
});
