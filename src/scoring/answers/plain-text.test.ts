import fc from "fast-check";
import { expect, test } from "vitest";
import { answerTokens, type MatchOptions, matchModes, normalise, normaliseAny, tokens } from "./normalise.ts";

const plain = fc.string({
	unit: fc.oneof(
		fc.constantFrom(" ", "a", "an", "the", "The", "A", "E", "'", "-", "_", "\t", "\u001c", "x", "7", "."),
		fc.string({ minLength: 1, maxLength: 1 }),
	),
	maxLength: 12,
});
const any = fc.string({
	unit: fc.oneof(
		fc.constantFrom(" ", "a", "the", "B", ".", "é", "\u0301", "İ", "K", "ſ", "\u00a0", "\u0000", "\u007f", "東", "“"),
		fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
	),
	maxLength: 12,
});
const options: fc.Arbitrary<MatchOptions> = fc.record(
	{
		mode: fc.constantFrom(...matchModes),
		nfkc: fc.boolean(),
		unicodePunctuation: fc.boolean(),
		cjkCharacters: fc.boolean(),
		arabicForms: fc.boolean(),
	},
	{ requiredKeys: [] },
);

test("the short way through plain text gives what the general way gives, for any text and options", () => {
	fc.assert(
		fc.property(fc.oneof(plain, any), options, (text, chosen) => {
			const general = normaliseAny(text, chosen);
			expect(normalise(text, chosen)).toBe(general);
			expect(answerTokens(text, chosen)).toEqual(tokens(general, chosen));
		}),
		{ numRuns: 5000 },
	);
});
