import { type Evidence, usageError } from "#domain";
import type { EncoderAbout } from "./encoder.ts";
import type { FaissFlat } from "./faiss-flat.ts";

/** Vectors of a published index, for the passages of the corpus it was made of. */
export interface RecordVectors {
	/** The vector of each evidence's record; undefined for what is not of a record, or of one beyond the index. */
	of(evidence: Evidence[]): Promise<(Float32Array | undefined)[]>;
	/** What does not fit, once everything was asked for: records beyond the index, or vectors that no record asked for. */
	mismatch(): string | undefined;
}

/** How far from 1 the length of a vector may be. */
const tolerance = 0.01;

/**
 * Takes the nth vector of `index` for the nth record of the corpus's source, as published corpora and their indexes
 * correspond (wiki18_100w and e5_Flat). Pieces of a long record share its vector. Lengths must be 1, as `encoder` makes
 * them: it encodes the queries.
 */
export function recordVectors(index: FaissFlat, encoder: EncoderAbout): RecordVectors {
	if (index.dimensions !== encoder.dimensions)
		throw unfit(`has ${index.dimensions} dimensions, and ${encoder.name} makes ${encoder.dimensions}`);
	let furthest = 0;
	let beyond = 0;
	return {
		async of(evidence) {
			return Promise.all(
				evidence.map(async ({ provenance: { record } }) => {
					if (record === undefined) return undefined;
					furthest = Math.max(furthest, record);
					if (record > index.count) {
						beyond += 1;
						return undefined;
					}
					const vector = await index.read(record - 1, record);
					const length = Math.hypot(...vector);
					if (Math.abs(length - 1) <= tolerance) return vector.map((value) => value / length);
					throw unfit(`vector ${record} has length ${length.toFixed(3)} instead of 1`);
				}),
			);
		},
		mismatch() {
			if (beyond > 0)
				return `${beyond} passages are of records beyond the ${index.count} vectors; they were encoded anew`;
			if (furthest < index.count) return `the index holds ${index.count} vectors, the corpus ${furthest} records`;
			return undefined;
		},
	};
}

const unfit = (what: string) =>
	usageError(
		"other-vectors",
		`the index of vectors ${what}`,
		"Give the index that this encoder made of this corpus, and the corpus as one file.",
	);
