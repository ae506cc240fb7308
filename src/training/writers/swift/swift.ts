import { join } from "node:path";
import type { TrainingMessage } from "../../conversations/example.ts";
import { fillTrainerFile } from "../../trainer-files.ts";
import { conversationWriter } from "../conversation-writer.ts";
import type { Scribe } from "../images.ts";
import { cutoffFor } from "../lengths.ts";
import { toolsText } from "../llamafactory/rows.ts";
import { swiftMarks, wellFormedJson } from "../marks.ts";
import { callArguments, type Turn } from "../turns.ts";
import { checkSwift } from "./check.ts";

export const swift = conversationWriter({
	name: "swift",
	title: "ms-swift (messages with a loss each)",
	tiles: true,
	ownLoss: true,
	async rowOf({ system, turns }, example, scribe) {
		const messages: SwiftMessage[] = [];
		if (system !== "") messages.push({ role: "system", content: swiftMarks.escape(system) });
		for (const turn of turns) messages.push(...(await swiftMessages(turn, scribe)));
		const tools = toolsText(example.tools, swiftMarks);
		return { messages, toolsText: tools, ...(tools === "" ? {} : { columns: { tools } }) };
	},
	async configure(dir, { file, maxPixels, longest, tuning = "lora", device }) {
		await fillTrainerFile("swift-sft.sh", join(dir, "train-swift.sh"), {
			file,
			longest: longest.qwen2_vl,
			cutoff: cutoffFor(longest.qwen2_vl),
			max_pixels: maxPixels,
			tuning,
			precision: device === "cpu" ? "--torch_dtype float32 --use_cpu true" : "--torch_dtype bfloat16",
			processes: device === "cpu" ? 1 : 4,
		});
		return ["train-swift.sh"];
	},
	reread: checkSwift,
});

/** A message of ms-swift's form; `loss` only where the policy speaks. */
interface SwiftMessage {
	role: "system" | "user" | "assistant" | "tool_call" | "tool_response";
	content: string;
	loss?: boolean;
}

/** Messages of a turn; a turn that calls is its thought and then a message for each call. */
export async function swiftMessages({ side, messages }: Turn, scribe: Scribe): Promise<SwiftMessage[]> {
	const written: SwiftMessage[] = [];
	for (const message of messages) written.push(...(await swiftMessage(message, scribe)));
	return side === "shown" ? joinedUsers(written) : written;
}

async function swiftMessage(message: TrainingMessage, scribe: Scribe): Promise<SwiftMessage[]> {
	const content = await scribe.text(message.content, swiftMarks);
	if (message.role === "tool") return [{ role: "tool_response", content }];
	if (message.role !== "assistant") return [{ role: "user", content }];
	const loss = message.train;
	const calls = (message.calls ?? []).map((call): SwiftMessage => {
		const json = wellFormedJson({ name: call.name, arguments: callArguments(call.arguments) });
		return { role: "tool_call", content: swiftMarks.escape(json), loss };
	});
	if (calls.length > 0 && content === "") return calls;
	// the template joins the two without a line end between
	return [{ role: "assistant", content: calls.length > 0 ? `${content}\n` : content, loss }, ...calls];
}

/** Neighbouring words of users, and those behind a tool's result, in one message: the trainer would join or refuse them. */
function joinedUsers(messages: readonly SwiftMessage[]): SwiftMessage[] {
	const joined: SwiftMessage[] = [];
	for (const message of messages) {
		const last = joined.at(-1);
		if (last && message.role === "user")
			joined[joined.length - 1] = { ...last, content: `${last.content}\n${message.content}` };
		else if (last?.role === "user")
			joined[joined.length - 1] = { ...message, content: `${last.content}\n${message.content}` };
		else joined.push(message);
	}
	return joined;
}
