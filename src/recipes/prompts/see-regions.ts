import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

export const RegionType = z.enum(["Person", "Organization", "Product", "Location", "Symbol", "Event"]);

/** What a picture shows: named things with their places, and whether the picture serves at all (Tables 2, 10 and 11). */
export const seeRegionsPrompt = definePrompt({
	name: "see-regions",
	version: 1,
	variables: ["size", "unit"],
	instructions: `
You look at one picture of {{size}} and list the things in it that have a name of their own.

- A thing counts if it could be photographed and told apart from others of its kind: a certain person, organization,
  product, location, symbol or event. "A car" or "a tree" does not count; a model name on the car does.
- Give only what the picture itself lets you recognise, by its look or by writing on it.
- "box" is [left, top, right, bottom], in {{unit}}.
- "label" is what is written or seen there; "name" the usual full name; "text" the writing in the region, "" if none.
- "caption" says in a few words how it looks and where it is, without its name.

Also judge the picture: "clear" is false if the main things are hidden, blurred, too dark, too bright or spoilt by
compression; "context" is "scene" for a picture with meaning, else "icon", "screenshot" or "collage". "category" is the
part of life that it belongs to, "scenario" the kind of situation in two or three words.

Reply as {"clear": true or false, "context": "scene", "category": "Life" | "Science" | "Society" | "Technology" |
"Culture", "scenario": "...", "regions": [{"name": "...", "type": "Person" | "Organization" | "Product" | "Location" |
"Symbol" | "Event", "box": [0, 0, 0, 0], "confidence": 0 to 1, "label": "...", "text": "...", "caption": "..."}]}.`,
	output: z.object({
		clear: z.boolean(),
		context: z.enum(["scene", "icon", "screenshot", "collage"]),
		category: z.enum(["Life", "Science", "Society", "Technology", "Culture"]),
		scenario: z.string().min(1).max(80),
		regions: z
			.array(
				z.object({
					name: z.string().min(1).max(200),
					type: RegionType,
					box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
					confidence: z.number().min(0).max(1),
					label: z.string().max(500).default(""),
					text: z.string().max(500).default(""),
					caption: z.string().max(500).default(""),
				}),
			)
			.max(100),
	}),
});
