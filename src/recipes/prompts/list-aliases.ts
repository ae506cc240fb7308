import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Other names of the same thing (AgenticRAGTracer, Figure 17). Dates and numbers are not asked for: code writes them. */
export const listAliases = definePrompt({
	name: "list-aliases",
	version: 1,
	variables: ["answer"],
	instructions: `
List other ways in which the thing named is commonly written: abbreviations, short forms, other spellings, other names.

- Each means the very same thing wherever it stands: nothing wider, nothing narrower, nothing that needs a context.
- The given form comes first. If there is no other, it stands alone.

Give {"aliases": ["…"]}.`,
	output: z.object({ aliases: z.array(z.string().max(300)).max(100) }),
});
