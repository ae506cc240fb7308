/** The conformance kits of encoders: what every one, real or fake, must do. Free of any test framework. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { ImageEncoder, PageEncoder, TextEncoder } from "../../../src/encoders/encoder.ts";

/** Makes a new encoder; the kit closes it. */
export type EncoderUnderTest<Encoder> = () => Promise<Encoder>;
interface Case {
	name: string;
	run(): Promise<void>;
}

/** The cases to run, each by itself: `for (const { name, run } of textEncoderCases(make)) test(name, run)`. */
export function textEncoderCases(make: EncoderUnderTest<TextEncoder>): Case[] {
	return casesOf(make, {
		"names itself": async ({ about }) => checkAbout(about),
		async "gives unit vectors, and zeros for blank texts"({ about, encodePassages, encodeQueries }) {
			for (const encode of [encodePassages, encodeQueries]) {
				const vectors = await encode(["", ...texts, " \n\t"]);
				strictEqual(vectors.length, texts.length + 2);
				for (const [index, vector] of vectors.entries()) {
					strictEqual(vector.length, about.dimensions);
					near(lengthOf(vector), index === 0 || index === vectors.length - 1 ? 0 : 1);
				}
			}
		},
		async "gives a text the same vector alone, among others and in any order"({ encodePassages, encodeQueries }) {
			for (const encode of [encodePassages, encodeQueries]) {
				const together = await encode(texts);
				const reversed = (await encode([...texts].reverse())).reverse();
				for (const [index, text] of texts.entries()) {
					const [alone] = await encode([text]);
					same(together[index], alone);
					same(together[index], reversed[index]);
				}
			}
		},
		async "gives different texts different vectors"({ encodePassages }) {
			const vectors = await encodePassages(texts);
			for (const [a, one] of vectors.entries())
				for (const other of vectors.slice(a + 1))
					ok(one.some((value, at) => Math.abs(value - (other[at] ?? 0)) > 1e-4));
		},
		async "takes a text of any length and none at all"({ encodePassages }) {
			const [vector] = await encodePassages(["water and stone ".repeat(5000)]);
			near(lengthOf(vector), 1);
			deepStrictEqual(await encodePassages([]), []);
		},
		async "rejects with the reason of an aborted signal, and works afterwards"({ encodePassages, encodeQueries }) {
			const reason = new Error("enough");
			for (const encode of [encodePassages, encodeQueries]) {
				await rejects(encode(texts, { signal: AbortSignal.abort(reason) }), reason);
				strictEqual((await encode(texts)).length, texts.length);
			}
		},
	});
}

/** `images`: at least three that differ, encoded; the first must differ from the others in the encoder's eyes too. */
export function imageEncoderCases(make: EncoderUnderTest<ImageEncoder>, images: Buffer[]): Case[] {
	return casesOf(make, {
		"names itself": async ({ about }) => checkAbout(about),
		async "gives unit vectors, the same alone and among others"({ about, encodeImages }) {
			const together = await encodeImages(images);
			strictEqual(together.length, images.length);
			for (const [index, image] of images.entries()) {
				strictEqual(together[index]?.length, about.dimensions);
				near(lengthOf(together[index]), 1);
				same(together[index], (await encodeImages([image]))[0]);
			}
			ok(together[0]?.some((value, at) => Math.abs(value - (together[1]?.[at] ?? 0)) > 1e-4));
		},
		async "tells of an image that cannot be decoded and goes on"({ about, encodeImages }) {
			const told = await unreadable(
				(options) => encodeImages([images[0] as Buffer, Buffer.from("no image"), images[1] as Buffer], options),
				(given) => encodeImages(given),
			);
			deepStrictEqual(told[1], new Float32Array(about.dimensions));
			near(lengthOf(told[2]), 1);
		},
		async "puts texts in the same space, if it puts them anywhere"({ about, encodeTexts }) {
			if (!encodeTexts) return;
			const [text, blank] = await encodeTexts(["red and blue", " "]);
			strictEqual(text?.length, about.dimensions);
			near(lengthOf(text), 1);
			near(lengthOf(blank), 0);
		},
		async "rejects with the reason of an aborted signal"({ encodeImages, encodeTexts }) {
			const reason = new Error("enough");
			await rejects(encodeImages(images, { signal: AbortSignal.abort(reason) }), reason);
			if (encodeTexts) await rejects(encodeTexts(["red"], { signal: AbortSignal.abort(reason) }), reason);
		},
	});
}

