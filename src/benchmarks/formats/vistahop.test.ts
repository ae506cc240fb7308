import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRowsAs, rowsWritten } from "../../../test/support/benchmarks/rows-read.ts";
import { extractedValue, fusedValue } from "./value-extraction.ts";
import { vistahop } from "./vistahop.ts";

let images = "";
beforeAll(async () => {
	images = await mkdtemp(join(tmpdir(), "hopscope-images-"));
	await sharp({ create: { width: 8, height: 6, channels: 3, background: "#246" } })
		.png()
		.toFile(join(images, "quay.png"));
});
afterAll(() => rm(images, { recursive: true, force: true }));

const edge = (
	source: string,
	target: string,
	relation: string,
	evidence = `${target} is the ${relation} of ${source}.`,
) => ({
	...{ source, target, relation_type: "spatial", evidence, confidence: 0.95, is_valid: true },
	...{ wikidata_relation_type: relation, wikidata_property_id: "P131", wikidata_frequency: 3, evidence_sources: [] },
});
const chainTo = (start: string, ...rest: [string, string][]) => {
	const entities = [start, ...rest.map(([entity]) => entity)];
	return {
		seed_entity: start,
		nodes: entities.map((entity, depth) => ({
			entity,
			entity_type: "LOC",
			description: "",
			depth,
			source_url: `https://example.org/${entity}`,
		})),
		edges: rest.map(([entity, relation], place) => edge(entities[place] ?? "", entity, relation)),
		...{ chain_depth: rest.length, diversity_score: 0.7, uniqueness_score: 0.8, answer_entity: entities.at(-1) },
	};
};
const question = {
	id: "q_7",
	question: "Which land holds the county of the quay's town?",
	answer: "Marland",
	evidence_chain: chainTo("Old Quay", ["Obern", "town"], ["Lennshire", "county"], ["Marland", "country"]),
	...{ constraints: ["a quay"], reasoning_path: ["town", "county"], difficulty_score: 0.6, uniqueness_score: 0.9 },
};
const second = {
	...question,
	id: "q_8",
	question: "Which town has the quay?",
	answer: "Obern",
	evidence_chain: chainTo("Old Quay", ["Obern", "town"]),
};
const visual = {
	...{ id: "vqa_7", question: "Which land holds the county of the town in the image?", answer: "Marland" },
	...{ original_question: question.question, original_answer: "Marland", target_entity: "Old Quay", images: [] },
	...{
		visual_reference: "the quay in the image",
		local_image_path: "images/quay.png",
		image_url: "https://example.org/quay.png",
	},
};
const fused = {
	question: "Add the number of letters of the land to the vowels of the town. What is the result?",
	final_answer: 9,
	...{ answer_type: "number", fusion_operation: "ADD", fusion_description: "7 + 2", reasoning_path: [], metadata: {} },
	extraction_details: [
		{
			chain_id: "vqa_7",
			original_answer: "Marland",
			extraction_method: "character_count",
			extracted_value: 7,
			calculation_description: "7",
		},
		{
			chain_id: "q_8",
			original_answer: "Obern",
			extraction_method: "vowel_count",
			extracted_value: 2,
			calculation_description: "O, e",
		},
	],
	original_vqas: [
		{
			id: "vqa_7",
			question: visual.question,
			answer: "Marland",
			reasoning_path: [],
			metadata: { original_question: question.question },
		},
		{ id: "q_8", question: second.question, answer: "Obern", reasoning_path: [], metadata: {} },
	],
};
const evaluated = {
	...{ id: 31, dataset: "subset1", question: "Which company built the crane?", image_path: "images/quay.png" },
	...{
		answer: ["Vane Works", "Vane"],
		image_search_data: { image_search_title_list: ["a"], image_search_thumbnail_list: ["b"] },
		data_root: "/d",
	},
};

