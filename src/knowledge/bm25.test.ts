import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBm25 } from "#knowledge";

const golden = "../shared/golden/bm25s.json";

describe("BM25 in memory", () => {
	test.skipIf(!existsSync(golden))("agrees with bm25s, method lucene, k1 1.5", () => {
		const { tokenised_corpus, tokenised_queries, scores } = JSON.parse(readFileSync(golden, "utf8")) as {
			tokenised_corpus: string[][];
			tokenised_queries: string[][];
			scores: { lucene: number[][] };
		};
		const { scores: scoresOf } = createBm25(tokenised_corpus, { k1: 1.5, b: 0.75 });
		for (const [at, query] of tokenised_queries.entries()) {
			const found = scoresOf(query.map((term) => ({ term })));
			// bm25s leaves out the factor k1 + 1, as Lucene does
			for (const [document, score] of found.entries())
				expect(score / 2.5).toBeCloseTo(scores.lucene[at]?.[document] ?? Number.NaN, 5);
		}
		expect(tokenised_queries.length * tokenised_corpus.length).toBe(20);
	});
	test("is finite, never negative, and 0 exactly where no term is held", () => {
		const terms = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 6 });
		fc.assert(
			fc.property(fc.array(terms, { maxLength: 6 }), terms, (documents, query) => {
				const scores = createBm25(documents).scores(query.map((term) => ({ term })));
				expect(scores).toHaveLength(documents.length);
				for (const [at, score] of scores.entries()) {
					expect(Number.isFinite(score)).toBe(true);
					expect(score > 0).toBe(query.some((term) => documents[at]?.includes(term)));
				}
			}),
		);
	});
});
