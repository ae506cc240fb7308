import { z } from "zod";

/** A picture by its name in the studio's media: `name` is all that an address may hold of it. */
export const Media = z.object({
	name: z.string(),
	width: z.number().nullable(),
	height: z.number().nullable(),
	/** What somebody who does not see it is told. */
	alt: z.string(),
});
export type Media = z.infer<typeof Media>;

/** Evidence as the inspector shows it. */
export const EvidenceCard = z.object({
	id: z.string(),
	/** `unknown` where the knowledge base no longer holds it. */
	kind: z.enum(["passage", "page", "image", "unknown"]),
	title: z.string(),
	/** The text, an image's caption; clipped at some thousand characters. */
	text: z.string(),
	/** How long the text is in whole. */
	length: z.number(),
	document: z.string(),
	picture: Media.nullable(),
	/** What stands where in its picture; absent where nothing says so. */
	boxes: z
		.array(
			z.object({
				/** Left, top, right and bottom as shares of the picture's width and height. */
				corners: z.tuple([z.number(), z.number(), z.number(), z.number()]),
				says: z.string(),
			}),
		)
		.optional(),
});
export type EvidenceCard = z.infer<typeof EvidenceCard>;
