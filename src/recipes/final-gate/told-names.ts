import type { Evidence } from "#domain";
import { wordsIn } from "./words.ts";

/** A name of up to six words, of which the first and last have capitals. */
const name =
	"[\"“‘']?((?:the\\s+)?\\p{Lu}[\\p{L}\\p{M}\\p{N}.’'-]*(?:\\s+(?:(?:of|the|and|&|de|la|le|von|van|der|du|del)\\s+){0,2}\\p{Lu}[\\p{L}\\p{M}\\p{N}’'-]*){0,5})";
const called =
	"(?:(?:also|better|commonly|formerly|originally|previously|sometimes|often|usually|locally|popularly|informally|officially|once|long|later|otherwise|simply|still|now|then|first|widely|generally|mostly)\\s+)*(?:known|called|named|nicknamed|dubbed|referred\\s+to|a\\.\\s?k\\.\\s?a\\.?|aka|alias|née|pen\\s+name|stage\\s+name|other\\s+name|nickname|pseudonym)(?:\\s+by\\s+(?:\\p{Ll}+\\s+){0,3}(?=as\\s))?(?:\\s+(?:simply\\s+|also\\s+)?(?:as|the|under|is|was|name))*,?\\s+";
const behind = new RegExp(`${called}(?:as\\s+)?${name}`, "gu");
const named = new RegExp(`^${name}$`, "u");

/** A bracket, an apposition or a verb between a name and what it is called. */
const beside = new RegExp(
	`^(?:\\s*\\(|\\s*,\\s+(?:(?:an?|the|which|who)\\s+(?:\\p{L}+\\s+){0,3})?(?=${called})|\\s+(?:is|was|are|were|has been|had been)\\s+(?=${called}))`,
	"iu",
);
const itIs = new RegExp(
	`^(?:it|he|she|they|(?:this|the) \\p{L}+)\\s+(?:is|was|are|were|has been|had been)\\s+(?=${called})|^(?:its|his|her|their)\\s+(?:\\p{L}+\\s+)?(?:name|nickname|pseudonym)`,
	"iu",
);
const callIt = new RegExp(`\\bcall(?:s|ed)?\\s+(?:it|him|her|them|this \\p{L}+|the \\p{Ll}+)\\s+${name}`, "u");

/** Characters behind a name in which its other names stand. */
const near = 160;

/** Other names that evidence gives what is called so: "X (also known as Y)", and in the text of its own page "it is called Y". */
export function toldNames(whole: string, evidence: readonly Evidence[]): string[] {
	// a sentence begins with "The River Talm", and a page is titled "River Talm"
	const called = whole.replace(/^(?:the|an?)\s+(?=\S)/iu, "");
	const found = new Set<string>();
	for (const one of evidence) {
		if (!("text" in one)) continue;
		const text = one.text.slice(0, 4000);
		const isOwn = isSame(one.title, called);
		for (let at = text.indexOf(called); at >= 0; at = text.indexOf(called, at + 1)) {
			const rest = text.slice(at + called.length, at + called.length + near);
			const sentence = rest.split(/(?<=\p{Ll}{2})[.;](?=\s)/u)[0] ?? "";
			// what is called so behind another verb or noun is another thing
			if (beside.test(sentence)) addFrom(sentence);
		}
		if (isOwn)
			for (const sentence of text.split(/(?<=\p{Ll}{2})[.;]\s+/u)) {
				if (itIs.test(sentence)) addFrom(sentence.slice(0, near));
				const given = callIt.exec(sentence.slice(0, near))?.[1];
				if (given) add(given);
			}
	}
	return [...found];

	function addFrom(text: string) {
		for (const [, other = ""] of text.matchAll(behind)) add(other);
	}
	function add(other: string) {
		const plain = other.replace(/[.’']+$/u, "").replace(/^the\s+/iu, "");
		if (named.test(plain) && !isSame(plain, called)) found.add(plain);
	}
}

const isSame = (a: string, b: string) =>
	wordsIn(a)
		.map(({ plain }) => plain)
		.join(" ") ===
	wordsIn(b)
		.map(({ plain }) => plain)
		.join(" ");
