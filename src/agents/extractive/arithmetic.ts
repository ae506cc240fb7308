/** Questions that add, subtract, average or divide answers. */
import type { Ask } from "./ask.ts";
import type { NounContext } from "./extent.ts";
import { auxiliaries, isInterrogative, textOf, type Word } from "./lexer.ts";
import { readNoun, withRest } from "./noun-phrase.ts";
import { lookUp } from "./relate.ts";
import { comparativeOf } from "./relations.ts";
import { startsNoun } from "./word-kinds.ts";

type Operation = Extract<Ask, { is: "arithmetic" }>["op"];

const operations: { pattern: RegExp; op: Operation }[] = [
	{ pattern: /\b(?:sum|total of|add up|make together|together|combined total|suma|suman|juntos|juntas)\b/, op: "sum" },
	{ pattern: /\b(?:mean|average|media|promedio) (?:of|de|entre)\b/, op: "mean" },
	{
		pattern:
			/\b(?:difference|differ|diferencia|difieren|lie between|lies between|separan|separa|elapsed|passed between|years between)\b/,
		op: "difference",
	},
	{ pattern: /\b(?:ratio|razon|cociente|quotient)\b|\b(?:how many times as|cuantas veces)\b/, op: "ratio" },
	{ pattern: /\bproduct[o]? (?:of|de)\b/, op: "product" },
];

export function parseArithmetic(words: Word[], context: NounContext): Ask | undefined {
	const plain = words.map((word, index) =>
		word.quoted || (word.name && index > 0 && !isInterrogative(word)) ? "#" : word.key,
	);
	// The operation is said at either end; what stands between belongs to the operands.
	const head = plain.slice(0, 7).join(" ");
	const tail = plain.slice(-3).join(" ");
	if (
		/^how (?:many|much) (?:more|fewer|less|longer|higher|larger|older|additional)|^cuant[oa]s? (?:mas|menos)/.test(head)
	)
		return parseHowManyMore(words, context);
	const found = operations.find(({ pattern }) => pattern.test(head) || pattern.test(tail));
	if (!found) return undefined;
	if (/^(?:how many times as|cuantas veces)/.test(head)) return parseTimes(words, context);
	for (const list of [false, true]) {
		const operands = readList(words, { ...context, list });
		if (operands.length >= 2) return { is: "arithmetic", op: found.op, operands: operands.map((ask) => asNumber(ask)) };
	}
	return undefined;
}

const opens = /^(?:of|between|do|does|did|suman|separan|separa|difieren|entre|de|del)$/;

/** The operands, from the first phrase after the word that opens the list: "A, B and C", "from A to B". */
function readList(words: Word[], context: NounContext): Ask[] {
	const opening = words.findIndex(
		(word, index) => index > 0 && !word.quoted && opens.test(word.key) && startsNoun(words, index + 1),
	);
	if (opening === -1) return [];
	const operands: Ask[] = [];
	let at = opening + 1;
	while (at < words.length && operands.length < 6) {
		const { ask, next } = readNoun(words, at, context);
		const stop = joinFrom(words, next);
		const first = operands[0];
		const whole = withRest(ask, stop === undefined ? dropVerb(words.slice(next)) : words.slice(next, stop.at));
		operands.push(first ? sharing(whole, first, words.slice(at), context) : whole);
		if (!stop) break;
		at = stop.next;
	}
	return operands;
}

/** Where the next operand begins: after a comma, "and", or "to"/"from"/"a"/"de" before a noun phrase. */
function joinFrom(words: Word[], from: number): { at: number; next: number } | undefined {
	for (let index = from; index < Math.min(words.length - 1, from + 10); index += 1) {
		const word = words[index];
		if (!word) break;
		if (words[index - 1]?.mark === "," && startsNoun(words, index)) return { at: index, next: index };
		if (word.quoted || !/^(?:and|y|e|to|from|a|al|de|del)$/.test(word.key)) continue;
		if (startsNoun(words, index + 1) || /^(?:and|y|e|al|del)$/.test(word.key)) return { at: index, next: index + 1 };
	}
	return undefined;
}

/** The verb that closes the question is no part of the last operand: "… add up to", "… make together", "… differ". */
function dropVerb(words: Word[]): Word[] {
	const verb = words.findIndex((word) => /^(?:add|make|differ|sum|amount|come)$/.test(word.key));
	return verb === -1 ? words : words.slice(0, verb);
}

/** "How many times as large as B is A?", "¿Cuántas veces cabe B en A?": A over B. */
function parseTimes(words: Word[], context: NounContext): Ask | undefined {
	const opening = words.findIndex(
		(word, index) => index > 1 && /^(?:as|cabe)$/.test(word.key) && startsNoun(words, index + 1),
	);
	if (opening === -1) return undefined;
	const small = readNoun(words, opening + 1, context);
	const link = words.findIndex((word, index) => index >= small.next && /^(?:is|are|was|en|es)$/.test(word.key));
	if (link === -1) return undefined;
	const below = withRest(small.ask, words.slice(small.next, link));
	const large = readNoun(words, link + 1, context);
	const operands = [withRest(large.ask, words.slice(large.next)), below];
	return { is: "arithmetic", op: "ratio", operands: operands.map((ask) => asNumber(ask)) };
}

/** "How many more inhabitants does A have than B?" */
function parseHowManyMore(words: Word[], context: NounContext): Ask | undefined {
	const comparative = words.findIndex(
		(word) => /^(?:more|fewer|less|additional|mas|menos)$/.test(word.key) || comparativeOf(word.key) !== undefined,
	);
	const verb = words.findIndex((word, index) => index > comparative && auxiliaries.has(word.key));
	const than = words.findLastIndex((word) => !word.quoted && /^(?:than|to|que)$/.test(word.key));
	if (comparative === -1 || verb === -1 || than <= verb) return undefined;
	const relation =
		textOf(words.slice(comparative + 1, verb)) || comparativeOf(words[comparative]?.key ?? "")?.relation || "";
	const operands = [verb + 1, than + 1].map((at) => {
		const { ask } = readNoun(words, at, context);
		return lookUp({ words: relation, of: ask, want: "number" });
	});
	return { is: "arithmetic", op: "difference", operands };
}

/** "the area of A and that of B", "the area of A and B": the later operand takes over the relation of the first. */
export function sharing(ask: Ask, first: Ask, words: Word[], context: NounContext): Ask {
	if (first.is !== "fact") return ask;
	const [that, of] = words;
	if (that && of && /^(?:that|those|la|el)$/.test(that.key) && /^(?:of|de|del|in|for)$/.test(of.key))
		return { ...first, of: [readNoun(words, 2, context).ask] };
	const measured = first.want === "number" || first.want === "date" || first.want === "year";
	return measured && (ask.is === "name" || ask.is === "image") ? { ...first, of: [ask] } : ask;
}

/** An operand is a number unless it is known to be a date. */
export function asNumber(ask: Ask, want: "number" | "date" = "number"): Ask {
	return ask.is === "fact" && ask.want !== "date" && ask.want !== "year" && ask.want !== "number"
		? { ...ask, want }
		: ask;
}
