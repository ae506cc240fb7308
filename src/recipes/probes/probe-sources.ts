import { join } from "node:path";
import { imagePart } from "#models";
import type { RecipeInputs } from "../engine/recipe.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { maskedPart } from "./mask.ts";
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
				const file = knowledge.file(evidence, evidence.kind === "page" ? "picture" : undefined);
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
