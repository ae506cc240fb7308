import { either, grammarOf, imageNumber, literal, type NextReply, optional } from "../driver/grammar.ts";
import { type Intention, unknownAnswer } from "../driver/speech.ts";
import type { InvalidCode } from "../tools/tool-call.ts";

/** What a model chose to do. `image` is an index from 0; on the wire images count from 1. */
export type ValidAction =
	| { is: "text"; query: string }
	| { is: "image-by-text"; query: string }
	| { is: "image-by-image"; image: number }
	/** The sub-question needs no search. */
	| { is: "none" }
	| { is: "answer"; text: string; abstains: boolean };

export type SearchAction = Exclude<ValidAction, { is: "answer" }>;

export type Action =
	| ValidAction
	/** `tool` is what the model named, as it wrote it, or "none". */
	| { is: "invalid"; code: InvalidCode; detail: string; tool: string };

/** The published words of each action in a search block. */
export const phrases = {
	"image-by-image": "Image Retrieval with Input Image",
	"image-by-text": "Image Retrieval with Text Query",
	text: "Text Retrieval",
	none: "No Retrieval",
} as const satisfies Record<SearchAction["is"], string>;

/** A search as a model should write it; the first input image is named by no number. */
export function renderSearch(action: SearchAction): string {
	const phrase = phrases[action.is];
	if (action.is === "none") return `<Search> ${phrase}`;
	if (action.is === "image-by-image") return `<Search> ${phrase}${action.image === 0 ? "" : `: ${action.image + 1}`}`;
	return `<Search> ${phrase}: ${action.query}`;
}

/** An action as a model should write it. */
export const renderAction = (action: ValidAction): string =>
	action.is === "answer" ? `<End> Final Answer: ${action.text}` : renderSearch(action);

/** The published words for not knowing. */
const cannotAnswer = "I cannot answer.";

/** A turn as a model should write it; undefined where no such search is among those offered. */
export function sayStepwise(
	{ thought, subAnswer, act }: Intention,
	{ searches }: { searches: readonly SearchAction["is"][] },
): string | undefined {
	const before = [...(subAnswer === undefined ? [] : [`<Sub-Answer> ${subAnswer}`]), `<Thought> ${thought}`];
	if (act.is === "answer") {
		const text = act.text === unknownAnswer ? cannotAnswer : act.text;
		return [...before, renderAction({ is: "answer", text, abstains: act.text === unknownAnswer })].join("\n");
	}
	const action = searchOf(act);
	if (!action || !searches.includes(action.is)) return undefined;
	return [...before, `<Sub-Question> ${act.subQuestion ?? act.query}`, renderSearch(action)].join("\n");
}

/** What a turn is held to, as `sayStepwise` writes it; where texts are read for the agent, no sub-answer is asked of it. */
export function stepwiseGrammar(
	{ first, last }: NextReply,
	{ searches, condensed, images }: { searches: readonly SearchAction["is"][]; condensed: boolean; images: number },
): string {
	const line = (mark: string, content = "line") => `${literal(`${mark} `)} ${content} ${literal("\n")}`;
	const before = first || condensed ? [] : [optional(line("<Sub-Answer>", "words"))];
	const forms: Record<SearchAction["is"], string | undefined> = {
		text: `${literal(`<Search> ${phrases.text}: `)} words`,
		"image-by-text": `${literal(`<Search> ${phrases["image-by-text"]}: `)} words`,
		"image-by-image":
			images === 0
				? undefined
				: `${literal(`<Search> ${phrases["image-by-image"]}`)} ${optional(`${literal(": ")} ${imageNumber(images)}`)}`,
		// a search that searches nothing leads nowhere where the model cannot choose freely
		none: undefined,
	};
	const ends = `${literal("<End> Final Answer: ")} words`;
	const acts = `${line("<Sub-Question>", "words")} ${either(...searches.flatMap((one) => forms[one] ?? []))}`;
	return grammarOf([...before, line("<Thought>"), last ? ends : either(acts, ends)].join(" "));
}

function searchOf({ tool, query, image = 0 }: Extract<Intention["act"], { is: "search" }>): SearchAction | undefined {
	switch (tool) {
		case "text_search":
			return { is: "text", query };
		case "image_search_by_text":
			return { is: "image-by-text", query };
		case "image_search_by_image":
			return { is: "image-by-image", image };
		default:
			return undefined;
	}
}
