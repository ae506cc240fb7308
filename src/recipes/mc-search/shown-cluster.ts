import type { Evidence } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ImagePart } from "#models";
import { MissingEvidence } from "../engine/stage.ts";
import { neededEvidence, pictureOf, wordsShown } from "../stages/picture-of.ts";

/** Evidence as a prompt shows it: texts with their ids, captions with theirs, and the pictures in the captions' order. */
export interface ShownEvidence {
	texts: string;
	images: string;
	pictures: ImagePart[];
}

/** Fetches and writes down evidence. What is missing, or an image without a picture, is the build's trouble. */
export async function shownEvidence(
	ids: readonly string[],
	{ knowledge }: { knowledge: Pick<KnowledgeBase, "evidence" | "file"> },
): Promise<ShownEvidence> {
	const all = await neededEvidence(knowledge, ids);
	const [images, texts] = [all.filter(({ kind }) => kind === "image"), all.filter(({ kind }) => kind !== "image")];
	const pictures = await Promise.all(
		images.map(async (image) => {
			const picture = await pictureOf(knowledge, image);
			if (!picture) throw new MissingEvidence(`the image ${image.id} cannot be shown`);
			return picture;
		}),
	);
	return { texts: written(texts), images: written(images), pictures };
}

const written = (evidence: readonly Evidence[]): string =>
	evidence.map((one) => `[${one.id}] ${one.title}\n${wordsShown(one)}`).join("\n\n") || "(none)";
