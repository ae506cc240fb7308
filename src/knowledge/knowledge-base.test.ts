import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import type { Evidence } from "#domain";
import { buildKnowledge, type KnowledgeBase, openKnowledge, type Query } from "#knowledge";
import { sha256, writeWhole } from "#store";
import { longTest } from "../../test/long.ts";
import { fuse } from "./fusion.ts";
import { rankedToTheTie } from "./ranked.ts";

let dir: string;
let knowledge: KnowledgeBase;

const passages: [id: string, language: string, title: string, text: string][] = [
	["en/lima", "en", "Lima", "Lima is the capital of Peru. It lies on the Pacific coast."],
	["en/quito", "en", "Quito", "Quito is the capital of Ecuador and stands high in the Andes."],
	["en/andes", "en", "Andes", "The Andes are mountains; rivers rise there and flow to the Amazon."],
	["es/lima", "es", "Lima", "Lima es la capital del Perú. Las poblaciones de la costa viven del mar."],
	["es/quito", "es", "Quito", "Quito es la capital de Ecuador y está en los Andes."],
	["same/2", "en", "Twin", "Two towns share this sentence."],
	["same/1", "en", "Twin", "Two towns share this sentence."],
	["same/3", "en", "Twin", "Two towns share this sentence."],
	["odd/it's", "en", "Quote", "An id with a quotation mark."],
	["zh/lima", "zh", "利马", "利马是秘鲁的首都。"],
];

async function writeCorpus(place: string) {
	const writer = await createCorpus(join(dir, place), { name: "towns", licence: "CC0-1.0", sources: [] });
	for (const [id, language, title, text] of passages) {
		const common = { id, document: title, title, language, sha256: sha256(text), provenance: { source: "test" } };
		writer.add({ kind: "passage", ...common, text, form: "prose" });
	}
	const page = { id: "page/1", document: "sheet", title: "Fact sheet", language: "en", provenance: { source: "test" } };
	const text = "Population of Lima: ten million.";
	writer.add({ kind: "page", ...page, sha256: sha256(text), text, page: 0, file: "documents/sheet.pdf" });
	await writeWhole(join(dir, place, "documents/sheet.pdf"), text);
	await writer.finish();
}

const find = async (query: Query) => (await knowledge.search(query)).map(({ id }) => id);

beforeAll(async () => {
	dir = await realpath(await mkdtemp(join(tmpdir(), "hopscope-knowledge-")));
	await writeCorpus("corpora/towns");
	await buildKnowledge(join(dir, "corpora/towns"), join(dir, "knowledge/towns"));
	knowledge = await openKnowledge(join(dir, "knowledge/towns"));
});
afterAll(async () => {
	await knowledge.close();
	await rm(dir, { recursive: true, force: true });
});

describe("text search", () => {
	test("finds by stems, in English and in Spanish, with or without accents", async () => {
		expect((await find({ text: "mountain river", target: "passage", k: 1 }))[0]).toBe("en/andes");
		expect((await find({ text: "población costera", target: "passage", k: 1 }))[0]).toBe("es/lima");
		expect((await find({ text: "¿Cuál es la capital del Peru?", target: "passage", k: 1 }))[0]).toBe("es/lima");
		expect((await find({ text: "秘鲁的首都", target: "passage", k: 1 }))[0]).toBe("zh/lima");
	});

	test("results carry what a reader needs", async () => {
		const [first] = await knowledge.search({ text: "What capital of Ecuador stands high?", target: "passage", k: 1 });
		expect(first).toMatchObject({ id: "en/quito", rank: 1, kind: "passage", document: "Quito", language: "en" });
		expect(first?.snippet).toContain("capital of Ecuador");
	});

	test("each target has its own index, and a target without evidence finds nothing", async () => {
		expect(await find({ text: "population of Lima", target: "page", k: 5 })).toEqual(["page/1"]);
		expect(await find({ text: "Lima", target: "image", k: 5 })).toEqual([]);
	});

	test("dense search finds the misspelt", async () => {
		expect((await find({ text: "Eqcuador Qitto", target: "passage", mode: "lexical", k: 3 })).length).toBe(0);
		expect((await find({ text: "Eqcuador Qitto", target: "passage", mode: "dense", k: 3 }))[0]).toMatch(/quito/);
		expect((await find({ text: "Eqcuador Qitto", target: "passage", mode: "hybrid", k: 3 }))[0]).toMatch(/quito/);
	});

	test.each(["lexical", "dense", "hybrid"] as const)("ties are by id, also at the border (%s)", async (mode) => {
		const query = { text: "towns share this sentence", target: "passage", mode } as const;
		expect(await find({ ...query, k: 2 })).toEqual(["same/1", "same/2"]);
		expect((await find({ ...query, k: 3 })).slice(0, 3)).toEqual(["same/1", "same/2", "same/3"]);
	});

	test("any text can be asked", async () => {
		for (const text of ["", "   ", "?!", '"AND (NOT title:x~2', "a'b;--\0", "capital ".repeat(50_000)])
			for (const mode of ["lexical", "dense", "hybrid"] as const)
				expect((await find({ text, target: "passage", mode, k: 3 })).length).toBeLessThanOrEqual(3);
		expect(await find({ text: "¿?", target: "passage", k: 3 })).toEqual([]);
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer(), async (text, k) => {
				expect(await find({ text, target: "passage", mode: "hybrid", k })).toBeInstanceOf(Array);
			}),
			{ numRuns: 25 },
		);
	});
});

