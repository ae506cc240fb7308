import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Format, formats, type Reading } from "#benchmarks";
import { chainProblems, retrievalHops, type Task } from "#domain";
import { roundTripProblems, writtenOf } from "../../../test/support/benchmarks/round-trip.ts";
import { type ColumnType, writeParquet } from "./parquet-columns.ts";

let root: string;
let made = 0;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-text-sets-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function format(name: string): Format {
	const found = formats[name];
	if (!found) throw new Error(`no format ${name}`);
	return found;
}

async function file(content: unknown, name = "rows.json"): Promise<string> {
	made += 1;
	const path = join(root, `${made}-${name}`);
	await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	return path;
}

async function read(name: string, ...files: string[]): Promise<Reading> {
	const reading = await format(name).read?.(files);
	if (!reading) throw new Error(`${name} is not read`);
	for (const task of reading.tasks) {
		const known = new Set(reading.evidence.map(({ id }) => id));
		expect(chainProblems(task, { resolves: (id) => known.has(id) })).toEqual([]);
		for (const id of [...(task.context ?? []), ...(task.supporting ?? [])]) expect(known.has(id)).toBe(true);
	}
	return reading;
}

const lines = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const edges = (task: Task | undefined) =>
	task?.chain?.hops.map((hop) => `${hop.id}(${hop.needs.map((need) => need.hop).join(" ")})`);

const paragraphs = [
	["Lake Obo", ["Lake Obo lies in Ruvia.", " It is 40 km long."]],
	["Lake Ume", ["Lake Ume lies in Sarn.", "It is 25 km long."]],
	["Empty", []],
];
const hotpot = {
	_id: "h1",
	question: "Which lake is longer, Obo or Ume?",
	answer: "Lake Obo",
	type: "comparison",
	level: "hard",
	supporting_facts: [
		["Lake Obo", 1],
		["Lake Ume", 7],
	],
	context: paragraphs,
};

describe("HotpotQA", () => {
	test("keeps support by paragraph, makes up no chain, tells a sentence beyond the end", async () => {
		const { tasks, evidence, losses } = await read("hotpotqa", await file([hotpot]));
		const [task] = tasks;
		expect(task?.chain).toBeUndefined();
		expect(task?.tags).toEqual({ language: "en", questionType: "comparison", difficulty: "hard" });
		expect(task?.supporting).toHaveLength(2);
		expect(losses).toEqual(['h1: supporting sentence 7 of "Lake Ume" lies beyond its end']);
		const texts = evidence.flatMap((one) => (one.kind === "passage" ? [one.text] : []));
		expect(texts).toContain("Lake Obo lies in Ruvia. It is 40 km long.");
		expect(texts).toContain("Lake Ume lies in Sarn. It is 25 km long.");
	});

	test("comes back from rows and from columns, sentence edges included", async () => {
		const columns = {
			...{ id: "h2", question: "Q?", answer: "yes", type: "bridge", level: "easy" },
			supporting_facts: { title: ["Lake Obo"], sent_id: [0] },
			context: { title: ["Lake Obo"], sentences: [["  Odd   start", "\tand end. "]] },
		};
		expect(await roundTripProblems(format("hotpotqa"), [await file([hotpot])])).toEqual([]);
		expect(await roundTripProblems(format("hotpotqa"), [await file(lines([columns]), "rows.jsonl")])).toEqual([]);
	});

	test("a row without an id is named by what it says, and goes back without one", async () => {
		const { _id, ...nameless } = hotpot;
		const path = await file([nameless, { ...nameless, question: "Is it Obo?" }, nameless]);
		const { tasks, refused } = await read("hotpotqa", path);
		expect(tasks.map(({ id }) => id)).toEqual([
			expect.stringMatching(/^hotpotqa-[0-9a-f]{12}$/),
			expect.stringMatching(/^hotpotqa-[0-9a-f]{12}$/),
		]);
		expect(refused).toMatchObject([{ row: 3, reason: "another row has the same id" }]);
		const again = await read("hotpotqa", await file([{ ...nameless, question: "Is it Obo?" }]));
		expect(again.tasks[0]?.id).toBe(tasks[1]?.id);
		expect(await roundTripProblems(format("hotpotqa"), [path])).toEqual([]);
		expect(await roundTripProblems(format("hotpotqa"), [await file([{ ...hotpot, id: "other" }])])).toEqual([]);
		expect(_id).toBe("h1");
	});

	test("a row without an answer, one of a wrong shape and one cut off are refused by their place", async () => {
		const text = JSON.stringify([hotpot, { ...hotpot, _id: "h3", answer: "" }, { question: 3 }]);
		const { tasks, refused } = await read("hotpotqa", await file(`${text.slice(0, -1)},{"_id": "h4`));
		expect(tasks).toHaveLength(1);
		expect(refused.map(({ row, id, reason }) => [row, id, reason.split(":")[0]])).toEqual([
			[2, "h3", "states no answer"],
			[3, undefined, "at question"],
			[4, undefined, "the file ends within this element"],
		]);
	});
});

