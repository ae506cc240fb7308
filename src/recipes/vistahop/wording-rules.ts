import { type Item, questionOf } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { yearSaidIn } from "../final-gate/said-values.ts";
import { rule } from "../rules/rule.ts";
import { yearBehind } from "./extractors.ts";
import { partEnd } from "./forms.ts";

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

/**
 * A year that a part's number was made of does not stand in the fused question, in digits or in words. Source: VistaHop,
 * Table 26 (founding years count "only if the year is NOT present in the question").
 */
export function foundingYearHidden(): RuleCheck {
	const concerns = (item: Item) => yearsTaken(item).length > 0;
	return rule({ name: "founding-year-hidden", concerns }, (item) => {
		const language = item.tags.language ?? "en";
		for (const { year, hop } of yearsTaken(item)) {
			const said = yearSaidIn(questionOf(item), year, { language });
			if (said !== undefined) return fail("intermediate_in_question", `"${said}"`, { on: { hop } });
		}
		return pass();
	});
}

/** The years that the numbers of a fused item's parts were made of, each with the hop that answers with it. */
function yearsTaken({ chain, notes }: { chain: Item["chain"]; notes: Record<string, unknown> }) {
	const values = (notes.fusion as { values?: { method: string }[] } | undefined)?.values ?? [];
	return values.flatMap(({ method }, at) => {
		const end = partEnd(chain.hops, at);
		const year = end && yearBehind(method, end.answer);
		return year === undefined ? [] : [{ year, hop: end?.id ?? "" }];
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
