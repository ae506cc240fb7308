import type { Answer } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { conjunction } from "./comparison.ts";
import { rule } from "./rule.ts";

/** The answer has at most so many words. Free text is exempt: its measure is a judge, not its length. */
export function shortAnswer({ most = 10 }: { most?: number } = {}): RuleCheck {
	const concerns = ({ answer }: { answer: Answer }) => answer.type !== "text" && answer.type !== "list";
	return rule({ name: "short-answer", params: { most }, concerns }, ({ answer }) => {
		const count = wordCount(answer.value);
		const measured = { score: count, threshold: most };
		return count <= most ? pass(measured) : fail("long_answer", `${count} words`, measured);
	});
}

/** Words between spaces; two characters of a script without spaces count as one. */
function wordCount(text: string): number {
	const apart = text.replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}/gu, " x ");
	return apart.split(/\s+/).filter((word) => word !== "").length;
}

/**
 * The answer is one thing: no "and", "or" or "&" in it. Lists and free text are exempt. With `names` a conjunction
 * between two capitalised words is taken for part of a name (Trinidad and Tobago).
 */
export function singleAnswer({ names = false }: { names?: boolean } = {}): RuleCheck {
	const concerns = ({ answer }: { answer: Answer }) => answer.type !== "text" && answer.type !== "list";
	return rule({ name: "single-answer", params: { names }, concerns }, ({ answer, tags }) => {
		const { value } = answer;
		const found = value.includes("&") ? "&" : conjunction(tags.language, { or: true }).exec(value)?.[0];
		if (found === undefined) return pass();
		const named = /\p{Lu}[\p{L}\p{M}'’.-]*\s+(?:\p{Ll}{1,4}|&)\s+(?:the\s+)?\p{Lu}/u.test(value);
		return names && named ? pass() : fail("compound_answer", `"${found}" in "${value}"`);
	});
}

/** The whole answer is digits, a bare year or decade among them; a unit or a percent sign makes it more. */
export const isBareNumber = (value: string): boolean => /^[-+−]?\p{Nd}[\p{Nd}.,\s]*s?$/u.test(value.trim());

/** The answer is no bare number, which would lead the next search astray. */
export function noBareNumber(): RuleCheck {
	return rule({ name: "no-bare-number" }, ({ answer }) =>
		isBareNumber(answer.value) ? fail("numeric_intermediate", answer.value) : pass(),
	);
}

/**
 * The answer can be a bridge to another question: a name rather than a number, a time or a general word. In scripts with
 * capitals a name has one.
 */
export function entityAnswer(): RuleCheck {
	return rule({ name: "entity-answer" }, ({ answer }) => {
		const { type, value } = answer;
		if (type !== "string" || isBareNumber(value)) return fail("not_entity", `${type}: ${value}`);
		const cased = /[\p{Ll}\p{Lu}]/u.test(value);
		return cased && !/\p{Lu}/u.test(value) ? fail("not_entity", `no name: ${value}`) : pass();
	});
}
