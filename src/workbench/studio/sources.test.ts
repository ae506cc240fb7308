import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SearchMode } from "#knowledge";
import { longTest } from "../../../test/long.ts";
import { makeSmallWorld, type SmallWorld } from "../../../test/small-world.ts";
import { openWorkbench, type Studio } from "../index.ts";

let folder = "";
let world: SmallWorld;
let studio: Studio;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "studio-sources-"));
	world = await makeSmallWorld(folder, { countries: 6 });
	await openWorkbench(folder).run({ benchmark: "lands", agent: "gold-replay" });
	studio = await openWorkbench(folder).openStudio({});
});
afterAll(async () => {
	await studio.close();
	await rm(folder, { recursive: true, force: true });
});

const asked = { text: "", target: "text", k: 5 } as const;
const idsOf = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);
const textOf = () => world.evidence.find(({ kind }) => kind === "passage") as { title: string; document: string };

longTest("each index brings what a search by its mode brings, ranks and scores alike", async () => {
	const text = textOf().title;
	for (const target of ["text", "page", "image"] as const) {
		const { lists, evidence } = await studio.sources.search("lands", { ...asked, text, target });
		expect(lists.filter(({ mode }) => mode !== "passages").map(({ mode }) => mode)).toEqual([
			"lexical",
			"dense",
			"hybrid",
		]);
		for (const { mode, hits, problem } of lists) {
			expect(problem).toBeNull();
			const options = mode === "passages" ? { throughPassages: true } : { mode: mode as SearchMode };
			const { results } = await openWorkbench(folder).search(text, { knowledge: "lands", target, k: 5, ...options });
			expect(hits.map(({ id, rank, score }) => ({ id, rank, score }))).toEqual(
				results.map(({ id, rank, score }) => ({ id, rank, score })),
			);
			for (const id of idsOf(hits)) expect(evidence[id]).toMatchObject({ id });
		}
		expect(lists.filter(({ usual }) => usual).map(({ mode }) => mode)).toEqual(["lexical"]);
	}
});

test("what several indexes bring is told with its ranks, the most agreed first; lists made of others do not count", async () => {
	const { lists, agreed, of, indexes } = await studio.sources.search("lands", { ...asked, text: textOf().title });
	const [lexical = [], dense = []] = lists.map(({ hits }) => idsOf(hits));
	expect(indexes).toBe(2);
	expect(of).toBe(new Set(lists.flatMap(({ hits }) => idsOf(hits))).size);
	expect(idsOf(agreed).sort()).toEqual(lexical.filter((id) => dense.includes(id)).sort());
	for (const { id, ranks } of agreed)
		expect(ranks.slice(0, 2)).toEqual([lexical.indexOf(id) + 1, dense.indexOf(id) + 1]);
});

test("a picture finds pictures, by the id of an evidence or by its bytes, alone and with words", async () => {
	const image = world.evidence.find(({ kind }) => kind === "image");
	if (image?.kind !== "image") throw new Error("the world has pictures");
	const byId = await studio.sources.search("lands", { ...asked, image: image.id });
	expect(byId.lists.map(({ mode }) => mode)).toEqual(["image"]);
	expect(byId.lists[0]?.hits[0]?.id).toBe(image.id);
	const bytes = await readFile(join(world.corpus, image.file));
	const byBytes = await studio.sources.search("lands", { ...asked, image: bytes });
	expect(byBytes.lists[0]?.hits).toEqual(byId.lists[0]?.hits);
	const both = await studio.sources.search("lands", { ...asked, text: image.title, image: bytes });
	expect(both.lists.map(({ mode }) => mode)).toEqual(["lexical", "dense", "hybrid", "image", "both"]);
	const { picture } = byId.evidence[image.id] ?? {};
	expect(await studio.media("knowledge:lands", picture?.name ?? "")).toBe(join(world.corpus, image.file));
	await expect(studio.sources.search("lands", { ...asked, image: "/etc/passwd" })).rejects.toMatchObject({
		code: "bad-image",
	});
	await expect(studio.sources.search("lands", { ...asked, image: Buffer.from("none") })).rejects.toMatchObject({
		code: "bad-image",
	});
	await expect(studio.sources.search("lands", asked)).rejects.toMatchObject({ code: "nothing-to-search" });
});

test("a document is all that was read of it, and a search can be kept to it", async () => {
	const { document } = textOf();
	const own = world.evidence.filter((one) => one.document === document);
	const page = await studio.sources.document("lands", document);
	const shown = [...page.passages, ...page.pages, ...page.images].map(({ card }) => card.id);
	expect(shown.sort()).toEqual(idsOf(own).sort());
	const { lists } = await studio.sources.search("lands", { ...asked, text: textOf().title, document });
	expect(new Set(lists.flatMap(({ hits }) => idsOf(hits)))).toEqual(
		new Set(own.flatMap(({ id, kind }) => (kind === "passage" ? [id] : []))),
	);
	await expect(studio.sources.document("lands", "' OR 1=1 --")).rejects.toMatchObject({ code: "unknown-document" });
	await expect(studio.sources.knowledge("../../etc")).rejects.toMatchObject({ code: "unknown-knowledge" });
});

