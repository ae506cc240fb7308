import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { benchmarkProblems, importMorehopqa, openBenchmark, writeBenchmark } from "#benchmarks";
import { type Chain, HopscopeError, Task } from "#domain";
import { sha256 } from "#store";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-benchmarks-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const about = {
	name: "tiny",
	title: "Tiny",
	description: "Two tasks.",
	licence: "CC0-1.0",
	sources: [{ name: "nobody", licence: "CC0-1.0", attribution: "nobody" }],
	knowledge: "tiny",
};

const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });

function chain(): Chain {
	return {
		hops: [
			{ id: "1", question: "Who?", modality: "text", needs: [], evidence: ["e1"], answer: answer("Ada") },
			{
				id: "2",
				question: "When was Ada born?",
				modality: "text",
				needs: [{ hop: "1", role: "bridge" }],
				evidence: ["e2"],
				answer: answer("1815"),
			},
		],
		sink: "2",
	};
}

function task(id: string, more: Partial<Task> = {}): Task {
	return Task.parse({ id, question: "When was she born?", answer: answer("1815"), chain: chain(), ...more });
}

async function withImage(dir: string): Promise<Task> {
	await mkdir(join(dir, "images"), { recursive: true });
	await writeFile(join(dir, "images/a.png"), "pixels");
	const image = { id: "a", file: "images/a.png", width: 1, height: 1, sha256: sha256("pixels") };
	return task("with-image", { images: [image] });
}

async function failure(promise: Promise<unknown>): Promise<HopscopeError> {
	const error = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(HopscopeError);
	return error as HopscopeError;
}

/** Writes a benchmark folder by hand, as a stranger's tool might, with the right hash. */
async function byHand(name: string, lines: string[], manifest: Record<string, unknown> = {}): Promise<string> {
	const dir = join(root, name);
	await mkdir(dir, { recursive: true });
	const text = lines.map((line) => `${line}\n`).join("");
	await writeFile(join(dir, "tasks.jsonl"), text);
	const whole = { ...about, version: 1, tasks: lines.length, hash: sha256(text), ...manifest };
	await writeFile(join(dir, "benchmark.json"), JSON.stringify(whole));
	return dir;
}

describe("a benchmark", () => {
	test("is read back as it was written, in order of id", async () => {
		const dir = join(root, "round-trip");
		const tasks = [task("b"), await withImage(dir), task("a")];
		const manifest = await writeBenchmark(dir, { manifest: about, tasks, card: "# Tiny" });
		const opened = await openBenchmark(dir);
		expect(opened.manifest).toEqual(manifest);
		expect(opened.tasks.map((one) => one.id)).toEqual(["a", "b", "with-image"]);
		expect(opened.tasks[2]).toEqual(tasks[1]);
		expect(await readFile(join(dir, "card.md"), "utf8")).toBe("# Tiny\n");
	});

	test("of equal tasks has equal hashes, whatever their order", async () => {
		const one = await writeBenchmark(join(root, "one"), { manifest: about, tasks: [task("a"), task("b")], card: "" });
		const two = await writeBenchmark(join(root, "two"), { manifest: about, tasks: [task("b"), task("a")], card: "" });
		expect(one.hash).toBe(two.hash);
	});

	test("that could not be opened again is not written", async () => {
		const dir = join(root, "refused");
		const error = await failure(writeBenchmark(dir, { manifest: about, tasks: [task("a"), task("a")], card: "" }));
		expect(error).toMatchObject({ code: "duplicate-task", exitCode: 2 });
		expect(existsSync(join(dir, "benchmark.json"))).toBe(false);
	});
});

