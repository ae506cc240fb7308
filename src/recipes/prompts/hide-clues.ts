import { definePrompt } from "../engine/prompt.ts";
import { WrittenQuestion } from "./ask-chain.ts";

/** The question rewritten so that the text no longer gives the answer away (Table 23). */
export const hideCluesPrompt = definePrompt({
	name: "hide-clues",
	version: 1,
	variables: ["phrase", "question", "problem", "chain", "answer"],
	instructions: `
A question about an image can be answered without the image, or is unclear. You see what was found. Rewrite it.

- The image is still needed: the words "{{phrase}}" stay, and nothing says what the thing in the image is called.
- The way to the answer stays the same, step by step; the answer stays the same.
- Say the steps more loosely or by relation; name neither the answer nor any entity of the chain.
- "clues" are the parts of the new question that each stand for one step, in its very words.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});
