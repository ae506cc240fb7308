import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readRowsAs, rowsWritten } from "../../../test/support/benchmarks/rows-read.ts";
import { dynVqa } from "./dyn-vqa.ts";
import { eVqa } from "./e-vqa.ts";
import { infoseek } from "./infoseek.ts";
import { mmhops } from "./mmhops.ts";
import { mmsearch } from "./mmsearch.ts";
import { questionImage, type RowPicture } from "./pictures.ts";
import { taskRow } from "./row-context.ts";
import { vidore } from "./vidore.ts";
import { webqa } from "./webqa.ts";

let images = "";
let png = new Uint8Array();
beforeAll(async () => {
	images = await mkdtemp(join(tmpdir(), "hopscope-images-"));
	const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: "#426" } });
	png = new Uint8Array(await picture.png().toBuffer());
	await mkdir(join(images, "a", "b", "c"), { recursive: true });
	for (const name of ["oven_1.png", "30123.png", "a/b/c/abc9.png", "crane.png"])
		await writeFile(join(images, name), png);
});
afterAll(() => rm(images, { recursive: true, force: true }));

const photographs = join("..", "shared", "data", "infoseek-images");

describe("pictures of rows", () => {
	const read = (from: RowPicture, dir: string | null = images) =>
		taskRow({ file: "f", row: 1, value: {} }, dir === null ? {} : { images: dir }, async (context) => [
			{
				...{ id: "t", question: "?", answer: { type: "string", value: "a", accepted: ["a"] } },
				...{ images: [await questionImage(from, "q1", context)], tags: { language: "en" }, source: "", rights: "" },
			},
		]);
	it("are embedded, or named with or without folder, ending and address", async () => {
		const found = [
			png,
			{ bytes: png, path: "x.png" },
			{ bytes: null, path: "crane.png" },
			"oven_1",
			"some/where/crane.png",
			"https://example.org/a/crane.png?x=1",
		];
		for (const from of found)
			expect(await read(from), JSON.stringify(from)).toMatchObject({
				tasks: [{ images: [{ width: 8, height: 6 }] }],
				media: [{ in: "benchmark" }],
			});
	});
	it("refuse the row where they are torn, or neither there nor named", async () => {
		for (const from of [png.subarray(0, 30), { bytes: null, path: null }])
			expect(await read(from as RowPicture)).toHaveProperty("refused");
	});
	it("wait under their names where they are missing or outside the folder", async () => {
		const waiting = (named: string) => ({
			tasks: [{ images: [], pending: { images: [{ id: "q1", sourceName: named, place: 0 }] } }],
		});
		for (const from of ["lost.png", "../../etc/passwd", "a"]) expect(await read(from)).toMatchObject(waiting(from));
		expect(await read({ bytes: null, path: "lost.png" })).toMatchObject(waiting("lost.png"));
		expect(await read("crane.png", null)).toMatchObject(waiting("crane.png"));
	});
	test.skipIf(!existsSync(photographs))("read real photographs", async () => {
		const made = await read("bird", photographs);
		expect(made).toMatchObject({ tasks: [{ images: [{ width: expect.any(Number) }] }] });
	});
});

