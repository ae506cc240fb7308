import { readdirSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect } from "@lancedb/lancedb";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { describeImage, imageDistance, lookAlikeDistance } from "#encoders";
import { buildKnowledge, type KnowledgeBase, openKnowledge } from "#knowledge";
import { sha256, writeWhole } from "#store";
import { isLong, longTest } from "../../test/long.ts";
import { createImageSearch } from "./image-search.ts";

const folder = resolve("node_modules/world-countries/data");
const flags = readdirSync(folder)
	.filter((name) => name.endsWith(".svg"))
	.sort()
	.filter((_, index) => index % 6 === 1)
	.slice(0, 40);
const flag = (code: string) =>
	sharp(join(folder, `${code}.svg`))
		.resize({ width: 480 })
		.flatten({ background: "#fff" })
		.png()
		.toBuffer();

let dir: string;
let knowledge: KnowledgeBase;
const stored = new Map<string, Buffer>();

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-images-"));
	const writer = await createCorpus(join(dir, "corpus"), { name: "flags", licence: "CC0-1.0", sources: [] });
	for (const code of flags.map((name) => name.slice(0, 3))) {
		const bytes = await flag(code);
		const { width = 1, height = 1 } = await sharp(bytes).metadata();
		const file = `images/${code}.png`;
		await writeWhole(join(dir, "corpus", file), bytes);
		stored.set(code, bytes);
		const common = { document: code, title: code, language: "en", provenance: { source: "test" } };
		const caption = `A flag that hangs in hall number ${stored.size}.`;
		writer.add({ kind: "image", id: code, ...common, sha256: sha256(bytes), caption, file, width, height });
	}
	await writer.finish();
	await buildKnowledge(join(dir, "corpus"), join(dir, "knowledge"));
	knowledge = await openKnowledge(join(dir, "knowledge"));
});
afterAll(async () => {
	await knowledge.close();
	await rm(dir, { recursive: true, force: true });
});

const alterations: [string, (bytes: Buffer, index: number) => Promise<Buffer>][] = [
	["as stored", async (bytes) => bytes],
	[
		"turned",
		(bytes, index) =>
			sharp(bytes)
				.rotate(index % 2 ? 13 : -17, { background: "#8a7a68" })
				.jpeg()
				.toBuffer(),
	],
	[
		"cropped, small, recompressed",
		async (bytes) => {
			const { width = 1, height = 1 } = await sharp(bytes).metadata();
			const part = {
				left: 0,
				top: Math.round(height * 0.06),
				width: Math.round(width * 0.88),
				height: Math.round(height * 0.9),
			};
			return sharp(bytes).extract(part).resize({ width: 160 }).jpeg({ quality: 25 }).toBuffer();
		},
	],
	[
		"in dim, warm light, blurred",
		(bytes) => sharp(bytes).blur(2).linear([0.85, 0.8, 0.72], [4, 4, 4]).jpeg().toBuffer(),
	],
	[
		"on a table, turned",
		(bytes) => {
			const background = { r: 96, g: 72, b: 52 };
			const around = { top: 60, bottom: 40, left: 50, right: 30, background };
			return sharp(bytes)
				.rotate(7, { background })
				.toBuffer()
				.then((turned) => sharp(turned).extend(around).jpeg().toBuffer());
		},
	],
];

test.each(alterations)(
	"an image %s is found first, apart from look-alikes",
	{ tags: "longer" },
	async (_name, alter) => {
		let right = 0;
		const all = [...stored].map(([code, bytes], index) => ({ code, bytes, index }));
		const tried = all.filter(({ index }) => isLong || index % 3 === 0);
		for (const { code, bytes, index } of tried) {
			const [first] = await knowledge.search({ image: await alter(bytes, index), target: "image", k: 1 });
			if (first?.id === code) right += 1;
			else if (first && (await imageDistance(bytes, stored.get(first.id) ?? bytes)) < lookAlikeDistance) right += 1;
		}
		expect(right).toBeGreaterThanOrEqual(tried.length - 1);
	},
);

