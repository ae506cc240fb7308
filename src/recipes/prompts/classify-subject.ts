import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

export const subjects = [
	...["art", "business", "film", "geography", "history", "literature"],
	...["military", "music", "politics", "religion", "science", "sport"],
	...["technology", "other"],
] as const;

/** What a passage is about, so that the passages taken differ. */
export const classifySubject = definePrompt({
	name: "classify-subject",
	version: 1,
	variables: ["title", "passage"],
	instructions: `
Say which of these fields the passage's subject belongs to: ${subjects.join(", ")}. Take the one that a library would shelve
it under; "other" where none fits.

Give {"field": "…"}.`,
	output: z.object({ field: z.enum(subjects as unknown as [string, ...string[]]) }),
});