describe("2WikiMultihopQA", () => {
	const film = ["Red Door (film)", ["Red Door is a film by Ana Li."]];
	const person = ["Ana Li", ["Ana Li was born in Tarn."]];
	const item = {
		...{ _id: "w1", question: "Where was the director of Red Door born?", answer: "Tarn", type: "compositional" },
		supporting_facts: [
			["Red Door (film)", 0],
			["Ana Li", 0],
		],
		context: [film, person],
		evidences: [
			["Red Door", "director", "Ana Li"],
			["Ana Li", "place of birth", "Tarn"],
		],
		...{ evidences_id: [["Q1", "director", "Q2"]], answer_id: "Q3", entity_ids: "Q1_Q2" },
	};
	const compared = {
		...{ _id: "w2", question: "Which lake is longer?", answer: "Lake Obo", type: "comparison" },
		supporting_facts: [
			["Lake Obo", 1],
			["Lake Ume", 1],
		],
		context: paragraphs,
		evidences: [
			["Lake Obo", "length", "40"],
			["Lake Ume", "length", "25"],
		],
	};

	test("triples that chain are hops, comparisons end in a computation", async () => {
		const { tasks, losses } = await read("two-wiki", await file([item, compared]));
		expect(tasks.map(edges)).toEqual([
			["1()", "2(1)"],
			["1()", "2()", "comparison(1 2)"],
		]);
		expect(tasks[0]?.chain?.hops[0]).toMatchObject({ relation: "director", answer: { value: "Ana Li" } });
		expect(losses).toEqual([]);
	});

	test("triples that do not chain to the answer make no chain, and it is told", async () => {
		const loose = { ...item, _id: "w3", evidences: [...item.evidences, ["Ana Li", "spouse", "Bo"]] };
		const other = { ...item, _id: "w4", answer: "Sarn" };
		const nowhere = { ...item, _id: "w5", evidences: [["Blue Door", "director", "Tarn"]], evidences_id: [] };
		const { tasks, losses } = await read("two-wiki", await file([loose, other, nowhere]));
		expect(tasks.map((task) => task.chain)).toEqual([undefined, undefined, undefined]);
		expect(tasks.map((task) => task.supporting?.length)).toEqual([2, 2, 2]);
		expect(losses).toEqual([
			"w3: its triples do not chain to one end: kept without a chain",
			'w4: its triples end in "Tarn", not in the answer: kept without a chain',
			'w5: no supporting paragraph is about "Blue Door": kept without a chain',
		]);
	});

	test("comes back", async () => {
		expect(
			await roundTripProblems(format("two-wiki"), [await file([item, { ...compared, evidences_id: [] }])]),
		).toEqual([]);
	});
});

