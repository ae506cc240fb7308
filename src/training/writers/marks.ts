/**
 * Words of a text that a trainer would take for its own: placeholders of images and turns, and the tokens that part
 * turns. A document that holds them would shift the images of a row, or end a turn where none ends. They are taken apart
 * by one blank behind their first character, those already apart by one more, so that it can be undone exactly.
 */
export interface Marks {
	escape(text: string): string;
	unescape(text: string): string;
}

/** Tokens by which chat templates of Qwen and InternVL part turns and place images. */
const turnTokens =
	"<|im_start|> <|im_end|> <|endoftext|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> <IMG_CONTEXT>";

function createMarks(own = ""): Marks {
	const words = `${turnTokens} ${own}`.trim().split(" ");
	const heads = [...new Set(words.map((word) => plain(word.slice(0, 1))))].join("|");
	const tails = words.map((word) => plain(word.slice(1))).join("|");
	const whole = new RegExp(`(${heads})( *)(${tails})`, "g");
	const apart = new RegExp(`(${heads}) ( *)(${tails})`, "g");
	return {
		escape: (text) => wellFormed(text).replace(whole, "$1 $2$3"),
		unescape: (text) => text.replace(apart, "$1$2$3"),
	};
}

/** Half of a surrogate pair is no text: trainers' readers refuse the whole file for it. */
export const wellFormed = (text: string): string => text.replace(halves, "\uFFFD");

/** As JSON, without halves of surrogate pairs, which JSON would hide behind an escape until a trainer reads it. */
export const wellFormedJson = (value: unknown): string =>
	JSON.stringify(value).replace(escapes, (found) => (found === doubled ? found : "\uFFFD"));

const doubled = "\\\\";
// an escaped backslash is passed over as a whole, so that what follows it is not taken for an escape
const escapes = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;
const halves = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export const imageMark = "<image>";

const media = `${imageMark} <video> <audio>`;

/** `{{idx}}` is replaced by the turn's number in what users say; calls are looked for between their tags. */
export const llamaFactoryMarks = createMarks(`${media} {{idx}}`);
/** Besides, what parts a thought from its calls in a turn that calls. */
export const llamaFactoryCallMarks = createMarks(`${media} {{idx}} <tool_call> </tool_call>`);
export const swiftMarks = createMarks(
	`${media} <bbox> <ref-object> <cot-process> <start-image> </img> {{QUERY}} {{RESPONSE}} {{SYSTEM}} {{ROUND0}} {{ROUND1}}`,
);
export const trlMarks = createMarks();
/** Of tasks, where prompts hold no calls. */
export const verlMarks = createMarks(media);
