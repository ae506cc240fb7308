import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents, resultOf } from "../../../test/support/server/open-reward.ts";
import { jsonPieces } from "./pieces.ts";

const streamed = (pieces: string[]) =>
	pieces.map((piece, at) => `event: ${at < pieces.length - 1 ? "chunk" : "end"}\ndata: ${piece}\n\n`).join("");

test("any text survives a client that drops whitespace before every piece", () => {
	const unit = fc.constantFrom(
		" ",
		"\u00a0",
		"\u2028",
		"\u0085",
		"\n",
		"\t",
		"é",
		"図",
		"😀",
		'"',
		"\\",
		"a",
		"\ud800",
	);
	fc.assert(
		fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (text, most) => {
			const pieces = jsonPieces({ text }, most);
			expect(resultOf(readEvents(streamed(pieces)))).toEqual({ text });
			// an escaped space is six characters in place of one
			expect(pieces.every((piece) => piece.length <= most + 5 && /^[\x20-\x7e]*$/.test(piece))).toBe(true);
		}),
	);
});

test("the pieces of what has no spaces are as long as they may be", () => {
	const pieces = jsonPieces("x".repeat(10_000));
	expect(pieces.map(({ length }) => length)).toEqual([4096, 4096, 1810]);
});
