import { describe, expect, it } from "vitest";
import { topologyOf } from "#domain";
import { readRowsAs, rowsWritten } from "../../../test/support/benchmarks/rows-read.ts";
import { mcSearch } from "./mc-search.ts";

const chain = {
	index: 12,
	question: "Which river runs past the town of the tower with the green clock?",
	answer: "The Lenn runs past Obern.",
	graph_type: "Image-Initiated Chain",
	image_titles: ["The green clock tower"],
	image_ids: ["30123"],
	subqa_chain: [
		{
			subquestion: "Which tower has a green clock?",
			answer: "Salt Tower",
			modality: "image",
			supporting_fact_id: "30123",
		},
		{
			subquestion: "In which town is the Salt Tower?",
			answer: "Obern",
			modality: "text",
			supporting_fact_id: "d5be_0",
		},
		{
			subquestion: "Which river runs past Obern?",
			answer: "The Lenn runs past Obern.",
			modality: "text",
			supporting_fact_id: "d5be_4",
		},
	],
};
const fork = {
	...chain,
	index: 13,
	graph_type: "Parallel Visual-Textual Fork",
	answer: "The tower is older than the bridge.",
	subqa_chain: [
		{
			subquestion: "What year is over the door of the tower?",
			answer: "1611",
			modality: "image",
			supporting_fact_id: 30123,
		},
		{ subquestion: "When was the Lenn bridge built?", answer: "1702", modality: "text", supporting_fact_id: "d5be_2" },
	],
};

describe("MC-Search", () => {
	it("reads edges off the words and marks them as inferred", async () => {
		const { tasks, losses, refused } = await readRowsAs(mcSearch, [chain, fork], { documents: "webqa.json" });
		expect([refused, losses]).toEqual([[], []]);
		expect(tasks[0]?.chain?.hops.map(({ needs }) => needs.map(({ hop }) => hop))).toEqual([[], ["h1"], ["h2"]]);
		expect(tasks[0]?.chain?.hops[1]?.evidence).toEqual(["webqa.json#d5be_0"]);
		expect(tasks[0]?.tags).toMatchObject({ needs: "inferred", graphType: "image-initiated-chain" });
		expect(tasks[1]?.chain).toMatchObject({
			sink: "joint",
			hops: [{}, {}, { modality: "compute", needs: [{ hop: "h1" }, { hop: "h2" }] }],
		});
		expect(tasks.map((task) => task.chain && topologyOf(task.chain))).toEqual([
			"image-initiated-chain",
			"image-text-fork",
		]);
	});

	it("tells where the words draw another shape than the row says", async () => {
		const { losses, tasks } = await readRowsAs(mcSearch, [
			{ ...chain, graph_type: "Parallel Multi-Images Fork" },
			{ ...fork, graph_type: "Spiral" },
		]);
		expect(tasks).toHaveLength(2);
		expect(losses).toEqual([
			'mc-12: called "Parallel Multi-Images Fork", but its words make it image-initiated-chain',
			'mc-13: graph type "Spiral" is not known',
		]);
	});

	it("gives back every row as it was, except the images' bytes", async () => {
		const rows = [
			chain,
			fork,
			{ ...fork, index: 14, graph_type: "text-initiated CHAIN ", split: "train", image_ids: null },
		];
		const reading = await readRowsAs(mcSearch, rows, { documents: "webqa.json" });
		const { written, losses } = await rowsWritten(mcSearch, reading);
		expect(losses).toEqual([]);
		expect(written).toEqual({ "mc-search.jsonl": rows });
	});

	it("refuses what it does not understand", async () => {
		const { refused } = await readRowsAs(mcSearch, [
			{ ...chain, subqa_chain: [] },
			{ ...chain, subqa_chain: [{ ...chain.subqa_chain[0], modality: "video" }] },
			{ ...chain, subqa_chain: [{ ...chain.subqa_chain[0], hint: "x" }] },
			{ ...chain, question: undefined },
		]);
		expect(refused.map(({ row }) => row)).toEqual([1, 2, 3, 4]);
	});

	it("writes chains from elsewhere and says what has no place", async () => {
		const [task] = (await readRowsAs(mcSearch, [fork])).tasks;
		if (!task?.chain) throw new Error("no chain");
		const { native: _native, ...ours } = task;
		const [first] = task.chain.hops;
		const single = { ...ours, id: "single", chain: { hops: task.chain.hops.slice(0, 1), sink: first?.id ?? "" } };
		const made = await rowsWritten(mcSearch, { tasks: [ours, single] });
		expect(made.written["mc-search.jsonl"]).toMatchObject([
			{ index: "mc-13", graph_type: "Parallel Visual-Textual Fork" },
		]);
		expect(made.losses).toEqual([
			"mc-13: 1 computing hops are left out",
			"mc-13: only the order of its hops is written, not what needs what",
			"single: a chain of this shape has no name in this form: not written",
		]);
	});
});
