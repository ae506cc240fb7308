import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createImageReader } from "../images.ts";
import { imageTokens, textTokens, turnTokens } from "../lengths.ts";
import { trlMarks } from "../marks.ts";
import { createPreflight, type Effect, type Found, type Preflight, type ReadRow } from "../preflight.ts";
import { recordsOfFolder, rowsOf, unreadable } from "../records.ts";
import { defaultMaxPixels, type RereadOptions } from "../writer.ts";
import { trainScript } from "./script.ts";

/** TRL 1.16.0: SFTTrainer's preparation and its collator for images, with its training template of Qwen2.5-VL. */
const reasons = {
	...unreadable,
	"wrong-shape": { effect: "stops", means: "a field is missing or of another kind: the script ends with an error" },
	"unknown-role": { effect: "stops", means: "a role that is not known: training ends with an error at this row" },
	"image-count": {
		effect: "stops",
		means: "blocks of images and images differ in number: training ends with an error",
	},
	"missing-image": { effect: "stops", means: "an image file is not there: training ends with an error" },
	"no-image": { effect: "stops", means: "an image file cannot be opened: training ends with an error" },
	"images-cut": { effect: "stops", means: "max_length falls before an image: its places no longer match" },
	"nothing-said": { effect: "stops", means: "no turn of the policy: there is nothing to learn" },
	"answer-cut": { effect: "cuts", means: "max_length falls before the end: the answer is not learned" },
	"calls-lost": { effect: "alters", means: "tools or tool_calls beside images: the template shows neither" },
} satisfies Record<string, { effect: Effect; means: string }>;
type Reason = keyof typeof reasons;
export const trlTrainer = "TRL 1.16.0";
export const roles: readonly string[] = ["system", "user", "assistant", "tool"];

const Block = z.object({ type: z.enum(["text", "image"]), text: z.string().nullish() });
export const TrlRow = z.object({
	id: z.string().optional(),
	messages: z
		.array(
			z.object({
				role: z.string(),
				content: z.union([z.string(), z.array(Block)]).nullish(),
				tool_calls: z.array(z.unknown()).nullish(),
			}),
		)
		.min(1),
	images: z.array(z.string()).default([]),
	tools: z.unknown().optional(),
});
type TrlRow = z.infer<typeof TrlRow>;

/** What the written script tells the trainer. */
async function scriptOf(dir: string): Promise<{ cutoff: number | null; maxPixels: number }> {
	const text = await readFile(join(dir, trainScript), "utf8").catch(() => "");
	const cutoff = /^max_length = (\d+)/m.exec(text)?.[1];
	const maxPixels = /^max_pixels = (\d+)/m.exec(text)?.[1];
	return { cutoff: cutoff === undefined ? null : Number(cutoff), maxPixels: Number(maxPixels ?? defaultMaxPixels) };
}

export async function rereadTrl(dir: string, options: RereadOptions = {}): Promise<Preflight> {
	const { template = "qwen2_vl", signal } = options;
	const script = await scriptOf(dir);
	const { cutoff = script.cutoff, maxPixels = script.maxPixels } = options;
	const preflight = createPreflight<Reason>(reasons, { trainer: trlTrainer, template, cutoff });
	const sizeOf = createImageReader(dir);
	const pictured = await hasImages(dir);
	for await (const { line, row } of rowsOf(recordsOfFolder(dir), TrlRow, { preflight, signal })) {
		const { id, messages, images } = row;
		const found = [...problems(row, pictured)];
		let tokens = messageTokens(messages);
		for (const path of images) {
			const size = await sizeOf(path);
			if (typeof size !== "string") tokens += imageTokens(size, template, { maxPixels, tiles: true });
			else found.push({ reason: size === "missing" ? "missing-image" : "no-image", found: path });
		}
		if (cutoff !== null && tokens > cutoff)
			found.push({
				reason: images.length > 0 ? "images-cut" : "answer-cut",
				found: `about ${tokens} tokens, max_length ${cutoff}`,
			});
		preflight.row(id ?? `line ${line}`, found, { tokens, images: images.length });
	}
	return preflight.result();
}

/** The trainer takes the way of images for all rows or for none. */
async function hasImages(dir: string): Promise<boolean> {
	for await (const { value } of recordsOfFolder(dir)) {
		const read = TrlRow.safeParse(value);
		if (read.success && read.data.images.length > 0) return true;
	}
	return false;
}

function* problems({ messages, images, tools }: TrlRow, pictured: boolean): Generator<Found<Reason>> {
	const unknown = messages.find(({ role }) => !roles.includes(role));
	if (unknown) yield { reason: "unknown-role", found: unknown.role.slice(0, 80) };
	const counted = imageBlocks(messages);
	if (counted !== images.length) yield { reason: "image-count", found: `${counted} blocks, ${images.length} images` };
	if (!messages.some(({ role }) => role === "assistant"))
		yield { reason: "nothing-said", found: `${messages.length} messages` };
	if (pictured && (messages.some(({ tool_calls }) => (tool_calls?.length ?? 0) > 0) || (tools ?? null) !== null))
		yield { reason: "calls-lost", found: "tools or tool_calls" };
}

/** Blocks that the collator fills with images: it passes over those of tools. */
export const imageBlocks = (messages: TrlRow["messages"]): number =>
	messages.filter(({ role }) => role !== "tool").reduce((sum, { content }) => sum + imagesIn(content), 0);

const imagesIn = (content: TrlRow["messages"][number]["content"]): number =>
	Array.isArray(content) ? content.filter(({ type }) => type === "image").length : 0;

export const messageTokens = (messages: TrlRow["messages"]): number =>
	messages.reduce((sum, { content }) => sum + textTokens(textOf(content)) + turnTokens, 0);

const textOf = (content: TrlRow["messages"][number]["content"]): string =>
	typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");

export async function* readTrl(dir: string): AsyncGenerator<ReadRow> {
	for await (const { line, value } of recordsOfFolder(dir)) {
		const read = TrlRow.safeParse(value);
		if (!read.success) continue;
		const { id = `line ${line}`, messages, images } = read.data;
		const first = messages[0]?.role === "system" ? messages.shift() : undefined;
		yield {
			id,
			system: trlMarks.unescape(textOf(first?.content)),
			tools: "",
			turns: messages.map((message) => ({
				role: message.role,
				text: trlMarks.unescape(textOf(message.content)),
				images: imagesIn(message.content),
				train: message.role === "assistant",
			})),
			images,
		};
	}
}
