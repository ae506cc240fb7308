import { escapeRegExp } from "#domain";
/** What takes the place of some forms in a text. */
export interface Replacement {
	forms: readonly string[];
	by: string;
}

/**
 * The text with every form that stands in it as words of its own replaced, in one pass, so that nothing is replaced twice;
 * `counts` says how often by replacement. A form that several replacements share goes to them in turn. Case and the width
 * of spaces do not matter; "6,995" is not in "16,995" or "6,995,100".
 */
export function replaceForms(text: string, replacements: readonly Replacement[]): { text: string; counts: number[] } {
	const counts = replacements.map(() => 0);
	const owners = new Map<string, number[]>();
	for (const [index, { forms }] of replacements.entries())
		for (const form of new Set(forms.map(keyOf)))
			if (form !== "") owners.set(form, [...(owners.get(form) ?? []), index]);
	if (owners.size === 0) return { text, counts };
	const longestFirst = [...owners.keys()].sort((a, b) => b.length - a.length);
	const replaced = text.replace(new RegExp(longestFirst.map(patternOf).join("|"), "giu"), (found) => {
		const [owner] = [...(owners.get(keyOf(found)) ?? [])].sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
		if (owner === undefined) return found;
		counts[owner] = (counts[owner] ?? 0) + 1;
		return replacements[owner]?.by ?? found;
	});
	return { text: replaced, counts };
}

/** Forms of an answer that are long enough not to stand in a text by chance. */
export const tellingForms = (accepted: readonly string[]): string[] =>
	accepted.filter((form) => [...form.trim()].length >= (withoutSpaces.test(form) ? 1 : 3));

const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const keyOf = (form: string) => form.trim().replace(/\s+/g, " ").toLowerCase();

function patternOf(form: string): string {
	const escaped = escapeRegExp(form).replace(/ /g, "\\s+");
	// scripts without spaces have no borders of words
	if (withoutSpaces.test(form)) return escaped;
	return `(?<![\\p{L}\\p{N}])(?<!\\p{N}[.,])${escaped}(?![\\p{L}\\p{N}])(?![.,]\\p{N})`;
}