describe("InfoSeek", () => {
	const row = {
		data_id: "v_1",
		image_id: "oven_1",
		question: "How long is it?",
		answer: ["5.2"],
		answer_eval: [{ wikidata: 5.2, range: [4.68, 5.72] }],
		data_split: "val",
	};
	it("reads the kinds of answer_eval, and what other files say of a question", async () => {
		const { tasks, refused, rows } = await readRowsAs(
			infoseek,
			[
				row,
				{
					...row,
					data_id: "v_2",
					answer: ["Lake Vale"],
					answer_eval: ["Lake Vale", "the Vale"],
					entity_id: "Q5",
					entity_text: "Vale",
				},
				{ ...row, data_id: "v_3", answer: ["1611"], answer_eval: ["1611", "AD 1611"], question_type: "Time" },
				{ ...row, data_id: "v_4", answer: ["7"], answer_eval: { wikidata: [7], range: [6.3, 7.7] } },
			],
			{ images },
		);
		expect([refused, rows]).toEqual([[], 4]);
		expect(tasks.map(({ answer }) => answer)).toMatchObject([
			{ type: "number", value: "5.2", number: { value: 5.2, range: [4.68, 5.72] } },
			{ type: "string", accepted: ["Lake Vale", "the Vale"] },
			{ type: "time", time: { iso: "1611" }, accepted: ["1611", "AD 1611"] },
			{ type: "number", number: { value: 7, range: [6.3, 7.7] } },
		]);
		expect(tasks[1]).toMatchObject({ images: [{ hides: ["Vale"] }], tags: { entityId: "Q5" } });
		expect(new Set(tasks.map(({ cluster }) => cluster)).size).toBe(1);
	});
	it("joins the entity from its own file", async () => {
		const dir = await mkdtemp(join(tmpdir(), "hopscope-infoseek-"));
		await writeFile(join(dir, "val.jsonl"), JSON.stringify(row));
		await writeFile(
			join(dir, "withkb.jsonl"),
			JSON.stringify({ data_id: "v_1", entity_id: "Q7", entity_text: "Crane" }),
		);
		const reading = await infoseek.read?.([join(dir, "val.jsonl"), join(dir, "withkb.jsonl")], { images });
		await rm(dir, { recursive: true });
		expect(reading).toMatchObject({ rows: 2, refused: [], tasks: [{ images: [{ hides: ["Crane"] }] }] });
	});
	it("refuses hidden answers and empty ranges; a missing image waits, with what it hides", async () => {
		const { tasks, refused } = await readRowsAs(
			infoseek,
			[
				{ ...row, answer: [], answer_eval: [] },
				{ ...row, answer_eval: [{ wikidata: 5, range: [6, 4] }] },
				{ ...row, answer_eval: [{ wikidata: 5 }] },
				{ ...row, image_id: "oven_2", entity_text: "Crane" },
			],
			{ images },
		);
		expect(tasks).toMatchObject([
			{ images: [], pending: { images: [{ id: "q1", sourceName: "oven_2", place: 0, hides: ["Crane"] }] } },
		]);
		expect(refused.map(({ row: number }) => number)).toEqual([1, 2, 3]);
	});
});

describe("Encyclopedic VQA", () => {
	const head =
		"question,question_original,answer,question_type,dataset_image_ids,dataset_name,dataset_category_id,wikipedia_title,wikipedia_url,evidence,evidence_section_title,encyclopedic_vqa_split";
	it("parts what | and && part", async () => {
		const lines = [
			head,
			'What does this bird eat?,,seeds|grain,templated,crane|77,inaturalist,4,Crane,https://e.org/c,"It eats seeds, mostly.",Diet,test',
			"Which seas does it cross?,,North Sea && Baltic|Baltic && North Sea,multi_answer,crane,inaturalist,4,Crane,https://e.org/c,It crosses two seas.,Range,test",
			"Who built the tower of its town?,,Vane,2_hop,abc9,landmarks,9,Obern|Salt Tower,https://e.org/o|https://e.org/s,It is in Obern.|Vane built it.,Town|History,test",
			"Who closed it?,,Vane,2_hop,abc9,landmarks,9,Obern,https://e.org/o|https://e.org/s,Only one.,,test",
			"Where?,,x,automatic,lost,inaturalist,1,,,,,test",
			"Where?,,x,guessed,crane,inaturalist,1,,,,,test",
		];
		const { tasks, losses, refused, evidence } = await readRowsAs(eVqa, lines.join("\n"), { images }, "test.csv");
		expect(tasks.map(({ answer }) => answer)).toMatchObject([
			{ type: "string", accepted: ["seeds", "grain"] },
			{ type: "list", items: ["North Sea", "Baltic"], accepted: ["North Sea && Baltic", "Baltic && North Sea"] },
			{ type: "string", value: "Vane" },
			{ type: "string", value: "Vane" },
			{ type: "string", value: "x" },
		]);
		expect(tasks.map(({ pending }) => pending?.images?.[0]?.sourceName)).toEqual([...Array(4), "lost"]);
		expect(tasks[0]?.chain?.hops[0]?.evidence).toHaveLength(1);
		expect(tasks[0]?.native).toMatchObject({ other_image_ids: ["77"] });
		expect(tasks[2]?.supporting).toHaveLength(2);
		expect(losses).toHaveLength(2);
		expect(evidence).toHaveLength(4);
		expect(refused.map(({ row }) => row)).toEqual([6]);
	});
});

