import { imagePart } from "#models";
import type { RecipeInputs } from "../engine/recipe.ts";
import { maskedPart } from "../probes/mask.ts";
import { probeSources } from "../probes/probe-sources.ts";
import type { ProbeSources } from "../probes/view.ts";
import type { PictureFiles } from "./pictures.ts";

/** What probes show: the corpus, and each question's image, which is a picture of the corpus as it is. */
export function pictureSources(inputs: Pick<RecipeInputs, "knowledge">, files: PictureFiles): ProbeSources {
	const corpus = probeSources(inputs);
	return {
		...corpus,
		async picture(of, { mask } = {}) {
			if ("evidence" in of) return corpus.picture?.(of);
			const part = await imagePart(files.of(of.image.sha256), of.image.file);
			return mask === undefined ? part : maskedPart(part, mask, of.image);
		},
	};
}
