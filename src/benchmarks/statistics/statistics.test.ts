import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { benchmarkStatistics, paperTables } from "#benchmarks";
import { type Hop, Task } from "#domain";

const answer = (value: string) => ({ type: "string", value, accepted: [value] }) as const;
const hop = (id: string, modality: Hop["modality"], evidence: string[], needs: string[] = []) => ({
	...{ id, question: `${id}?`, modality, evidence, answer: answer(id === "h2" ? "Oslo" : `name ${id}`) },
	needs: needs.map((one) => ({ hop: one, role: "bridge" })),
});
const tasks = [
	{
		...{ id: "a", question: "Where was she born?", answer: { ...answer("Oslo"), keyEntities: ["Oslo", "Ada"] } },
		chain: { hops: [hop("h1", "image", ["i1"]), hop("h2", "text", ["p1", "p2"], ["h1"])], sink: "h2" },
		...{ tags: { language: "en", questionType: "bridge" }, ladder: { id: "l", level: 1 } },
		images: [{ id: "x", file: "x.png", width: 1, height: 1, sha256: "0".repeat(64) }],
	},
	{
		...{ id: "b", question: "它在哪里?", answer: { type: "none", value: "none", accepted: ["none"] } },
		tags: { language: "zh" },
	},
	{
		...{ id: "c", question: "On which page?", answer: answer("name h1") },
		chain: { hops: [hop("h1", "page", ["p1"])], sink: "h1" },
	},
].map((one) => Task.parse(one));
const evidence = async (id: string) => ({
	kind: id.startsWith("i") ? ("image" as const) : ("page" as const),
	document: `d-${id}`,
});
const tableOf = async (name: string, more: Parameters<typeof benchmarkStatistics>[1] = {}) => {
	const found = (await benchmarkStatistics(tasks, more)).find((table) => table.name === name);
	return new Map(found?.rows.map((row) => [row[found.columns[0]?.key ?? ""], row]));
};

