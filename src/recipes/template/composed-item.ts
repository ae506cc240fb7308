import { z } from "zod";
import { type Item, Item as ItemSchema } from "#domain";
import type { ComposedTask } from "./compose.ts";

/** What an item's notes say of the images that are still to be made for it, in the order of the question. */
export const PlannedPictures = z.array(
	z.object({
		/** Of the question image. */
		id: z.string(),
		/** The stored image that it is made from. */
		evidence: z.string(),
		hides: z.array(z.string()),
	}),
);
export type PlannedPictures = z.infer<typeof PlannedPictures>;

/** A composed task as an item: its ladder, cluster and tags stay, its images wait in the notes. */
export function composedItem({ task, pictures }: ComposedTask, recipe: Item["recipe"]): Item {
	const { question, images: _none, context: _context, native: _native, ...rest } = task;
	const planned: PlannedPictures = pictures.map(({ id, depiction, hides }) => ({
		id,
		evidence: depiction.evidence,
		hides,
	}));
	return ItemSchema.parse({
		...rest,
		recipe: { name: recipe.name, version: recipe.version },
		questions: [{ text: question, by: "compose" }],
		notes: planned.length > 0 ? { pictures: planned } : {},
	});
}
