/** Questions that choose between things, compare them or compute with them, in English and Spanish. */
import { asNumber, parseArithmetic, sharing } from "./arithmetic.ts";
import type { Ask, Measure } from "./ask.ts";
import type { NounContext } from "./extent.ts";
import { auxiliaries, isInterrogative, relatives, textOf, type Word } from "./lexer.ts";
import { readNoun, withRest } from "./noun-phrase.ts";
import { relate } from "./relate.ts";
import { comparativeOf, isLess, pickOf, wantOf } from "./relations.ts";
import { startsNoun } from "./word-kinds.ts";

/** A comparison or a computation; undefined when the question is none. */
export function parseComparison(words: Word[], context: NounContext): Ask | undefined {
	return parseYesNo(words, context) ?? parseArithmetic(words, context) ?? parseChoice(words, context);
}

const either = /^(?:or|and|with|o|u|y|e|con)$/;

/** Two phrases with a joining word between them, from `at` on; names that hold "and" are tried whole first. */
function readPair(words: Word[], at: number, context: NounContext): { pair: [Ask, Ask]; next: number } | undefined {
	for (const list of [false, true]) {
		const first = readNoun(words, at, { ...context, list });
		const join = words[first.next];
		if (!join || join.quoted || !either.test(join.key) || first.next >= words.length - 1) continue;
		const second = readNoun(words, first.next + 1, { ...context, list });
		return {
			pair: [first.ask, sharing(second.ask, first.ask, words.slice(first.next + 1), context)],
			next: second.next,
		};
	}
	return undefined;
}

/** "Which has the larger area: A or B?", "Of A and B, which …?", "Who was born first, A or B?", "Was A or B born first?" */
function parseChoice(words: Word[], context: NounContext): Ask | undefined {
	const said = words.findIndex(
		(word) => !word.quoted && (pickOf(word.key) !== undefined || comparativeOf(word.key) !== undefined),
	);
	if (said === -1) return undefined;
	for (const start of choiceStarts(words)) {
		const found = readPair(words, start.at, context);
		if (!found) continue;
		const clause = [...words.slice(0, start.clauseEnd), ...words.slice(found.next)];
		const wh = clause.findIndex(isInterrogative);
		const asked = clause.slice(wh + 1).filter((word) => !either.test(word.key));
		const typed = asked[0] && wh !== -1 && !auxiliaries.has(asked[0].key) && !comparing(asked[0].key);
		const measured = measureOf(typed ? asked.slice(1) : asked);
		if (measured) return { is: "choose", choices: found.pair, ...measured };
	}
	return undefined;
}

const comparing = (key: string) => pickOf(key) !== undefined || comparativeOf(key) !== undefined;

/** Where the choices may begin, likeliest first; the clause is what stands before and what is left after them. */
function choiceStarts(words: Word[]): { at: number; clauseEnd: number }[] {
	const starts: { at: number; clauseEnd: number }[] = [];
	for (const [index, word] of words.entries()) {
		if (index === 0 || word.quoted) continue;
		const previous = words[index - 1];
		const next = words[index + 1];
		if (previous?.mark === ":" || (previous?.mark === "," && !either.test(word.key)))
			starts.push({ at: index, clauseEnd: index });
		const leads = /^(?:between|entre|among|comparing|comparar|of|de)$/.test(word.key) && next !== undefined;
		const turned =
			/[,?]/.test(previous?.mark ?? "") ||
			previous?.key === "out" ||
			isInterrogative(previous) ||
			previous?.key === "al" ||
			/^(?:between|entre|comparing)$/.test(word.key);
		if (leads && turned)
			starts.push({ at: index + 1, clauseEnd: previous?.key === "al" || previous?.key === "out" ? index - 1 : index });
	}
	const [first] = words;
	if (first && auxiliaries.has(first.key)) starts.push({ at: 1, clauseEnd: 0 });
	const noun = words.findIndex((_, index) => index > 0 && startsNoun(words, index));
	if (noun > 0) starts.push({ at: noun, clauseEnd: noun });
	return starts;
}

const ignored =
	/^(?:the|than|other|one|two|these|of|out|up|came|come|both|dos|ella|it|mas|that|a|un|una|el|la|al|time|tarde|tiempo|recently|recent|first|last)$/;

