import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkbench, type Studio } from "#workbench";
import { longTest } from "../../../test/long.ts";
import { makeSmallWorld } from "../../../test/small-world.ts";
import { commandsOn } from "../../../test/support/commands.ts";

let dir: string;
let studio: Studio;
/** The extractive agent twice answering, and the same answers with some made right and others made wrong. */
let runs: [string, string];
const hopscope = commandsOn(() => dir);
const everything = { where: "", sort: "", offset: 0, limit: 500 };

interface Line {
	task: string;
	repeat: number;
	trajectory: { answer: string; usage: { inputTokens: number } };
}

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-studio-compare-"));
	const { benchmark } = await makeSmallWorld(dir, { countries: 8 });
	const tasks = new Map(
		(await readFile(join(benchmark, "tasks.jsonl"), "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line))
			.map((task) => [task.id, task.answer.value as string]),
	);
	const ran = await hopscope("run", "-b", "lands", "-a", "extractive", "--repeats", "2", "--json");
	const run: string = ran.json().run;
	runs = [run, "other"];
	await changed("other", (line, place) => {
		const right = tasks.get(line.task) ?? "";
		const at = Math.floor(place / 2);
		if (at % 3 === 0) line.trajectory.answer = right;
		// of two repeats one is no majority
		if (at % 3 === 1 && line.repeat === 0) line.trajectory.answer = "nowhere";
		if (at % 3 === 2) line.trajectory.answer = "nowhere";
		line.trajectory.usage.inputTokens += 10;
	});
	studio = await openWorkbench(dir).openStudio();
});
afterAll(async () => {
	await studio?.close();
	await rm(dir, { recursive: true, force: true });
});

