import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type RlFormat, rereadRows, writeSplits } from "./rl-format.ts";
import type { RlMessage } from "./rl-task.ts";

const Row = z.object({
	responses_create_params: z.object({
		input: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.looseObject({}))]) })).min(1),
		tools: z.array(z.object({ type: z.literal("function"), name: z.string(), parameters: z.looseObject({}) })).min(1),
	}),
	agent_ref: z.object({ type: z.literal("responses_api_agents"), name: z.string() }),
	task: z.string().min(1),
});

/** Rows of NeMo Gym: the server is the resources server that they name the task to. */
export const nemo: RlFormat = {
	name: "nemo",
	title: "NeMo Gym",
	speaks: "calls",
	programs: [],
	async write(splits, dir, { tools }) {
		const offered = tools.map((tool) => ({ type: "function", ...tool, strict: false }));
		return writeSplits(splits, dir, async ({ task, messages }) => {
			const input = [];
			for (const message of messages) input.push(await inputOf(message, dir));
			return {
				responses_create_params: { input, tools: offered, parallel_tool_calls: false },
				agent_ref: { type: "responses_api_agents", name: "hopscope_simple_agent" },
				task,
			};
		});
	},
	reread: (dir, files) => rereadRows(dir, files, { ending: ".jsonl", schema: Row }),
};

/** A message of the Responses form; images stand in it, since its rows are sent as they are. */
async function inputOf({ role, content }: RlMessage, dir: string) {
	if (content.every((part) => part.type === "text"))
		return { role, content: content.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
	const parts = [];
	for (const part of content) {
		if (part.type === "text") parts.push({ type: "input_text", text: part.text });
		else {
			const data = (await readFile(join(dir, part.file))).toString("base64");
			const mediaType = part.file.endsWith(".png") ? "image/png" : "image/jpeg";
			parts.push({ type: "input_image", image_url: `data:${mediaType};base64,${data}`, detail: "auto" });
		}
	}
	return { role, content: parts };
}
