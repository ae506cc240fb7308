import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formats } from "#benchmarks";
import { HopscopeError } from "#domain";
import { isLong } from "../../../test/long.ts";
import { sampleRows as rows } from "../../../test/support/benchmarks/sample-rows.ts";
import type { Format, Reading } from "./format.ts";
import { joinedSentences } from "./sentences.ts";
import { fusedValue } from "./value-extraction.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-hostile-"));
	await mkdir(join(root, "images"));
	await writeFile(join(root, "secret.png"), "not for you");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
/** Values as they stand in JSON, for any field. */
const hostile = [
	...["null", "true", "1e400", "-1", "1.5", "9007199254740993", '""', "[]", "{}", "[[null]]", deep],
	...['"constructor"', '"__proto__"', '{"__proto__": {"x": 1}, "constructor": 1}', '"../secret.png"', '"/etc/passwd"'],
	...[
		'"a\\u0000b"',
		'"\\ud800"',
		`"${"y".repeat(3999)}"`,
		`"${"x".repeat(isLong ? 100_000 : 10_000)}"`,
		`"${" ".repeat(isLong ? 30_000 : 5000)}"`,
	],
];

let made = 0;
/** Reads a file; a refusal of the whole file is given as null, anything else that is thrown fails the test. */
async function read(format: Format, text: string, name = "rows.json"): Promise<Reading | null> {
	made += 1;
	const file = join(root, `${made}`, format.name === "beir" ? name.replace("rows", "queries") : name);
	await mkdir(join(root, `${made}`));
	await writeFile(file, text);
	const mapping = { id: "id", question: "question", answer: "answer", images: "images" };
	try {
		const reading = await format.read?.([file], { images: join(root, "images"), mapping });
		return reading ?? null;
	} catch (error) {
		expect(error).toBeInstanceOf(HopscopeError);
		expect(error).toMatchObject({ exitCode: 2 });
		return null;
	} finally {
		await rm(join(root, `${made}`), { recursive: true });
	}
}

/** A JSON text with one field after another given as `value`. */
function* withField(row: Record<string, unknown>, value: string): Generator<string> {
	const mark = "\u0001here\u0001";
	for (const path of paths(row)) {
		const copy = structuredClone(row);
		let inner: Record<string, unknown> = copy;
		for (const part of path.slice(0, -1)) inner = inner[part] as Record<string, unknown>;
		inner[path.at(-1) ?? ""] = mark;
		yield JSON.stringify(copy).replace(JSON.stringify(mark), () => value);
	}
	yield JSON.stringify({ ...row, extra: mark }).replace(JSON.stringify(mark), () => value);
}

function paths(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== "object" || value === null) return path.length > 0 ? [path] : [];
	const inner = Object.entries(value).flatMap(([name, one]) => paths(one, [...path, name]));
	return path.length > 0 ? [path, ...inner] : inner;
}

const readable = Object.values(formats).filter((format) => format.read);
const whole = (format: Format, list: readonly string[]) =>
	format.name === "webqa" ? `{${list.map((row, at) => `"g${at}": ${row}`).join(",")}}` : `[${list.join(",\n")}]`;

describe("hostile values and torn files are refusals with a row and a reason", () => {
	test("every format that is read has a row here", () => {
		expect(Object.keys(rows).sort()).toEqual(readable.map(({ name }) => name).sort());
	});
	test.each(readable)("$name", { tags: "longer" }, async (format) => {
		const row = rows[format.name] ?? {};
		const good = whole(format, [JSON.stringify(row)]);
		const torn = [
			"",
			"  \n",
			good.slice(0, -10),
			`${good.slice(0, -1)},`,
			good + good,
			"null",
			"5",
			'"x"',
			"[1, null]",
		];
		const given = hostile.flatMap((value) => [...withField(row, value)]);
		for (const text of [whole(format, given), ...torn]) {
			const reading = await read(format, text);
			for (const { row: number, reason } of reading?.refused ?? []) {
				expect(number).toBeGreaterThan(0);
				expect(reason).not.toBe("");
			}
			for (const { from } of reading?.media ?? []) expect("file" in from && from.file).toBe(false);
		}
		for (const ending of isLong ? ["csv", "tsv", "parquet", "jsonl"] : ["csv", "jsonl"])
			for (const text of torn) await read(format, text, `rows.${ending}`);
	});
});

const of = (name: string): Format => {
	const format = formats[name];
	if (!format) throw new Error(name);
	return format;
};
const reasons = async (name: string, text: string, file?: string) =>
	(await read(of(name), text, file))?.refused.map(({ row, reason }) => [row, reason]);

