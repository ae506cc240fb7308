import { definePrompt } from "../engine/prompt.ts";
import { WrittenQuestion } from "./ask-chain.ts";

/** The question in plain words, with nothing that tells who or what is in the image (Table 25). */
export const simplifyQuestionPrompt = definePrompt({
	name: "simplify-question",
	version: 1,
	variables: ["phrase", "description", "question"],
	instructions: `
You make a question about an image plainer, so that it can be answered only by whoever looks at the image.

- {{description}}
- The words "{{phrase}}" stay exactly as they are.
- Plain words for pompous ones; decoration that changes nothing goes.
- Numbers and dates that the way to the answer does not need go, or become vague.
- Every fact that the way to the answer needs stays, with its relations. The answer must remain the same.
- "clues" are the parts of the new question that each stand for one step, in its very words.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});