/** `images`: at least two pages that differ, encoded. */
export function pageEncoderCases(make: EncoderUnderTest<PageEncoder>, images: Buffer[]): Case[] {
	const units = (vectors: Float32Array | undefined, dimensions: number) => {
		ok(vectors && vectors.length > 0 && vectors.length % dimensions === 0);
		for (let from = 0; from < vectors.length; from += dimensions)
			near(lengthOf(vectors.subarray(from, from + dimensions)), 1);
	};
	return casesOf(make, {
		"names itself": async ({ about }) => checkAbout(about),
		async "gives several unit vectors a page, the same alone and among others"({ about, encodePages }) {
			const together = await encodePages(images);
			strictEqual(together.length, images.length);
			for (const [index, image] of images.entries()) {
				units(together[index], about.dimensions);
				same(together[index], (await encodePages([image]))[0]);
			}
		},
		async "gives unit vectors a query, and none for a blank one"({ about, encodeQueries }) {
			const [query, blank, other] = await encodeQueries(["red and blue", "  ", "green"]);
			units(query, about.dimensions);
			units(other, about.dimensions);
			strictEqual(blank?.length, 0);
		},
		async "tells of a page that cannot be decoded and goes on"({ encodePages }) {
			const made = await unreadable(
				(options) => encodePages([images[0] as Buffer, Buffer.from("no image"), images[1] as Buffer], options),
				(given) => encodePages(given),
			);
			strictEqual(made[1]?.length, 0);
			ok((made[2]?.length ?? 0) > 0);
		},
		async "rejects with the reason of an aborted signal"({ encodePages, encodeQueries }) {
			const reason = new Error("enough");
			await rejects(encodePages(images, { signal: AbortSignal.abort(reason) }), reason);
			await rejects(encodeQueries(["red"], { signal: AbortSignal.abort(reason) }), reason);
		},
	});
}

/** Of several lengths, so that batches have to fill up. */
const texts = [
	"the river flows north",
	"a mountain",
	"red and blue stones lie in the clear water of the river below the high mountain in the north",
	"Straße, 日本語 and 🗺",
];

function casesOf<Encoder extends { close?(): Promise<void> }>(
	make: EncoderUnderTest<Encoder>,
	checks: Record<string, (encoder: Encoder) => Promise<void>>,
): Case[] {
	return Object.entries(checks).map(([name, check]) => ({
		name,
		async run() {
			const encoder = await make();
			try {
				await check(encoder);
			} finally {
				await encoder.close?.();
			}
		},
	}));
}

function checkAbout(about: { name: string; version: string; dimensions: number }): void {
	ok(about.name.length > 0 && about.version.length > 0);
	ok(Number.isInteger(about.dimensions) && about.dimensions > 0);
}

/** With somebody to tell, the bad one in the middle is told; without, it is an error. */
async function unreadable(
	withBad: (options: { onProblem: (index: number) => void }) => Promise<Float32Array[]>,
	encode: (images: Buffer[]) => Promise<unknown>,
): Promise<Float32Array[]> {
	const told: number[] = [];
	const made = await withBad({ onProblem: (index) => told.push(index) });
	deepStrictEqual(told, [1]);
	strictEqual(made.length, 3);
	await rejects(encode([Buffer.from("no image")]), { code: "bad-image" });
	return made;
}

const lengthOf = (vector: Float32Array | undefined) => Math.hypot(...(vector ?? []));
const near = (value: number, wanted: number) => ok(Math.abs(value - wanted) < 1e-4, `${value}, not ${wanted}`);

function same(a: Float32Array | undefined, b: Float32Array | undefined): void {
	ok(a && b && a.length === b.length);
	for (const [at, value] of a.entries()) ok(Math.abs(value - (b[at] ?? 0)) < 1e-5, `${value}, not ${b[at]}, at ${at}`);
}
