import { either, grammarOf, imageNumber, literal, type NextReply, optional } from "../driver/grammar.ts";
import type { Intention } from "../driver/speech.ts";
import type { InvalidCode } from "../tools/tool-call.ts";
import type { Tag, TagSet } from "./tag-set.ts";

/** What a model chose to do. `images` are indices from 0; on the wire they count from 1. */
export type ValidAction =
	| { is: "tool"; tool: "text_search"; query: string }
	| { is: "tool"; tool: "image_search_by_image"; images: number[] }
	| { is: "answer"; text: string };

export type Action =
	| ValidAction
	/** `tool` is what the model named, as it wrote it, or "none". */
	| { is: "invalid"; code: InvalidCode; detail: string; tool: string };

/** An action as a model should write it; empty when the tag set does not offer it. */
export function renderAction(action: ValidAction, tags: TagSet): string {
	const name = action.is === "answer" ? "answer" : action.tool;
	const tag = tags.actions[name];
	return tag ? `${tag.open}${contentOf(action, tags)}${tag.close}` : "";
}

function contentOf(action: ValidAction, { boxed, imageMark }: TagSet): string {
	if (action.is === "answer") return boxed ? `\\boxed{${action.text}}` : action.text;
	if (action.tool === "text_search") return action.query;
	return imageMark ?? action.images.map((image) => image + 1).join(", ");
}

/**
 * A turn as a model should write it; undefined where the set has no such action. `first`: nothing was said before it.
 * Where one thought runs through all turns, it opens in the first and closes before the answer.
 */
export function sayTagged(
	{ thought, act }: Omit<Intention, "subAnswer">,
	tags: TagSet,
	{ first }: { first: boolean },
): string | undefined {
	const action = actionOf(act, tags);
	if (!action) return undefined;
	const { think, thinking } = tags;
	const opens = thinking === "tags" || (thinking === "searching" && first);
	const closes = thinking === "tags" || (thinking === "searching" && act.is === "answer");
	const quoted = act.is === "answer" ? quotesIn(act.quotes, tags) : "";
	if (quoted === undefined) return undefined;
	return `${opens ? think.open : ""}${thought}${closes ? think.close : ""}\n${quoted}${renderAction(action, tags)}`;
}

/** The block of what an answer rests on; undefined where the set wants one and there is nothing to quote. */
function quotesIn(quotes: readonly string[] = [], { evidence }: TagSet): string | undefined {
	if (!evidence) return "";
	return quotes.length === 0 ? undefined : `${evidence.open}${quotes.join("\n")}${evidence.close}\n`;
}

/** What a turn is held to, as `sayTagged` writes it. */
export function taggedGrammar(
	tags: TagSet,
	{ first, last }: NextReply,
	{
		images,
		left = () => true,
	}: {
		images: number;
		/** Whether the protocol allows another search of this kind. */
		left?(tool: "text_search" | "image_search_by_image"): boolean;
	},
): string {
	const { think, thinking, actions, boxed, imageMark, evidence, givesUp } = tags;
	const thought = (closes: boolean): string => {
		const opens = thinking === "tags" || (thinking === "searching" && first);
		return [opens && literal(think.open), "line", closes && literal(think.close), literal("\n")]
			.filter(Boolean)
			.join(" ");
	};
	const within = ({ open, close }: Tag, content: string) => `${literal(open)} ${content} ${literal(close)}`;
	const { text_search, image_search_by_image: byImage, answer } = actions;
	const searches = [
		...(left("text_search") ? [within(text_search, "words")] : []),
		...(byImage && images > 0 && left("image_search_by_image")
			? [within(byImage, imageMark === undefined ? imageNumber(images) : literal(imageMark))]
			: []),
	];
	const answering = within(answer, boxed ? `${literal("\\boxed{")} words ${literal("}")}` : "words");
	// whoever searched nothing has nothing to quote
	const quoted = evidence
		? [optional(`${within(evidence, `line (${literal("\n")} line){0,4}`)} ${literal("\n")}`)]
		: [];
	const says = givesUp === undefined ? answering : either(answering, literal(givesUp));
	const ending = [thought(thinking !== "plain"), ...quoted, says].join(" ");
	return grammarOf(
		last || searches.length === 0 ? ending : either(`${thought(thinking === "tags")} ${either(...searches)}`, ending),
	);
}

function actionOf(act: Intention["act"], tags: TagSet): ValidAction | undefined {
	if (act.is === "answer") return { is: "answer", text: act.text };
	if (act.tool === "text_search") return { is: "tool", tool: act.tool, query: act.query };
	if (act.tool !== "image_search_by_image" || !tags.actions.image_search_by_image) return undefined;
	// a set with a mark looks for its first image only
	if (tags.imageMark !== undefined && act.image !== 0) return undefined;
	return { is: "tool", tool: act.tool, images: [act.image ?? 0] };
}
