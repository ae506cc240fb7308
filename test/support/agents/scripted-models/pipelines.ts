import { goldAnswer, type Player } from "./scripted-model.ts";

/** A model that reasons in a line and answers on the last one. */
const lastLine: Player = {
	competent: ({ task }) => `The facts follow one from the other.\nAnswer: ${goldAnswer(task)}`,
	malformed: [
		"Answer:",
		"**Answer:** **",
		"Answer: one\nAnswer: two\nand some words behind",
		"<answer>in a tag</answer>",
		'{"answer": "as JSON"}',
		{ is: "reply", text: "First we need to", finish: "length" },
	],
};

export const pipelinePlayers = {
	"closed-book": lastLine,
	oracle: lastLine,
	"single-step": lastLine,
	"two-step": lastLine,
	"vanilla-mrag": lastLine,
	echosight: lastLine,
} satisfies Record<string, Player>;
