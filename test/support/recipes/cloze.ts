/**
 * A world of gaps for scripted models: a question is a run of words of the material with one name left out, so that it
 * can be answered from material that holds the run, and from nothing else.
 */

export const gap = "____";

/** Words and numbers alone, in lower case: what survives line ends, hyphens and quotation marks. */
export const plain = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");

/** The run of words that a question leaves a gap in. */
export const gapOf = (question: string): string | undefined => /“([^”]*____[^”]*)”/.exec(question)?.[1];

/** Whether the text holds the question's run with the answer in its gap. */
export function fills(question: string, answer: string, text: string): boolean {
	const run = gapOf(question);
	return run !== undefined && ` ${plain(text)} `.includes(` ${plain(run.replace(gap, ` ${answer} `))} `);
}

/** What the text has in the place of a run's gap: names and numbers as long as they go on, else one word. */
export function found(run: string, text: string): string | undefined {
	for (const part of text.split(/\n\n(?=\[)/)) {
		const said = foundIn(run, part);
		if (said !== undefined) return said;
	}
	return undefined;
}

function foundIn(run: string, text: string): string | undefined {
	const [before = "", after = ""] = run.split(gap);
	const words = text.split(/\s+/).filter((word) => word !== "");
	const [left, right] = [plain(before).split(" "), plain(after).split(" ")].map((side) =>
		side.filter((word) => word !== ""),
	) as [string[], string[]];
	const tokens = words.flatMap((word, place) =>
		plain(word)
			.split(" ")
			.flatMap((one) => (one ? [{ one, place }] : [])),
	);
	if (left.length === 0) return foundBefore(right, { words, tokens });
	for (let at = left.length; at < tokens.length; at += 1) {
		if (!left.every((word, index) => tokens[at - left.length + index]?.one === word)) continue;
		for (let to = at + 1; to <= Math.min(tokens.length, at + 8); to += 1) {
			if (!right.every((word, index) => tokens[to + index]?.one === word)) continue;
			if (right.length === 0 && isName(words[(tokens[to] ?? { place: -1 }).place]) && to < at + 6) {
				const last = words[(tokens[to - 1] ?? { place: -1 }).place] ?? "";
				if (isName(last) && !/[.,;:)]$/.test(last)) continue;
			}
			const said = words.slice(tokens[at]?.place ?? 0, (tokens[to - 1]?.place ?? 0) + 1).join(" ");
			return trimmed(said);
		}
	}
	return undefined;
}

/** The name, or else the word, that stands before a run. */
function foundBefore(
	right: readonly string[],
	{ words, tokens }: { words: readonly string[]; tokens: readonly { one: string; place: number }[] },
): string | undefined {
	const end = tokens.findIndex((_, at) => at > 0 && right.every((word, index) => tokens[at + index]?.one === word));
	if (end < 1) return undefined;
	const last = tokens[end - 1]?.place ?? 0;
	let first = last;
	while (first > 0 && last - first < 5 && isName(words[first - 1]) && !/[.,;:)]$/.test(words[first - 1] ?? ""))
		first -= 1;
	return trimmed(words.slice(first, last + 1).join(" "));
}

/** Words that open a sentence with a capital and name nothing. */
export const openers = new Set(
	"The A An In On At For From While These This That Those We Our It Its If When With As By To And But Such Figure Table Given Each After Before However Moreover".split(
		" ",
	),
);

const isName = (word = "") => /^[("“]?[\p{Lu}\p{N}]/u.test(word);
const trimmed = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");

/** A name or number of the text with the words around it: what a question can leave a gap for. */
export function gapIn(text: string, { pick = 0, side = 3 }: { pick?: number; side?: number } = {}) {
	const words = text.split(/\s+/).filter((word) => word !== "");
	const fit = words.flatMap((word, at) => {
		const answer = trimmed(word);
		const around = [...words.slice(Math.max(0, at - side), at), ...words.slice(at + 1, at + 1 + side)];
		const telling = around.filter((one) => /^\p{L}{5,}$/u.test(trimmed(one))).length;
		const inside = at >= side && at + side < words.length;
		const clean =
			/^[\p{L}\p{N}.%-]+$/u.test(answer) &&
			!openers.has(answer) &&
			!around.some((one) => plain(one).split(" ").includes(plain(answer)));
		return inside && clean && telling >= 2 && /^\p{Lu}\p{L}{2,}|^\p{N}{2,}/u.test(answer) ? [{ at, answer }] : [];
	});
	const chosen = fit[pick % Math.max(1, fit.length)];
	if (!chosen) return undefined;
	const { at, answer } = chosen;
	const run = [...words.slice(at - side, at), gap, ...words.slice(at + 1, at + 1 + side)];
	return { answer, run: run.map((word) => (word === gap ? gap : trimmed(word))).join(" ") };
}

export const asking = (run: string): string => `Which term completes “${run}”?`;

const [open, close, missing] = ["(what completes ‹", "›)", "what is missing"];

/** A run in the place of what fills its gap. */
export const nested = (run: string): string => `${open}${run.replace(gap, missing)}${close}`;

/** The answer to a question as the evidence gives it, what is nested in it first; undefined where it gives none. */
export function solved(question: string, evidence: string): string | undefined {
	const text = withoutNesting(question, evidence);
	const run = text === undefined ? undefined : gapOf(text);
	if (text === undefined || run === undefined) return undefined;
	const [, about] = /told of ([^?]+)\?/.exec(text) ?? [];
	if (about !== undefined && !plain(evidence).includes(plain(about))) return undefined;
	return found(run, evidence);
}

function withoutNesting(text: string, evidence: string): string | undefined {
	const from = text.lastIndexOf(open);
	if (from < 0) return text;
	const to = text.indexOf(close, from);
	const answer = found(text.slice(from + open.length, to).replace(missing, gap), evidence);
	if (answer === undefined) return undefined;
	return withoutNesting(`${text.slice(0, from)}${answer}${text.slice(to + close.length)}`, evidence);
}
