import { join } from "node:path";
import { z } from "zod";
import { trlBehaviour, trlPreferenceBehaviour } from "../behaviours.ts";
import { checkConversations, toldBy, tuningTold } from "../check-conversations.ts";
import { sumOf } from "../images.ts";
import { textTokens, turnTokens } from "../lengths.ts";
import { type Preflight, rowsOf } from "../preflight.ts";
import { recordsIn, recordsOfFolder } from "../records.ts";
import type { RereadOptions } from "../writer.ts";

const roles: readonly string[] = ["system", "user", "assistant", "tool"];

const Block = z.object({ type: z.enum(["text", "image"]), text: z.string().nullish() });
const Messages = z
	.array(
		z.object({
			role: z.string(),
			content: z.union([z.string(), z.array(Block)]).nullish(),
			tool_calls: z.array(z.unknown()).nullish(),
		}),
	)
	.min(1);
type Messages = z.infer<typeof Messages>;
const Id = z.string().optional();
const Images = z.array(z.string()).default([]);
export const TrlRow = z.object({ id: Id, messages: Messages, images: Images, tools: z.unknown().optional() });
const PreferenceRow = z.object({ id: Id, images: Images, prompt: Messages, chosen: Messages, rejected: Messages });

/** Conversations as the written script reads them. */
export async function checkTrl(dir: string, options: RereadOptions = {}): Promise<Preflight> {
	const { told, ...numbers } = await toldBy(
		join(dir, "train_trl.py"),
		(name) => new RegExp(`^${name} = "?([\\w-]+)`, "m"),
	);
	const pictured = await hasImages(dir);
	return checkConversations(dir, rowsOf(recordsOfFolder(dir), TrlRow), options, {
		trainer: "trl",
		behaviours: [trlBehaviour],
		...numbers,
		// on a processor the script takes float32 by itself
		setup: { tuning: tuningTold(told("tuning")), precision: "as-found" },
		marksAssistant: true,
		async check({ messages, images, tools }, report, { images: measure, cutoff }) {
			const unknown = messages.find(({ role }) => !roles.includes(role));
			if (unknown) report("unknown-role", unknown.role.slice(0, 80));
			const counted = imageBlocks(messages);
			if (counted !== images.length) report("image-count", `${counted} blocks, ${images.length} images`);
			if (!messages.some(({ role }) => role === "assistant")) report("nothing-said", `${messages.length} messages`);
			const calls = messages.some(({ tool_calls }) => (tool_calls?.length ?? 0) > 0) || (tools ?? null) !== null;
			if (pictured && calls) report("calls-lost", "tools or tool_calls");
			const tokens = messageTokens(messages) + sumOf(await measure(images, report));
			if (cutoff !== null && tokens > cutoff)
				report(images.length > 0 ? "images-cut" : "answer-cut", `about ${tokens} tokens, max_length ${cutoff}`);
			return { tokens, images: images.length };
		},
	});
}

/** The trainer takes the way of images for all rows or for none. */
async function hasImages(dir: string): Promise<boolean> {
	for await (const read of rowsOf(recordsOfFolder(dir), TrlRow))
		if ("row" in read && read.row.images.length > 0) return true;
	return false;
}

/** DPOConfig's own; nothing that is written beside the rows sets another. */
const defaultCutoff = 1024;

/** Pairs as DPOTrainer reads them. */
export function checkTrlPreferences(dir: string, file: string, options: RereadOptions = {}): Promise<Preflight> {
	return checkConversations(dir, rowsOf(recordsIn(join(dir, file)), PreferenceRow), options, {
		trainer: "trl",
		behaviours: [trlPreferenceBehaviour],
		cutoff: defaultCutoff,
		async check({ prompt, chosen, rejected, images }, report, { images: measure, cutoff }) {
			const unknown = [...prompt, ...chosen, ...rejected].find(({ role }) => !roles.includes(role));
			if (unknown) report("unknown-role", unknown.role.slice(0, 80));
			const blocks = imageBlocks(prompt);
			if (blocks !== images.length) report("image-count", `${blocks} blocks, ${images.length} images`);
			const shown = imageBlocks([...chosen, ...rejected]);
			if (shown > 0) report("image-in-reply", `${shown} blocks`);
			if (JSON.stringify(chosen) === JSON.stringify(rejected)) report("same-sides", `${chosen.length} messages`);
			const longest = messageTokens(prompt) + Math.max(messageTokens(chosen), messageTokens(rejected));
			const tokens = longest + sumOf(await measure(images, report));
			if (cutoff !== null && tokens > cutoff) report("answer-cut", `about ${tokens} tokens, max_length ${cutoff}`);
			return { tokens, images: images.length };
		},
	});
}

type Content = Messages[number]["content"];

/** Blocks that the collator fills with images: it passes over those of tools. */
const imageBlocks = (messages: Messages): number =>
	sumOf(messages.filter(({ role }) => role !== "tool").map(({ content }) => imagesIn(content)));

const imagesIn = (content: Content): number =>
	Array.isArray(content) ? content.filter(({ type }) => type === "image").length : 0;

const messageTokens = (messages: Messages): number =>
	sumOf(messages.map(({ content }) => textTokens(wordsIn(content)) + turnTokens));

export const wordsIn = (content: Content): string =>
	typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");