describe("2WikiMultihopQA's ids", () => {
	const row = {
		...{ _id: "w9", question: "Where did the father of Ana Li die?", answer: "Tarn", type: "compositional" },
		supporting_facts: [
			["Ana Li (painter)", 0],
			["Bo Li, 2nd Baronet", 0],
			["Ana Li (painter)", 1],
		],
		context: [
			["Bo Li, 2nd Baronet", ["He died in Tarn."]],
			["Ana Li (painter)", ["Ana Li paints.", "Her father is Sir Bo."]],
		],
		evidences: [
			["Ana Li-Vale", "father", "Sir Bo"],
			["Bo Li", "place of death", "Tarn"],
		],
		evidences_id: [
			["Q1", "father", "Q2"],
			["Q2", "place of death", "Q3"],
		],
		entity_ids: "Q1_Q2",
	};
	test("tell which paragraph a triple is about, and which leads on, where it is called otherwise", async () => {
		const { tasks, evidence, losses } = await read("two-wiki", await file([row]));
		expect(losses).toEqual([]);
		expect(edges(tasks[0])).toEqual(["1()", "2(1)"]);
		const titles = new Map(evidence.map(({ id, title }) => [id, title]));
		expect(tasks[0]?.chain?.hops.map((hop) => hop.evidence.map((id) => titles.get(id)))).toEqual([
			["Ana Li (painter)"],
			["Bo Li, 2nd Baronet"],
		]);
		expect(await roundTripProblems(format("two-wiki"), [await file([row])])).toEqual([]);
	});
	test.each([
		{ evidences_id: [] },
		{ entity_ids: "Q1" },
		{ entity_ids: 7 },
		{ evidences_id: [["Q1", "father", "Q2"]] },
	])("are not read where they are not of each, %j", async (odd) => {
		const { tasks, losses } = await read("two-wiki", await file([{ ...row, ...odd }]));
		expect(tasks[0]?.chain).toBeUndefined();
		expect(losses).toEqual(['w9: no supporting paragraph is about "Ana Li-Vale": kept without a chain']);
	});
});

describe("rows without a context", () => {
	test.each([
		"hotpotqa",
		"two-wiki",
	])("of %s are left out with the same reason, and the rest comes in", async (name) => {
		const { context: _context, ...bare } = { ...hotpot, _id: "bare" };
		const rows = [bare, hotpot, { ...bare, _id: "null", context: null }, { ...bare, _id: "none", context: [] }];
		const { tasks, refused, losses } = await read(name, await file(rows));
		expect(tasks.map(({ id }) => id)).toEqual(["h1"]);
		expect(refused.map(({ row, id }) => [row, id])).toEqual([
			[1, "bare"],
			[3, "null"],
			[4, "none"],
		]);
		expect(new Set(refused.map(({ reason }) => reason))).toEqual(
			new Set(["has no context, nothing to answer it from: short-qa reads questions and answers alone"]),
		);
		expect(losses.filter((told) => !told.startsWith("h1: "))).toEqual([]);
	});
});

