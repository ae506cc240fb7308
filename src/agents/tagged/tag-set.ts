/** An opening and a closing tag, as a model writes them. */
export interface Tag {
	open: string;
	close: string;
}

/**
 * The tags of one published wire form: what differs between them, as data. A set without `image_search_by_image` offers
 * no image search.
 */
export interface TagSet {
	think: Tag;
	information: Tag;
	actions: { text_search: Tag; image_search_by_image?: Tag; answer: Tag };
}
export type ActionName = keyof TagSet["actions"];

const tag = (name: string): Tag => ({ open: `<${name}>`, close: `</${name}>` });

/** MMhops-R1, "Rollout with Multi-Step Retrieval". */
export const mmhopsTags: TagSet = {
	think: tag("think"),
	information: tag("information"),
	actions: { image_search_by_image: tag("image_search"), text_search: tag("text_search"), answer: tag("answer") },
};

/** Search-R1. */
export const searchR1Tags: TagSet = {
	think: tag("think"),
	information: tag("information"),
	actions: { text_search: tag("search"), answer: tag("answer") },
};

/** R1-Searcher. */
export const r1SearcherTags: TagSet = {
	think: tag("think"),
	information: { open: "<|begin_of_documents|>", close: "<|end_of_documents|>" },
	actions: { text_search: { open: "<|begin_of_query|>", close: "<|end_of_query|>" }, answer: tag("answer") },
};

/** The actions that a set offers, each with its tag. */
export function actionTags(tags: TagSet): [ActionName, Tag][] {
	return Object.entries(tags.actions) as [ActionName, Tag][];
}

/** Where generation should stop: after any action. */
export function stopStrings(tags: TagSet): string[] {
	return actionTags(tags).map(([, { close }]) => close);
}
