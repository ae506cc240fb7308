import { type ImageRef, Item } from "#domain";
import { asPiece, defineStage, type Stage, type StageContext, StageFault } from "../engine/stage.ts";
import { PlannedPictures } from "./composed-item.ts";
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
