import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import type { Evidence } from "#domain";
import { buildKnowledge, type KnowledgeBase, openKnowledge, type Query } from "#knowledge";
import { sha256, writeWhole } from "#store";
import { longTest } from "../../test/long.ts";
import { fakeJointEncoder, fakeTextEncoder } from "../../test/support/encoders/fakes.ts";

let dir: string;
const corpus = () => join(dir, "corpus");

const colours = ["red", "green", "blue"] as const;
const region = {
	page: 2,
	box: [10, 20, 110, 60] as [number, number, number, number],
	size: [595, 842] as [number, number],
};

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-encoders-"));
	const writer = await createCorpus(corpus(), { name: "colours", licence: "CC0-1.0", sources: [] });
	const about = (id: string, text: string) => ({
		id,
		document: id.split("#")[0] ?? id,
		title: "",
		language: id.startsWith("es") ? "es" : "en",
		sha256: sha256(text),
		provenance: { source: "test" },
	});
	const texts: [string, string, "prose" | "table"][] = [
		["en#page=3.1", "The river flows north through the valley.", "prose"],
		["en#page=3.2", "A river of numbers: 1 | 2 | 3", "table"],
		["es#page=1.1", "El río corre por el valle, river.", "prose"],
	];
	for (const [id, text, form] of texts)
		writer.add({ kind: "passage", ...about(id, text), text, form, ...(form === "prose" ? { regions: [region] } : {}) });
	const text = "The river flows north through the valley.";
	writer.add({ kind: "page", ...about("en#page=3", text), text, page: 2, label: "iii" });
	for (const [index, colour] of colours.entries()) {
		const bytes = await sharp({ create: { width: 40 + index, height: 40, channels: 3, background: colour } })
			.png()
			.toBuffer();
		const file = `images/${index}.png`;
		await writeWhole(join(corpus(), file), bytes);
		const image = { ...about(`en#page=3.f${index}`, ""), sha256: sha256(bytes), caption: `Sheet ${index}`, file };
		writer.add({ kind: "image", ...image, width: 40 + index, height: 40, ...(index === 0 ? { region } : {}) });
	}
	await writer.finish();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const ids = (results: { id: string }[]) => results.map(({ id }) => id);

describe("without a text encoder", () => {
	let knowledge: KnowledgeBase;
	beforeAll(async () => {
		await buildKnowledge(corpus(), join(dir, "plain"), { encoders: { text: false, image: false } });
		knowledge = await openKnowledge(join(dir, "plain"));
	});
	afterAll(() => knowledge.close());

	test("words find, and vectors are an error that says what to do", async () => {
		expect(knowledge.manifest.indexes.map(({ name }) => name)).toEqual(["lexical"]);
		expect((await knowledge.search({ text: "valley", target: "passage", k: 5 })).length).toBe(1);
		const dense = knowledge.search({ text: "valley", target: "passage", mode: "dense", k: 5 });
		await expect(dense).rejects.toMatchObject({ code: "no-index", exitCode: 2, facts: { indexes: ["lexical"] } });
		await expect(dense).rejects.toThrow("has no dense index over passages");
		expect((await knowledge.search({ text: "valley", target: "passage", mode: "hybrid", k: 5 })).length).toBe(1);
	});

	test("results tell where they stand and which index found them", async () => {
		const [passage] = await knowledge.search({ text: "valley", target: "passage", k: 1 });
		expect(passage).toMatchObject({ regions: [region], indexes: ["lexical"] });
		const [page] = await knowledge.search({ text: "valley", target: "page", k: 1 });
		expect(page).toMatchObject({ page: 2, label: "iii" });
		const [crop] = await knowledge.search({ text: "sheet 0", target: "image", k: 1 });
		expect(crop).toMatchObject({ id: "en#page=3.f0", regions: [region] });
		const [image] = await knowledge.search({ text: "sheet 1", target: "image", k: 1 });
		expect(image).not.toHaveProperty("regions");
	});
});

