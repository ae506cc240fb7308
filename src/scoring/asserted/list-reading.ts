/** Whether a reply names exactly the items of a list, in any order, each by the variants of names or as a number or date. */
import {
	corrected,
	deniesSomething,
	doubted,
	leavesOpen,
	mainSentence,
	settled,
	withoutConclusion,
} from "./clauses.ts";
import { type Naming, nameOf, sameName } from "./name-variants.ts";
import { questionStems, stemOf, tokensOf } from "./question-words.ts";
import { trimQuotes, unwrap } from "./unwrap.ts";

export interface ListReading {
	value: 0 | 1;
	common: number;
	predicted: number;
	gold: number;
}

const mostItems = 500;
const separator = /[\n;；؛|、]|[,，،](?!\d{3}(?!\d))|\s\/\s|(?<=\p{L})\/(?=\p{L})/u;
const joiner =
	/\s(?:and(?: again)?(?: in)?|und|sowie|y|e|et|&|as well as|als auch|wie auch|plus)\s|(?<=\P{ASCII})(?:以及|及び|および|ならびに|和|与|與|と|や)(?=\P{ASCII})/iu;
const leading = /^(?:(?:and|und|y|e|et|&|in|both|beide|sowohl)\s|[-*•・–]\s?(?=\D)|\d{1,3}[.)]\s|\(?[a-h]\)\s)+/iu;

/** `same` compares one piece with one item. */
export function assertedList(
	reply: string,
	items: readonly string[],
	options: { question?: string | undefined; same: (said: string, item: string) => boolean },
): ListReading {
	const { text: written, announced: stated } = unwrap(reply);
	const apart = (said: string) => corrected(said).replace(/(?<=\S) (?=\d{1,2}[.)] \p{Lu})/gu, "\n");
	const [text, announced] = [apart(written), stated === undefined ? undefined : apart(stated)];
	const counts = (common: number, predicted: number): ListReading => ({
		value: common === items.length && predicted <= items.length ? 1 : 0,
		common,
		predicted,
		gold: items.length,
	});
	for (const said of [announced, text].filter((one) => one !== undefined)) {
		const listed = pieces(said, items, options.question);
		if (listed === undefined) continue;
		const left = [...items];
		let extra = 0;
		const seen: string[] = [];
		for (const piece of listed) {
			const at = left.findIndex((item) => options.same(piece, item));
			if (at >= 0) seen.push(...left.splice(at, 1));
			else if (!seen.some((item) => options.same(piece, item))) extra += 1;
		}
		const result = counts(items.length - left.length, items.length - left.length + extra);
		if (result.value === 1 || said === text) return result;
	}
	return counts(0, 0);
}

function pieces(text: string, items: readonly string[], question: string | undefined): string[] | undefined {
	const parsed = bracketed(text);
	if (parsed) return parsed;
	const lines = text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");
	const bullets = lines.filter((line) => /^(?:[-*•・–]|\d{1,3}[.)])\s/.test(line));
	const said =
		bullets.length > 1 ? bullets.map((line) => line.replace(leading, "").split(/:\s|\s[–—-]\s/)[0] ?? line) : undefined;
	const main = said
		? said.join("\n")
		: lines.length > 1 && lines.every((line) => line.length < 80)
			? text
			: withoutConclusion(mainSentence(text.replaceAll(";", "\u037e"))).replaceAll("\u037e", ";");
	const bare = settled(main).replace(
		/,? (?:respectively|beziehungsweise|in that order|in dieser Reihenfolge)[.]?$/i,
		"",
	);
	if (/(?<!\p{L})(?:or|oder)(?!\p{L})/iu.test(bare) && !items.some((item) => leavesOpen(item))) return [bare];
	if (doubted(bare)) return [bare];
	if (deniesSomething(bare) && !items.some(deniesSomething)) return [bare];
	const framed = withoutFrame(bare.replace(/\s?\([^()]{1,80}\)/g, ""), items, question);
	const halves = framed.split(/;\s/);
	const split =
		halves.length === items.length && items.length > 1 && framed.includes(",") ? halves : splitAround(framed, items);
	return split
		.map((piece) =>
			trimQuotes(piece.trim().replace(leading, "").trim()).replace(
				/ (?:to|in) the (?:north|south|east|west)\p{L}*\.?$/u,
				"",
			),
		)
		.filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** `["a", "b"]` and `['a', 'b']` */
