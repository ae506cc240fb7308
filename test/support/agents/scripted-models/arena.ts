import { arena, arenaMars, arenaQwen } from "../../../../src/agents/arena/arena.ts";
import { writeCall } from "../../../../src/agents/tool-call-format/hermes.ts";
import { called } from "./function-calling.ts";
import { type GoldStep, goldAnswer, goldSteps, type Player } from "./scripted-model.ts";

/** The sample's pages and images are also told of in passages: whatever has no tool of its own is searched as text. */
const nativePlayer: Player = {
	competent({ task, turn }) {
		const step = goldSteps(task)[turn];
		if (!step) return `All is known.\nAnswer: ${goldAnswer(task)}`;
		if (step.image !== undefined) return called(["image_search_by_image", { image: step.image + 1 }]);
		return called(["text_search", { query: step.query }]);
	},
	malformed: [
		called(["text_search", { query: "one" }], ["text_search", { query: "two" }]),
		called(["launch_missiles", {}]),
		called(["text_search", "{broken"]),
		called(["image_crop", { image: 1, box: [9, 9, 1, 1] }]),
		called(["image_search_by_image", { image: 99 }]),
		"",
	],
};

function textPlayer(
	names: { text: string; look: (step: GoldStep) => [string, object] },
	answer: (text: string) => string,
): Player {
	const thought = "<thinking>What next?</thinking>\n";
	return {
		competent({ task, turn }) {
			const step = goldSteps(task)[turn];
			if (!step) return `${thought}${answer(goldAnswer(task))}`;
			// MARS looks for the first image only.
			const [name, args] = step.image !== undefined ? names.look(step) : [names.text, { query: step.query }];
			return `${thought}${writeCall(name, args)}`;
		},
		malformed: [
			`${writeCall(names.text, { query: "one" })}\n${writeCall(names.text, { query: "two" })}`,
			`<thinking>${writeCall(names.text, { query: "in a thought" })}</thinking>`,
			"<tool_call>{broken</tool_call>",
			writeCall("launch_missiles", {}),
			writeCall("image_zoom_in_tool", { bbox_2d: [9, 9, 1, 1], label: "x", img_idx: 0 }),
			`${writeCall(names.text, { query: "one" })}<tool_response>made up</tool_response><answer>guess</answer>`,
			"<thinking>never closed",
		],
	};
}

export const arenaPlayers: Record<string, Player> = {
	[arena.name]: nativePlayer,
	[arenaMars.name]: textPlayer(
		{ text: "text_search_tool", look: () => ["image_search_tool", {}] },
		(text) => `<answer>${text}</answer>`,
	),
	[arenaQwen.name]: textPlayer(
		{ text: "text_search", look: (step) => ["image_search", { img_idx: step.image ?? 0 }] },
		(text) => `Answer: ${text}`,
	),
};