describe("MuSiQue", () => {
	const paragraph = (idx: number, title: string, paragraph_text: string, is_supporting: boolean) => ({
		...{ idx, title, paragraph_text, is_supporting },
	});
	const item = {
		id: "3hop__1_2_3",
		paragraphs: [
			paragraph(0, "Red Door", "Red Door was made by Ana Li.", true),
			paragraph(1, "Ana Li", " Ana Li was born in Tarn.\n", true),
			paragraph(2, "Bo", "Bo was born in 1950.", false),
			paragraph(3, "Tarn", "Tarn, 1950: 300 people.", true),
		],
		question: "How many people lived where the maker of Red Door was born?",
		question_decomposition: [
			{ id: 11, question: "Red Door >> maker", answer: "Ana Li", paragraph_support_idx: 0 },
			{ id: 12, question: "Where was #1 born?", answer: "Tarn", paragraph_support_idx: 1 },
			{ id: 13, question: "How many people lived in #2, home of #1?", answer: "300", paragraph_support_idx: 3 },
		],
		answer: "300",
		answer_aliases: ["three hundred"],
		answerable: true,
	};
	const twin = {
		...item,
		answerable: false,
		question_decomposition: item.question_decomposition.map((step) => ({ ...step, paragraph_support_idx: null })),
	};

	test("references become needs and are filled in for readers", async () => {
		const [task] = (await read("musique", await file(lines([item]), "m.jsonl"))).tasks;
		expect(edges(task)).toEqual(["1()", "2(1)", "3(1 2)"]);
		expect(task?.chain?.hops.map((hop) => hop.question)).toEqual([
			"Red Door >> maker",
			"Where was Ana Li born?",
			"How many people lived in Tarn, home of Ana Li?",
		]);
		expect(task?.answer.accepted).toEqual(["300", "three hundred"]);
	});

	test("the twin that cannot be answered shares the cluster and is answered by declining", async () => {
		const { tasks, refused } = await read("musique", await file(lines([item, twin]), "m.jsonl"));
		expect(refused).toEqual([]);
		expect(tasks.map(({ id, answer, cluster }) => [id, answer.type, cluster])).toEqual([
			["3hop__1_2_3", "string", "3hop__1_2_3"],
			["3hop__1_2_3#unanswerable", "none", "3hop__1_2_3"],
		]);
		expect(await roundTripProblems(format("musique"), [await file(lines([item, twin]), "m.jsonl")])).toEqual([]);
	});

	test("a step that refers to itself or to none makes no chain", async () => {
		const [first, second, third] = item.question_decomposition;
		const itself = { ...item, question_decomposition: [first, { ...second, question: "Where was #2 born?" }, third] };
		const idle = {
			...item,
			id: "idle",
			question_decomposition: [first, { ...second, question: "Where?" }, { ...third, question: "How many in #2?" }],
		};
		const { tasks, losses } = await read("musique", await file(lines([itself, idle]), "m.jsonl"));
		expect(tasks.map((task) => task.chain)).toEqual([undefined, undefined]);
		expect(losses[0]).toContain("step 2 refers to #2, which is not before it");
		expect(losses.join()).toContain('no hop needs "1"');
	});

	test("a task from elsewhere is written with its needs as references", async () => {
		const reading = await read("musique", await file(lines([item]), "m.jsonl"));
		const foreign = { ...reading, tasks: reading.tasks.map(({ native: _native, ...task }) => task) };
		await format("musique").write?.(writtenOf(foreign, root), join(root, "foreign"));
		const row = JSON.parse(await readFile(join(root, "foreign/musique.jsonl"), "utf8"));
		expect(row.question_decomposition).toMatchObject([
			{ question: "Red Door >> maker", paragraph_support_idx: 0 },
			{ question: "Where was #1 born?", answer: "Tarn", paragraph_support_idx: 1 },
			{ question: "How many people lived in #2, home of #1?", paragraph_support_idx: 3 },
		]);
		expect(row.paragraphs.map((one: { is_supporting: boolean }) => one.is_supporting)).toEqual([
			true,
			true,
			false,
			true,
		]);
	});
});

describe("MultiHop-RAG", () => {
	const fact = {
		title: "Storm",
		url: "https://a.example/1",
		source: "A",
		published_at: "2023",
		fact: "It rained for a week.",
	};
	const questions = [
		{
			query: "Did it rain?",
			answer: "Yes",
			question_type: "inference_query",
			evidence_list: [fact, { ...fact, fact: "Nowhere said." }],
		},
		{ query: "Who was it?", answer: "Insufficient information.", question_type: "null_query", evidence_list: [] },
	];
	const article = {
		title: "Storm",
		url: "https://a.example/1",
		body: "A storm came.\n\nIt rained for a week. Then it was dry.",
		author: "N",
	};

	test("a fact leads to the paragraph of its article; one that is not there is kept as it is, and told", async () => {
		const files = [await file(questions, "q.json"), await file([article], "corpus.json")];
		const { tasks, evidence, losses } = await read("multihop-rag", ...files);
		const [asked, none] = tasks;
		expect(asked?.answer).toMatchObject({ type: "boolean", value: "yes" });
		expect(none?.answer.type).toBe("none");
		const texts = asked?.supporting?.map((id) => evidence.find((one) => one.id === id));
		expect(texts).toMatchObject([{ text: "It rained for a week. Then it was dry." }, { text: "Nowhere said." }]);
		expect(asked?.native).toMatchObject({ spans: [[15, 36], null] });
		expect(losses).toHaveLength(1);
		expect(await roundTripProblems(format("multihop-rag"), [files[0] ?? ""])).toEqual([]);
	});
});

