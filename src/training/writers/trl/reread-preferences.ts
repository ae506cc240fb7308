import { join } from "node:path";
import { createImageReader } from "../images.ts";
import { imageTokens } from "../lengths.ts";
import { createPreflight, type Effect, type Found, type Preflight } from "../preflight.ts";
import { recordsIn, rowsOf, unreadable } from "../records.ts";
import { defaultMaxPixels, type RereadOptions } from "../writer.ts";
import { imageBlocks, messageTokens, roles, TrlRow, trlTrainer } from "./reread.ts";

/** TRL 1.16.0: DPOTrainer and its collator for images, the `images` column cast to images. */
const reasons = {
	...unreadable,
	"wrong-shape": { effect: "stops", means: "prompt, chosen or rejected is missing, empty or of another kind" },
	"unknown-role": { effect: "stops", means: "a role that is not known: training ends with an error at this row" },
	"image-count": { effect: "stops", means: "blocks of images in the prompt and images differ in number" },
	"image-in-reply": { effect: "stops", means: "a reply shows an image: images are placed in prompts alone" },
	"missing-image": { effect: "stops", means: "an image file is not there: training ends with an error" },
	"no-image": { effect: "stops", means: "an image file cannot be opened: training ends with an error" },
	"answer-cut": { effect: "cuts", means: "max_length falls before the end of a reply: what is behind is not learned" },
	"same-sides": { effect: "alters", means: "both replies are the same: nothing is preferred" },
} satisfies Record<string, { effect: Effect; means: string }>;

const Messages = TrlRow.shape.messages;
const PreferenceRow = TrlRow.pick({ id: true, images: true }).extend({
	prompt: Messages,
	chosen: Messages,
	rejected: Messages,
});

/** DPOConfig's own; nothing that is written beside the rows sets another. */
const defaultCutoff = 1024;

export async function rereadTrlPreferences(dir: string, file: string, options: RereadOptions = {}): Promise<Preflight> {
	const { template = "qwen2_vl", cutoff = defaultCutoff, maxPixels = defaultMaxPixels, signal } = options;
	const preflight = createPreflight(reasons, { trainer: trlTrainer, template, cutoff });
	const sizeOf = createImageReader(dir);
	for await (const { line, row } of rowsOf(recordsIn(join(dir, file)), PreferenceRow, { preflight, signal })) {
		const { id, prompt, chosen, rejected, images } = row;
		const found: Found<keyof typeof reasons>[] = [];
		const unknown = [...prompt, ...chosen, ...rejected].find(({ role }) => !roles.includes(role));
		if (unknown) found.push({ reason: "unknown-role", found: unknown.role.slice(0, 80) });
		const blocks = imageBlocks(prompt);
		if (blocks !== images.length)
			found.push({ reason: "image-count", found: `${blocks} blocks, ${images.length} images` });
		const shown = imageBlocks([...chosen, ...rejected]);
		if (shown > 0) found.push({ reason: "image-in-reply", found: `${shown} blocks` });
		if (JSON.stringify(chosen) === JSON.stringify(rejected))
			found.push({ reason: "same-sides", found: `${chosen.length} messages` });
		let tokens = messageTokens(prompt) + Math.max(messageTokens(chosen), messageTokens(rejected));
		for (const path of images) {
			const size = await sizeOf(path);
			if (typeof size !== "string") tokens += imageTokens(size, template, { maxPixels, tiles: true });
			else found.push({ reason: size === "missing" ? "missing-image" : "no-image", found: path });
		}
		if (cutoff !== null && tokens > cutoff)
			found.push({ reason: "answer-cut", found: `about ${tokens} tokens, max_length ${cutoff}` });
		preflight.row(id ?? `line ${line}`, found, { tokens, images: images.length });
	}
	return preflight.result();
}
