import type { ScoredRecord } from "../scored-record.ts";
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

/** How a record's answer is compared by its words, and what its scores' details say of it. */
export function matchingOf({ task, mode }: ScoredRecord): { options: MatchOptions; details: Record<string, unknown> } {
	// that script knows one normalisation
	const options = mode === "tracer-official" ? {} : matchOptionsFor(task.tags.language);
	return { options, details: Object.keys(options).length > 0 ? { mode, options } : { mode } };
}