describe("AgenticRAGTracer", () => {
	const levels = {
		hop_1: {
			...{ question: "Who made Red Door?", answer: "Ana Li", doc: '"Red Door"\nRed Door was made by Ana Li.' },
			...{ final_question: "Who made Red Door?", final_answer: "Ana Li", refined_answer: "Ana Li" },
		},
		hop_2: {
			...{ question: "Where was Ana Li born?", answer: "Tarn", doc: '"Ana Li"\nBorn in Tarn.' },
			...{ final_question: "Where was the maker of Red Door born?", final_answer: "Tarn, Ruvia" },
			...{ optional_answers: ["Tarn"], qa_type: "inference", verify_result: [{ step: 1, valid: true }] },
		},
		hop_3: {
			...{ question: "How many live in Sarn?", answer: "20", doc: "no title here" },
			...{ final_question: "Is the birthplace larger than Sarn?", final_answer: "yes", qa_type: "comparison" },
		},
	};

	test("every prefix is a task of one series; a comparison is a hop of its own", async () => {
		const { tasks, refused } = await read("tracer", await file(lines([levels]), "t.jsonl"));
		expect(refused).toEqual([]);
		expect(tasks.map(({ ladder, question }) => [ladder?.level, question])).toEqual([
			[1, "Who made Red Door?"],
			[2, "Where was the maker of Red Door born?"],
			[3, "Is the birthplace larger than Sarn?"],
		]);
		expect(new Set(tasks.map(({ ladder }) => ladder?.id)).size).toBe(1);
		expect(edges(tasks[2])).toEqual(["hop_1()", "hop_2(hop_1)", "hop_3()", "comparison_3(hop_2 hop_3)"]);
		expect(tasks[1]?.answer.accepted).toEqual(["Tarn, Ruvia", "Tarn"]);
	});

	test("the question type belongs to the chain: what goes on from a comparison stays one", async () => {
		const { hop_1, hop_2, hop_3 } = levels;
		const first = { ...hop_1, qa_type: "initial_qa" };
		const on = { ...hop_2, question: "Who said so?", final_question: "Who said whether the birthplace is larger?" };
		const records = [
			{
				hop_1: first,
				hop_2: { ...hop_3, qa_type: "comparison" },
				hop_3: on,
				hop_4: { ...on, question: "Who knew it?" },
			},
			{ hop_1: first, hop_2, hop_3: on },
			{ hop_1, hop_2: { ...hop_2, qa_type: undefined }, hop_3 },
			{ hop_1, hop_2: { ...hop_2, qa_type: undefined }, hop_3: { ...on, final_question: "Who told of it?" } },
		];
		const reading = await read("tracer", await file(lines(records), "types.jsonl"));
		const { tasks, refused } = reading;
		expect(refused).toEqual([]);
		const ladders = [...new Set(tasks.map((task) => task.ladder?.id))];
		const rungsOf = (id: string | undefined) => tasks.filter((task) => task.ladder?.id === id);
		const found = ladders.map((id) =>
			rungsOf(id)
				.map(({ tags }) => tags.questionType)
				.join(" "),
		);
		expect(found.sort()).toEqual([
			...[" comparison comparison comparison", " inference inference", "  ", "  comparison"].sort(),
		]);
		const ladder = tasks.find(({ tags }) => tags.hops === "4")?.ladder?.id;
		const own = tasks.flatMap(({ native: _n, ...task }) => (task.ladder?.id === ladder ? [task] : []));
		await format("tracer").write?.(writtenOf({ ...reading, tasks: own }, root), join(root, "types"));
		const row = JSON.parse(await readFile(join(root, "types/tracer.jsonl"), "utf8"));
		const kinds = [1, 2, 3, 4].map((level) => row[`hop_${level}`].qa_type);
		expect(kinds).toEqual([undefined, "comparison", "inference", "inference"]);
	});

	const official = join("..", "shared/data/forms/tracer-official-rows.jsonl");
	test.skipIf(!existsSync(official))("reads rows as the paper's generator writes them (its Table 3)", async () => {
		const { tasks, refused, losses } = await read("tracer", official);
		expect([refused, losses]).toEqual([[], []]);
		expect(tasks.map(({ chain, tags }) => [tags.questionType, chain && retrievalHops(chain).length])).toEqual([
			...[undefined, "comparison", "comparison", "comparison"].map((type, at) => [type, at + 1]),
			...[undefined, "inference", "inference", "inference"].map((type, at) => [type, at + 1]),
		]);
	});

	test("comes back; numbers with a gap and a level without its type are told", async () => {
		const plain = { hop_1: { question: "Q?", answer: "A", doc: "" } };
		expect(await roundTripProblems(format("tracer"), [await file(lines([levels, plain]), "t.jsonl")])).toEqual([]);
		const { qa_type: _type, ...untyped } = levels.hop_2;
		const odd = [{ hop_1: levels.hop_1, hop_3: levels.hop_3 }, { hop_1: levels.hop_1, hop_2: untyped }, { x: 1 }];
		const { tasks, refused, losses } = await read("tracer", await file(lines(odd), "t.jsonl"));
		expect(refused.map(({ row, reason }) => [row, reason.split(":")[0]])).toEqual([
			[1, "at hop_2"],
			[3, "has no hop_1"],
		]);
		expect(tasks.map((task) => task.chain !== undefined)).toEqual([true, false]);
		expect(losses[0]).toContain("hop_2 does not state whether it infers or compares");
	});
});

