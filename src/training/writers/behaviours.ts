import { imageMark } from "./marks.ts";
import type { Behaviour } from "./preflight.ts";

/**
 * What trainers do about rows that are not as they want them, read off the code of the versions named here. Problems are
 * told in the order of these tables.
 */
export const trainerVersions = {
	llamafactory: "LLaMA-Factory 0.9.5",
	swift: "ms-swift 4.6.0",
	trl: "TRL 1.16.0",
	"sentence-transformers": "sentence-transformers 6.2.0",
	flagembedding: "FlagEmbedding 1.4.2",
};

const unreadable = { "no-json": "a line is no JSON object: the file is not loaded" };
const ends = "training ends with an error";

/** Its sharegpt converter, its supervised and pairwise processors, its image plugins. */
export const sharegptBehaviour = {
	stops: {
		...unreadable,
		"wrong-shape": "a field is missing or of another kind: the conversion ends with an error",
		"image-count": `the number of ${imageMark} is not the number of images`,
		"media-mark": "<video> or <audio> stands in a text and there is none",
		"missing-image": "an image file is not there",
		"no-image": "an image file cannot be opened",
		"bad-call": "a call is no JSON with name and arguments",
		"bad-tools": "the tools are no JSON list",
	},
	drops: {
		"unknown-role": "a role that the data set does not name: the row is emptied with a warning",
		alternation: "what is shown and what is said do not take turns: the row is emptied with a warning",
		count: "it does not end with what the policy says: the row is emptied with a warning",
	},
	cuts: {
		"answer-cut": "the cutoff falls before the end of the last turn: the answer is not learned",
		"turns-cut": "the cutoff shortens an earlier turn",
	},
	alters: {
		"turn-number": "{{idx}} in what a user says is replaced by the number of the turn",
		"empty-thought": "turns without <think> are taught an empty thought by this template; take qwen3_vl_nothink",
	},
} satisfies Behaviour;

const replaced = "the row is left out and another taken in its place";

/** Its row preprocessor and its template's encoding, with the options of the written script. */
export const swiftBehaviour = {
	stops: unreadable,
	drops: {
		"wrong-shape": `messages are missing or one has no role and content: ${replaced}`,
		"unknown-role": `a role that is not known: ${replaced}`,
		alternation: `what is shown and what is said do not take turns: ${replaced}`,
		"bad-call": `a call is no JSON with name and arguments: ${replaced}`,
		"missing-image": `an image file is not there: ${replaced}`,
		"no-image": `an image file cannot be opened: ${replaced}`,
		"too-long": `longer than max_length: ${replaced}`,
	},
	alters: {
		"fewer-marks": `there are fewer ${imageMark} than images: the rest is shown at the very start`,
		"more-marks": `there are more ${imageMark} than images: the last ones stay as text`,
		"nothing-learned": "no turn of the policy has a loss",
	},
} satisfies Behaviour;

/** Besides these, of `swift rlhf --rlhf_type dpo`: each side is a conversation of its own. */
export const swiftPreferenceBehaviour = {
	alters: {
		"no-rejected": "no rejected side: the chosen one is taken for it, and nothing is preferred",
		"same-sides": "both sides are the same: nothing is preferred",
		"tools-differ": "the two sides are told different tools, so that their prompts differ",
	},
} satisfies Behaviour;

/** Besides these, of `swift sft --task_type embedding`. */
export const swiftEmbeddingBehaviour = {
	drops: {
		"no-positive": `nothing that answers the query: ${replaced}`,
		"no-negative": `a row without negative_messages: ${replaced}`,
		"image-lists": `lists of images are not as many as their texts: ${replaced}`,
	},
	alters: { "positive-again": "a negative is the positive itself" },
} satisfies Behaviour;

/** SFTTrainer's preparation and its collator for images, with its training template of Qwen2.5-VL. */
export const trlBehaviour = {
	stops: {
		...unreadable,
		"wrong-shape": "a field is missing or of another kind: the script ends with an error",
		"unknown-role": `a role that is not known: ${ends} at this row`,
		"image-count": `blocks of images and images differ in number: ${ends}`,
		"missing-image": `an image file is not there: ${ends}`,
		"no-image": `an image file cannot be opened: ${ends}`,
		"images-cut": "max_length falls before an image: its places no longer match",
		"nothing-said": "no turn of the policy: there is nothing to learn",
	},
	cuts: { "answer-cut": "max_length falls before the end: the answer is not learned" },
	alters: { "calls-lost": "tools or tool_calls beside images: the template shows neither" },
} satisfies Behaviour;

/** DPOTrainer and its collator for images, the `images` column cast to images. */
export const trlPreferenceBehaviour = {
	stops: {
		...unreadable,
		"wrong-shape": "prompt, chosen or rejected is missing, empty or of another kind",
		"unknown-role": `a role that is not known: ${ends} at this row`,
		"image-count": "blocks of images in the prompt and images differ in number",
		"image-in-reply": "a reply shows an image: images are placed in prompts alone",
		"missing-image": `an image file is not there: ${ends}`,
		"no-image": `an image file cannot be opened: ${ends}`,
	},
	cuts: { "answer-cut": "max_length falls before the end of a reply: what is behind is not learned" },
	alters: { "same-sides": "both replies are the same: nothing is preferred" },
} satisfies Behaviour;

/** Of texts alone: sentence-transformers by columns, FlagEmbedding by lists. */
export const retrieverBehaviour = {
	stops: {
		...unreadable,
		"wrong-shape": `a text or a list is missing or of another kind: ${ends}`,
		"other-columns": `not the columns of the first row, in which those that are missing are empty: ${ends}`,
		"no-negative": `a row without a negative: ${ends}`,
	},
	alters: {
		"column-order":
			"columns are taken by their order, whatever their names: query, what answers it, and all others as negatives",
		"empty-text": "a text without words",
		"positive-again": "a negative is a positive too",
	},
} satisfies Behaviour;