describe("with encoders", () => {
	const text = fakeTextEncoder(32);
	const image = fakeJointEncoder();
	let knowledge: KnowledgeBase;
	beforeAll(async () => {
		await buildKnowledge(corpus(), join(dir, "encoded"), { encoders: { text, image } });
		knowledge = await openKnowledge(join(dir, "encoded"), { encoders: { text, image } });
	});
	afterAll(() => knowledge.close());

	test("the manifest names them and the modes that follow", () => {
		const { name, version } = text.about;
		expect(knowledge.manifest.indexes).toMatchObject([
			{ name: "lexical", over: ["passage", "page", "image"] },
			{ name: "dense", encoder: { name, version }, dimensions: 32, metric: "cosine", weight: 3, exact: true },
			{ name: "image", over: ["image"] },
			{ name: "joint", over: ["image"], encoder: { name: "fake:colours" }, dimensions: 8 },
		]);
		expect(knowledge.manifest.modes).toEqual({ passage: "hybrid", page: "hybrid", image: "hybrid" });
	});

	test("pages are ranked by their best passages, unless the query or its mode says otherwise", async () => {
		expect(knowledge.manifest.pagesThrough).toBe("passages");
		const scores = async (more: Partial<Query>) => {
			const found = await knowledge.search({ text: "numbers", target: "page", k: 3, ...more });
			return found.map(({ id, score }) => [id, score]);
		};
		const [through, own] = [await scores({ through: "passages" }), await scores({ through: "pages" })];
		expect(await scores({})).toEqual(through);
		expect(own).not.toEqual(through);
		expect(await scores({ mode: "dense" })).toEqual(await scores({ mode: "dense", through: "passages" }));
		expect(await scores({ mode: "lexical" })).toEqual(await scores({ mode: "lexical", through: "pages" }));
		await buildKnowledge(corpus(), join(dir, "letters"), { encoders: { image: false } });
		const letters = await openKnowledge(join(dir, "letters"));
		expect(letters.manifest.pagesThrough).toBeUndefined();
		await letters.close();
	});

	test("texts are found by vectors, and hybrid says which index found what", async () => {
		const [first] = await knowledge.search({
			text: "river flows valley north",
			target: "passage",
			mode: "dense",
			k: 3,
		});
		expect(first).toMatchObject({ id: "en#page=3.1", indexes: ["dense"] });
		const [both] = await knowledge.search({ text: "river flows valley north", target: "passage", k: 3 });
		expect(both).toMatchObject({ id: "en#page=3.1", score: 4 / 61, indexes: ["lexical", "dense"] });
	});

	test("images are found by text in the joint space, and by another image of the same meaning", async () => {
		for (const [index, colour] of colours.entries()) {
			const query = { text: `a ${colour} sheet`, target: "image", k: 1 } as const;
			expect(ids(await knowledge.search({ ...query, mode: "joint" }))).toEqual([`en#page=3.f${index}`]);
		}
		const blue = await sharp({ create: { width: 90, height: 20, channels: 3, background: "blue" } })
			.jpeg()
			.toBuffer();
		const [first] = await knowledge.search({ image: blue, target: "image", k: 1 });
		expect(first).toMatchObject({ id: "en#page=3.f2", indexes: ["image", "joint"] });
		const half = sharp({ create: { width: 40, height: 40, channels: 3, background: "white" } });
		const stripe = { create: { width: 14, height: 40, channels: 3 as const, background: "#00ff00" } };
		const picture = await half
			.composite([{ input: stripe, left: 26, top: 0 }])
			.png()
			.toBuffer();
		const [other] = await knowledge.search({ image: picture, target: "image", k: 1 });
		expect(other).toMatchObject({ id: "en#page=3.f1", indexes: ["joint"] });
	});

	test("an image encoder without texts finds by image, and says that it cannot by text", async () => {
		const { encodeTexts: _encodeTexts, ...mute } = image;
		const silent = await openKnowledge(join(dir, "encoded"), { encoders: { text, image: mute } });
		const query = { text: "a red sheet", target: "image", k: 1 } as const;
		await expect(silent.search({ ...query, mode: "joint" })).rejects.toMatchObject({ code: "no-index", exitCode: 2 });
		expect(ids(await silent.search(query))).toEqual(["en#page=3.f0"]);
		await silent.close();
	});

	test("a filter narrows every mode to what fits", async () => {
		for (const mode of ["lexical", "dense", "hybrid"] as const) {
			const search = async (filter: object) =>
				ids(await knowledge.search({ text: "river valley", target: "passage", mode, k: 9, filter })).sort();
			expect(await search({ document: "es" })).toEqual(["es#page=1.1"]);
			expect(await search({ document: ["en", "es"], form: "prose" })).toEqual(["en#page=3.1", "es#page=1.1"]);
			expect(await search({ form: "table" })).toEqual(["en#page=3.2"]);
			expect(await search({ language: "es", form: "table" })).toEqual([]);
			expect(await search({ document: "it's" })).toEqual([]);
			expect(await search({ document: [] })).toEqual([]);
		}
		const red = { text: "red", target: "image", mode: "joint", k: 9 } as const;
		expect(await knowledge.search({ ...red, filter: { document: "es" } })).toEqual([]);
		expect((await knowledge.search({ ...red, filter: { document: "en" } })).length).toBe(3);
		const picture = await readFile(join(corpus(), "images/0.png"));
		expect(await knowledge.search({ image: picture, target: "image", k: 9, filter: { document: "es" } })).toEqual([]);
	});

	test("another version or size than the index was made with is refused at once", async () => {
		for (const other of [fakeTextEncoder(32, { version: "2" }), fakeTextEncoder(64)])
			await expect(openKnowledge(join(dir, "encoded"), { encoders: { text: other } })).rejects.toMatchObject({
				code: "other-encoder",
				exitCode: 2,
			});
	});

	longTest("the hash follows the encoder and what it learnt", async () => {
		const hashes = new Set<string>([knowledge.manifest.hash]);
		const variants = [{ text: false }, { text: fakeTextEncoder(32, { version: "2" }), image }, {}] as const;
		for (const encoders of variants)
			hashes.add((await buildKnowledge(corpus(), join(dir, "other"), { encoders })).hash);
		expect(hashes.size).toBe(4);
		const weights = join(
			dir,
			"other/versions",
			(await readdir(join(dir, "other/versions")))[0] ?? "",
			"characters.bin",
		);
		const bytes = await readFile(weights);
		bytes[5] = (bytes[5] ?? 0) ^ 1;
		await writeFile(weights, bytes);
		const damaged = await openKnowledge(join(dir, "other"));
		expect((await damaged.search({ text: "valley", target: "passage", k: 1 })).length).toBe(1);
		const dense = damaged.search({ text: "valley", target: "passage", mode: "dense", k: 1 });
		await expect(dense).rejects.toMatchObject({ code: "bad-knowledge", exitCode: 2 });
		await damaged.close();
	});
});

test("an image that cannot be decoded is told, and found by its caption only", async () => {
	const place = join(dir, "broken-corpus");
	const writer = await createCorpus(place, { name: "broken", licence: "CC0-1.0", sources: [] });
	await writeWhole(join(place, "images/a.png"), "no image");
	const common = { document: "a", title: "", language: "en", provenance: { source: "test" } };
	const image = { id: "a", caption: "A lost map", file: "images/a.png", width: 1, height: 1, sha256: sha256("") };
	writer.add({ kind: "image", ...common, ...image } satisfies Evidence);
	await writer.finish();
	const problems: string[] = [];
	const given = fakeJointEncoder();
	await buildKnowledge(place, join(dir, "broken"), {
		encoders: { text: false, image: given },
		onProblem: ({ id }) => problems.push(id),
	});
	expect(problems).toEqual(["a", "a"]);
	const knowledge = await openKnowledge(join(dir, "broken"), { encoders: { image: given } });
	expect(ids(await knowledge.search({ text: "map", target: "image", k: 1, mode: "lexical" }))).toEqual(["a"]);
	expect(await knowledge.search({ text: "red", target: "image", k: 1, mode: "joint" })).toEqual([]);
	await knowledge.close();
});
