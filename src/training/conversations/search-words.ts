import { stopWords } from "#domain";
import { sha256 } from "#store";

/** A number from 0 up to 1 that hangs on these words alone. */
export const drawnBy = (...words: readonly (string | number)[]): number =>
	Number.parseInt(sha256(words.join("\n")).slice(0, 8), 16) / 2 ** 32;

/** One of several, drawn by these words. */
export const oneBy = <Some>(some: readonly Some[], ...words: readonly (string | number)[]): Some =>
	some[Math.floor(drawnBy(...words) * some.length)] as Some;

/** A question's words that carry matter, and its names: runs of words that begin with a capital, and figures. */
export function matterIn(question: string, language: string): { matter: string[]; names: string[] } {
	const [short = "en"] = language.split("-");
	const frequent = stopWords[short] ?? stopWords.en ?? new Set<string>();
	const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,/²³-]*/gu) ?? [];
	const plain = words.map((word) => word.replace(/[.,'’]+$/u, ""));
	const kept = plain.filter((word) => !frequent.has(word.toLowerCase()));
	const isName = (word: string) => /^[\p{Lu}\p{N}]/u.test(word);
	return { matter: kept.filter((word) => !isName(word)), names: kept.filter(isName) };
}

/** A question's words without the frequent ones, in their order. */
export function keyWords(question: string, { language }: { language: string }): string {
	const { matter, names } = matterIn(question, language);
	const carrying = new Set([...matter, ...names]);
	const inOrder = question.split(/\s+/u).map((word) => word.replace(/^[¿¡("/]+|[.,?!)"]+$/gu, ""));
	return inOrder.filter((word) => carrying.has(word)).join(" ");
}

/**
 * Ways to search for a question, the question itself among them: its words without the frequent ones, in their order or the
 * names first. In an order that is drawn by `key`.
 */
export function searchWords(question: string, { language, key }: { language: string; key: string }): string[] {
	const { matter, names } = matterIn(question, language);
	if (matter.length + names.length < 2) return [question];
	const forms = [question, keyWords(question, { language }), [...names, ...matter].join(" ")].filter(
		(form) => form.trim() !== "",
	);
	return [...new Set(forms)].sort((a, b) => drawnBy(key, a) - drawnBy(key, b));
}

/** Words that leave out half of a question, as a hasty searcher types them: its names alone, or all but them. */
export function poorWords(question: string, { language, key }: { language: string; key: string }): string | undefined {
	const { matter, names } = matterIn(question, language);
	const halves = [names, matter].map((half) => half.join(" ")).filter((half) => half !== "");
	return halves.length < 2 ? undefined : oneBy(halves, key, "poor");
}
