import { mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { type BuildEncoders, buildKnowledge, openKnowledge, type Query } from "#knowledge";
import { sha256, writeWhole } from "#store";
import { isLong, longTest } from "../../test/long.ts";
import { fakeJointEncoder, fakeTextEncoder } from "../../test/support/encoders/fakes.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-update-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const words = "river valley mountain lake forest bridge tower harbour island castle".split(" ");
const sentence = (seed: number) =>
	Array.from({ length: 6 }, (_, at) => words[(seed * 7 + at * (1 + (seed % 5))) % words.length]).join(" ");
/** Hardly two alike. */
const manifold = (seed: number) =>
	`u${seed} ${Array.from({ length: 9 }, (_, at) => `w${(seed * (31 + at) + at * at) % 97}`).join(" ")}`;

/** A corpus of passages by id and seed of their text. */
async function writeTexts(place: string, texts: Map<string, number>, textOf = sentence): Promise<string> {
	const writer = await createCorpus(join(dir, place), { name: "texts", licence: "CC0-1.0", sources: [] });
	for (const [id, seed] of texts) {
		const text = textOf(seed);
		const common = { id, document: "all", title: `No ${seed % 3}`, language: "en", provenance: { source: "test" } };
		writer.add({ kind: "passage", ...common, sha256: sha256(text), text, form: "prose" });
	}
	await writer.finish();
	return join(dir, place);
}

const queries = words.flatMap((word): Query[] =>
	(["lexical", "dense"] as const).map((mode) => ({ text: `${word} castle`, target: "passage", mode, k: 7 })),
);

async function listsOf(place: string, encoders: BuildEncoders) {
	const { text } = encoders;
	const knowledge = await openKnowledge(join(dir, place), { encoders: text ? { text } : {} });
	const lists = [];
	for (const query of queries) lists.push(await knowledge.search(query));
	await knowledge.close();
	return lists;
}

test("after any edits, a rebuild answers as a fresh build and encodes only what is new", {
	tags: "longer",
}, async () => {
	const edits = fc.array(fc.tuple(fc.nat(24), fc.option(fc.nat(30))), { maxLength: 8 });
	let run = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 2 }), async (rounds) => {
			run += 1;
			const texts = new Map(Array.from({ length: 20 }, (_, seed) => [`p${seed}`, seed]));
			const encoder = fakeTextEncoder(16);
			const encoders = { text: encoder };
			const place = `runs/${run}`;
			await buildKnowledge(await writeTexts(`corpora/${run}`, texts), join(dir, place), { encoders });
			for (const [round, edit] of rounds.entries()) {
				const before = new Map(texts);
				for (const [number, seed] of edit) seed === null ? texts.delete(`p${number}`) : texts.set(`p${number}`, seed);
				if (texts.size === 0) texts.set("p0", 0);
				const changed = [...texts].filter(([id, seed]) => before.get(id) !== seed).length;
				const encoded = encoder.encoded();
				const corpus = await writeTexts(`corpora/${run}-${round}`, texts);
				const updated = await buildKnowledge(corpus, join(dir, place), { encoders });
				expect(encoder.encoded() - encoded).toBe(changed);
				const fresh = await buildKnowledge(corpus, join(dir, `${place}-fresh`), { encoders, fresh: true });
				expect(updated).toEqual(fresh);
				expect(await listsOf(place, encoders)).toEqual(await listsOf(`${place}-fresh`, encoders));
			}
		}),
		{ numRuns: isLong ? 6 : 2 },
	);
});