test("captions find images by text; text and image together are fused", async () => {
	const [third = "", bytes = Buffer.alloc(0)] = [...stored][2] ?? [];
	expect((await knowledge.search({ text: "hall number 3", target: "image", k: 1 }))[0]?.id).toBe(third);
	const both = await knowledge.search({ text: "hall number 3", image: bytes, target: "image", k: 5 });
	expect(both[0]).toMatchObject({ id: third, rank: 1, score: 2 / 61 });
});

test("distances are symmetric, zero to itself, small between look-alikes and large between others", async () => {
	const [france, netherlands, luxembourg, chad, romania] = await Promise.all(
		["fra", "nld", "lux", "tcd", "rou"].map(flag),
	);
	if (!france || !netherlands || !luxembourg || !chad || !romania) throw new Error("five flags");
	expect(await imageDistance(france, france)).toBe(0);
	expect(await imageDistance(france, netherlands)).toBe(await imageDistance(netherlands, france));
	expect(await imageDistance(chad, romania)).toBeLessThan(lookAlikeDistance);
	expect(await imageDistance(france, netherlands)).toBeGreaterThan(lookAlikeDistance);
	expect(await imageDistance(luxembourg, netherlands)).toBeLessThan(await imageDistance(france, netherlands));
	expect(await describeImage(france)).toEqual(await describeImage(france));
});

test("an image that cannot be decoded, or asked of passages, is an error that says so", async () => {
	const search = (image: string | Buffer) => knowledge.search({ image, target: "image", k: 1 });
	await expect(search(Buffer.from("junk"))).rejects.toMatchObject({ code: "bad-image", exitCode: 2 });
	await expect(search(join(dir, "nowhere.png"))).rejects.toMatchObject({ code: "bad-image", exitCode: 2 });
	const query = { image: Buffer.from("junk"), target: "passage", k: 1 } as const;
	await expect(knowledge.search(query)).rejects.toMatchObject({ code: "bad-query", exitCode: 2 });
});

longTest("the engine's scan and the one in memory give the same list", async () => {
	const [version] = await readdir(join(knowledge.dir, "versions"));
	const connection = await connect(join(knowledge.dir, "versions", version ?? "", "index"));
	const views = await connection.openTable("view");
	const inMemory = createImageSearch(views);
	const byEngine = createImageSearch(views, { mostHeld: 0 });
	for (const bytes of [...stored.values()].slice(0, 5)) {
		const turned = await sharp(bytes).rotate(9, { background: "#8a7a68" }).toBuffer();
		for (const k of [1, 7, 60]) expect(await byEngine(turned, { k })).toEqual(await inMemory(turned, { k }));
	}
	connection.close();
});

test("a black picture, parts of which no vector describes, does not end the search for others", async () => {
	const place = await mkdtemp(join(tmpdir(), "hopscope-blank-"));
	const writer = await createCorpus(join(place, "corpus"), { name: "blank", licence: "CC0-1.0", sources: [] });
	const blank = await sharp({ create: { width: 31, height: 115, channels: 3, background: "#000" } })
		.png()
		.toBuffer();
	const [code = ""] = flags.map((name) => name.slice(0, 3));
	for (const [id, bytes] of [
		["blank", blank],
		[code, await flag(code)],
	] as const) {
		await writeWhole(join(place, "corpus/images", `${id}.png`), bytes);
		const { width = 1, height = 1 } = await sharp(bytes).metadata();
		const about = { document: id, title: id, language: "en", provenance: { source: "test" }, caption: "" };
		writer.add({ kind: "image", id, ...about, sha256: sha256(bytes), file: `images/${id}.png`, width, height });
	}
	await writer.finish();
	await buildKnowledge(join(place, "corpus"), join(place, "knowledge"));
	const blanks = await openKnowledge(join(place, "knowledge"));
	try {
		const found = await blanks.search({ image: await flag(code), target: "image", k: 5 });
		expect(found[0]?.id).toBe(code);
	} finally {
		await blanks.close();
		await rm(place, { recursive: true, force: true });
	}
});
