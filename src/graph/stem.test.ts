import { expect, test } from "vitest";
import { stem } from "./stem.ts";

test.each([
	["constructor", "const"],
	["valueOf", "value"],
	["directed", "direc"],
	["sold", "sell"],
])("%s: %s", (word, expected) => {
	expect(stem(word)).toBe(expected);
});