test("evidence is looked up by id and its file found", async () => {
	expect(await knowledge.evidence("odd/it's")).toMatchObject({ title: "Quote" });
	expect(await knowledge.evidence("none")).toBeUndefined();
	const page = (await knowledge.evidence("page/1")) as Evidence;
	expect(await knowledge.file(page)).toBe(join(dir, "corpora/towns/documents/sheet.pdf"));
	expect(await knowledge.file({ ...page, file: "../../knowledge/towns/knowledge.json" } as Evidence)).toBeUndefined();
	expect(await knowledge.file({ ...page, file: "documents/none.pdf" } as Evidence)).toBeUndefined();
});

test("ids that are not held are told, of thousands at once", async () => {
	const others = Array.from({ length: 5000 }, (_, index) => `no'${index}`);
	const held = passages.map(([id]) => id);
	expect(await knowledge.missing([...held, "page/1", ...others, "no'7"])).toEqual(others);
	expect(await knowledge.missing([])).toEqual([]);
});

test("ties are fetched to their end, but not those of what shares nothing with the query", async () => {
	const scores = [3, 2, 2, ...Array(30).fill(1), ...Array(5000).fill(0)];
	const rows = scores.map((score, index) => ({ id: `${index}`.padStart(4, "0"), score }));
	let fetched = 0;
	const find = (k: number) =>
		rankedToTheTie(k, async (limit) => {
			fetched = limit;
			return rows.slice(0, limit);
		});
	expect(await find(2)).toEqual(rows.slice(0, 2));
	expect(await find(5)).toEqual(rows.slice(0, 5));
	expect(fetched).toBe(96);
	expect(await find(40)).toEqual(rows.slice(0, 33));
	expect(fetched).toBe(41);
});

test("an image outside the corpus is not read", async () => {
	const place = join(dir, "outside");
	const writer = await createCorpus(place, { name: "outside", licence: "CC0-1.0", sources: [] });
	await writeWhole(join(dir, "secret.png"), "secret");
	await symlink(join(dir, "secret.png"), join(place, "link.png"));
	const text = { document: "a", title: "", caption: "", language: "en", provenance: { source: "test" } };
	const image = { kind: "image", id: "a", ...text, sha256: sha256(""), width: 1, height: 1 } as const;
	expect(() => writer.add({ ...image, file: "../secret.png" })).toThrow(/at file: must name a file inside/);
	writer.add({ ...image, file: "link.png" });
	await writer.finish();
	const knowledgeDir = join(dir, "outside-knowledge");
	await expect(buildKnowledge(place, knowledgeDir)).rejects.toMatchObject({ code: "missing-image", exitCode: 2 });
	const lines = await readFile(join(place, "evidence.jsonl"), "utf8");
	await writeFile(join(place, "evidence.jsonl"), lines.replace("link.png", "../secret.png"));
	await expect(buildKnowledge(place, knowledgeDir)).rejects.toThrow(/line 1: at file: must name a file inside/);
});

