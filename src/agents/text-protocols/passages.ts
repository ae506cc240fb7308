import type { Preset } from "../agent.ts";
import { harmless } from "../tools/harmless.ts";
import type { Observation } from "../tools/tools.ts";

export type Passage = Pick<Observation["results"][number], "title" | "text">;

/**
 * Passages as a model reads them, numbered from `first`, in the order given. `flat`: one line each, for protocols whose
 * turns are told by how a line begins; a document then writes none of them.
 */
export function renderPassages(
	passages: Passage[],
	{ first = 1, flat = false }: { first?: number; flat?: boolean } = {},
): string {
	if (passages.length === 0) return "Nothing was found.";
	const read = (text: string) => (flat ? oneLine(harmless(text)) : harmless(text));
	return passages.map(({ title, text }, at) => `${first + at}. ${read(title)}: ${read(text)}`).join("\n\n");
}

export function oneLine(text: string): string {
	const lines = text.split(/[\n\r\u2028\u2029]/).map((line) => line.trim());
	return lines.filter((line) => line !== "").join("; ");
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A full stop after one of these, or after an initial, ends no sentence. */
const abbreviated = /(?:^|[\s("'])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Mt|No|Nr|vs|cf|ca|e\.g|i\.e|approx|Jr|Sr)\.\s*$/u;
const longestAbbreviation = 12;

/** The sentences of a text, trimmed; line ends part sentences too. */
export function sentencesOf(text: string): string[] {
	const sentences: string[] = [];
	for (const line of text.split("\n")) {
		let sentence = "";
		for (const { segment } of segmenter.segment(line)) {
			sentence += segment;
			if (abbreviated.test(sentence.slice(-longestAbbreviation))) continue;
			sentences.push(sentence.trim());
			sentence = "";
		}
		sentences.push(sentence.trim());
	}
	return sentences.filter((sentence) => sentence !== "");
}

/**
 * Where a reply begins behind the reasoning that some models write into it between think tags; chat templates that open
 * the thought themselves leave only its end. A thought that was never closed takes up the whole reply.
 */
export function afterThinking(text: string): number {
	const close = text.indexOf("</think>");
	if (close !== -1) return close + "</think>".length;
	return /^\s*<think>/.test(text) ? text.length : 0;
}

/** A thought without its tags. */
export const bareThought = (text: string): string =>
	text
		.replace(/<\/?think>/g, "")
		.trim()
		.slice(0, maxThoughtLength);

const maxThoughtLength = 20_000;

/**
 * The settings of a protocol for readers of text: question images as pictures, as captions for models without eyes, or
 * all of it as one text that the model goes on writing, as it was published.
 */
export function textSettings(base: Preset): Record<string, Preset> {
	return {
		default: { ...base, tools: ["text_search"] },
		captions: { ...base, images: "captions", tools: ["text_search", "image_search_by_image"] },
		completion: { ...base, form: "continued", tools: ["text_search"] },
	};
}
