import { type Intention, unknownAnswer } from "../driver/speech.ts";
import { renderAction, renderSearch, type SearchAction } from "./action.ts";

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
	return [...before, `<Sub-Question> ${act.query}`, renderSearch(action)].join("\n");
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