describe("what is wrong is told", () => {
	const row = JSON.stringify(rows["short-qa"]);
	test("an array that ends early or that something follows", async () => {
		expect(await reasons("short-qa", `[${row},`)).toEqual([[2, "the file ends before its array does"]]);
		expect(await reasons("short-qa", `[${row}]\n[${row}]`)).toEqual([
			[2, "the file continues behind the end of its array: not read"],
		]);
		expect(await reasons("short-qa", `\ufeff[${row}]\r\n `)).toEqual([]);
	});
	test("nesting beyond a hundred levels", async () => {
		expect(await reasons("short-qa", `[{"question": "q", "answer": "a", "more": ${deep}}]`)).toEqual([
			[1, "lists and fields within one another to more than 100 levels"],
		]);
	});
	test("columns of different lengths are not filled up", async () => {
		const columns = {
			supporting_facts: { title: ["T", "U"], sent_id: [0] },
			context: { title: ["T"], sentences: [["s"]] },
		};
		expect(await reasons("hotpotqa", JSON.stringify([{ ...rows.hotpotqa, ...columns }]))).toMatchObject([
			[1, /lengths|Invalid/],
		]);
	});
	test("two documents of one id that say different things", async () => {
		const [first, second] = ["one", "other"].map((contents) => JSON.stringify({ id: 1, contents }));
		expect(await reasons("flashrag", `[${first}, ${first}, ${second}]`)).toEqual([
			[3, 'another evidence "1" says something else'],
		]);
	});
	test("a class of boxes is no inherited name", async () => {
		const deck = { deck_name: "d", bboxes: [[1, [{ bbox_id: 1, class: "constructor", bbox: [0, 0, 1, 1] }]]] };
		const reading = await read(of("slidevqa"), JSON.stringify([deck]));
		expect(reading?.evidence[0]).toMatchObject({ blocks: [{ kind: "figure" }] });
	});
	test("an operation is no inherited name", () => {
		expect(fusedValue("constructor", [1, 2])).toEqual({ problem: 'the operation "constructor" is not known' });
	});
	test("an image name too long for a file, with a null character or leading out is not there, and waits", async () => {
		for (const image_path of ["y".repeat(3999), "a\0b", "../secret.png"]) {
			const reading = await read(of("vistahop"), JSON.stringify([{ ...rows.vistahop, image_path }]));
			expect(reading).toMatchObject({ media: [], tasks: [{ pending: { images: [{ sourceName: image_path }] } }] });
		}
		expect(
			await reasons("vistahop", JSON.stringify([{ ...rows.vistahop, image_path: "y".repeat(4001) }])),
		).toHaveLength(1);
	});
});

describe("long texts take no longer than they are long", () => {
	const spaces = " ".repeat(300_000);
	test("a prompt of white space", async () => {
		const verl = { ...rows.verl, prompt: [{ role: "user", content: `Question: ${spaces}\n\nx\ny` }] };
		expect(await reasons("verl", JSON.stringify([verl]))).toMatchObject([[1, /has no question/]]);
	});
	test("a question behind its mark, on the same line or the next", async () => {
		for (const content of ['Say. Question: is "Question:" a word?\n', "Say. Question:\nwho?"]) {
			const reading = await read(of("verl"), JSON.stringify([{ ...rows.verl, prompt: [{ role: "user", content }] }]));
			expect(reading?.tasks[0]?.question).toBe(content.includes("who") ? "who?" : 'is "Question:" a word?');
		}
	});
	test("an article of white space, a paragraph of many sentences", async () => {
		const reading = await read(
			of("multihop-rag"),
			JSON.stringify([{ title: "t", body: `${spaces}\n a \n${spaces}b` }]),
		);
		expect(reading?.evidence.map((one) => one.kind === "passage" && one.text).sort()).toEqual(["a", "b"]);
		expect(joinedSentences(Array.from({ length: 5000 }, () => "x".repeat(2000)))).toHaveLength(5000 * 2001 - 1);
	});
});

describe("BEIR", () => {
	const query = JSON.stringify({ _id: "q1", text: "who?", metadata: { answer: "a" } });
	const put = async (files: Record<string, string>) => {
		const dir = await mkdtemp(join(root, "beir-"));
		for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
		return Object.keys(files).map((name) => join(dir, name));
	};
	const document = (text: string) => JSON.stringify({ _id: "d1", text });
	test("what no judgement is, a second document of an id and a hop without its query are refused", async () => {
		const hop = { id: "h", modality: "text", answer: { type: "string", value: "a", accepted: ["a"] } };
		const part = JSON.stringify({ _id: "q9#h", text: "which?", metadata: { task: "q9", hop } });
		const reading = await of("beir").read?.(
			await put({
				"corpus.jsonl": `${document("one")}\n${document("other")}\n`,
				"queries.jsonl": `${query}\n${part}\n`,
				"test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td1\nq1\td1\tmuch\n",
			}),
		);
		expect(reading?.refused.map(({ row, reason }) => [row, reason])).toEqual([
			[2, 'another document is called "d1"'],
			[3, "no judgement of a query, a document and a grade"],
			[4, "no judgement of a query, a document and a grade"],
			[2, 'is of the query "q9", which is not in the files'],
		]);
		expect(reading?.tasks[0]?.supporting).toEqual(["d1"]);
	});
	test("a file whose name tells nothing is not passed over", async () => {
		const files = await put({ "queries.jsonl": query, "documents.jsonl": document("one") });
		await expect(of("beir").read?.(files)).rejects.toMatchObject({ code: "bad-file", exitCode: 2 });
		await expect(of("beir").read?.([join(root, "nowhere.tsv")])).rejects.toMatchObject({ exitCode: 2 });
	});
});
