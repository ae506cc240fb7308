import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { fromFloat16, toFloat16 } from "#encoders";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { sha256, writeWhole } from "#store";
import { longTest } from "../../test/long.ts";
import { fakePageEncoder } from "../../test/support/encoders/fakes.ts";
import { maxSim } from "./max-sim.ts";
import { pooled } from "./pooling.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-late-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const rgb: Record<string, number[]> = {
	black: [0, 0, 0],
	white: [255, 255, 255],
	red: [255, 0, 0],
	green: [0, 255, 0],
	blue: [0, 0, 255],
	yellow: [255, 255, 0],
	cyan: [0, 255, 255],
	magenta: [255, 0, 255],
};
const colours = Object.keys(rgb);

const pages = 24;
/** Sixteen cells a page; which colours it holds follows from its number. */
const cellsOf = (page: number) =>
	Array.from({ length: 16 }, (_, cell) => colours[(page * (1 + (cell % 3)) + ((page * cell) >> 3)) % 8] ?? "");

const picture = (cells: string[]) =>
	sharp(Uint8Array.from(cells.flatMap((colour) => rgb[colour] ?? [])), { raw: { width: 4, height: 4, channels: 3 } })
		.resize({ width: 32, height: 32, kernel: "nearest" })
		.png()
		.toBuffer();

async function writePages(place: string, missing?: number): Promise<string> {
	const writer = await createCorpus(join(dir, place), { name: "sheets", licence: "CC0-1.0", sources: [] });
	for (let page = 0; page < pages; page += 1) {
		const document = page % 2 ? "odd" : "even";
		const text = `Sheet number ${page}.`;
		const image = `pages/${page}.png`;
		if (page !== missing) await writeWhole(join(dir, place, image), await picture(cellsOf(page)));
		const common = { document, title: "", language: "en", provenance: { source: "test" }, sha256: sha256(text) };
		writer.add({
			kind: "page",
			id: `${document}#page=${page + 1}`,
			...common,
			text,
			page,
			label: `${page + 1}`,
			image,
		});
		const region = { page, box: [0, 0, 9, 9] as [number, number, number, number], size: [32, 32] as [number, number] };
		const passage = { ...common, text, form: "prose" as const, regions: [region] };
		writer.add({ kind: "passage", id: `${document}#page=${page + 1}.1`, ...passage });
		if (page === 3) writer.add({ kind: "passage", id: "elsewhere", ...passage, text: "A note on zebras" });
	}
	await writer.finish();
	return join(dir, place);
}

const question = { target: "page", mode: "late", k: 6 } as const;
const questions = ["red blue", "yellow", "green magenta black", "cyan white red"];

