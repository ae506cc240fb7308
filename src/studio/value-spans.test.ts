import fc from "fast-check";
import { expect, test } from "vitest";
import { markValues } from "./value-spans.ts";

test("marks whole words only, the longest value that stands at a place, capitals or not", () => {
	const piece = fc.constantFrom("ab", "Ab", "abc", "b", "-", " ", "𝐀", "é", "3", "𝐀b", ".");
	const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
	const values = fc.uniqueArray(fc.constantFrom("ab", "abc", "ab-b", "𝐀", "𝐀b", "b", "é 3", "."), { minLength: 1 });
	fc.assert(
		fc.property(text, values, (line, gold) => {
			const longest = [...gold].sort((a, b) => b.length - a.length).map((value) => value.replace(".", "\\."));
			const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join("|")})(?![\\p{L}\\p{N}])`, "giu");
			const marked = markValues(line, { gold, wrong: [] });
			expect(marked.map((span) => span.text).join("")).toBe(line);
			expect(marked.flatMap((span) => (span.is === "gold" ? [span.text] : []))).toEqual(line.match(pattern) ?? []);
		}),
	);
});