const official = join("..", "shared", "data", "forms", "tracer-official-rows.jsonl");

describe.skipIf(!existsSync(official))("rows as AgenticRAGTracer's generator writes them", () => {
	test("are each a nested series of four, by inference and with a comparison", async () => {
		const { tasks, refused, losses } = await read("tracer", official);
		expect([refused, losses]).toEqual([[], []]);
		expect(tasks.map(edges).filter((_, level) => level % 4 === 3)).toEqual([
			["hop_1()", "hop_2()", "comparison_2(hop_1 hop_2)", "hop_3(comparison_2)", "hop_4(hop_3)"],
			["hop_1()", "hop_2(hop_1)", "hop_3(hop_2)", "hop_4(hop_3)"],
		]);
		expect(tasks.map(({ answer }) => answer.value).slice(0, 4)).toEqual([
			...["4,586 K", "HD 195564", "Hipparcos", "118,218 entries"],
		]);
	});
});

describe("a nested question series from elsewhere", () => {
	test("is written as a record of levels, two hops of one level as two levels", async () => {
		const reading = await read("musique", await file(lines([beirItem]), "m.jsonl"));
		const [whole] = reading.tasks.map(({ native: _n, ...task }) => task);
		if (!whole?.chain) throw new Error("no chain");
		const [first] = whole.chain.hops;
		if (!first) throw new Error("no hop");
		const small = {
			...whole,
			question: first.question,
			answer: first.answer,
			chain: { hops: [first], sink: first.id },
		};
		const rung = (task: Task, id: string, level: number) => ({ ...task, id, ladder: { id: "l", level } });
		const write = async (tasks: Task[], name: string) => {
			const writing = await format("tracer").write?.(writtenOf({ ...reading, tasks }, root), join(root, name));
			const row = JSON.parse(await readFile(join(root, name, "tracer.jsonl"), "utf8"));
			return { row, losses: writing?.losses };
		};
		const both = await write([rung(whole, "b", 2), rung(small, "a", 1)], "ladder");
		expect(Object.keys(both.row)).toEqual(["hop_1", "hop_2"]);
		expect(both.row.hop_2).toMatchObject({
			...{ question: "Where was Ana Li born?", final_question: whole.question, qa_type: "inference" },
			doc: '"Ana Li"\nBorn in Tarn.',
		});
		expect(both.losses).toEqual([]);
		const alone = await write([rung(whole, "b", 1)], "alone");
		expect(Object.keys(alone.row)).toEqual(["hop_1", "hop_2"]);
		const again = await read("tracer", join(root, "ladder/tracer.jsonl"));
		expect(again.tasks.map(edges)).toEqual([["hop_1()"], ["hop_1()", "hop_2(hop_1)"]]);
	});
});

