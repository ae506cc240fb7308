import { definePrompt } from "../engine/prompt.ts";
import { WrittenQuestion } from "./ask-chain.ts";

/** The question with its first entity replaced by a look at the image (Table 24). */
export const pointAtImagePrompt = definePrompt({
	name: "point-at-image",
	version: 1,
	variables: ["phrase", "description", "several", "question", "name", "type", "caption"],
	instructions: `
A question names an entity that can be seen in an image. You replace that name, and nothing else, by a pointer to the
image such as "the company {{phrase}}" or "this person {{phrase}}", fitting the entity's type.

- Use the words "{{phrase}}" as they stand.
- {{description}}
- {{several}}
- The name must be gone, with its abbreviations and other spellings, and nothing may say what the entity is called.
- Leave every other part of the question as it is.
- "clues" are the parts of the new question that each stand for one step, in its very words.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});
