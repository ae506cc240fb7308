/** What a sentence offers as answers: the names, numbers and dates in it. */
import type { Sentence } from "./passage-parts.ts";
import { type CalendarDate, datesIn, type Quantity, quantitiesIn } from "./quantities.ts";
import { fold, isFunctionWord, stem, type Token } from "./words.ts";

export interface Span {
	text: string;
	kind: "name" | "number" | "date" | "word";
	/** Index of the first and last token it covers. */
	from: number;
	to: number;
	quantity?: Quantity;
	date?: CalendarDate;
}

const connectors = new Set(
	"of the de la del las los el von van der den di da do dos du le y and ibn bin al zu & d".split(" "),
);

/** The candidate answers of a sentence. */
export function spansOf(sentence: Sentence, options: { language?: string } = {}): Span[] {
	const { text, tokens: words } = sentence;
	const at = (offset: number) => {
		const found = words.findIndex((word) => word.end > offset);
		return found === -1 ? words.length - 1 : found;
	};
	const spans: Span[] = [];
	const dates = datesIn(text);
	for (const date of dates)
		spans.push({
			text: text.slice(date.start, date.end),
			kind: "date",
			from: at(date.start),
			to: at(date.end - 1),
			date,
		});
	for (const quantity of quantitiesIn(text, options)) {
		if (dates.some((date) => date.month !== undefined && quantity.start < date.end && date.start < quantity.end))
			continue;
		spans.push({
			text: text.slice(quantity.start, quantity.end).trim(),
			kind: "number",
			from: at(quantity.start),
			to: at(quantity.end - 1),
			quantity,
		});
	}
	for (const quoted of text.matchAll(/["“«]([^"”»]{2,80})["”»]/g)) {
		const title = quoted[1]?.trim() ?? "";
		if (title)
			spans.push({
				text: title,
				kind: "name",
				from: at(quoted.index + 1),
				to: at(quoted.index + quoted[0].length - 2),
			});
	}
	spans.push(...namesIn(sentence));
	return spans;
}

/** Runs of capitalised words, joined over small words between them: "University of the Arts", "Ruiz de la Vega". */
function namesIn({ text, tokens: words }: Sentence): Span[] {
	const spans: Span[] = [];
	let index = 0;
	while (index < words.length) {
		const word = words[index];
		if (
			!word ||
			!isCapital(word.text) ||
			months.test(fold(word.text)) ||
			(isFunctionWord(word.text) && !joinsOn(words, index, text))
		) {
			index += 1;
			continue;
		}
		let end = index;
		for (let next = index + 1; next < Math.min(words.length, index + 12); next += 1) {
			const token = words[next];
			const previous = words[next - 1];
			if (!token || !previous) break;
			const gap = text.slice(previous.end, token.start);
			if (!/^[\s.'’&-]{1,3}$/.test(gap)) break;
			if (isCapital(token.text) || (/^\p{N}/u.test(token.text) && next === end + 1 && token.text.length < 3))
				end = next;
			else if (!connectors.has(fold(token.text)) || next - end > 2) break;
		}
		const first = words[index];
		const last = words[end];
		if (first && last) {
			// "and" may join two names as well as belong to one: both readings are offered.
			const joint = words.findIndex((one, place) => place > index && place < end && /^(?:and|y)$/.test(one.text));
			const push = (from: number, to: number) => {
				const a = words[from];
				const b = words[to];
				if (a && b) spans.push({ text: text.slice(a.start, b.end).replace(/['’]s$/, ""), kind: "name", from, to });
			};
			push(index, end);
			if (joint !== -1) {
				push(index, joint - 1);
				push(joint + 1, end);
			}
		}
		index = end + 1;
	}
	return spans;
}

/**
 * Plain nouns that may name the answer: right after the noun of its kind ("the element radium"), after "called" or
 * "named", or as a whole complement ("the emblem is the palm tree.").
 */
export function plainSpans({ text, tokens: words }: Sentence, typeStem: string | undefined): Span[] {
	const spans: Span[] = [];
	for (const [index, word] of words.entries()) {
		const before = words[index - 1];
		if (!before || !isPlainNoun(word.text)) continue;
		const lead = /^(?:the|a|an|el|la|un|una)$/.test(before.text) ? words[index - 2] : before;
		const named = /^(?:called|named|llama|llamado|llamada)$/.test(before.text);
		const typed =
			typeStem !== undefined &&
			stem(before.text) === typeStem &&
			!/^(?:an?|the|una?|el|la)$/.test(words[index + 1]?.text ?? "");
		const complement = lead !== undefined && /^(?:is|are|es|son)$/.test(lead.text);
		if (!named && !typed && !complement) continue;
		let end = index;
		while (
			complement &&
			end < index + 2 &&
			isPlainNoun(words[end + 1]?.text ?? "") &&
			gapAfter(text, words, end) === " "
		)
			end += 1;
		const last = words[end];
		if (!last || (complement && !named && !typed && !/^[.,;]?$|^[.,;]\s/.test(gapAfter(text, words, end)))) continue;
		spans.push({ text: text.slice(word.start, last.end), kind: "word", from: index, to: end });
	}
	return spans;
}

const isPlainNoun = (word: string) =>
	word.length >= 3 && /^\p{Ll}/u.test(word) && !isFunctionWord(word) && !/(?:ed|ing|ado|ido)$/.test(word);

const gapAfter = (text: string, words: Token[], index: number) =>
	text.slice(words[index]?.end ?? 0, words[index + 1]?.start ?? text.length);

const months =
	/^(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/;

const isCapital = (word: string) => /^\p{Lu}/u.test(word);

/** "The Hague", "El Salvador": an article counts when a name follows and the sentence does not start here. */
function joinsOn(words: Token[], index: number, text: string): boolean {
	const next = words[index + 1];
	const word = words[index];
	return (
		index > 0 &&
		next !== undefined &&
		word !== undefined &&
		isCapital(next.text) &&
		text.slice(word.end, next.start) === " "
	);
}
