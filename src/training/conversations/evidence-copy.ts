import { escapeRegExp } from "#domain";
import { turnsOf } from "./answer-leak.ts";
import type { TrainingExample } from "./example.ts";

/**
 * Words in a row that a turn may share with what was shown. Names, titles and figures have to be said again: the longest
 * accepted answer of the Atlas has 11 words. A whole clause said again is copied, and a model that learns to copy evidence
 * spends its turns on it and repeats what stands there, instructions among it.
 */
export const mostCopied = 11;

/**
 * The first words of each run that a turn copies from what was shown before it; the question is no evidence. What stands
 * `between` a protocol's own marks is meant to be copied.
 */
export function copiesIn(
	example: Pick<TrainingExample, "messages">,
	{ between, most = mostCopied }: { between?: { open: string; close: string } | undefined; most?: number } = {},
): string[] {
	const quoted = between && new RegExp(`${escapeRegExp(between.open)}[^]*?${escapeRegExp(between.close)}`, "g");
	return turnsOf(example).flatMap(({ shown, said }, at) => {
		const copied = copiedFrom(quoted ? said.replace(quoted, "\n") : said, shown.slice(1), most);
		return copied === undefined ? [] : [`turn ${at + 1} copies "${copied}"`];
	});
}

/** A run of more than `most` words that a text shares with one of `sources`, its first words; undefined without one. */
export function copiedFrom(text: string, sources: readonly string[], most: number = mostCopied): string | undefined {
	const length = most + 1;
	const said = words(text);
	if (said.length < length) return undefined;
	const runs = new Set(sources.flatMap((source) => runsOf(words(source), length)));
	return runsOf(said, length).find((run) => runs.has(run));
}

const runsOf = (all: readonly string[], length: number): string[] =>
	all.slice(length - 1).map((_, at) => all.slice(at, at + length).join(" "));

const words = (text: string): string[] =>
	text
		.normalize("NFKC")
		.toLowerCase()
		.match(
			/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu,
		) ?? [];
