import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readLines } from "#store";
import { createImageReader } from "../images.ts";
import { imageTokens, textTokens, turnTokens } from "../lengths.ts";
import { trlMarks } from "../marks.ts";
import { createPreflight, type Effect, type Found, type Preflight, type ReadRow } from "../preflight.ts";
import { defaultMaxPixels, type RereadOptions } from "../writer.ts";
import { trainScript } from "./script.ts";

/** TRL 1.16.0: SFTTrainer's preparation and its collator for images, with its training template of Qwen2.5-VL. */
const reasons = {
	"no-json": { effect: "stops", means: "a line is no JSON object: the script ends with an error" },
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

const Block = z.object({ type: z.enum(["text", "image"]), text: z.string().nullish() });
const Row = z.object({
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
type Row = z.infer<typeof Row>;

async function* records(dir: string): AsyncGenerator<{ line: number; value: unknown }> {
	for (const name of (await readdir(dir)).filter((file) => file.endsWith(".jsonl")).sort())
		for await (const { number, text } of readLines(join(dir, name))) {
			let value: unknown;
			try {
				value = JSON.parse(text);
			} catch {
				value = undefined;
			}
			yield { line: number, value };
		}
}

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
	const preflight = createPreflight<Reason>(reasons, { trainer: "TRL 1.16.0", template, cutoff });
	const sizeOf = createImageReader(dir);
	const pictured = await hasImages(dir);
	for await (const { line, value } of records(dir)) {
		signal?.throwIfAborted();
		if (typeof value !== "object" || value === null || Array.isArray(value)) {
			preflight.row(`line ${line}`, [{ reason: "no-json", found: "no JSON object" }]);
			continue;
		}
		const read = Row.safeParse(value);
		if (!read.success) {
			const issue = read.error.issues[0];
			const found = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
			preflight.row(`line ${line}`, [{ reason: "wrong-shape", found }]);
			continue;
		}
		const { id, messages, images } = read.data;
		const found = [...problems(read.data, pictured)];
		let tokens = 0;
		for (const { content } of messages) tokens += textTokens(textOf(content)) + turnTokens;
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
	for await (const { value } of records(dir)) {
		const read = Row.safeParse(value);
		if (read.success && read.data.images.length > 0) return true;
	}
	return false;
}

function* problems({ messages, images, tools }: Row, pictured: boolean): Generator<Found<Reason>> {
	const unknown = messages.find(({ role }) => !["system", "user", "assistant", "tool"].includes(role));
	if (unknown) yield { reason: "unknown-role", found: unknown.role.slice(0, 80) };
	const counted = messages
		.filter(({ role }) => role !== "tool")
		.reduce((sum, message) => sum + imageBlocks(message), 0);
	if (counted !== images.length) yield { reason: "image-count", found: `${counted} blocks, ${images.length} images` };
	if (!messages.some(({ role }) => role === "assistant"))
		yield { reason: "nothing-said", found: `${messages.length} messages` };
	if (pictured && (messages.some(({ tool_calls }) => (tool_calls?.length ?? 0) > 0) || (tools ?? null) !== null))
		yield { reason: "calls-lost", found: "tools or tool_calls" };
}

const imageBlocks = ({ content }: Row["messages"][number]) =>
	Array.isArray(content) ? content.filter(({ type }) => type === "image").length : 0;

const textOf = (content: Row["messages"][number]["content"]): string =>
	typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");

export async function* readTrl(dir: string): AsyncGenerator<ReadRow> {
	for await (const { line, value } of records(dir)) {
		const read = Row.safeParse(value);
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
				images: imageBlocks(message),
				train: message.role === "assistant",
			})),
			images,
		};
	}
}
