import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

const output = z.object({ question: z.string().min(1).max(2000), answer: z.string().min(1).max(4000) });

const selfContained = `
- The question can be understood by somebody who has not seen the document, and tells by its own words which subject is
  meant: names, terms, years. No "in this section", "in the table", "in the figure", "according to", "as mentioned".
- It is about what is most telling in the part, not about a detail of its layout.
- The answer stands in the part. Nothing is added to it, nothing guessed.
- Vary what is asked: who, what, when, where, which, and how or why.
- Question and answer are in {{language}}.`;

/** A question about a passage: Double-Bench's single-hop generation (Figure 12). */
export const askTextPrompt = definePrompt({
	name: "ask-text",
	version: 1,
	variables: ["language", "title", "block"],
	instructions: `
Write one question with its answer about a part of a document. You are shown the document's title and the part.
${selfContained}
- The answer may shorten what the part says.

Reply as {"question": "…", "answer": "…"}.`,
	output,
});

/** A question about a figure or table: Double-Bench's single-hop generation (Figure 13). */
export const askVisualPrompt = definePrompt({
	name: "ask-visual",
	version: 1,
	variables: ["language", "modality", "title", "block", "caption"],
	instructions: `
Write one question with its answer about a {{modality}} of a document. You are shown the document's title, the
{{modality}} (its picture where there is one, and what is written in it), and its caption.
${selfContained}
- Ask for what it shows about its subject: a value with what it means, a trend, a relation, a cause, a comparison. Do not
  ask how many things are drawn, what colour they have, or what the picture looks like.
- The answer follows from the {{modality}} itself, not from the caption alone.

Reply as {"question": "…", "answer": "…"}.`,
	output,
});
