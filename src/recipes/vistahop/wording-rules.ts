import { type Item, questionOf } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { rule } from "../rules/rule.ts";

/**
 * The form of a fused arithmetic question: how it ends, how long it is at least, and no digits, which would be values or
 * years given away. Source: VistaHop's released code.
 */
export function fusedWording({ ending, least }: { ending: string; least: number }): RuleCheck {
	const concerns = ({ notes }: { notes: Record<string, unknown> }) =>
		(notes.fusion as { form?: string } | undefined)?.form === "arithmetic";
	return rule({ name: "fused-wording", params: { ending, least }, concerns }, (item) => {
		const question = questionOf(item).trim();
		if (!question.endsWith(ending)) return fail("fluency", `it does not end with "${ending}"`);
		if (question.length < least) return fail("under_specified", `${question.length} characters`, { threshold: least });
		const digits = /\p{Nd}+/u.exec(question)?.[0];
		return digits === undefined ? pass() : fail("intermediate_in_question", `"${digits}"`);
	});
}

/** The question's clues are noted in its words: with none, leaving out each of them in turn would show nothing. */
export function cluesNoted(): RuleCheck {
	const lacks = ({ notes }: Item) => (notes.clues === undefined ? "the question's clues are not noted" : undefined);
	return rule({ name: "clues-noted", lacks }, (item) => {
		const question = questionOf(item);
		const noted = Array.isArray(item.notes.clues) ? item.notes.clues : [];
		const stands = noted.some((clue) => typeof clue === "string" && clue !== question && question.includes(clue));
		return stands ? pass() : fail("under_specified", "none of its clues is named in its own words");
	});
}