describe("fusion", () => {
	const list = (index: "lexical" | "dense", ...ids: string[]) => ({
		index,
		hits: ids.map((id, place) => ({ id, score: 9 - place })),
	});
	test("sums 1 / (60 + rank), breaks ties by id and names the indexes", () => {
		expect(fuse([list("lexical", "a", "b"), list("dense", "c", "b")])).toEqual([
			{ id: "b", score: 2 / 62, indexes: ["lexical", "dense"] },
			{ id: "a", score: 1 / 61, indexes: ["lexical"] },
			{ id: "c", score: 1 / 61, indexes: ["dense"] },
		]);
	});
	test("gives equals an equal rank", () => {
		const hits = [3, 2, 2, 1].map((score, place) => ({ id: `${place}`, score }));
		const both = fuse([{ index: "lexical", hits }, list("dense")]);
		expect(both.map(({ score }) => score)).toEqual([1 / 61, 1 / 62, 1 / 62, 1 / 64]);
	});
	test("does not depend on the order of the lists", () => {
		const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));
		const places = (lists: Parameters<typeof fuse>[0]) => fuse(lists).map(({ id, score }) => ({ id, score }));
		fc.assert(
			fc.property(ids, ids, (a, b) => {
				const [one, other] = [list("lexical", ...a), list("dense", ...b)];
				expect(places([one, other])).toEqual(places([other, one]));
			}),
		);
	});
});

describe("on disk", () => {
	longTest("another process finds the same", async () => {
		const queries: Query[] = (["lexical", "dense", "hybrid"] as const).map((mode) => ({
			text: "capital city in the Andes",
			target: "passage",
			mode,
			k: 8,
		}));
		const script = `
			import { createServer } from "vite";
			const server = await createServer({ configFile: false, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null } });
			const module = await server.ssrLoadModule(${JSON.stringify(resolve("src/knowledge/index.ts"))});
			const knowledge = await module.openKnowledge(${JSON.stringify(knowledge.dir)});
			const lists = [];
			for (const query of ${JSON.stringify(queries)}) lists.push(await knowledge.search(query));
			knowledge.close();
			await server.close();
			process.stdout.write(JSON.stringify(lists));`;
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["--conditions=hopscope-source", "--input-type=module", "--eval", script],
			{ timeout: 50_000 },
		);
		const lists = [];
		for (const query of queries) lists.push(await knowledge.search(query));
		expect(JSON.parse(stdout)).toEqual(lists);
	});

	test("the manifest depends on the corpus, not on time or place; a workspace can be moved", async () => {
		await writeCorpus("old/corpora/towns");
		const manifest = await buildKnowledge(join(dir, "old/corpora/towns"), join(dir, "old/knowledge/towns"));
		expect(manifest).toEqual(knowledge.manifest);
		expect(manifest.indexes.every(({ exact }) => exact)).toBe(true);
		await rename(join(dir, "old"), join(dir, "new"));
		const moved = await openKnowledge(join(dir, "new/knowledge/towns"));
		const page = (await moved.evidence("page/1")) as Evidence;
		expect(await moved.file(page)).toBe(join(dir, "new/corpora/towns/documents/sheet.pdf"));
		await moved.close();
	});

	longTest("an interrupted build leaves the old index and nothing beside it; a finished one replaces it", async () => {
		const place = join(dir, "again/towns");
		const corpus = join(dir, "corpora/towns");
		const options = { signal: AbortSignal.abort() };
		await expect(buildKnowledge(corpus, place, options)).rejects.toThrow();
		await expect(openKnowledge(place)).rejects.toMatchObject({ code: "no-knowledge", exitCode: 2 });
		const { hash } = await buildKnowledge(corpus, place);
		await expect(buildKnowledge(corpus, place, options)).rejects.toThrow();
		expect((await buildKnowledge(corpus, place)).hash).toBe(hash);
		expect(await readdir(join(dir, "again"))).toEqual(["towns"]);
	});

	test("a missing or damaged folder is one line that says what to do", async () => {
		const damaged = join(dir, "damaged");
		await buildKnowledge(join(dir, "corpora/towns"), damaged);
		await rm(join(damaged, "versions", (await readdir(join(damaged, "versions")))[0] ?? "", "index/passage.lance"), {
			recursive: true,
		});
		await expect(openKnowledge(damaged)).rejects.toMatchObject({ code: "bad-knowledge", exitCode: 2 });
		await writeFile(join(damaged, "knowledge.json"), "{");
		await expect(openKnowledge(damaged)).rejects.toMatchObject({ code: "bad-knowledge", exitCode: 2 });
		await expect(openKnowledge(join(dir, "nowhere"))).rejects.toMatchObject({ code: "no-knowledge", exitCode: 2 });
		await expect(buildKnowledge(join(dir, "nowhere"), damaged)).rejects.toMatchObject({ code: "no-corpus" });
	});
});