/** The measure that a clause such as "has the larger population" or "has the director who was born first" states. */
function measureOf(clause: Word[]): { measure: Measure; pick: "most" | "least" } | undefined {
	let pick: "most" | "least" | undefined;
	let want: "number" | "date" | undefined;
	let fallback = "";
	const kept: Word[] = [];
	let counted = "";
	for (const [index, word] of clause.entries()) {
		if (word.quoted) continue;
		if (/^(?:populous|poblad[oa]s?)$/.test(word.key)) {
			counted = "population";
			continue;
		}
		const known = pickOf(word.key);
		const comparative = comparativeOf(word.key);
		if (!known && !comparative) {
			kept.push(word);
			continue;
		}
		const less = known?.pick === "most" && clause.slice(index + 1).some((other) => isLess(other.key));
		if (comparative?.want === "date" || known?.want === "date") want ??= "date";
		pick ??= less ? "least" : (known?.pick ?? comparative?.pick);
		if (comparative) fallback ||= comparative.relation;
	}
	if (!pick) return undefined;
	const cut = kept.findIndex((word) => relatives.has(word.key));
	const matter = (part: Word[]) =>
		textOf(
			part.filter(
				(word) =>
					!auxiliaries.has(word.key) && !ignored.test(word.key) && !relatives.has(word.key) && !isLess(word.key),
			),
		).trim();
	let outer = matter(cut === -1 ? kept : kept.slice(cut));
	let inner = cut === -1 ? "" : matter(kept.slice(0, cut));
	if (cut === -1 && want === "date") {
		// "has the director born first": the person before the verb is looked up first.
		const content = outer.split(" ").filter(Boolean);
		const [person = "", verb = ""] = content;
		if (content.length <= 2 && wantOf(person) === "person" && (verb || fallback)) [inner, outer] = [person, verb];
	}
	if (cut !== -1 && wantOf(inner) !== "person") [inner, outer] = ["", outer || inner];
	outer = `${counted} ${outer}`.trim();
	outer ||= fallback || (want === "date" ? "date" : "");
	if (outer === "") return undefined;
	const ordered = want ?? "number";
	return { measure: { relations: [outer, ...(inner ? [inner] : [])], want: ordered }, pick };
}

/** "Is A larger than B?", "Does A exceed B?", "Is A the same as B?", "Are A and B both from the same country?" */
function parseYesNo(words: Word[], context: NounContext): Ask | undefined {
	const [first] = words;
	if (!first || isInterrogative(first)) return undefined;
	const verbFirst = /^(?:supera|precede|coincide|coinciden|comparten)$/.test(first.key);
	if (!auxiliaries.has(first.key) && !verbFirst) return undefined;
	return parseTwoSubjects(words, context) ?? parseSubjectAndObject(words, context, verbFirst ? first.key : "");
}

const separators =
	/^(?:than|as|also|tambien|exceed|exceeds|surpass|surpasses|before|after|precede|precedes|follow|que|con|a|al)$/;

function parseSubjectAndObject(words: Word[], context: NounContext, opening: string): Ask | undefined {
	const left = readNoun(words, 1, context);
	let at = -1;
	for (let index = left.next; index < words.length - 1; index += 1) {
		const word = words[index];
		if (!word || word.quoted || !separators.test(word.key)) continue;
		at = index;
		if (word.key !== "a" || startsNoun(words, index + 1)) break;
	}
	if (at === -1) return undefined;
	const middle = words.slice(left.next, at + 1);
	const says = (pattern: RegExp) =>
		pattern.test(opening) || middle.some((word) => !word.quoted && pattern.test(word.key));
	const read = readNoun(words, at + 1, context);
	const right = sharing(withRest(read.ask, words.slice(read.next)), left.ask, words.slice(at + 1), context);
	const operands = [left.ask, right];
	if (says(/^(?:same|also|tambien|mismo|misma|coincide)$/)) return { is: "same", operands };
	const date = says(
		/^(?:before|after|precedes?|follows?|earlier|later|anterior|posterior|antes|despues|older|younger)$/,
	);
	const least = says(
		/^(?:before|precedes?|earlier|anterior|antes|less|fewer|menor|menos|lower|smaller|shorter|older)$/,
	);
	if (!date && !says(/^(?:supera|exceeds?|surpass(?:es)?)$/) && !middle.some((word) => comparing(word.key)))
		return undefined;
	const direct = operands.some((ask) => ask.is === "fact" && /^(?:number|date|year)$/.test(ask.want));
	const found = direct ? undefined : measureOf(middle.slice(0, -1));
	const pick = least ? "least" : "most";
	const measure = found?.measure ?? { relations: [], want: date ? ("date" as const) : ("number" as const) };
	return {
		is: "exceeds",
		operands: operands.map((ask) => asNumber(ask, measure.want)),
		measure,
		pick: found?.pick ?? pick,
	};
}

/** "Do A and B have the same nationality?": both are asked what follows "same". */
function parseTwoSubjects(words: Word[], context: NounContext): Ask | undefined {
	const at = words[1]?.key === "both" ? 2 : 1;
	const found = readPair(words, at, context);
	if (!found) return undefined;
	const rest = words.slice(found.next);
	const [first, second] = found.pair;
	const coincide =
		rest.some((word) => /^(?:coincide|coinciden|same|equal|match)$/.test(word.key)) ||
		/^coincid/.test(words[0]?.key ?? "");
	if (!coincide && !rest.some((word) => /^(?:share|mism[oa]s?|comparten)$/.test(word.key))) return undefined;
	const same = rest.findIndex((word) => /^(?:same|share|mism[oa]s?|comparten)$/.test(word.key));
	const relation = textOf(
		rest
			.slice(same + 1)
			.filter((word) => !auxiliaries.has(word.key) && !/^(?:the|in|from|of|to|la|el|de)$/.test(word.key)),
	);
	if (same === -1 || relation === "") return { is: "same", operands: [first, second] };
	const over = rest.slice(0, same).find((word) => wantOf(word.key.replace(/s$/, "")) === "person");
	const operands = [first, second].map((ask) => relate(relation, over ? relate(over.key.replace(/s$/, ""), ask) : ask));
	return { is: "same", operands };
}
