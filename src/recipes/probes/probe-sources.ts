import { join } from "node:path";
import type { Box } from "#domain";
import { type ImagePart, imagePart } from "#models";
import type { RecipeInputs } from "../engine/recipe.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import type { ProbeSources } from "./view.ts";

/**
 * What probes show, from a recipe's inputs: evidence, pictures and search of the knowledge base. Images of questions are
 * read from `folder`; without one a question with an image cannot be shown.
 */
export function probeSources(
	{ knowledge }: Pick<RecipeInputs, "knowledge">,
	{ folder }: { folder?: string | undefined } = {},
): ProbeSources {
	return {
		evidence: (id) => knowledge.evidence(id),
		async picture(of, { mask } = {}) {
			if ("evidence" in of) {
				const { evidence } = of;
				const file = await knowledge.file(evidence, evidence.kind === "page" ? "picture" : undefined);
				return file === undefined ? undefined : imagePart(file, evidence.id);
			}
			if (folder === undefined) return undefined;
			const part = await imagePart(join(folder, of.image.file), of.image.file);
			return mask === undefined ? part : maskedPart(part, mask, of.image);
		},
		async search(text, { k }) {
			const found = await knowledge.search({ text, target: "passage", k });
			return heldEvidence(
				knowledge,
				found.map(({ id }) => id),
			);
		},
	};
}

/** A picture made grey as a whole, or within a box given in pixels of an image of the stated size. */
export async function maskedPart(
	part: ImagePart,
	mask: "whole" | Box,
	size: { width: number; height: number },
): Promise<ImagePart> {
	const { default: sharp } = await import("sharp");
	const { width, height } = await sharp(part.data).metadata();
	const [x0, y0, x1, y1] = mask === "whole" ? ([0, 0, size.width, size.height] as const) : mask;
	const left = Math.max(0, Math.floor((x0 * width) / size.width));
	const top = Math.max(0, Math.floor((y0 * height) / size.height));
	const cover = {
		width: Math.max(1, Math.min(width, Math.ceil((x1 * width) / size.width)) - left),
		height: Math.max(1, Math.min(height, Math.ceil((y1 * height) / size.height)) - top),
		channels: 3 as const,
		background: { r: 128, g: 128, b: 128 },
	};
	const data = await sharp(part.data)
		.composite([{ input: { create: cover }, left, top }])
		.jpeg({ quality: 90 })
		.toBuffer();
	return { ...part, data, mediaType: "image/jpeg" };
}
