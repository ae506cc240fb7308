import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture, putFiles, readAlone } from "../../../test/support/corpus/sources.ts";
import { imageLines } from "./image-lines.ts";
import { json } from "./json.ts";
import { jsonEntries } from "./json-entries.ts";
import { sideFiles } from "./side-files.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-published-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const question = (images: object[], snippets: object[]) => ({
	Q: '"Which?"',
	A: ['"That."'],
	Qcate: "Others",
	split: "train",
	img_posFacts: images.slice(0, 1),
	img_negFacts: images.slice(1),
	txt_posFacts: snippets.slice(0, 1),
	txt_negFacts: snippets.slice(1),
});
const snippet = (id: string, fact: string) => ({
	title: `Title ${id}`,
	fact,
	url: "https://example.org",
	snippet_id: id,
});
const image = (id: number) => ({ image_id: id, title: `File ${id}`, caption: `Caption ${id}`, url: "u", imgUrl: "v" });

describe("WebQA", () => {
	test("gives snippets as passages and images as evidence, each once; missing images are counted once", async () => {
		await putFiles(root, {
			"WebQA_train_val.json": JSON.stringify({
				d5bbc: question(
					[image(30000001), image(30000002)],
					[snippet("a_0", "One fact."), snippet("a_1", "Two facts.")],
				),
				d5bbd: question([image(30000001), image(30000003)], [snippet("a_0", "One fact.")]),
				d5bbe: { img_posFacts: [{ nothing: true }], txt_posFacts: [{ fact: "No id." }] },
			}),
			"images/30000001.png": await picture("#f00"),
			"30000003.jpg": "junk",
		});
		const { passages, images, problems } = await readAlone(json, root, "WebQA_train_val.json");
		expect(passages.map(({ id, title, text }) => [id.split("#")[1], title, text])).toEqual([
			["a_0", "Title a_0", "One fact."],
			["a_1", "Title a_1", "Two facts."],
		]);
		expect(images).toMatchObject([{ caption: "Caption 30000001", title: "File 30000001", width: 60 }]);
		expect(problems).toHaveLength(3);
		expect(problems[0]).toMatch(/^:2 image 30000003 is not an image/);
		expect(problems[1]).toBe(":3 has a snippet without id or text; left out");
		expect(problems[2]).toMatch(/^1 image is not beside the file/);
	});

	test("of its test set has facts of which none is told to answer", async () => {
		const { img_posFacts, txt_posFacts } = question([image(30000009)], [snippet("t_1", "A fact.")]);
		await putFiles(root, {
			"a.json": JSON.stringify({ g: { Q: "?", img_Facts: img_posFacts, txt_Facts: txt_posFacts } }),
		});
		const { passages, problems } = await readAlone(json, root, "a.json");
		expect(passages.map(({ text }) => text)).toEqual(["A fact."]);
		expect(problems).toHaveLength(1);
	});

	test("images come from lines of id and base64, captions from the questions beside; a broken line is told", async () => {
		const red = (await picture("#f00")).toString("base64");
		await putFiles(root, {
			"imgs.tsv": `30000001\t${red}\n30000002\tanVuaw==\nnothing\n30000003\t${red}\n`,
			"WebQA_train_val.json": JSON.stringify({
				a: question([image(30000001)], []),
				b: question([image(30000003)], []),
			}),
			"other.json": "[]",
		});
		const { images, problems } = await readAlone(imageLines, root, "imgs.tsv");
		expect(images.map(({ id, caption }) => [id.split("#")[1], caption])).toEqual([
			["30000001", "Caption 30000001"],
			["30000003", "Caption 30000003"],
		]);
		expect(problems.map((problem) => problem.slice(0, 26))).toEqual([
			":2 is not an image that ca",
			":3 is no line of image id ",
		]);
		const file = { path: join(root, "imgs.tsv"), label: "imgs.tsv", size: 1 };
		expect(await imageLines.sides?.(file)).toEqual([join(root, "WebQA_train_val.json")]);
		expect((await imageLines.plan?.(file, { dpi: 0, ocr: [], scans: false }))?.parts).toHaveLength(1);
		expect((await readAlone(json, root, "WebQA_train_val.json")).problems).toEqual([]);
	});

	test("a table of anything else is read by its rows", async () => {
		await putFiles(root, { "a.tsv": "name\tmade by\nX200\tBrammer Works\n" });
		expect((await readAlone(imageLines, root, "a.tsv")).passages.map(({ text }) => text)).toEqual([
			"name: X200\nmade by: Brammer Works",
		]);
	});
});