describe("WebShaper", () => {
	test("keeps a question whose graph is not understood, and says why it is not", async () => {
		const row = { id: "a", question: "Which lake?", answer: "Lake Obo", urls: [] };
		const path = await file([
			{ ...row, formalization: [["V@x", "has name", "?"]] },
			{
				...row,
				id: "b",
				formalization: [
					["V@x", "lies in", "C@Ruvia", "C@Sarn"],
					["V@x", "has name", "?"],
				],
			},
			{ ...row, id: "c", formalization: [["V@x", "is a", "C@lake"]] },
		]);
		const { tasks, refused, losses } = await read("webshaper", path);
		expect([tasks.length, refused]).toEqual([3, []]);
		expect(losses).toEqual([
			"b: constraint 1 has 4 cells where three belong",
			"c: no constraint asks for anything: there is no ?",
		]);
		expect(await roundTripProblems(format("webshaper"), [path])).toEqual([]);
	});
});

describe("FlashRAG", () => {
	const items = [
		{ id: "test_0", question: "Who?", golden_answers: ["Ana", "Ana Li"], metadata: {} },
		{ id: 7, question: "How many?", golden_answers: [3, "three"], metadata: null },
		{
			...{ id: "h", question: "Which?", golden_answers: ["Obo"] },
			metadata: {
				...{ type: "bridge", level: "hard", other: [1] },
				supporting_facts: { title: ["Lake Obo"], sent_id: [1] },
				context: { title: ["Lake Obo"], content: [["Lake Obo lies in Ruvia.", " It is long."]] },
			},
		},
		{ id: "bare", question: "What?", golden_answers: ["x"] },
	];
	test("comes back, with a title and without", async () => {
		expect(await roundTripProblems(format("flashrag"), [await file(lines(items), "f.jsonl")])).toEqual([]);
		const { tasks, evidence } = await read("flashrag", await file(lines(items), "f.jsonl"));
		expect(tasks[2]?.supporting).toEqual(evidence.map(({ id }) => id));
	});
});

describe("BEIR", () => {
	test("goes out by item and by hop, and comes back with its chains", async () => {
		const reading = await read("musique", await file(lines([beirItem]), "m.jsonl"));
		const foreign = { ...reading, tasks: reading.tasks.map(({ native: _n, context: _c, ...task }) => task) };
		const out = join(root, "beir");
		const writing = await format("beir").write?.(writtenOf(foreign, root), out);
		expect(writing?.losses).toEqual([]);
		const judged = await readFile(join(out, "qrels/hops.tsv"), "utf8");
		expect(judged.split("\n").map((line) => line.split("\t")[0])).toEqual(["query-id", "b1#1", "b1#2", ""]);
		const files = (writing?.files ?? []).map((name) => join(out, name));
		const again = await read("beir", ...files);
		expect(again.tasks[0]?.chain).toEqual(foreign.tasks[0]?.chain);
		expect(again.tasks[0]?.answer).toEqual(foreign.tasks[0]?.answer);
	});

	test("a query without an answer or with a judged document that is missing is refused; TREC qrels are read", async () => {
		const corpus = await file(lines([{ _id: "d1", title: "T", text: "x" }]), "c.jsonl");
		const renamed = corpus.replace(/\d+-c/, "corpus");
		await writeFile(renamed, await readFile(corpus));
		const queries = join(root, "queries.jsonl");
		const rows = [
			{ _id: "q1", text: "A?", metadata: { answer: ["a", "b"] } },
			{ _id: "q2", text: "B?" },
			{ _id: 3, text: "C?", metadata: { answers: ["c"] } },
		];
		await writeFile(queries, lines(rows));
		const qrels = await file("q1 0 d1 1\nq1 0 d9 0\n3 0 gone 2\n", "qrels.txt");
		const { tasks, refused } = await read("beir", renamed, queries, qrels);
		expect(tasks.map(({ id, supporting }) => [id, supporting])).toEqual([["q1", ["d1"]]]);
		expect(refused.map(({ id, reason }) => [id, reason])).toEqual([
			["q2", "states no answer: what is right cannot be told"],
			["3", 'relevant document "gone" is not in the corpus'],
		]);
	});
});

