import { z } from "zod";
import { type ImageRef, Item, Item as ItemSchema } from "#domain";
import { asPiece, defineStage, type Stage, type StageContext, StageFault } from "../engine/stage.ts";
import type { ComposedTask } from "./compose.ts";
import type { Depiction } from "./graph.ts";
import { photograph } from "./photograph.ts";

/** Makes question images, and makes them again for who is to look at one. */
interface QuestionImages {
	stage: Stage<Item, Item>;
	/** The image as it was made; undefined for one that was not made here. */
	again(image: Pick<ImageRef, "id">): Promise<Buffer | undefined>;
}

/**
 * Makes the images that a question shows from the stored ones, altered so that they cannot be found by their bytes. An
 * image that several questions show is made once. `depictionOf` gives a stored image by its evidence id.
 */
export function questionImages(depictionOf: (evidence: string) => Promise<Depiction | undefined>): QuestionImages {
	const made = new Map<string, Promise<ImageRef>>();
	const files = new Map<string, string>();
	async function make({ id, evidence }: PlannedPictures[number], { keepImage }: StageContext): Promise<ImageRef> {
		const stored = await depictionOf(evidence);
		if (!stored) throw new StageFault(`the image ${evidence} is not in the knowledge base`);
		files.set(id, stored.file);
		const { data, description } = await photograph(stored.file, { seed: id });
		return keepImage(data, { id, alteration: description, licence: stored.licence });
	}
	const stage: Stage<Item, Item> = defineStage("annotate", "question-images", 1, {
		output: Item,
		async run(item, context) {
			const { pictures, ...notes } = item.notes;
			const images: ImageRef[] = [];
			for (const picture of PlannedPictures.parse(pictures ?? [])) {
				const image = made.get(picture.id) ?? make(picture, context);
				made.set(picture.id, image);
				images.push({ ...(await image), hides: picture.hides });
			}
			return [asPiece({ ...item, images, notes })];
		},
	});
	return {
		stage,
		async again({ id }) {
			const file = files.get(id);
			return file === undefined ? undefined : (await photograph(file, { seed: id })).data;
		},
	};
}

/** What an item's notes say of the images that are still to be made for it, in the order of the question. */
const PlannedPictures = z.array(
	z.object({
		/** Of the question image. */
		id: z.string(),
		/** The stored image that it is made from. */
		evidence: z.string(),
		hides: z.array(z.string()),
	}),
);
type PlannedPictures = z.infer<typeof PlannedPictures>;

/** A composed task as an item: its series, cluster and tags stay, its images wait in the notes. */
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
