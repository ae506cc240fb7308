import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Language and summary of a document (Double-Bench, section 3.1; the summary serves the walks of 3.3). */
export const describeDocumentPrompt = definePrompt({
	name: "describe-document",
	version: 1,
	variables: ["title", "pages"],
	instructions: `
You are shown the title and the first pages of a document.

- language: the two-letter ISO 639-1 code of the language that most of it is written in.
- summary: in two or three sentences of that language, what the document is about and what somebody would look up in it.

Reply as {"language": "en", "summary": "…"}.`,
	output: z.object({ language: z.string().regex(/^[A-Za-z]{2}$/), summary: z.string().min(1).max(4000) }),
});
