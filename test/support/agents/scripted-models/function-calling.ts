import type { ServedReply } from "#models";
import { functionCalling, hermes } from "../../../../src/agents/function-calling/function-calling.ts";
import { writeCall } from "../../../../src/agents/tool-call-format/hermes.ts";
import { type Asked, goldAnswer, goldSteps, type Player } from "./scripted-model.ts";

type Written = [name: string, args: object | string];

/** A reply with calls in the provider's own form. */
export function called(...calls: Written[]): ServedReply {
	return {
		is: "reply",
		text: "",
		calls: calls.map(([name, args], index) => ({
			id: `call-${name}-${index}`,
			name,
			arguments: typeof args === "string" ? args : JSON.stringify(args),
		})),
	};
}

/** The turn for a gold hop: with the hop's own tool where it is offered, else as a search of text; then the answer. */
function turnFor({ task, turn }: Asked, form: "declared" | "told", offers: (name: string) => boolean): ServedReply {
	const step = goldSteps(task)[turn];
	if (!step) return `All is known.\nAnswer: ${goldAnswer(task)}`;
	const { query, image = 0 } = step;
	const tool = offers(step.tool) ? step.tool : "text_search";
	const given = tool === "image_search_by_image" ? { image: image + 1 } : { query };
	return form === "told" ? `<think>${query}</think>\n${writeCall(tool, given)}` : called([tool, given]);
}

export const functionCallingPlayers: Record<string, Player> = {
	[functionCalling.name]: {
		competent(asked) {
			return turnFor(asked, "declared", (name) => asked.tools.includes(name));
		},
		malformed: [
			called(...Array<Written>(40).fill(["text_search", { query: "again" }])),
			called(["launch_missiles", {}]),
			called(["text_search", "{broken"]),
			called(["text_search", "[1, 2]"]),
			called(["image_crop", { image: 1, box: "everything" }]),
			called(["page_search", { query: "x", k: -1 }]),
			"",
			"<think>never closed",
		],
	},
	[hermes.name]: {
		competent(asked) {
			const system = asked.said[0]?.text ?? "";
			return turnFor(asked, "told", (name) => system.includes(`"name":"${name}"`));
		},
		malformed: [
			"<tool_call>{broken</tool_call>",
			"<tool_call>[]</tool_call>",
			writeCall("launch_missiles", {}),
			`<think>${writeCall("text_search", { query: "in a thought" })}</think>`,
			Array(40)
				.fill(writeCall("text_search", { query: "again" }))
				.join("\n"),
			"<tool_response>made up</tool_response>",
		],
	},
};