describe("Dyn-VQA", () => {
	const row = {
		image_url: "https://example.org/x/crane.png",
		question: "Who runs it now?",
		question_id: 4,
		answer: ["Vane", "韦恩"],
		golden_query: "runs crane",
	};
	it("dates answers by the month of the file, and tells mixed languages", async () => {
		const rows = [row, { ...row, question_id: 5, answer: ["韦恩"] }, { ...row, question_id: 6, answer: [] }];
		const { tasks, losses, refused } = await readRowsAs(dynVqa, rows, { images }, "DynVQA_en.202412.json");
		expect(tasks[0]).toMatchObject({
			id: "dyn-vqa-4@2024-12",
			answer: { asOf: "2024-12-01" },
			tags: { language: "en", answerLanguages: "en, zh" },
		});
		expect(losses).toEqual(["dyn-vqa-5@2024-12: asked in English, its answers are all in Chinese"]);
		expect(refused).toHaveLength(1);
		const undated = await readRowsAs(dynVqa, [row], { images });
		expect(undated.tasks[0]?.answer.asOf).toBeUndefined();
		expect(undated.losses).toHaveLength(1);
	});
});

describe("MMSearch", () => {
	it("reads both forms", async () => {
		const { tasks, refused } = await readRowsAs(
			mmsearch,
			[
				{
					sample_id: "s1",
					query: "Who won?",
					query_image: null,
					gt_answer: "Vane",
					alternative_gt_answers: ["A. Vane"],
					area: "news",
					timestamp: "2024-07-01",
				},
				{
					question_id: 9,
					prompt: "Who is this?",
					file_path: "https://example.org/crane.png",
					answers: ["Vane"],
					lang: "en",
					source: "HLE",
					task: "HLE",
				},
				{ question_id: 10, prompt: "Who is this?" },
			],
			{ images },
		);
		expect(tasks).toMatchObject([
			{
				id: "mmsearch-s1",
				images: [],
				answer: { accepted: ["Vane", "A. Vane"], asOf: "2024-07-01" },
				tags: { area: "news" },
			},
			{ id: "mmsearch-9", images: [{ width: 8 }] },
		]);
		expect(JSON.stringify(tasks)).not.toContain("HLE");
		expect(refused).toMatchObject([{ row: 3, reason: expect.stringContaining("neither MMSearch's own fields") }]);
	});
});

describe("WebQA", () => {
	const fact = (id: string) => ({ snippet_id: id, title: '"Obern"', fact: `"Fact ${id}."`, url: "https://e.org/o" });
	const row = {
		...{
			Q: '"What colour is the tower?"',
			A: ['"The tower is green."'],
			Keywords_A: '"green"',
			Qcate: "color",
			split: "val",
			topic: "t",
		},
		Guid: "g1",
		...{
			txt_posFacts: [],
			txt_negFacts: [fact("g1_0")],
			img_posFacts: [{ image_id: 30123, title: "Tower", caption: '"The tower"', url: "", imgUrl: "" }],
		},
		img_negFacts: [{ image_id: 30999, title: "x", caption: "x", url: "" }],
	};
	it("reads the object by Guid, without the quotation marks around texts", async () => {
		const two = { ...row, Guid: "g2", txt_posFacts: [fact("g2_0"), fact("g2_1")], img_posFacts: [], img_negFacts: [] };
		const hidden = { ...row, Guid: "g3", A: [] };
		const lost = { ...row, Guid: "g4", img_posFacts: row.img_negFacts };
		const { tasks, evidence, refused, losses, waiting } = await readRowsAs(
			webqa,
			{ g1: row, g2: two, g3: hidden, g4: lost },
			{ images },
		);
		expect(tasks[0]).toMatchObject({
			question: "What colour is the tower?",
			answer: { type: "text", value: "The tower is green.", keyEntities: ["green"] },
			chain: { hops: [{ modality: "image", evidence: ["webqa#30123"] }] },
			context: ["webqa#30123", "webqa#30999", "webqa#g1_0"],
		});
		expect(tasks[1]).toMatchObject({ supporting: ["webqa#g2_0", "webqa#g2_1"] });
		expect(evidence.find(({ id }) => id === "webqa#g1_0")).toMatchObject({ title: "Obern", text: "Fact g1_0." });
		expect(losses).toEqual([]);
		expect(tasks[2]).toMatchObject({ id: "g4", chain: { hops: [{ modality: "image", evidence: ["webqa#30999"] }] } });
		expect(waiting).toMatchObject([{ id: "webqa#30999", sourceName: "30999", caption: "x" }]);
		expect(refused.map(({ row: number, reason }) => [number, reason.slice(0, 13)])).toEqual([[3, "its answer is"]]);
	});
});

