import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, wordsOf } from "#corpus";

test("texts of plain characters are read as all others are, only faster", () => {
	const plain = fc.string({
		unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
		maxLength: 60,
	});
	const spoken = fc.constantFrom(
		"Ada's",
		"O'Brien's",
		"the dogs' 's",
		"A_B",
		"x".repeat(65),
		"3.5%",
		"it'S",
		"'sé".slice(0, 2),
	);
	fc.assert(
		fc.property(fc.array(fc.oneof(plain, spoken), { maxLength: 6 }), (parts) => {
			const text = parts.join(" ");
			// one letter with an accent, and the text is read by the rules for all scripts
			expect(wordsOf(`${text} é`)).toEqual([...wordsOf(text), "é"]);
			expect(fold(`${text} é`)).toBe(`${fold(text)} e`);
		}),
	);
});
