import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A compact record of an entity from the beginning of its page (Table 12). */
export const recordEntityPrompt = definePrompt({
	name: "record-entity",
	version: 1,
	variables: ["name", "page"],
	instructions: `
You write a short record of the entity called "name" from the beginning of its page.

- Take everything from the page; the value of a property must stand there in the very words that you give.
- "description" is one sentence on what it is; "type" is person, place, organization, event, object or concept.
- "properties" are its telling attributes; "related" the names of the things it is most closely tied to.

Reply as {"description": "...", "type": "...", "properties": [{"name": "...", "value": "..."}], "related": ["..."]}.`,
	output: z.object({
		description: z.string().max(1000),
		type: z.string().max(80),
		properties: z.array(z.object({ name: z.string().max(200), value: z.string().max(500) })).max(50),
		related: z.array(z.string().max(200)).max(50),
	}),
});
