import type { BoxConvention } from "#domain";
import type { Session } from "../driver/session.ts";
import { type ReadBox, readBox } from "../tools/boxes.ts";
import { sentSize, uprightSize } from "../tools/images.ts";
import type { Crop } from "../tools/tools.ts";

/** The images that a call may name by their index: the question's, then the crops made of them. */
export interface Gallery {
	readonly count: number;
	/** Takes up a crop, which stands behind all images so far. */
	add(crop: Pick<Crop, "index" | "box">): void;
	/** The box that a model wrote, in whole pixels of the image that it named. */
	box(raw: unknown, options: { image: number; convention: BoxConvention }): ReadBox;
}

type Size = [width: number, height: number];

/** `measured`: boxes will be asked for, and the images' files are looked at. */
export async function createGallery(session: Session, { measured }: { measured: boolean }): Promise<Gallery> {
	const { view, context } = session;
	const sizes: Size[] = [];
	for (const { file, width, height } of view.images)
		sizes.push(measured ? await uprightSize(context.imagePath(file), file) : [width, height]);
	return {
		get count() {
			return sizes.length;
		},
		add({ index, box: [left, top, right, bottom] }) {
			sizes[index] = [right - left, bottom - top];
		},
		box(raw, { image, convention }) {
			const original = sizes[image];
			if (!original) return { is: "bad-box", problem: "there is no such image" };
			return readBox(raw, { convention, original, shown: sentSize(original) });
		},
	};
}
