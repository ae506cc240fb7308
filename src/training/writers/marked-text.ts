import type { TrainingExample, TrainingMessage } from "../conversations/example.ts";
import type { Images, PlacedImage } from "./images.ts";
import { imageMark, type Marks } from "./marks.ts";

/**
 * Writes contents as texts with a mark where an image stands. Trainers match marks and images by order alone: `placed`
 * holds an image for each mark, in the order of writing.
 */
export function createScribe(images: TrainingExample["images"], folder: Images) {
	const placed: PlacedImage[] = [];
	async function place(index: number): Promise<PlacedImage> {
		const image = images[index];
		if (!image) throw new Error(`it shows image ${index} and has ${images.length}`);
		const there = await folder.place(image);
		placed.push(there);
		return there;
	}
	return {
		placed,
		place,
		async text(content: TrainingMessage["content"], marks: Marks): Promise<string> {
			let text = "";
			// neighbouring texts are one, since a mark could lie across their border
			let run = "";
			for (const part of content) {
				if (part.type === "text") run += part.text;
				else {
					await place(part.image);
					text += marks.escape(run) + imageMark;
					run = "";
				}
			}
			return text + marks.escape(run);
		},
	};
}
export type Scribe = ReturnType<typeof createScribe>;