longTest.each(["hnsw-sq", "ivf-rq"] as const)(
	"an approximate index (%s) stays while little changes, and is made anew when much has",
	async (vectorIndex) => {
		const encoders = { text: fakeTextEncoder(48) };
		const texts = new Map(Array.from({ length: 400 }, (_, seed) => [`p${seed}`, seed]));
		const place = join(dir, `approximate-${vectorIndex}`);
		const build = async (name: string) => {
			const options = { encoders, exact: false, vectorIndex };
			const manifest = await buildKnowledge(await writeTexts(name, texts, manifold), place, options);
			return manifest.indexes.find(({ name }) => name === "dense");
		};
		const find = async (seed: number) => {
			const knowledge = await openKnowledge(place, { encoders });
			const text = manifold(seed);
			const list = await knowledge.search({ text, target: "passage", mode: "dense", k: 20 });
			const exact = await knowledge.search({ text, target: "passage", mode: "dense", k: 20, exact: true });
			await knowledge.close();
			expect(list).toEqual(exact);
			return new Set(list.map(({ id }) => id));
		};
		const first = await build("approximate-1");
		expect(first).toMatchObject({ exact: false, recall: { at: 10, queries: 200, against: "exact" } });
		expect(first?.recall?.value).toBeGreaterThan(0.98);
		expect(await build("approximate-1")).toEqual(first);
		texts.delete("p0");
		texts.set("p1", 77).set("new", 42);
		const second = await build("approximate-2");
		expect(second?.files).toBe(first?.files);
		const found = await find(42);
		expect([found.has("p0"), found.has("new")]).toEqual([false, true]);
		for (let seed = 0; seed < 40; seed += 1) texts.set(`more${seed}`, seed);
		const third = await build("approximate-3");
		expect(third?.files).not.toBe(first?.files);
		expect((await find(7)).has("more7")).toBe(true);
		const exact = await buildKnowledge(join(dir, "approximate-3"), place, { encoders, exact: true });
		expect(exact.indexes.find(({ name }) => name === "dense")).toMatchObject({ exact: true });
	},
);

longTest("characters keeps what it learnt while few texts change, and learns anew when many have", async () => {
	const texts = new Map(Array.from({ length: 40 }, (_, seed) => [`p${String(seed).padStart(2, "0")}`, seed]));
	const place = join(dir, "learning");
	const build = async (name: string) => buildKnowledge(await writeTexts(name, texts), place);
	const versionOf = (manifest: Awaited<ReturnType<typeof build>>) =>
		manifest.indexes.find(({ name }) => name === "dense")?.encoder.version;
	const first = await build("learning-1");
	expect(await build("learning-1")).toEqual(first);
	const hashes = new Set([first.hash]);
	for (const [seed, kept] of [
		[101, true],
		[102, true],
		[103, false],
	] as const) {
		texts.set("p00", seed);
		texts.set("p39", seed);
		const next = await build(`learning-${seed}`);
		expect(versionOf(next) === versionOf(first)).toBe(kept);
		hashes.add(next.hash);
	}
	expect(hashes.size).toBe(4);
	const updated = await listsOf("learning", {});
	await buildKnowledge(join(dir, "learning-103"), join(dir, "learnt"));
	expect(updated).toEqual(await listsOf("learnt", {}));
});

longTest("images are described again only where they changed, and those that went are not found", async () => {
	const encoder = fakeJointEncoder();
	const encoders = { text: false, image: encoder } as const;
	const place = join(dir, "images");
	async function build(colours: Record<string, string>): Promise<number> {
		const corpus = join(dir, `images-${sha256(JSON.stringify(colours)).slice(0, 8)}`);
		const writer = await createCorpus(corpus, { name: "images", licence: "CC0-1.0", sources: [] });
		for (const [id, background] of Object.entries(colours)) {
			const bytes = await sharp({ create: { width: 30, height: 30, channels: 3, background } })
				.png()
				.toBuffer();
			const file = `images/${id}.png`;
			await writeWhole(join(corpus, file), bytes);
			const common = { id, document: id, title: "", language: "en", provenance: { source: "test" } };
			const image = { ...common, caption: "A sheet", file, width: 30, height: 30, sha256: sha256(bytes) };
			writer.add({ kind: "image", ...image });
		}
		await writer.finish();
		const before = encoder.encoded();
		await buildKnowledge(corpus, place, { encoders });
		return encoder.encoded() - before;
	}
	const find = async (text: string) => {
		const knowledge = await openKnowledge(place, { encoders: { image: encoder } });
		const results = await knowledge.search({ text, target: "image", mode: "joint", k: 9 });
		const picture = await sharp({ create: { width: 30, height: 30, channels: 3, background: text } })
			.png()
			.toBuffer();
		const alike = await knowledge.search({ image: picture, target: "image", k: 9 });
		await knowledge.close();
		expect(alike.length).toBe(results.length);
		return [results[0]?.id, alike[0]?.id];
	};
	expect(await build({ a: "red", b: "blue", c: "green" })).toBe(3);
	expect(await find("red")).toEqual(["a", "a"]);
	expect(await build({ a: "yellow", c: "green", d: "red" })).toBe(2);
	expect(await find("red")).toEqual(["d", "d"]);
	expect(await find("yellow")).toEqual(["a", "a"]);
	expect(await build({ a: "yellow", c: "green", d: "red" })).toBe(0);
});