describe("VistaHop", () => {
	it("reads rows of the evaluation with their image", async () => {
		const { tasks, media, refused } = await readRowsAs(vistahop, [evaluated], { images });
		expect(refused).toEqual([]);
		expect(tasks[0]).toMatchObject({
			id: "subset1-31",
			images: [{ width: 8, height: 6 }],
			answer: { type: "string", value: "Vane Works", accepted: ["Vane Works", "Vane"] },
		});
		expect(media).toHaveLength(1);
	});

	it("makes relations to hops and fused questions to computing hops", async () => {
		const { tasks, evidence, losses, refused } = await readRowsAs(vistahop, [question, second, visual, fused], {
			images,
		});
		expect([losses, refused]).toEqual([[], []]);
		expect(tasks[0]?.chain?.hops.map(({ needs, relation }) => [needs.map(({ hop }) => hop), relation])).toEqual([
			...[
				[[], "P131"],
				[["h1"], "P131"],
				[["h2"], "P131"],
			],
		]);
		expect(evidence.map((one) => one.kind === "passage" && one.text)).toContain("Obern is the town of Old Quay.");
		expect(tasks[2]).toMatchObject({ images: [{ hides: ["Old Quay"] }], chain: { sink: "h3" } });
		expect(tasks[3]?.chain?.hops.map(({ id }) => id)).toEqual([
			"p1-h1",
			"p1-h2",
			"p1-h3",
			"p1-value",
			"p2-h1",
			"p2-value",
			"fused",
		]);
		expect(tasks[3]?.chain?.hops.at(-1)).toMatchObject({ compute: { op: "add" }, answer: { number: { value: 9 } } });
	});

	it("works out every value again and refuses wrong ones", async () => {
		const [first, last] = fused.extraction_details;
		const { refused, tasks } = await readRowsAs(
			vistahop,
			[
				{ ...fused, extraction_details: [{ ...first, extracted_value: 8 }, last] },
				{ ...fused, final_answer: 10 },
				{ ...fused, extraction_details: [{ ...first, extraction_method: "llm_guess" }, last] },
				{ ...fused, fusion_operation: "SUBTRACT", extraction_details: [first, last, last] },
				{ ...fused, fusion_operation: "CONDITIONAL" },
				{ ...question, evidence_chain: { ...question.evidence_chain, edges: "none" } },
				{ nothing: true },
			],
			{ images },
		);
		expect(tasks).toEqual([]);
		expect(refused.map(({ reason }) => reason.slice(0, 40))).toEqual([
			'says 8 for character_count of "Marland",',
			"says that ADD of 7, 2 is 10, it is 9",
			'the method "llm_guess" is not known',
			"3 values of 2 parts",
			'the operation "CONDITIONAL" is not known',
			"at evidence_chain.edges: Invalid input: ",
			"at id: Invalid input",
		]);
	});

	it("gives back every row as it was, one whose image is not there too", async () => {
		const lost = { ...evaluated, id: "lost", image_path: "images/lost.png" };
		const waiting = await readRowsAs(vistahop, [lost], { images });
		expect(waiting.tasks).toMatchObject([{ pending: { images: [{ sourceName: "images/lost.png" }] } }]);
		expect((await rowsWritten(vistahop, waiting)).written).toEqual({ "subset1.jsonl": [lost] });
		const single = { ...evaluated, id: "b", dataset: "subset2", answer: "Vane" };
		const reading = await readRowsAs(vistahop, [question, second, visual, fused, evaluated, single], { images });
		const { written, losses } = await rowsWritten(vistahop, reading);
		expect(losses).toEqual([]);
		expect(written).toEqual({
			"subset1.jsonl": [evaluated, single],
			"stage4_questions.json": [question, second],
			"stage5_vqa_items.json": [visual],
			"stage6_fused_questions.json": [fused],
		});
	});

	it("reads the file of final results, and a fused question alone without a chain", async () => {
		const results = {
			questions_count: 1,
			evidence_chains: [question.evidence_chain],
			questions: [question, second],
			vqa_items: [],
			fused_question: fused,
		};
		const all = await readRowsAs(vistahop, JSON.stringify(results, null, 2), { images });
		expect(all).toMatchObject({ rows: 4, refused: [] });
		expect(all.tasks.map(({ chain }) => chain?.sink)).toEqual(["h3", "h1", "fused"]);
		const alone = await readRowsAs(vistahop, JSON.stringify(fused, null, 2), { images });
		expect(alone.tasks[0]?.chain).toBeUndefined();
		expect(alone.losses).toHaveLength(1);
	});

	it("extracts by the published methods", () => {
		// the code's own checks: sum of the words' first letters, years to 2026, digits, letters
		expect(extractedValue("New York", "first_letter_ascii_sum")).toEqual({ value: 78 + 89 });
		expect(extractedValue("founded in 1974", "founded_year_diff")).toEqual({ value: 52 });
		expect(extractedValue("Hamburg", "first_letter_alphabet")).toEqual({ value: 8 });
		expect(extractedValue("St. John's 21", "character_count")).toEqual({ value: 9 });
		expect(extractedValue("21 b 3", "digit_sum")).toEqual({ value: 6 });
		expect(extractedValue("no year", "founding_year")).toHaveProperty("problem");
		expect(fusedValue("AVG", [1, 2, 6])).toEqual({ op: "mean", value: 3 });
		expect(fusedValue("divide", [1, 0])).toHaveProperty("problem");
	});
});
