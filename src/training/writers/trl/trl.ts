import { join } from "node:path";
import { toolsSection, writeCall } from "#agents";
import type { TrainingMessage } from "../../conversations/example.ts";
import { fillTrainerFile } from "../../trainer-files.ts";
import { conversationWriter } from "../conversation-writer.ts";
import type { Scribe } from "../images.ts";
import { cutoffFor } from "../lengths.ts";
import { trlMarks } from "../marks.ts";
import { callArguments, plainText, type Turn } from "../turns.ts";
import { checkTrl } from "./check.ts";

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
export const trl = conversationWriter({
	name: "trl",
	title: "TRL (messages with blocks)",
	tiles: true,
	async rowOf(conversation, example, scribe) {
		const tools = toolsSection(example.tools ?? []);
		const system = [conversation.system, tools].filter((text) => text !== "").join("\n\n");
		const messages: TrlMessage[] = system === "" ? [] : [{ role: "system", content: [textBlock(system)] }];
		for (const turn of conversation.turns) messages.push(await trlMessage(turn, scribe));
		return { messages, toolsText: tools };
	},
	/** A script that trains on the written file: TRL reads no configuration of data sets. */
	async configure(dir, { file, maxPixels, longest, images, tuning = "full" }) {
		const script = "train_trl.py";
		await fillTrainerFile("trl-sft.py", join(dir, script), {
			file,
			script,
			longest: longest.qwen2_vl,
			max_length: images > 0 ? "None" : cutoffFor(longest.qwen2_vl),
			max_pixels: maxPixels,
			tuning,
		});
		return [script];
	},
	reread: checkTrl,
});

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
