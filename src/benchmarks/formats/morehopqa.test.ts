import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { benchmarkProblems, formats, openBenchmark, type Reading, writeBenchmark } from "#benchmarks";
import { sha256 } from "#store";
import { roundTripProblems } from "../../../test/support/benchmarks/round-trip.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-morehopqa-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function read(files: string[]): Promise<Reading> {
	const reading = await formats.morehopqa?.read?.(files);
	if (!reading) throw new Error("morehopqa is not read");
	return reading;
}

describe("MoreHopQA", () => {
	const item = {
		_id: "x_1",
		question: "What is the date a month before the father of Ada died?",
		answer: "1981-12-22",
		answer_type: "date",
		previous_answer_type: "date",
		question_decomposition: [
			{ sub_id: "1", question: "Who is the father of Ada?", answer: "Bo", paragraph_support_title: "Ada" },
			{ sub_id: "2", question: "When did Bo die?", answer: "January 22, 1982", paragraph_support_title: "Bo" },
			{
				sub_id: "3",
				question: "What is the date a month before January 22, 1982?",
				answer: "1981-12-22",
				paragraph_support_title: "",
				details: [],
			},
		],
		context: [
			["Ada", ["Ada is a child of Bo.", " So it is."]],
			["Bo", ["Bo died on January 22, 1982."]],
		],
	};

	async function imported(items: unknown) {
		const file = join(root, `${sha256(JSON.stringify(items)).slice(0, 8)}.json`);
		await writeFile(file, JSON.stringify(items));
		return read([file]);
	}

	test("an item becomes a chain of retrieving hops and a computation", async () => {
		const { tasks, evidence, losses, refused } = await imported([item]);
		expect({ losses, refused }).toEqual({ losses: [], refused: [] });
		const hops = tasks[0]?.chain?.hops ?? [];
		expect(hops.map((hop) => [hop.modality, hop.needs.map((need) => `${need.role} ${need.hop}`)])).toEqual([
			["text", []],
			["text", ["bridge 1"]],
			["compute", ["operand 2"]],
		]);
		expect(hops[0]?.evidence).toEqual(evidence.flatMap((one) => (one.title === "Ada" ? [one.id] : [])));
		expect(evidence).toContainEqual(expect.objectContaining({ text: "Ada is a child of Bo. So it is." }));
		expect(hops[1]?.answer).toMatchObject({ type: "time", time: { iso: "1982-01-22", precision: "day" } });
		expect(tasks[0]?.answer.accepted).toContain("December 22, 1981");
	});

	test("the details of the last hop chain, a branch of its own standing alone", async () => {
		const detail = (sub_id: string, question: string, text: string) => ({ sub_id, question, answer: text });
		const compared = {
			...item,
			_id: "x_2",
			question: "How many fewer letters has Myra than the father of Ada's first name?",
			answer: "2",
			answer_type: "number",
			question_decomposition: [
				item.question_decomposition[0],
				{ ...item.question_decomposition[1], question: "What is Bo's whole name?", answer: "Walter Leslie" },
				{
					sub_id: "3",
					question: "How many fewer letters has Myra than the first name of Walter Leslie?",
					answer: "2",
					details: [
						detail("3_1", "How many letters has Myra?", "4"),
						detail("3_2", "What is the first name of Walter Leslie?", "Walter"),
						detail("3_3", "How many letters has Walter?", "6"),
						detail("3_4", "By how much is 4 less than 6?", "2"),
					],
				},
			],
			previous_answer_type: "person",
		};
		const { tasks, losses } = await imported([compared]);
		const edges = tasks[0]?.chain?.hops.map((hop) => `${hop.id}: ${hop.needs.map((need) => need.hop).join(" ")}`);
		expect(edges).toEqual(["1: ", "2: 1", "3_1: ", "3_2: 2", "3_3: 3_2", "3_4: 3_1 3_3"]);
		expect(losses).toEqual([]);
		expect(tasks[0]?.answer).toMatchObject({ type: "number", number: { value: 2 } });
	});

	test("comes back as it was, a changed hop with its change", async () => {
		const file = join(root, "round.json");
		await writeFile(file, JSON.stringify([item]));
		const morehopqa = formats.morehopqa;
		expect(morehopqa && (await roundTripProblems(morehopqa, [file]))).toEqual([]);
	});

	test("what does not fit is declared, never guessed", async () => {
		const last = item.question_decomposition[2];
		const { tasks, losses, refused } = await imported([
			{ ...item, _id: "other-answer", answer: "1999-01-01" },
			{ ...item, _id: "no-paragraph", context: [["Ada", ["Ada is a child of Bo."]]] },
			{
				...item,
				_id: "unnamed",
				question_decomposition: [
					item.question_decomposition[0],
					{ ...item.question_decomposition[1], question: "When did he die?" },
					last,
				],
			},
			{ _id: "broken" },
			7,
			item,
			item,
		]);
		expect(tasks.map((one) => [one.id, one.chain !== undefined])).toEqual([
			["other-answer", false],
			["no-paragraph", false],
			["unnamed", true],
			["x_1", true],
		]);
		expect(losses).toContain("unnamed: hop 2 names no earlier answer: assumed to need hop 1");
		expect(losses.filter((loss) => loss.endsWith("kept without a chain"))).toHaveLength(2);
		expect(refused.map(({ row, reason }) => [row, reason])).toEqual([
			[4, expect.stringContaining("at question: ")],
			[5, expect.stringContaining("expected object")],
			[7, "another row has the same id"],
		]);
	});

	test("a file that is no array of items is refused", async () => {
		expect((await imported({})).refused).toHaveLength(1);
		await expect(read([join(root, "none.json")])).rejects.toMatchObject({ code: "bad-file", exitCode: 2 });
		const text = join(root, "words.json");
		await writeFile(text, "no JSON at all");
		await expect(read([text])).rejects.toMatchObject({ code: "bad-file", exitCode: 2 });
	});

	const released = "../shared/data/morehopqa/morehopqa_150.json";
	test.skipIf(!existsSync(released))("the 150 verified items come over whole", async () => {
		const { tasks, evidence, losses, refused, source } = await read([released]);
		expect(tasks).toHaveLength(150);
		expect(refused).toEqual([]);
		expect(evidence).toHaveLength(235);
		const known = new Set(evidence.map(({ id }) => id));
		expect(known.size).toBe(235);
		expect(benchmarkProblems({ dir: root, tasks }, { resolves: (id) => known.has(id) })).toEqual([]);
		expect(tasks.every((one) => one.chain?.hops.filter((hop) => hop.evidence.length > 0).length === 2)).toBe(true);
		const count = (type: string) => tasks.filter((one) => one.answer.type === type).length;
		expect([count("number"), count("string"), count("time")]).toEqual([87, 35, 28]);
		// every assumption is declared with its item
		expect(losses.every((loss) => tasks.some((one) => loss.startsWith(`${one.id}: `)))).toBe(true);
		const dir = join(root, "morehopqa");
		const about = { title: "MoreHopQA", description: "", licence: source.licence, knowledge: "morehopqa" };
		const manifest = { ...about, name: "morehopqa", sources: [source], losses };
		await writeBenchmark(dir, { manifest, tasks, card: "# MoreHopQA" });
		expect((await openBenchmark(dir)).tasks).toHaveLength(150);
	});
});
