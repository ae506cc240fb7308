import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { picture, putFiles, readAlone } from "../../../test/support/corpus/sources.ts";
import { parquet } from "./parquet.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-parquet-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Columns = Parameters<typeof parquetWriteBuffer>[0]["columnData"];

async function put(columnData: Columns, rowGroupSize?: number): Promise<void> {
	const options = { columnData, ...(rowGroupSize === undefined ? {} : { rowGroupSize }) };
	await putFiles(root, { "a.parquet": new Uint8Array(parquetWriteBuffer(options)) });
}

const file = () => ({ path: join(root, "a.parquet"), label: "a.parquet", size: 1 });
const planned = async () => (await parquet.plan?.(file(), { dpi: 0, ocr: [], scans: false }))?.parts ?? [];

test("rows are read as records are, by parts of row groups, whole numbers as ids", async () => {
	const numbers = Array.from({ length: 10 }, (_, n) => n);
	await put(
		[
			{ name: "_id", data: numbers.map((n) => BigInt(n + 100)), type: "INT64" },
			{ name: "title", data: numbers.map((n) => `Title ${n}`), type: "STRING" },
			{ name: "text", data: numbers.map((n) => `Text of number ${n}.`), type: "STRING" },
			{ name: "embedding", data: numbers.map((n) => n / 2), type: "DOUBLE" },
		],
		4,
	);
	const parts = await planned();
	expect(parts).toEqual([
		{ from: 0, to: 4 },
		{ from: 4, to: 8 },
		{ from: 8, to: 10 },
	]);
	const whole = await readAlone(parquet, root, "a.parquet");
	expect(whole.problems).toEqual([]);
	expect(whole.passages).toHaveLength(10);
	expect(whole.passages[5]).toMatchObject({ title: "Title 5", text: "Text of number 5.", provenance: { record: 6 } });
	expect(whole.passages[5]?.id.endsWith("a.parquet#105")).toBe(true);
	const pieces = await Promise.all(parts.map((part) => readAlone(parquet, root, "a.parquet", part)));
	expect(pieces.flatMap(({ passages }) => passages)).toEqual(whole.passages);
});

test("the forms with contents and with paragraphs are read; a row without text is told by its number", async () => {
	await put([
		{ name: "id", data: ["a", "b"], type: "STRING" },
		{ name: "contents", data: ['"Anna"\nAnna was a queen.', ""], type: "STRING" },
	]);
	const { passages, problems } = await readAlone(parquet, root, "a.parquet");
	expect(passages).toMatchObject([{ title: "Anna", text: "Anna was a queen." }]);
	expect(problems).toEqual([":2 holds no text"]);
	await put([
		{ name: "wikipedia_title", data: ["Delta"], type: "STRING" },
		{
			name: "text",
			data: [{ paragraph: ["Delta", "Delta is fourth.", "Section::::Use.", "In rivers."] }],
			type: "JSON",
		},
	]);
	const kilt = await readAlone(parquet, root, "a.parquet");
	expect(kilt.passages.map(({ section, text }) => [section, text])).toEqual([
		[undefined, "Delta is fourth."],
		["Use", "In rivers."],
	]);
});

test("columns of images become image evidence with captions; a broken one is told", async () => {
	const images = [await picture("#f00"), Buffer.from("junk\0"), await picture("#00f")];
	await put([
		{ name: "image", data: images.map((image) => new Uint8Array(image)), type: "BYTE_ARRAY" },
		{ name: "caption", data: ["A red box", "Nothing", "A blue box"], type: "STRING" },
		{ name: "image_id", data: [30_000_001, 30_000_002, 30_000_003], type: "INT32" },
	]);
	const { images: found, problems, passages } = await readAlone(parquet, root, "a.parquet");
	expect(found.map(({ caption, width, id }) => [caption, width, id.split("#")[1]])).toEqual([
		["A red box", 60, "30000001"],
		["A blue box", 60, "30000003"],
	]);
	expect(passages).toEqual([]);
	expect(problems).toHaveLength(1);
	expect(problems[0]).toMatch(/^:2 is not an image that can be decoded/);
});

test.each([
	["an empty file", Buffer.alloc(0), /not a whole Parquet file/],
	["another kind of file", Buffer.from("id,text\n1,hello world\n"), /not a whole Parquet file/],
	["a torn file", undefined, /not a whole Parquet file/],
])("%s is refused in words", async (_name, bytes, reason) => {
	const whole = parquetWriteBuffer({ columnData: [{ name: "text", data: ["x"], type: "STRING" }] });
	await putFiles(root, { "a.parquet": bytes ?? new Uint8Array(whole).subarray(0, 40) });
	await expect(readAlone(parquet, root, "a.parquet")).rejects.toThrow(reason);
	await expect(planned()).rejects.toThrow(reason);
});

test("a file of numbers alone says which columns it has", async () => {
	await put([{ name: "score", data: [1, 2], type: "DOUBLE" }]);
	await expect(readAlone(parquet, root, "a.parquet")).rejects.toThrow(/no column of text or images \(it has score\)/);
});