const beirItem = {
	...{ id: "b1", question: "Where was the maker of Red Door born?", answer: "Tarn", answerable: true },
	paragraphs: [
		{ idx: 0, title: "Red Door", paragraph_text: "Made by Ana Li.", is_supporting: true },
		{ idx: 1, title: "Ana Li", paragraph_text: "Born in Tarn.", is_supporting: true },
	],
	question_decomposition: [
		{ id: 1, question: "Red Door >> maker", answer: "Ana Li", paragraph_support_idx: 0 },
		{ id: 2, question: "Where was #1 born?", answer: "Tarn", paragraph_support_idx: 1 },
	],
	answer_aliases: [],
};

describe("Parquet", () => {
	test("veRL: prompts and targets as trainers read them, and back", async () => {
		const reading = await read("musique", await file(lines([beirItem]), "m.jsonl"));
		const out = join(root, "verl");
		const writing = await format("verl").write?.(writtenOf(reading, root), out);
		expect(writing?.files).toEqual(["test.parquet"]);
		const again = await read("verl", join(out, "test.parquet"));
		expect(again.refused).toEqual([]);
		expect(again.tasks[0]).toMatchObject({ id: "b1", question: beirItem.question, answer: { accepted: ["Tarn"] } });
		expect(await roundTripProblems(format("verl"), [join(out, "test.parquet")])).toEqual([]);
	});

	test("veRL without a question column reads it from the end of the prompt, else refuses", async () => {
		const columns: Record<string, ColumnType> = {
			data_source: "string",
			prompt: { list: { group: { role: "string", content: "string" } } },
			reward_model: { group: { style: "string", ground_truth: { group: { target: { list: "string" } } } } },
			extra_info: { group: { split: "string", index: "integer" } },
		};
		const row = (content: string, index: number) => ({
			...{ data_source: "nq", prompt: [{ role: "user", content }], extra_info: { split: "train", index } },
			reward_model: { style: "rule", ground_truth: { target: ["x"] } },
		});
		const path = join(root, "nq.parquet");
		await writeParquet(path, columns, [row("Do this. Question: Who is it?\n", 0), row("Say something.", 1)]);
		const { tasks, refused } = await read("verl", path);
		expect(tasks).toMatchObject([{ id: "nq-train-0", question: "Who is it?" }]);
		expect(refused).toMatchObject([{ row: 2 }]);
	});

	test("ours: tasks and evidence whole", async () => {
		const reading = await read("musique", await file(lines([beirItem]), "m.jsonl"));
		const out = join(root, "ours");
		await format("parquet").write?.(writtenOf(reading, root), out);
		const again = await read("parquet", join(out, "tasks.parquet"), join(out, "evidence.parquet"));
		expect(again.tasks).toEqual(reading.tasks);
		expect(again.evidence).toEqual(reading.evidence);
		const files = [join(out, "tasks.parquet"), join(out, "evidence.parquet")];
		expect(await roundTripProblems(format("parquet"), files, { taskFiles: files.slice(0, 1) })).toEqual([]);
	});
});