describe("records", () => {
	test("of a list or a single object are read as before", async () => {
		await putFiles(root, {
			"a.json": JSON.stringify([{ title: "Epsilon", text: "Epsilon is fifth." }, { nothing: true }]),
			"b.json": JSON.stringify({ _id: "x", title: "Beta", text: "Beta." }),
			"c.json": "{broken",
		});
		const list = await readAlone(json, root, "a.json");
		expect(list.passages.map(({ id, text }) => [id.split("#")[1], text])).toEqual([["1", "Epsilon is fifth."]]);
		expect(list.problems).toHaveLength(1);
		expect((await readAlone(json, root, "b.json")).passages[0]?.id.endsWith("b.json#x")).toBe(true);
		await expect(readAlone(json, root, "c.json")).rejects.toThrow("not JSON");
	});

	test("entries are cut as JSON parses them, whatever stands in their strings and however the file is spaced", async () => {
		const value = fc.jsonValue({ maxDepth: 3 });
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.array(value), fc.dictionary(fc.string(), value)),
				fc.constantFrom(undefined, 1, "\t"),
				async (whole, space) => {
					await putFiles(root, { "a.json": JSON.stringify(whole, undefined, space) });
					const entries: [string | undefined, unknown][] = [];
					for await (const { key, text } of jsonEntries(join(root, "a.json"))) entries.push([key, JSON.parse(text)]);
					const plain = JSON.parse(JSON.stringify(whole)) as unknown[];
					const expected = Array.isArray(plain) ? plain.map((one) => [undefined, one]) : Object.entries(plain);
					expect(entries).toEqual(expected);
				},
			),
			{ numRuns: 60 },
		);
	});

	test.each([
		["[1, 2", "not whole JSON"],
		["", "not whole JSON"],
		['{"a": 1} {"b": 2}', "something follows its end"],
		['"text"', "neither a list nor an object"],
	])("entries of %s are refused in words", async (content, reason) => {
		await putFiles(root, { "a.json": content });
		const read = async () => {
			for await (const entry of jsonEntries(join(root, "a.json"))) expect(entry.number).toBeGreaterThan(0);
		};
		await expect(read()).rejects.toThrow(reason);
	});
});

test("files that belong to another one are told apart from documents", () => {
	const documents = [
		"beir/corpus.jsonl",
		"notes/queries.jsonl",
		"mineru/a_content_list.json",
		"mineru/b.pdf",
		"old/c_middle.json",
		"docling/d.json",
		"docling/d.md",
		"webqa/WebQA_test.json",
		"webqa/imgs.tsv",
		"webqa/images/map.png",
		"top.json",
	];
	const sides = [
		"beir/queries.jsonl",
		"beir/qrels/test.tsv",
		"mineru/a_middle.json",
		"mineru/a_model.json",
		"mineru/a_layout.pdf",
		"mineru/a_origin.pdf",
		"mineru/a.md",
		"mineru/images/0f.jpg",
		"old/c_model.json",
		"docling/d_artifacts/image_000.png",
		"webqa/imgs.lineidx",
		"webqa/images/30000001.jpg",
		"top_meta.json",
	];
	expect([...sideFiles([...documents, ...sides])].sort()).toEqual([...sides].sort());
	expect(sideFiles(documents)).toEqual(new Set());
});