longTest("a build that dies resumes with the vectors that it has made", async () => {
	const texts = new Map(Array.from({ length: 1300 }, (_, seed) => [`p${seed}`, seed]));
	const corpus = await writeTexts("resumed-corpus", texts, manifold);
	const place = join(dir, "resumed/base");
	const encoder = fakeTextEncoder(16);
	let batches = 0;
	const encodePassages: typeof encoder.encodePassages = async (passages, options) => {
		batches += 1;
		if (batches === 3) throw new Error("the server went away");
		return encoder.encodePassages(passages, options);
	};
	const failing = { ...encoder, encodePassages };
	await expect(buildKnowledge(corpus, place, { encoders: { text: failing } })).rejects.toThrow("went away");
	const made = encoder.encoded();
	expect(made).toBeGreaterThan(600);
	const left = join(dir, "resumed", (await readdir(join(dir, "resumed")))[0] ?? "");
	await truncate(left, (await stat(left)).size - 30);
	const other = fakeTextEncoder(16, { version: "2" });
	await buildKnowledge(corpus, join(dir, "other/base"), { encoders: { text: other } });
	const resumed = await buildKnowledge(corpus, place, { encoders: { text: encoder } });
	// one record was torn
	expect(encoder.encoded()).toBe(1300 + 1);
	expect(await readdir(join(dir, "resumed"))).toEqual(["base"]);
	const fresh = await buildKnowledge(corpus, join(dir, "resumed-fresh"), { encoders: { text: encoder } });
	expect(resumed).toEqual(fresh);
	expect(await listsOf("resumed/base", { text: encoder })).toEqual(await listsOf("resumed-fresh", { text: encoder }));
});

test("a rebuild that dies leaves the earlier one answering", async () => {
	const encoders = { text: fakeTextEncoder(16) };
	const texts = new Map([
		["a", 1],
		["b", 2],
	]);
	const place = join(dir, "dying/base");
	await buildKnowledge(await writeTexts("dying-1", texts), place, { encoders });
	const before = await listsOf("dying/base", encoders);
	texts.set("c", 3).delete("a");
	const corpus = await writeTexts("dying-2", texts);
	const broken = fakeTextEncoder(16);
	broken.encodePassages = () => Promise.reject(new Error("the encoder broke"));
	await expect(buildKnowledge(corpus, place, { encoders: { text: broken } })).rejects.toThrow("the encoder broke");
	expect(await listsOf("dying/base", encoders)).toEqual(before);
	expect(await readdir(join(dir, "dying"))).toEqual(["base"]);
	await buildKnowledge(corpus, place, { encoders });
	expect(await listsOf("dying/base", encoders)).not.toEqual(before);
});

longTest("a build that fails while rows are written leaves nothing behind", async () => {
	// more bytes than are held, so that a part is being written when the second batch fails
	const heavy = (seed: number) => `${sentence(seed)}${".".repeat(70_000)}`;
	const corpus = await writeTexts("heavy/corpus", new Map(Array.from({ length: 520 }, (_, n) => [`p${n}`, n])), heavy);
	let batches = 0;
	const built = buildKnowledge(corpus, join(dir, "heavy/knowledge"), {
		encoders: { text: fakeTextEncoder(16) },
		async vectors(batch) {
			batches += 1;
			if (batches === 2) throw new Error("it breaks off");
			return batch.map((_, at) => Float32Array.from({ length: 16 }, (__, place) => (place === at % 16 ? 1 : 0)));
		},
	});
	await expect(built).rejects.toThrow("it breaks off");
	await setTimeout(200);
	expect(await readdir(join(dir, "heavy"))).toEqual(["corpus"]);
});
