import { readFile } from "node:fs/promises";
import { detectLanguage, fold, wordsOf } from "#corpus";
import { stopWords, usageError } from "#domain";
import { sha256, writeWhole } from "#store";
import type { TextEncoder } from "./encoder.ts";

/**
 * The offline text encoder: character 3- and 4-grams of words, weighted by how rare they are in the corpus, hashed into
 * a vector of fixed length (feature hashing, Weinberger et al. 2009). No download and no model: it does not know what
 * words mean, but misspelt, inflected and related forms of a word, within a language or across two, come out near one
 * another, which BM25 cannot do. Why this one: docs/decisions, encoders.
 */

export const characterEncoder = { name: "characters-1", dimensions: 1024, metric: "cosine" } as const;

const gramLengths = [3, 4];
/** Grams are counted in this many buckets, a power of two, so that what is learnt has a fixed size. */
const buckets = 1 << 18;
/** Signed places in the vector that one bucket adds to: several, so that two buckets rarely share all of theirs. */
const placesPerBucket = 4;
const mask = characterEncoder.dimensions - 1;
/** A text's vector is of its first characters: enough for a page. */
const mostCharacters = 20_000;
/** Longer words are cut: their grams repeat. */
const longestWord = 40;

export interface CharacterEncoder {
	/** Unit vector; all zero for a text without words. */
	encode(text: string): Float32Array;
}

/** Learns how many texts each bucket occurs in. */
export function characterTrainer(): { add(text: string): void; weights(): Float32Array } {
	const texts = new Uint32Array(buckets);
	let total = 0;
	return {
		add(text) {
			total += 1;
			countGrams(text, (bucket) => {
				texts[bucket] = (texts[bucket] ?? 0) + 1;
			});
		},
		weights() {
			return Float32Array.from(texts, (count) => Math.log(1 + total / (1 + count)));
		},
	};
}

export function createCharacterEncoder(weights: Float32Array): CharacterEncoder {
	return {
		encode(text) {
			const vector = new Float64Array(characterEncoder.dimensions);
			countGrams(text, (bucket, count) => {
				const value = (1 + Math.log(count)) * (weights[bucket] ?? 0);
				for (let half = 0; half < placesPerBucket / 2; half += 1) {
					// Two places of one mixing: ten bits each for where, one for the sign.
					const bits = mix(bucket * placesPerBucket + half + 1);
					vector[bits & mask] = (vector[bits & mask] ?? 0) + (bits & (1 << 31) ? value : -value);
					const other = (bits >>> 10) & mask;
					vector[other] = (vector[other] ?? 0) + (bits & (1 << 30) ? value : -value);
				}
			});
			let square = 0;
			for (let at = 0; at < vector.length; at += 1) square += (vector[at] ?? 0) * (vector[at] ?? 0);
			const length = Math.sqrt(square) || 1;
			const unit = new Float32Array(vector.length);
			for (let at = 0; at < unit.length; at += 1) unit[at] = (vector[at] ?? 0) / length;
			return unit;
		},
	};
}

/** What was learnt, as little-endian float32. */
export async function saveCharacters(file: string, weights: Float32Array): Promise<void> {
	const bytes = Buffer.alloc(weights.length * 4);
	for (const [index, weight] of weights.entries()) bytes.writeFloatLE(weight, index * 4);
	await writeWhole(file, bytes);
}

/** What `saveCharacters` wrote; a file that is missing or of another length is an error. */
export async function loadCharacters(file: string): Promise<Float32Array> {
	const bytes = await readFile(file).catch(() => Buffer.alloc(0));
	if (bytes.length !== buckets * 4)
		throw usageError("bad-knowledge", `${file} is missing or damaged`, "Build it anew with hopscope index.");
	return Float32Array.from({ length: buckets }, (_, index) => bytes.readFloatLE(index * 4));
}

/** The offline encoder in the form of all others; its version is the hash of what was learnt. */
export function characterTextEncoder(weights: Float32Array): TextEncoder {
	const { encode } = createCharacterEncoder(weights);
	const all = async (texts: string[], { signal }: { signal?: AbortSignal | undefined } = {}) => {
		signal?.throwIfAborted();
		return texts.map(encode);
	};
	const { name, dimensions } = characterEncoder;
	const bytes = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
	return {
		about: { name: "characters", version: `${name}:${sha256(bytes).slice(0, 16)}`, dimensions },
		dear: false,
		encodeQueries: all,
		encodePassages: all,
	};
}

/** Of the text that is being read, all 0 between two: a map for each text would be most of the work. */
const counts = new Uint32Array(buckets);

/** Takes the buckets of a text's grams in the order in which they come, function words left out, and how often each does. */
function countGrams(text: string, take: (bucket: number, count: number) => void): void {
	const start = text.slice(0, mostCharacters);
	const stop = stopWords[detectLanguage(start)];
	const met: number[] = [];
	for (const word of wordsOf(start)) {
		if (stop?.has(word)) continue;
		const marked = `^${fold(word).slice(0, longestWord)}$`;
		for (const length of gramLengths)
			for (let at = 0; at + length <= marked.length; at += 1) {
				const bucket = hash(marked, at, at + length) % buckets;
				const before = counts[bucket] ?? 0;
				if (before === 0) met.push(bucket);
				counts[bucket] = before + 1;
			}
	}
	for (const bucket of met) {
		take(bucket, counts[bucket] ?? 0);
		counts[bucket] = 0;
	}
}

/** FNV-1a over UTF-16 units, finished so that low bits are as good as high ones. */
function hash(text: string, from: number, to: number): number {
	let value = 0x811c9dc5;
	for (let at = from; at < to; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
	return mix(value);
}

/** The lowbias32 finaliser: each input bit reaches every output bit. */
function mix(value: number): number {
	let bits = value;
	bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
	bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
	return (bits ^ (bits >>> 16)) >>> 0;
}