function bracketed(text: string): string[] | undefined {
	const inner =
		/^\[([\s\S]*)\]$/.exec(text.trim())?.[1] ??
		(/^["'].*["'],\s?["'].*["']$/.test(text.trim()) ? text.trim() : undefined);
	if (inner === undefined || inner.length > 20_000) return undefined;
	const quoted = [...inner.matchAll(/"([^"]*)"|'([^']*)'(?=\s*(?:,|$))/g)].map((match) => match[1] ?? match[2] ?? "");
	return quoted.length > 0 ? quoted : inner.split(/,\s?/).map((one) => one.trim());
}

/** The list without the words that lead to it: what stands before the first item, up to a verb, a colon or a preposition. */
function withoutFrame(text: string, items: readonly string[], question: string | undefined): string {
	const tokens = tokensOf(text).slice(0, 200);
	const stems = questionStems(question);
	const colon = /^[^:]{1,200}:\s/.exec(text)?.[0];
	if (colon !== undefined) return text.slice(colon.length);
	const golds = items
		.slice(0, mostItems)
		.map((item) => tokensOf(item))
		.flatMap((list) =>
			list
				.filter(({ word }) => !/^(?:the|a|an|of|der|die|das)$/.test(word))
				.slice(0, 1)
				.map(({ word }) => word),
		);
	const firsts = new Set(golds);
	const lastVerb = tokens.findLastIndex(
		({ word, written }, index) =>
			index < 60 &&
			((stems.has(stemOf(word)) && /(?:s|ed|en)$/.test(word)) ||
				/^(?:is|are|was|were|be|include|includes|included|through|between|in|of|with|namely|for|at|from|by|sind|waren|ist|son|sont|zwischen|durch)$/.test(
					word,
				)) &&
			/^\p{Ll}/u.test(written) &&
			tokens.slice(0, index).every((token) => !firsts.has(token.word) || stems.has(stemOf(token.word))) &&
			!tokens.slice(0, index).some((token) => text.slice(token.end).startsWith(",")),
	);
	const from = tokens[lastVerb + 1];
	return lastVerb < 0 || !from ? text : text.slice(from.start);
}

/** Splits at separators and joiners, but not within an item that holds one itself. */
function splitAround(text: string, items: readonly string[]): string[] {
	let rest = text;
	const held: string[] = [];
	for (const item of [...items].slice(0, mostItems).sort((a, b) => b.length - a.length)) {
		if (!separator.test(item) && !joiner.test(item) && !/[和与與跟とや]|^و/u.test(item)) continue;
		const words = tokensOf(item.replace(/^(?:the|an?) /i, "")).map(({ written }) => written);
		if (words.length === 0 || words.length > 20) continue;
		// words hold letters, digits and a few signs only, so escaping these is enough
		const own = words.map((word) => word.replace(/[.+#*]/g, (sign) => `\\${sign}`)).join("[^\\p{L}\\p{N};|\\n]{1,5}");
		const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${own}(?![\\p{L}\\p{N}])\\.?`, "iu");
		rest = rest.replace(pattern, () => `\ue000${held.push(item) - 1}\ue000`);
	}
	const arabic = /\p{Script=Arabic}/u.test(text);
	return rest
		.split(separator)
		.flatMap((piece) => piece.split(joiner))
		.flatMap((piece) => (arabic ? piece.split(/(?<![\p{L}])و ?(?=\p{L})/u) : [piece]))
		.map((piece) =>
			piece
				.replace(/(?:です|である)[。．.]*\s*$/, "")
				.replace(/\ue000(\d+)\ue000/g, (_, index: string) => held[Number(index)] ?? ""),
		);
}

export const sameItem = (said: string, item: string, naming?: Naming): boolean => {
	const [one, other] = [nameOf(said), nameOf(item)];
	return sameName(one, other, naming) || one.squashed === `${other.squashed}s` || `${one.squashed}s` === other.squashed;
};
