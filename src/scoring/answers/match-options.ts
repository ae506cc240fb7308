import type { MatchOptions } from "./normalise.ts";

/**
 * The options of exact match and F1 that suit a declared language (BCP 47). Published scripts know English only, so
 * English and an undeclared language have none of them.
 *
 * Chinese and Japanese: compatibility forms folded, all Unicode punctuation dropped, a token a character. Arabic:
 * compatibility forms, punctuation, and the forms that most people type. Every other language: compatibility forms and
 * punctuation ("«París»" is "París").
 */
export function matchOptionsFor(language?: string): MatchOptions {
	const [primary = ""] = (language ?? "").toLowerCase().split(/[-_]/);
	// "und" and "mul" declare that the language is not known, or more than one
	if (!/^[a-z]{2,3}$/.test(primary) || /^(?:en|eng|und|mul|zxx)$/.test(primary)) return {};
	const folded = { nfkc: true, unicodePunctuation: true };
	if (/^(?:zh|zho|chi|cmn|yue|ja|jpn)$/.test(primary)) return { ...folded, cjkCharacters: true };
	return /^(?:ar|ara|arb)$/.test(primary) ? { ...folded, arabicForms: true } : folded;
}