describe("ViDoRe", () => {
	it("joins queries, pages and judgements by their columns", async () => {
		const { tasks, evidence, refused } = await readRowsAs(
			vidore,
			[
				{ "query-id": 1, query: "How tall?", answer: "4 m" },
				{ "query-id": 2, query: "How wide?", answer: null },
				{ "query-id": 1, "corpus-id": 7, score: 1 },
				{ "query-id": 1, "corpus-id": 8, score: 0 },
				{ "corpus-id": 7, image: "crane.png", "doc-id": "harbour" },
				{ query: "Which crane?", image: "crane.png", image_filename: "p1.png", answer: ["the red one", "red"] },
				{ other: 1 },
			],
			{ images },
		);
		expect(tasks.map((task) => task.chain?.hops[0]?.evidence)).toEqual([["vidore#7"], ["vidore#p1.png"]]);
		expect(evidence.map(({ id, document }) => [id, document])).toEqual([
			["vidore#7", "harbour"],
			["vidore#p1.png", "p1.png"],
		]);
		expect(refused.map(({ row }) => row)).toEqual([2, 7]);
	});
});

describe("MMhops", () => {
	const mapping = {
		...{
			id: "data_id",
			question: "question",
			answer: "answer",
			evaluated: "answer_eval",
			images: "image_ids",
			type: "answer_type",
		},
		...{ types: { string: "entity", number: "numerical", time: "time" }, kind: "kind" },
		hops: { in: "hops.list", question: "q", answer: "a", evidence: "page" },
	};
	const row = {
		...{
			data_id: 3,
			question: "How long is the river of the crane's town?",
			answer: ["52"],
			answer_type: "numerical",
			kind: "bridging",
		},
		...{ answer_eval: [{ wikidata: 52, range: [46.8, 57.2] }], image_ids: ["crane.png"], note: { any: [1] } },
		hops: {
			list: [
				{ q: "Which town?", a: "Obern", page: "Q1" },
				{ q: "How long is the river of Obern?", a: "52", page: ["Q2", "Q3"] },
			],
		},
	};
	it("reads nothing without a mapping", async () => {
		await expect(readRowsAs(mmhops, [row], { images })).rejects.toThrow("not public");
		await expect(readRowsAs(mmhops, [row], { images, mapping: { ...mapping, colour: "x" } })).rejects.toThrow(
			"does not fit",
		);
	});
	it("reads by the mapping, and gives back every row as it was", async () => {
		const reading = await readRowsAs(mmhops, [row], { images, mapping });
		expect(reading.refused).toEqual([]);
		expect(reading.tasks[0]).toMatchObject({
			...{
				id: "3",
				answer: { type: "number", number: { value: 52, range: [46.8, 57.2] } },
				tags: { questionType: "bridging" },
			},
			chain: {
				hops: [
					{ modality: "image", evidence: ["Q1"] },
					{ evidence: ["Q2", "Q3"], needs: [{ hop: "h1" }] },
				],
				sink: "h2",
			},
		});
		expect((await rowsWritten(mmhops, reading)).written).toEqual({ "mmhops.jsonl": [row] });
		const [task] = reading.tasks;
		if (!task) throw new Error("no task");
		const edited = await rowsWritten(mmhops, {
			tasks: [
				{ ...task, question: "How long is it?" },
				{ ...task, id: "new", native: {} },
			],
		});
		expect(edited.written).toEqual({ "mmhops.jsonl": [{ ...row, question: "How long is it?" }] });
		expect(edited.losses).toHaveLength(1);
	});
	it("refuses rows that the mapping does not cover", async () => {
		const { tasks, refused } = await readRowsAs(
			mmhops,
			[
				{ ...row, data_id: undefined },
				{ ...row, answer_type: "colour" },
				{ ...row, image_ids: [] },
				{ ...row, hops: { list: [{ q: "?", a: "1", page: "Q1" }] } },
				{ ...row, answer_eval: undefined },
			],
			{ images, mapping },
		);
		expect(tasks).toEqual([]);
		expect(refused.map(({ row: number }) => number)).toEqual([1, 2, 3, 4, 5]);
	});
});