test("a knowledge base says what it was made of, and who uses it", async () => {
	expect(await studio.sources.knowledgeBases()).toMatchObject([
		{ name: "lands", problem: null, benchmarks: ["lands"] },
	]);
	const page = await studio.sources.knowledge("lands");
	expect(page.indexes.map(({ name }) => name)).toEqual(["lexical", "dense", "image"]);
	expect(page.targets).toMatchObject([{ target: "text", modes: ["lexical", "dense", "hybrid"] }, {}, {}]);
});

test("tasks are filtered, counted and sorted by what they are made of", async () => {
	const query = { where: "", sort: "", offset: 0, limit: 100 };
	const all = await studio.sources.rows("lands", query);
	expect(all).toMatchObject({ of: 24, total: 24, problems: [] });
	const hops = all.facets.find(({ name }) => name === "hops");
	expect(hops?.values.reduce((sum, { count }) => sum + count, 0)).toBe(24);
	for (const { where, count } of all.facets.flatMap(({ values }) => values))
		expect((await studio.sources.rows("lands", { ...query, where })).total).toBe(count);
	const long = await studio.sources.rows("lands", { ...query, where: "hops>1", sort: "-hops" });
	const lengths = long.rows.map((row) => row.hops.length);
	expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
	expect(Math.min(...lengths)).toBeGreaterThan(1);
	const [first, second] = long.rows;
	const beside = { where: "hops>1", sort: "-hops" };
	expect(await studio.sources.next("lands", { ...beside, from: first?.task ?? "", step: 1 })).toEqual({
		task: second?.task,
		index: 1,
	});
	expect(await studio.sources.next("lands", { ...beside, from: first?.task ?? "", step: -1 })).toBeNull();
	expect((await studio.sources.rows("lands", { ...query, where: "colour:red" })).problems).toHaveLength(1);
});

test("a task has its chain in the order of dependency, with its evidence on demand", async () => {
	const { rows } = await studio.sources.rows("lands", { where: "hops>1", sort: "", offset: 0, limit: 1 });
	const id = rows[0]?.task ?? "";
	const task = await studio.sources.task("lands", id);
	const seen = new Set<string>();
	for (const hop of task.hops) {
		for (const need of hop.needs) expect(seen).toContain(need.hop);
		seen.add(hop.id);
		const { of, evidence } = await studio.sources.evidence("lands", { task: id, hop: hop.id });
		expect([of, evidence.length]).toEqual([hop.evidence, hop.evidence]);
		expect(evidence.every(({ kind }) => kind !== "unknown")).toBe(true);
	}
	expect(task).toMatchObject({ checks: null, review: "", sink: task.hops.at(-1)?.id });
	await expect(studio.sources.task("lands", "../x")).rejects.toMatchObject({ code: "unknown-task" });
	await expect(studio.sources.task("..", id)).rejects.toMatchObject({ code: "unknown-benchmark" });
});

longTest("what checks find is what benchmark check finds, and then a column of the tasks", async () => {
	let checked = await studio.sources.check("lands");
	expect(checked.is).toBe("making");
	while (checked.is === "making") {
		await new Promise((resolve) => setTimeout(resolve, 50));
		checked = await studio.sources.check("lands");
	}
	const report = await openWorkbench(folder).check("lands");
	expect(checked.page.counts).toEqual(report.counts);
	expect(checked.page.checks.map(({ name, skipped }) => [name, skipped])).toEqual(
		report.checks.map(({ name, skipped = null }) => [name, skipped]),
	);
	for (const { where, tasks } of checked.page.checks.flatMap(({ codes }) => codes))
		if (where !== "")
			expect((await studio.sources.rows("lands", { where, sort: "", offset: 0, limit: 0 })).total).toBe(tasks);
	const [found] = report.findings.filter(({ task }) => task !== undefined);
	if (found?.task)
		expect((await studio.sources.task("lands", found.task)).findings?.map(({ code }) => code)).toContain(found.code);
});

test("a benchmark says where it comes from and which runs are over it", async () => {
	expect(await studio.sources.benchmarks()).toMatchObject([{ name: "lands", tasks: 24, runs: 1, problem: null }]);
	const page = await studio.sources.benchmark("lands");
	expect(page).toMatchObject({ knowledge: { name: "lands", there: true }, made: null, review: null });
	expect(page.runs).toMatchObject([{ agent: "gold-replay", done: 24, total: 24 }]);
});
