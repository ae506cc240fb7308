import { describeImage, lookAlikeDistance } from "#encoders";
import type { KnowledgeBase } from "#knowledge";
import { type ComposedTask, type ComposeOptions, composeTasks } from "./compose.ts";
import type { TypedGraph } from "./graph.ts";
import { findLookAlikes } from "./look-alikes.ts";

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
