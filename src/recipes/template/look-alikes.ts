import sharp from "sharp";
import { describeImage, lookAlikeDistance } from "#encoders";
import type { KnowledgeBase } from "#knowledge";
import { inTurns } from "../in-turns.ts";
import { type ComposedTask, type ComposeOptions, composeTasks } from "./compose.ts";
import type { Depiction, TypedGraph } from "./graph.ts";

/** Tells the stored images that identify their entity from those that could as well show another, or show too little. */
interface LookAlikes {
	/** False when another entity's image is too close at first sight. */
	distinct(depiction: Depiction): boolean;
	/**
	 * Looks more closely at images that seem distinct, by image search; those that fail are not `distinct` from then on.
	 * Returns how many failed.
	 */
	confirm(depictions: Iterable<Depiction>): Promise<number>;
}

/** An image whose nearest by the cheap look is this many times `closest` away needs no search. */
const clearly = 4;
/** Results of image search among which the nearest image of another entity is looked for. */
const searched = 8;
/** An image of which less than this share differs from its ground shows specks, not a shape. */
const leastShown = 0.04;

/**
 * Several countries share or nearly share a flag; a question that starts from such an image has two answers. An image
 * is distinct when every image of every other entity is at least `closest` away. `describe` gives the vector of an
 * image as a whole, cheap to compare with all others. It may miss an image that resembles another once aligned, so the
 * images that are to be used are confirmed: `search` gives the stored images nearest to a file with the distance that
 * it ranks by.
 */
export async function findLookAlikes(
	graph: TypedGraph,
	options: {
		describe(file: string): Promise<Float32Array>;
		search(file: string, k: number): Promise<{ id: string; distance: number }[]>;
		closest: number;
		signal?: AbortSignal;
		onProgress?: (done: number, total: number) => void;
	},
): Promise<LookAlikes> {
	const { describe, search, closest, signal, onProgress } = options;
	const all = [...graph.entities.values()].flatMap((entity) =>
		entity.depictions.map((depiction) => ({ entity: entity.id, depiction })),
	);
	const look = async ({ entity, depiction }: (typeof all)[number]) => ({
		entity,
		depiction,
		vector: await describe(depiction.file),
		speaks: (await shownShare(depiction.file)) >= leastShown,
	});
	const shown = await inTurns(all, look, { signal, onDone: (done) => onProgress?.(done, all.length) });
	const byEvidence = new Map(shown.map((item) => [item.depiction.evidence, item]));
	const distinct = new Set<Depiction>();
	const confirmed = new Set<Depiction>();
	for (const { entity, depiction, vector, speaks } of shown) {
		const others = shown.filter((other) => other.entity !== entity);
		const nearest = Math.min(...others.map((other) => euclidean(vector, other.vector)));
		if (speaks && nearest >= closest) distinct.add(depiction);
		if (nearest >= clearly * closest) confirmed.add(depiction);
	}

	async function isLookAlike(depiction: Depiction): Promise<boolean> {
		const own = byEvidence.get(depiction.evidence)?.entity;
		const results = await search(depiction.file, searched);
		return results.some(({ id, distance }) => {
			const other = byEvidence.get(id);
			return other !== undefined && other.entity !== own && distance < closest;
		});
	}

	return {
		distinct: (depiction) => distinct.has(depiction),
		async confirm(depictions) {
			const open = [...new Set(depictions)].filter((depiction) => !confirmed.has(depiction));
			const failed = await inTurns(open, isLookAlike, { signal });
			for (const [index, depiction] of open.entries()) {
				confirmed.add(depiction);
				if (failed[index]) distinct.delete(depiction);
			}
			return failed.filter(Boolean).length;
		},
	};
}

/** The share of an image that is not of its commonest colour, on a grid of 64 × 64. */
async function shownShare(file: string): Promise<number> {
	const pixels = await sharp(file)
		.flatten({ background: "white" })
		.resize(64, 64, { fit: "fill" })
		.removeAlpha()
		.raw()
		.toBuffer();
	const counts = new Map<number, number>();
	for (let at = 0; at + 2 < pixels.length; at += 3) {
		const colour = ((pixels[at] ?? 0) >> 4) * 256 + ((pixels[at + 1] ?? 0) >> 4) * 16 + ((pixels[at + 2] ?? 0) >> 4);
		counts.set(colour, (counts.get(colour) ?? 0) + 1);
	}
	return 1 - Math.max(...counts.values()) / (64 * 64);
}

export function euclidean(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < a.length; index += 1) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
	return Math.sqrt(sum);
}

/**
 * Composes tasks that start only from images which show one entity and no other: composing, then a closer look at the
 * images used, again until none of them turns out to have a look-alike.
 */
export async function composeDistinct(
	graph: TypedGraph,
	knowledge: Pick<KnowledgeBase, "search">,
	options: ComposeOptions & {
		signal?: AbortSignal | undefined;
		onLook?: ((done: number, total: number) => void) | undefined;
	},
): Promise<{ composed: ComposedTask[] /** Stored images that resemble another entity's. */; lookAlikes: number }> {
	const { signal, onLook, ...composing } = options;
	const depictions = [...graph.entities.values()].flatMap((entity) => entity.depictions);
	if (depictions.length === 0) return { composed: composeTasks(graph, composing), lookAlikes: 0 };
	const { distinct, confirm } = await findLookAlikes(graph, {
		describe: describeImage,
		// scores are 1 / (1 + distance)
		search: async (image, k) =>
			(await knowledge.search({ image, target: "image", k })).map(({ id, score }) => ({ id, distance: 1 / score - 1 })),
		closest: lookAlikeDistance,
		...(onLook && { onProgress: onLook }),
		...(signal && { signal }),
	});
	for (;;) {
		const composed = composeTasks(graph, { ...composing, mayStart: distinct });
		if ((await confirm(composed.flatMap(({ pictures }) => pictures.map(({ depiction }) => depiction)))) === 0)
			return { composed, lookAlikes: depictions.filter((depiction) => !distinct(depiction)).length };
	}
}
