/** An opening and a closing tag, as a model writes them. */
export interface Tag {
	open: string;
	close: string;
}

/**
 * One published wire form: what differs between them, as data. A set without `image_search_by_image` offers no image
 * search.
 */
export interface TagSet {
	think: Tag;
	/**
	 * `tags`: every turn reasons within the thought's tags, and nothing in there acts. `plain`: it reasons in plain text.
	 * `searching`: one long thought, and searches stand within it.
	 */
	thinking: "tags" | "plain" | "searching";
	information: Tag;
	/** Where the model quotes what its answer rests on. */
	evidence?: Tag;
	actions: { text_search: Tag; image_search_by_image?: Tag; answer: Tag };
	/** Always stands in the image search, which then looks for the first image; without it the numbers of images do. */
	imageMark?: string;
	/** Actions behind which generation stops; all without it. */
	stops?: ActionName[];
	/** The answer proper stands in `\boxed{}` within its tag. */
	boxed?: true;
	/** The sentence that stands for an answer when there is none. */
	givesUp?: string;
	/** Continued, the instructions open the message that asks the question; they are the system's otherwise. */
	oneMessage?: true;
	layout: Layout;
}
export type ActionName = keyof TagSet["actions"];

/** How the passages of a search are written between the information tags. */
export interface Layout {
	/** `place` counts from 1. */
	passage(place: number, title: string, text: string): string;
	between: string;
	/** Between the tags and the text. */
	edge: string;
}

const tag = (name: string): Tag => ({ open: `<${name}>`, close: `</${name}>` });

const listed: Layout = {
	passage: (place, title, text) => `${place}. ${title}: ${text}`,
	between: "\n\n",
	edge: "\n",
};
const documents: Layout = {
	passage: (place, title, text) => `Doc ${place}(Title: ${title}) ${text}`,
	between: "\n",
	edge: "",
};

/** MMhops-R1, "Rollout with Multi-Step Retrieval". */
export const mmhopsTags: TagSet = {
	think: tag("think"),
	thinking: "tags",
	information: tag("information"),
	actions: { image_search_by_image: tag("image_search"), text_search: tag("text_search"), answer: tag("answer") },
	layout: listed,
};

/** Search-R1. */
export const searchR1Tags: TagSet = {
	think: tag("think"),
	thinking: "tags",
	information: tag("information"),
	actions: { text_search: tag("search"), answer: tag("answer") },
	oneMessage: true,
	layout: documents,
};

/** R1-Searcher: a base model's single thought, interrupted by its searches. */
export const r1SearcherTags: TagSet = {
	think: tag("think"),
	thinking: "searching",
	information: { open: "<|begin_of_documents|>", close: "<|end_of_documents|>" },
	actions: { text_search: { open: "<|begin_of_query|>", close: "<|end_of_query|>" }, answer: tag("answer") },
	oneMessage: true,
	layout: { passage: (place, title, text) => `(${place})${title}   ${text}`, between: "\n", edge: "\n" },
};

/** ReSearch. */
export const researchTags: TagSet = {
	think: tag("think"),
	thinking: "tags",
	information: tag("result"),
	actions: { text_search: tag("search"), answer: tag("answer") },
	stops: ["text_search"],
	boxed: true,
	layout: listed,
};

/** R-Search. */
export const rSearchTags: TagSet = {
	think: tag("think"),
	thinking: "plain",
	information: tag("observation"),
	evidence: tag("original_evidence"),
	actions: { text_search: tag("search"), answer: tag("answer") },
	oneMessage: true,
	layout: documents,
};

/** MMSearch-R1. */
export const mmsearchTags: TagSet = {
	think: tag("reason"),
	thinking: "tags",
	information: tag("information"),
	actions: { image_search_by_image: tag("search"), text_search: tag("text_search"), answer: tag("answer") },
	imageMark: "<img>",
	givesUp: "Unable to answer due to lack of relevant information",
	layout: listed,
};

/** The actions that a set offers, each with its tag. */
export function actionTags(tags: TagSet): [ActionName, Tag][] {
	return Object.entries(tags.actions) as [ActionName, Tag][];
}

/** Where generation should stop: after any action. */
export function stopStrings(tags: TagSet): string[] {
	return actionTags(tags).flatMap(([name, { close }]) => (tags.stops?.includes(name) === false ? [] : [close]));
}

/** Whether an answer says, in the words of the set, that there is none. */
export function givesUp(text: string, tags: TagSet): boolean {
	return tags.givesUp !== undefined && text.toLowerCase().includes(tags.givesUp.toLowerCase());
}

const opening = "\\boxed{";

/** What stands in the last `\boxed{…}` of a text, its braces balanced; undefined without one. */
export function boxedIn(text: string): string | undefined {
	const start = text.lastIndexOf(opening);
	if (start === -1) return undefined;
	let depth = 1;
	for (let at = start + opening.length; at < text.length; at += 1) {
		if (text[at] === "{") depth += 1;
		else if (text[at] === "}") depth -= 1;
		if (depth === 0) return text.slice(start + opening.length, at).trim();
	}
	return undefined;
}
