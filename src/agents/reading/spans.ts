/** What a sentence offers as answers: the names, numbers and dates in it. */
import type { Sentence } from "./passage-parts.ts";
import { type CalendarDate, datesIn, type Quantity, quantitiesIn } from "./quantities.ts";
import { fold, isFunctionWord, type Token } from "./words.ts";

export interface Span {
	text: string;
	kind: "name" | "number" | "date";
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