describe("statistics", () => {
	test("the overview counts tasks, hops, lengths, evidence", async () => {
		const rows = await tableOf("overview", { evidence });
		const number = (what: string) => rows.get(what)?.number;
		expect(number("tasks with a chain")).toEqual({ value: 2, of: 3 });
		expect(number("hops, mean")).toBe(1.5);
		// 4 words, 4 characters, 3 words
		expect([number("question length in words, mean"), number("question length in words, median")]).toEqual([3.67, 4]);
		expect([number("gold evidence"), number("gold documents"), number("gold pages")]).toEqual([3, 3, 2]);
		expect(number("evidence pages a task, mean")).toBe(1.5);
		expect(number("unanswerable tasks")).toEqual({ value: 1, of: 3 });
		expect((await tableOf("overview")).get("gold pages")?.number).toEqual({ none: "needs the knowledge base" });
	});

	test("support without hops is gold evidence", async () => {
		const task = Task.parse({ id: "s", question: "Where?", answer: answer("Oslo"), supporting: ["p1", "p2"] });
		const table = (await benchmarkStatistics([task], { evidence })).find(({ name }) => name === "overview");
		const rows = new Map(table?.rows.map((row) => [row[table.columns[0]?.key ?? ""], row]));
		const names = ["gold evidence", "gold documents", "evidence pages a task, mean"];
		expect(names.map((name) => rows.get(name)?.number)).toEqual([2, 2, 2]);
	});

	test("groups by hops, topology, language and any tag, and tells who has none", async () => {
		const tables = await benchmarkStatistics(tasks);
		const named = (name: string) => tables.find((table) => table.name === name);
		expect(named("hops")?.rows.map(({ group, tasks: count }) => [group, count])).toEqual([
			["1", { value: 1, of: 3 }],
			["2", { value: 1, of: 3 }],
		]);
		expect(named("hops")?.notes).toEqual(["1 of 3 tasks have none."]);
		expect(named("topology")?.rows.map(({ group }) => group)).toEqual(["image-initiated-chain", "single"]);
		expect(named("question-type")?.rows).toHaveLength(1);
		expect(named("split")).toBeUndefined();
	});

	test("papers' tables hold their own rows", async () => {
		const papers = paperTables.map(({ paper }) => paper);
		const number = async (paper: string, what: string) =>
			(await tableOf(paper, { papers, evidence })).get(what)?.number;
		expect(await number("mc-search", "image-initiated chain samples")).toEqual({ value: 1, of: 3 });
		expect(await number("mc-search", "samples of other structures")).toEqual({ value: 2, of: 3 });
		expect(await number("mc-search", "avg. answer entities")).toBe(2);
		expect(await number("mc-search", "hops with image retrieval")).toEqual({ value: 1, of: 3 });
		expect(await number("vistahop", "L1: 1 to 4 hops")).toEqual({ value: 2, of: 3 });
		expect(await number("mmhops", "other answers (yes or no, none)")).toEqual({ value: 1, of: 3 });
		expect(await number("double-bench", "avg. evidence pages, single-hop")).toBe(1);
		expect(await number("tracer", "2-hop inference")).toEqual({ value: 1, of: 3 });
	});

	test("a knowledge base is counted where its counts are given, and a chain by its hops", async () => {
		const papers = ["mc-search"];
		const counts = { passage: 7, page: 2, image: 5 };
		const rows = await tableOf("mc-search", { papers, evidence, counts });
		const numbers = ["images in the knowledge base", "documents in the knowledge base", "avg. hops"];
		expect(numbers.map((name) => rows.get(name)?.number)).toEqual([5, 9, 1.5]);
		const without = await tableOf("mc-search", { papers });
		expect(without.get(numbers[0] ?? "")?.number).toEqual({ none: "needs the knowledge base" });
	});

	test("VistaHop's composition goes by the recipe's tags, else by answers and computing hops", async () => {
		const compute = (op: string, needs: string[]) => ({
			...{ id: "sum", question: "sum?", modality: "compute", evidence: [], compute: { op } },
			...{ needs: needs.map((one) => ({ hop: one, role: "operand" })), answer: answer("9") },
		});
		const number = { type: "number", value: "9", accepted: ["9"], number: { value: 9 } };
		const fused = (op: string, id: string, more: object) =>
			Task.parse({
				...{ id, question: `${id}?`, answer: number, ...more },
				chain: { hops: [hop("h1", "text", ["p1"]), hop("h2", "text", ["p2"]), compute(op, ["h1", "h2"])], sink: "sum" },
			});
		const some = [
			...tasks,
			fused("mean", "d", {}),
			fused("argmax", "e", { answer: answer("Oslo") }),
			fused("select", "f", {
				tags: { language: "en", reasoning: "temporal", anchor: "landmark-place, text-signage", answer: "date-year" },
			}),
		];
		const table = (await benchmarkStatistics(some, { papers: ["vistahop"] })).find(({ name }) => name === "vistahop");
		const rows = new Map(table?.rows.map((row) => [row.what, row.number]));
		const of = (value: number) => ({ value, of: 6 });
		expect(Object.fromEntries([...rows].slice(-15))).toEqual({
			"entity or name answers": of(3),
			"date or year answers": of(1),
			"count or numeric answers": of(1),
			"location answers": { none: "a place counts as an entity" },
			"comparative or selection answers": of(1),
			"organization or logo anchors": of(0),
			"text or signage anchors": of(1),
			"product or object anchors": of(0),
			"landmark or place anchors": of(1),
			"person, event or symbol anchors": of(0),
			"single evidence chain": of(2),
			"arithmetic fusion": of(1),
			"temporal comparison": of(1),
			"conditional selection": of(0),
			"cross-anchor entity fusion": of(0),
		});
		const none = (await tableOf("vistahop", { papers: ["vistahop"] })).get("product or object anchors");
		expect(none?.number).toEqual({ none: "no task is tagged with its anchor" });
	});

	test("of nothing every mean says why it is none", async () => {
		const [overview] = await benchmarkStatistics([], { evidence });
		const means = overview?.rows.filter(({ what }) => String(what).endsWith("mean"));
		expect(means?.every(({ number }) => typeof number === "object" && "none" in number)).toBe(true);
	});

	test("the order of tasks changes nothing", async () => {
		const expected = await benchmarkStatistics(tasks);
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(tasks, { minLength: 3 }), async (shuffled) => {
				expect(await benchmarkStatistics(shuffled)).toEqual(expected);
			}),
			{ numRuns: 6 },
		);
	});
});
