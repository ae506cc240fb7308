import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

const short = z.string().max(200);

/** Facts of a page as directed relations with their quotes: what Double-Bench takes LightRAG for (section 3.3). */
export const extractRelationsPrompt = definePrompt({
	name: "extract-relations",
	version: 1,
	variables: ["title", "text"],
	instructions: `
List the facts that a page of a document states, as relations between named things.

- subject and object: names of particular things, or values (dates, amounts with their unit), as the page writes them.
  Write a pronoun as the name it stands for if the page gives that name; else leave the fact out.
- relation: a short phrase that reads from subject to object and is exact enough that subject and relation leave only
  this object: "was proposed by", "has the capital". Never "is related to", "is associated with", "mentions" or the like.
- quote: the shortest run of words of the page that states the fact, copied character by character.
- types: what subject and object are, one word each.
- aliases: two names that the page itself gives to one thing, with the quote that holds both; usually there are none.
- Only what the page states.

Reply as {"triples": [{"subject": "…", "relation": "…", "object": "…", "quote": "…", "types": ["…", "…"]}], "aliases":
[{"name": "…", "alias": "…", "quote": "…"}]}. A page without facts gives empty lists.`,
	output: z.object({
		triples: z
			.array(
				z.object({
					subject: short,
					relation: short,
					object: short,
					quote: z.string().max(4000),
					types: z.array(short).max(2).default([]),
				}),
			)
			.max(500),
		aliases: z
			.array(z.object({ name: short, alias: short, quote: z.string().max(4000) }))
			.max(200)
			.default([]),
	}),
});