describe("pages by their pictures", () => {
	longTest("the whole comparison and the first stage with exact comparison give the same list", async () => {
		const corpus = await writePages("corpus");
		const encoder = fakePageEncoder();
		const encoders = { text: false, page: encoder } as const;
		const whole = await buildKnowledge(corpus, join(dir, "whole"), { encoders });
		const staged = await buildKnowledge(corpus, join(dir, "staged"), { encoders, exact: false });
		expect(encoder.encoded()).toBe(2 * pages);
		expect(whole.modes).toMatchObject({ page: "hybrid", passage: "lexical" });
		const about = { name: "late", over: ["page"], encoder: { name: "fake:patches" }, dimensions: 8, metric: "maxsim" };
		expect(whole.indexes.at(-1)).toMatchObject({ ...about, exact: true });
		const recall = { at: 10, value: 1, queries: pages, against: "exact" };
		expect(staged.indexes.at(-1)).toMatchObject({ ...about, exact: false, recall });
		const given = { encoders: { page: encoder } };
		const [exact, approximate] = [
			await openKnowledge(join(dir, "whole"), given),
			await openKnowledge(join(dir, "staged"), given),
		];
		for (const text of questions) {
			const list = await exact.search({ ...question, text });
			expect(list.length).toBe(6);
			expect(list).toEqual(await naive(encoder, text));
			expect(await approximate.search({ ...question, text })).toEqual(list);
			expect(await approximate.search({ ...question, text, exact: true })).toEqual(list);
			const odd = await approximate.search({ ...question, text, filter: { document: "odd" } });
			expect(odd.map(({ document }) => document)).toEqual(Array(6).fill("odd"));
		}
		await exact.close();
		await approximate.close();
	});

	/** Ranked by a plain loop over pages that are encoded again. */
	async function naive(encoder: ReturnType<typeof fakePageEncoder>, text: string) {
		const [query = new Float32Array()] = await encoder.encodeQueries([text]);
		const pictures = await Promise.all(Array.from({ length: pages }, (_, page) => picture(cellsOf(page))));
		const ranked = [];
		for (const [page, vectors] of (await encoder.encodePages(pictures)).entries()) {
			ranked.push({ id: `${page % 2 ? "odd" : "even"}#page=${page + 1}`, score: maxSim(query, vectors, 8) });
		}
		ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
		return ranked
			.slice(0, 6)
			.map(({ id, score }, index) =>
				expect.objectContaining({ id, rank: index + 1, score: expect.closeTo(score, 2), indexes: ["late"] }),
			);
	}

	longTest("fused with the pages' words by default; only new pages are encoded again", async () => {
		const encoder = fakePageEncoder();
		const encoders = { text: false, page: encoder } as const;
		const place = join(dir, "again");
		await buildKnowledge(await writePages("again-1", 7), place, { encoders, onProblem: ({ id }) => problems.push(id) });
		expect(problems).toEqual(["odd#page=8"]);
		expect(encoder.encoded()).toBe(pages - 1);
		await buildKnowledge(await writePages("again-2"), place, { encoders });
		expect(encoder.encoded()).toBe(pages);
		const knowledge = await openKnowledge(place, { encoders: { page: encoder } });
		const [first] = await knowledge.search({ text: "number 8 red", target: "page", k: 3 });
		expect(first?.indexes).toEqual(["lexical", "late"]);
		const page = await knowledge.evidence("odd#page=8");
		expect(page && (await knowledge.file(page, "picture"))).toMatch(/again-2\/pages\/7\.png$/);
		await knowledge.close();
	});
	const problems: string[] = [];

	longTest("a page can be ranked by the best of its passages", async () => {
		await buildKnowledge(await writePages("through-corpus"), join(dir, "through"), { encoders: { text: false } });
		const knowledge = await openKnowledge(join(dir, "through"));
		const find = async (text: string) =>
			(await knowledge.search({ text, target: "page", k: 3, through: "passages" })).map(({ id, rank }) => [id, rank]);
		expect((await find("sheet number 12"))[0]).toEqual(["even#page=13", 1]);
		expect(await find("zebras")).toEqual([["odd#page=4", 1]]);
		expect(await find("nothing of it")).toEqual([]);
		await expect(knowledge.search({ text: "x", target: "passage", k: 1, through: "passages" })).rejects.toMatchObject({
			code: "bad-query",
		});
		await knowledge.close();
	});
});

const unit = fc
	.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 })
	.filter((values) => Math.hypot(...values) > 0.1)
	.map((values) => values.map((value) => value / Math.hypot(...values)));
const multi = fc.array(unit, { minLength: 1, maxLength: 6 }).map((vectors) => Float32Array.from(vectors.flat()));

test("MaxSim is the sum of greatest products, also where all of them are below zero", () => {
	expect(maxSim(Float32Array.of(1, 0), Float32Array.of(-1, 0), 2)).toBe(-1);
	expect(maxSim(Float32Array.of(1, 0), new Float32Array(0), 2)).toBe(Number.NEGATIVE_INFINITY);
	fc.assert(
		fc.property(multi, multi, (query, page) => {
			const rows = (vectors: Float32Array) =>
				Array.from({ length: vectors.length / 8 }, (_, row) => [...vectors.slice(row * 8, row * 8 + 8)]);
			const product = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
			const plain = rows(query).reduce((sum, q) => sum + Math.max(...rows(page).map((p) => product(q, p))), 0);
			expect(maxSim(query, page, 8)).toBeCloseTo(plain, 5);
		}),
	);
});

test("halves keep eleven bits, infinities apart", () => {
	const values = fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { maxLength: 20 });
	fc.assert(
		fc.property(values, (list) => {
			const floats = Float32Array.from(list);
			const back = fromFloat16(toFloat16(floats));
			for (const [at, value] of floats.entries())
				expect(Math.abs((back[at] ?? 0) - value)).toBeLessThanOrEqual(Math.max(Math.abs(value) * 2 ** -11, 2 ** -25));
			expect(fromFloat16(toFloat16(back))).toEqual(back);
		}),
	);
	expect([...fromFloat16(toFloat16(Float32Array.of(1, -2, 0.5, 1 / 3, 6.1e-5)))]).toEqual([
		1,
		-2,
		0.5,
		0.333251953125,
		expect.closeTo(6.1e-5, 7),
	]);
});

test("pooling keeps few vectors as they are, and finds the groups of many", () => {
	const few = Float32Array.from([1, 0, 0, 1]);
	expect(pooled(few, 2)).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
	const axes = Float32Array.from({ length: 128 * 8 }, (_, at) => ((at >> 3) % 8 === at % 8 ? 1 : 0));
	const centres = pooled(axes, 8).map((centre) => centre.join());
	expect(new Set(centres).size).toBe(8);
	expect(centres.length).toBeLessThanOrEqual(32);
});