describe("opening refuses with file, line, task and remedy", () => {
	test("a cycle", async () => {
		const looped = chain();
		looped.hops[0]?.needs.push({ hop: "2", role: "bridge" });
		const dir = await byHand("cycle", [JSON.stringify(task("fine")), JSON.stringify(task("round", { chain: looped }))]);
		const error = await failure(openBenchmark(dir));
		expect(error).toMatchObject({ code: "cycle", exitCode: 2 });
		expect(error.message).toContain("tasks.jsonl, line 2: task round: hops 1, 2 need one another in a cycle");
		expect(error.message).not.toContain("\n");
	});

	test("several problems: the first is told, the others counted and carried", async () => {
		const dir = await byHand("several", [
			JSON.stringify(task("a", { answer: answer("1816") })),
			'{"id": 3}',
			"{",
			JSON.stringify(task("a")),
		]);
		const error = await failure(openBenchmark(dir));
		expect(error.code).toBe("answer-differs");
		expect(error.message).toContain("line 1: task a");
		expect(error.message).toContain("and 3 more problems");
		const problems = error.facts.problems as { code: string; message: string }[];
		expect(problems.map((problem) => problem.code)).toEqual([
			"answer-differs",
			"bad-line",
			"bad-line",
			"duplicate-task",
		]);
		expect(problems[1]?.message).toMatch(/tasks\.jsonl, line 2: at id: /);
	});

	test.each([
		["missing", "images/none.png", "missing-image", "task t: image file"],
		["above", "../secret.png", "bad-line", "at images.0.file: must name a file inside the folder"],
		["hidden-above", "images/../../secret.png", "bad-line", "at images.0.file: must name a file inside the folder"],
		["absolute", "/etc/hostname", "bad-line", "at images.0.file: must name a file inside the folder"],
		["windows", "C:\\secret.png", "bad-line", "at images.0.file: must name a file inside the folder"],
		["folder", "images", "missing-image", "task t: image file"],
	])("an image file that is %s", async (name, file, code, message) => {
		const image = { id: "a", file, width: 1, height: 1, sha256: sha256("") };
		const dir = await byHand(name, [JSON.stringify({ ...task("t"), images: [image] })]);
		await mkdir(join(dir, "images"), { recursive: true });
		const error = await failure(openBenchmark(dir));
		expect(error).toMatchObject({ code, exitCode: 2 });
		expect(error.message).toContain(`line 1: ${message}`);
	});

	test("an image that is a link to elsewhere", async () => {
		await writeFile(join(root, "secret.png"), "secret");
		const image = { id: "a", file: "link.png", width: 1, height: 1, sha256: sha256("secret") };
		const dir = await byHand("link", [JSON.stringify(task("t", { images: [image] }))]);
		await symlink(join(root, "secret.png"), join(dir, "link.png"));
		expect((await failure(openBenchmark(dir))).code).toBe("unsafe-image");
	});

	test("tasks that were changed, cut or are missing", async () => {
		const line = JSON.stringify(task("a"));
		expect((await failure(openBenchmark(await byHand("hash", [line], { hash: "0".repeat(64) })))).code).toBe(
			"hash-differs",
		);
		expect((await failure(openBenchmark(await byHand("count", [line], { tasks: 2 })))).code).toBe("count-differs");
		expect((await failure(openBenchmark(join(root, "nowhere")))).code).toBe("no-benchmark");
	});

	test("a manifest that does not fit", async () => {
		const dir = await byHand("manifest", [], { licence: 7 });
		const error = await failure(openBenchmark(dir));
		expect(error.message).toContain("at licence");
		expect(error.exitCode).toBe(2);
	});
});

test("problems look evidence up where asked to", () => {
	const tasks = [task("a")];
	expect(benchmarkProblems({ dir: root, tasks })).toEqual([]);
	const problems = benchmarkProblems({ dir: root, tasks }, { resolves: (id) => id !== "e2" });
	expect(problems.map((problem) => problem.code)).toEqual(["unknown-evidence"]);
});

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
		return importMorehopqa(file);
	}

	test("an item becomes a chain of retrieving hops and a computation", async () => {
		const { tasks, passages, losses, problems } = await imported([item]);
		expect({ losses, problems }).toEqual({ losses: [], problems: [] });
		const hops = tasks[0]?.chain?.hops ?? [];
		expect(hops.map((hop) => [hop.modality, hop.needs.map((need) => `${need.role} ${need.hop}`)])).toEqual([
			["text", []],
			["text", ["bridge 1"]],
			["compute", ["operand 2"]],
		]);
		expect(hops[0]?.evidence).toEqual(passages.flatMap((passage) => (passage.title === "Ada" ? [passage.id] : [])));
		expect(passages.map((passage) => passage.text)).toContain("Ada is a child of Bo. So it is.");
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

	test("what does not fit is declared, never guessed", async () => {
		const last = item.question_decomposition[2];
		const { tasks, losses, problems } = await imported([
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
		expect(problems.map((problem) => problem.code)).toEqual([
			"no-chain",
			"no-chain",
			"bad-item",
			"bad-item",
			"duplicate-task",
		]);
	});

	test("a file that is no array of items is refused", async () => {
		expect(await failure(imported({}))).toMatchObject({ code: "bad-file", exitCode: 2 });
		expect(await failure(importMorehopqa(join(root, "none.json")))).toMatchObject({ code: "bad-file", exitCode: 2 });
	});

	const released = "../shared/data/morehopqa/morehopqa_150.json";
	test.skipIf(!existsSync(released))("the 150 verified items come over whole", async () => {
		const { tasks, passages, losses, problems, source } = await importMorehopqa(released);
		expect(tasks).toHaveLength(150);
		expect(problems).toEqual([]);
		expect(passages).toHaveLength(235);
		const known = new Set(passages.map((passage) => passage.id));
		expect(known.size).toBe(235);
		expect(benchmarkProblems({ dir: root, tasks }, { resolves: (id) => known.has(id) })).toEqual([]);
		expect(tasks.every((one) => one.chain?.hops.filter((hop) => hop.evidence.length > 0).length === 2)).toBe(true);
		const count = (type: string) => tasks.filter((one) => one.answer.type === type).length;
		expect([count("number"), count("string"), count("time")]).toEqual([87, 35, 28]);
		// every assumption is declared with its item
		expect(losses.every((loss) => tasks.some((one) => loss.startsWith(`${one.id}: `)))).toBe(true);
		const dir = join(root, "morehopqa");
		const manifest = { ...about, name: "morehopqa", sources: [source], losses };
		await writeBenchmark(dir, { manifest, tasks, card: "# MoreHopQA" });
		expect((await openBenchmark(dir)).tasks).toHaveLength(150);
	});
});
