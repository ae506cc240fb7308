import { describeImage, lookAlikeDistance } from "#encoders";
import { imagePart } from "#models";
import { type Flow, source } from "../engine/flow.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import {
	type AcrossStage,
	asDrop,
	asPiece,
	defineAcross,
	defineStage,
	MissingEvidence,
	type Outcome,
	type Stage,
} from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import { maskedPart, probeSources } from "../probes/probe-sources.ts";
import type { ProbeSources } from "../probes/view.ts";
import { euclidean } from "../template/look-alikes.ts";
import { Picture } from "./chain.ts";

/** Where the file of a picture is. */
export interface PictureFiles {
	/** The absolute path of the picture of that hash: a picture goes by its content, since its name may tell what it shows. */
	of(sha256: string): string;
	add(picture: Picture, path: string): void;
}

export function pictureFiles(): PictureFiles {
	const paths = new Map<string, string>();
	return {
		of(hash) {
			const path = paths.get(hash);
			if (path === undefined) throw new MissingEvidence(`the picture ${hash.slice(0, 12)} is not in the corpus`);
			return path;
		},
		add: ({ sha256 }, path) => void paths.set(sha256, path),
	};
}

/** The corpus's pictures in order of id. */
export function pictures(
	inputs: Pick<RecipeInputs, "knowledge" | "evidence">,
	files: PictureFiles,
): Flow<void, Picture> {
	const { knowledge } = inputs;
	return source({ name: "pictures", version: 1, params: { knowledge: knowledge.manifest.hash } }, async function* () {
		for await (const evidence of inputs.evidence()) {
			if (evidence.kind !== "image") continue;
			const path = await knowledge.file(evidence);
			if (path === undefined) continue;
			const { id, title, sha256, width, height, provenance } = evidence;
			const { licence, source: from } = provenance;
			const picture = { id, title, sha256, width, height, source: from, licence: licence || undefined };
			files.add(picture, path);
			yield picture;
		}
	});
}

/** Lets through what has the pixels that small signs need. */
export function largeEnough(bounds: { megapixels: number; shortSide: number }): Stage<Picture, Picture> {
	return defineStage("extract", "large-enough", 1, {
		params: bounds,
		output: Picture,
		run(picture) {
			const { width, height } = picture;
			const small = width * height < bounds.megapixels * 1e6 || Math.min(width, height) < bounds.shortSide;
			return small ? [asDrop("image_bad", `${width} × ${height} pixels`)] : [asPiece(picture)];
		},
	});
}

/** Of pictures that can be taken for one another the first stays; `closest` is the distance of their descriptors. */
export function distinctPictures(
	files: PictureFiles,
	{ closest = lookAlikeDistance }: { closest?: number },
): AcrossStage<Picture, Picture> {
	return defineAcross("extract", "distinct-pictures", 1, {
		params: { closest },
		async run(all, { signal }) {
			const vectors = await inTurns(all, async ({ sha256 }) => describeImage(files.of(sha256)), { signal });
			const kept: { picture: Picture; vector: Float32Array; sum: number }[] = [];
			return all.map((picture, at): Outcome<Picture> => {
				const vector = vectors[at] ?? new Float32Array();
				const sum = vector.reduce((total, value) => total + value, 0) / Math.sqrt(vector.length);
				// sums differ by no more than the vectors are apart (Cauchy-Schwarz)
				const near = kept.find((one) => Math.abs(one.sum - sum) < closest && euclidean(one.vector, vector) < closest);
				if (near) return asDrop("duplicate", `as ${near.picture.id}`, picture.id);
				kept.push({ picture, vector, sum });
				return asPiece(picture);
			});
		},
	});
}

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
