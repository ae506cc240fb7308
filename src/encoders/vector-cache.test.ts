import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cachedImageEncoder, cachedPageEncoder, cachedTextEncoder } from "#encoders";
import { longTest } from "../../test/long.ts";
import { imageEncoderCases, pageEncoderCases, textEncoderCases } from "../../test/support/encoders/cases.ts";
import { fakeJointEncoder, fakePageEncoder, fakeTextEncoder } from "../../test/support/encoders/fakes.ts";

let root: string;
let dir: string;
let made = 0;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-cache-"));
});
beforeEach(() => {
	made += 1;
	dir = join(root, `${made}`);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const plain = (background: string) =>
	sharp({ create: { width: 40, height: 30, channels: 3, background } })
		.png()
		.toBuffer();
const colours = await Promise.all([plain("#ff0000"), plain("#0000ff"), plain("#ffffff")]);
const texts = Array.from({ length: 100 }, (_, index) => `passage number ${index} about rivers`);
/** The one segment's files, the keys first. */
async function segmentFiles(): Promise<[keys: string, vectors: string]> {
	const [folder = ""] = await readdir(dir);
	const names = (await readdir(join(dir, folder))).sort();
	return names.map((name) => join(dir, folder, name)) as [string, string];
}

describe("conformance: cached", () => {
	for (const { name, run } of textEncoderCases(() => cachedTextEncoder(fakeTextEncoder(), dir, { queries: true })))
		test(name, run);
	for (const { name, run } of imageEncoderCases(
		() => cachedImageEncoder(fakeJointEncoder(), dir, { queries: true }),
		colours,
	))
		test(name, run);
	for (const { name, run } of pageEncoderCases(
		() => cachedPageEncoder(fakePageEncoder(), dir, { queries: true }),
		colours,
	))
		test(name, run);
});

test("what was encoded once is read back, by another process too, whatever else is asked beside it", async () => {
	const inner = fakeTextEncoder();
	const first = await cachedTextEncoder(inner, dir);
	const vectors = await first.encodePassages([...texts, texts[0] as string]);
	expect(inner.encoded()).toBe(100);
	expect([first.hits(), first.misses()]).toEqual([1, 100]);
	await first.close?.();
	const again = fakeTextEncoder();
	const second = await cachedTextEncoder(again, dir);
	expect(await second.encodePassages([...texts].reverse())).toEqual(vectors.slice(0, 100).reverse());
	expect(again.encoded()).toBe(0);
	await second.encodePassages(["another", ...texts]);
	expect(again.encoded()).toBe(1);
	await second.close?.();
	const third = await cachedTextEncoder(fakeTextEncoder(), dir);
	await third.encodePassages(["another"]);
	expect(third.hits()).toBe(1);
	await third.close?.();
});

test("queries are not passages and are kept only where asked; another version is another encoder", async () => {
	const inner = fakeTextEncoder();
	const cached = await cachedTextEncoder(inner, dir);
	await cached.encodePassages(["river"]);
	await cached.encodeQueries(["river"]);
	await cached.encodeQueries(["river"]);
	expect(inner.encoded()).toBe(3);
	await cached.close?.();
	const keeping = fakeTextEncoder();
	const kept = await cachedTextEncoder(keeping, dir, { queries: true });
	await kept.encodeQueries(["river"]);
	await kept.encodeQueries(["river"]);
	expect(keeping.encoded()).toBe(1);
	await kept.close?.();
	const changed = fakeTextEncoder(64, { version: "2" });
	const other = await cachedTextEncoder(changed, dir);
	await other.encodePassages(["river"]);
	expect(changed.encoded()).toBe(1);
	await other.close?.();
});

longTest("a killed writer's torn tail is dropped and everything before it kept, wherever it was torn", async () => {
	const writer = await cachedTextEncoder(fakeTextEncoder(), dir);
	const vectors = await writer.encodePassages(texts);
	await writer.close?.();
	const [keys, numbers] = await segmentFiles();
	const whole = { keys: await readFile(keys), numbers: await readFile(numbers) };
	await fc.assert(
		fc.asyncProperty(fc.nat(whole.keys.length), fc.nat(whole.numbers.length), async (keyEnd, numberEnd) => {
			await writeFile(keys, whole.keys.subarray(0, keyEnd));
			await writeFile(numbers, whole.numbers.subarray(0, numberEnd));
			const inner = fakeTextEncoder();
			const reader = await cachedTextEncoder(inner, dir);
			try {
				const kept = Math.min(Math.floor(keyEnd / 24), Math.floor(numberEnd / 256));
				const got = await reader.encodePassages(texts.slice(0, 20));
				expect(got).toEqual(vectors.slice(0, 20));
				expect(inner.encoded()).toBe(Math.max(0, 20 - kept));
			} finally {
				await reader.close?.();
				// What the reader itself kept must not help the next round.
				const [folder = ""] = await readdir(dir);
				for (const name of await readdir(join(dir, folder)))
					if (!keys.endsWith(name) && !numbers.endsWith(name)) await rm(join(dir, folder, name));
			}
		}),
		{ numRuns: 25 },
	);
});

test("a damaged vector is noticed and made again, once", async () => {
	const writer = await cachedTextEncoder(fakeTextEncoder(), dir);
	const vectors = await writer.encodePassages(texts);
	await writer.close?.();
	const [, numbers] = await segmentFiles();
	const bytes = await readFile(numbers);
	bytes[256 * 7 + 3] = (bytes[256 * 7 + 3] ?? 0) ^ 0x40;
	await writeFile(numbers, bytes);
	for (const expected of [1, 0]) {
		const inner = fakeTextEncoder();
		const reader = await cachedTextEncoder(inner, dir);
		expect(await reader.encodePassages(texts)).toEqual(vectors);
		expect(inner.encoded()).toBe(expected);
		await reader.close?.();
	}
});

test("junk in the folder is no error", async () => {
	const writer = await cachedTextEncoder(fakeTextEncoder(), dir);
	await writer.encodePassages(texts);
	await writer.close?.();
	const [keys] = await segmentFiles();
	await appendFile(keys, Buffer.alloc(100, 7));
	await writeFile(keys.replace(/[^/]+$/, "zz.keys"), Buffer.alloc(240, 255));
	await writeFile(keys.replace(/[^/]+$/, "zz.vectors"), "short");
	await writeFile(keys.replace(/[^/]+$/, "lonely.keys"), "x");
	const inner = fakeTextEncoder();
	const reader = await cachedTextEncoder(inner, dir);
	await reader.encodePassages(texts);
	expect(inner.encoded()).toBe(0);
	await reader.close?.();
});

test("two writers at once keep all that either made", async () => {
	const [a, b] = [await cachedTextEncoder(fakeTextEncoder(), dir), await cachedTextEncoder(fakeTextEncoder(), dir)];
	await Promise.all([a.encodePassages(texts.slice(0, 60)), b.encodePassages(texts.slice(40))]);
	await Promise.all([a.close?.(), b.close?.()]);
	const inner = fakeTextEncoder();
	const reader = await cachedTextEncoder(inner, dir);
	await reader.encodePassages(texts);
	expect(inner.encoded()).toBe(0);
	await reader.close?.();
});

test("an image is known by its bytes; what could not be read is told again and not kept", async () => {
	const file = join(root, `image-${made}.png`);
	await writeFile(file, colours[0] as Buffer);
	for (const round of [0, 1]) {
		const inner = fakeJointEncoder();
		const cached = await cachedImageEncoder(inner, dir);
		const told: number[] = [];
		const images = [Buffer.from("none"), file, colours[0] as Buffer, join(root, "nowhere.png")];
		const vectors = await cached.encodeImages(images, { onProblem: (index) => told.push(index) });
		expect(told.sort()).toEqual([0, 3]);
		expect(vectors[1]).toEqual(vectors[2]);
		expect(inner.encoded()).toBe(round === 0 ? 1 : 0);
		await cached.close?.();
	}
});

test("what fails is not kept, and an encoder that costs little is not cached", async () => {
	const failing = { ...fakeTextEncoder(), encodePassages: async () => Promise.reject(new Error("down")) };
	const cached = await cachedTextEncoder(failing, dir);
	await expect(cached.encodePassages(texts)).rejects.toThrow("down");
	await cached.close?.();
	const cheap = fakeTextEncoder(64, { dear: false });
	const other = await cachedTextEncoder(cheap, join(root, "unused"));
	await other.encodePassages(["a"]);
	await other.encodePassages(["a"]);
	expect(cheap.encoded()).toBe(2);
	await expect(stat(join(root, "unused"))).rejects.toThrow();
});
