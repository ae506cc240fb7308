import { join } from "node:path";
import { toolsSection, writeCall } from "#agents";
import { writeJsonl, writeWhole } from "#store";
import type { TrainingMessage } from "../../conversations/example.ts";
import { createImages } from "../images.ts";
import { createScribe, type Scribe } from "../marked-text.ts";
import { trlMarks, wellFormed } from "../marks.ts";
import { rowWriter, textsOf } from "../rows.ts";
import { callArguments, plainText, type Turn } from "../turns.ts";
import { defaultMaxPixels, defaultName, type TrainingWriter } from "../writer.ts";
import { readTrl, rereadTrl } from "./reread.ts";
import { trainScript, trainScriptText } from "./script.ts";

export interface TrlMessage {
	role: "system" | "user" | "assistant";
	content: TrlBlock[];
}
/** Both fields always: a table with a field missing in some rows would fill it with nulls, which templates print. */
export interface TrlBlock {
	type: "text" | "image";
	text: string;
}

/**
 * TRL's conversational form with blocks and an `images` column.
 *
 * Calls are text in Hermes' form, results stand in the user's turns and the tools in the system prompt: TRL's collator for
 * images passes no tools to the chat template, that of Qwen2.5-VL renders neither tools nor calls, and images in a tool's
 * message are not counted.
 */
export const trl: TrainingWriter = {
	name: "trl",
	title: "TRL (messages with blocks)",
	async write(examples, dir, { name = defaultName, maxPixels = defaultMaxPixels, signal } = {}) {
		const images = createImages(dir);
		const writer = rowWriter(
			async (example, alternation) => {
				const scribe = createScribe(example.images, images);
				const tools = toolsSection(example.tools ?? []);
				const system = [alternation.system, tools].filter((text) => text !== "").join("\n\n");
				const messages: TrlMessage[] = system === "" ? [] : [{ role: "system", content: [textBlock(system)] }];
				for (const turn of alternation.turns) messages.push(await trlMessage(turn, scribe));
				return {
					row: { id: wellFormed(example.id), messages, images: scribe.placed.map(({ path }) => path) },
					texts: textsOf(alternation, tools),
					sizes: scribe.placed.map(({ size }) => size),
				};
			},
			{ maxPixels, tiles: true, signal },
		);
		const file = `${name}.jsonl`;
		const { count } = await writeJsonl(join(dir, file), writer.rows(examples));
		const { longest, left } = writer;
		const text = trainScriptText(file, { maxPixels, longest: longest.qwen2_vl, images: images.count > 0 });
		await writeWhole(join(dir, trainScript), text);
		return { files: [file, trainScript], rows: count, images: images.count, left, losses: writer.losses(), longest };
	},
	read: readTrl,
	reread: rereadTrl,
};

const textBlock = (text: string): TrlBlock => ({ type: "text", text: trlMarks.escape(text) });

/** A turn as one message; results of tools framed as Qwen's text templates frame them. */
export async function trlMessage({ side, messages }: Turn, scribe: Scribe): Promise<TrlMessage> {
	const content: TrlBlock[] = [];
	for (const [index, message] of messages.entries()) {
		if (index > 0) content.push(textBlock("\n"));
		content.push(...(await blocks(message, scribe)));
	}
	return { role: side === "said" ? "assistant" : "user", content: joined(content) };
}

async function blocks(message: TrainingMessage, scribe: Scribe): Promise<TrlBlock[]> {
	const written: TrlBlock[] = [];
	if (message.role === "tool") written.push({ type: "text", text: "<tool_response>\n" });
	for (const part of message.content) {
		if (part.type === "text") written.push({ type: "text", text: part.text });
		else {
			await scribe.place(part.image);
			written.push({ type: "image", text: "" });
		}
	}
	if (message.role === "tool") written.push({ type: "text", text: "\n</tool_response>" });
	const calls = (message.calls ?? []).map((call) => {
		const args = callArguments(call.arguments);
		// arguments that are no object stay as the model wrote them
		return writeCall(call.name, args as object);
	});
	if (calls.length > 0)
		written.push({ type: "text", text: `${plainText(message) === "" ? "" : "\n"}${calls.join("\n")}` });
	return written;
}

/** Neighbouring texts as one block, taken apart where they look like a template's own words. */
function joined(parts: readonly TrlBlock[]): TrlBlock[] {
	const made: TrlBlock[] = [];
	for (const part of parts) {
		const last = made.at(-1);
		if (last?.type === "text" && part.type === "text")
			made[made.length - 1] = { type: "text", text: last.text + part.text };
		else made.push(part);
	}
	return made.map((block) => (block.type === "text" ? textBlock(block.text) : block));
}