/** A copy of the run under another name, by another agent. */
async function changed(name: string, alter: (line: Line, place: number) => void, manifest: object = {}): Promise<void> {
	const [from, to] = [join(dir, "runs", runs[0]), join(dir, "runs", name)];
	await cp(from, to, { recursive: true });
	for (const kept of ["scores.jsonl", "findings.jsonl", "index"])
		await rm(join(to, kept), { recursive: true, force: true });
	const read = JSON.parse(await readFile(join(to, "run.json"), "utf8"));
	await writeFile(
		join(to, "run.json"),
		JSON.stringify({ ...read, id: name, agent: { ...read.agent, name }, ...manifest }),
	);
	const lines = (await readFile(join(to, "records.jsonl"), "utf8")).trim().split("\n");
	const records = lines
		.map((line): Line => JSON.parse(line))
		.sort((x, y) => (x.task < y.task ? -1 : x.task > y.task ? 1 : x.repeat - y.repeat));
	for (const [place, record] of records.entries()) alter(record, place);
	await writeFile(join(to, "records.jsonl"), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

describe("two runs compared", () => {
	longTest("have the differences, intervals and p-values of hopscope compare", async () => {
		const said = (await hopscope("compare", ...runs, "--json")).json();
		const page = await studio.compare(runs);
		const [pair] = page.pairs;
		expect(pair?.differences.map(({ name }) => name)).toEqual(["accuracy", "f1", "hps"]);
		for (const [place, line] of (pair?.differences ?? []).entries()) {
			const own = said.pairs[0].metrics[place];
			expect(line).toMatchObject({
				...{ name: own.metric, means: own.means, p: own.adjusted, more: own.better },
				...{ wins: own.wins, ties: own.ties, losses: own.losses, unpaired: own.expected - own.n },
			});
			expect(line.difference).toMatchObject({ ...own.difference, n: own.n });
		}
		expect(page.tests).toBe(said.tests);
		expect(page.cautions).toEqual(said.cautions);
		expect(page.runs.map(({ label, accuracy: { value, low, high } }) => ({ label, value, low, high }))).toEqual(
			said.runs.map(({ label, accuracy: { value, low, high } }: never) => ({ label, value, low, high })),
		);
	});

	test("say what the answers took, as hopscope compare does of steps", async () => {
		const said = (await hopscope("compare", ...runs, "--metric", "steps", "--json")).json();
		const [pair] = (await studio.compare(runs)).pairs;
		const steps = said.pairs[0].metrics.find(({ metric }: { metric: string }) => metric === "steps");
		expect(pair?.effort[0]).toMatchObject({ name: "steps", means: steps.means, p: null });
		expect(pair?.effort[0]?.difference).toMatchObject(steps.difference);
		expect(pair?.effort.find(({ name }) => name === "tokens")?.difference).toMatchObject({ value: -10 });
	});

	test("flip where hopscope compare says, and the filter of each count shows as many tasks", async () => {
		const said = (await hopscope("compare", ...runs, "--json")).json();
		const [pair] = (await studio.compare(runs)).pairs;
		const tasksOf = async (where: string) =>
			(await studio.comparedRows(runs, { ...everything, where })).rows.map(({ task }) => task).sort();
		for (const way of ["won", "lost"] as const) {
			const flips = said.pairs[0].flips[way] as { task: string }[];
			expect(flips.length).toBeGreaterThan(0);
			expect(pair?.[way].count).toBe(flips.length);
			expect(await tasksOf(pair?.[way].where ?? "")).toEqual(flips.map(({ task }) => task).sort());
			for (const { count, where } of pair?.[way].breaks ?? []) expect(await tasksOf(where)).toHaveLength(count);
			const counted = (pair?.[way].breaks ?? []).reduce((sum, { count }) => sum + count, 0);
			expect(counted).toBe(flips.length);
		}
		const { of } = await studio.comparedRows(runs, everything);
		const alike = (pair?.alike ?? []).reduce((sum, { count }) => sum + count, 0);
		expect((pair?.won.count ?? 0) + (pair?.lost.count ?? 0) + alike + (pair?.uncompared ?? 0)).toBe(of);
	});

	test("show of each flip the records and the broken hops that hopscope compare names", async () => {
		const said = (await hopscope("compare", ...runs, "--json")).json();
		const { rows } = await studio.comparedRows(runs, everything);
		for (const flip of [...said.pairs[0].flips.won, ...said.pairs[0].flips.lost]) {
			const row = rows.find(({ task }) => task === flip.task);
			expect(row?.differs).toBe(true);
			for (const [place, side] of [flip.a, flip.b].entries()) {
				const shown = row?.sides[place];
				expect(shown).toMatchObject({ repeat: side.repeat, answer: side.answer, primary: side.primary });
				const broken = shown?.hops.find(({ first }) => first);
				expect(broken?.verdict ?? null).toBe(side.firstBroken?.verdict ?? null);
			}
		}
	});

	test("can be turned round", async () => {
		const [[pair], [back]] = [(await studio.compare(runs)).pairs, (await studio.compare([runs[1], runs[0]])).pairs];
		expect(back?.won.count).toBe(pair?.lost.count);
		expect(back?.lost.count).toBe(pair?.won.count);
	});
});

describe("the list of compared tasks", () => {
	test("is filtered and sorted in the language of the lists", async () => {
		const { rows, total, of, facets, problems } = await studio.comparedRows(runs, {
			...everything,
			where: "flip:wrong-right b.tokens>0 -a.outcome:right",
			sort: "-diff.tokens",
		});
		expect(problems).toEqual([]);
		expect(total).toBeLessThan(of);
		expect(rows.every(({ standings }) => standings.join() === "wrong,right")).toBe(true);
		expect(facets.map(({ name }) => name)).toEqual(
			expect.arrayContaining(["flip", "parts", "a.broken", "b.broken", "a.primary", "topology"]),
		);
		const flips = facets.find(({ name }) => name === "flip");
		expect(flips?.values.map(({ title }) => title)).toContain("A wrong, B right");
		for (const { count, where } of flips?.values ?? [])
			expect((await studio.comparedRows(runs, { ...everything, where })).total).toBe(count);
		const wrong = await studio.comparedRows(runs, { ...everything, where: "c:right diff.steps>many" });
		expect(wrong.problems).toHaveLength(2);
	});

	test("finds quoted texts in what any of the runs recorded", async () => {
		const found = await studio.comparedRows(runs, { ...everything, where: '"nowhere"' });
		const { rows } = await studio.comparedRows(runs, everything);
		expect(found.total).toBe(rows.length - Math.ceil(rows.length / 3));
	});

	test("is walked through within the filter, and from flip to flip", async () => {
		const { rows } = await studio.comparedRows(runs, everything);
		const query = { where: "", sort: "", failures: false };
		const [first, second] = rows;
		expect(await studio.comparedNext(runs, { ...query, task: first?.task ?? "", step: 1 })).toEqual({
			task: second?.task,
			index: 1,
		});
		expect(await studio.comparedNext(runs, { ...query, task: first?.task ?? "", step: -1 })).toBeNull();
		const flips = rows.map(({ differs }, index) => ({ differs, index })).filter(({ differs }) => differs);
		const from = rows[flips[0]?.index ?? 0]?.task ?? "";
		expect(await studio.comparedNext(runs, { ...query, failures: true, task: from, step: 1 })).toMatchObject({
			index: flips[1]?.index,
		});
		await expect(studio.comparedNext(runs, { ...query, task: "../x", step: 1 })).rejects.toThrow("has a record");
	});
});

longTest("three runs give three pairs, whose flips are filtered by letters", async () => {
	await changed("third", (line, place) => {
		if (place % 5 === 0) line.trajectory.answer = "elsewhere";
	});
	const three = [...runs, "third"];
	const { pairs } = await studio.compare(three);
	expect(pairs.map(({ a, b }) => a + b)).toEqual(["ab", "ac", "bc"]);
	const said = (await hopscope("compare", ...three, "--json")).json();
	for (const [place, { won, lost }] of pairs.entries()) {
		expect([won.count, lost.count]).toEqual([said.pairs[place].flips.won.length, said.pairs[place].flips.lost.length]);
		for (const { count, where } of [won, lost])
			expect((await studio.comparedRows(three, { ...everything, where })).total).toBe(count);
	}
});

test("what cannot be compared is refused with the reason", async () => {
	await expect(studio.compare([runs[0]])).rejects.toThrow("one run is no comparison");
	await expect(studio.compare([runs[0], runs[0]])).rejects.toThrow("given twice");
	await expect(studio.compare([runs[0], "nothing"])).rejects.toThrow("nothing");
	await changed("otherwise", () => undefined, { scoring: "mmhops" });
	await expect(studio.compare([runs[0], "otherwise"])).rejects.toThrow(
		/are scored by \w+, those of otherwise by mmhops/,
	);
	await expect(studio.comparedRows([runs[0], "otherwise"], everything)).rejects.toThrow("are scored by");
});
