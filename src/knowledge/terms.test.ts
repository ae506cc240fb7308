import { expect, test } from "vitest";
import { queryTerms, termsOf } from "./terms.ts";

test.each(["constructor", "__proto__", "xx"])("a language called %s has no stemmer and no stop words", (language) => {
	expect(termsOf("The Rivers of Ürgüp", language)).toEqual(["the", "rivers", "of", "urgup"]);
	expect(queryTerms("rivers", [language])).toEqual({ own: ["rivers"], others: [] });
});
