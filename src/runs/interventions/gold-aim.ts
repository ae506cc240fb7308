import type { Tools } from "#agents";
import { type Hop, identifyingHops, type Task } from "#domain";
import { createAim } from "#scoring";
import type { Search } from "./around-searches.ts";

/** Which gold hops the searches of one task aim at, most alike first. */
export interface GoldAim {
	/** The tools with crops watched: a search by a crop aims at what the image it was cut from identifies. */
	tools: Tools;
	at(search: Pick<Search, "query" | "image">): Hop[];
}

export function createGoldAim(task: Task, tools: Tools): GoldAim {
	const aim = createAim(task);
	const hops = new Map(task.chain?.hops.map((hop) => [hop.id, hop]));
	const identified = new Set(identifyingHops(task).values());
	const crops = new Map<number, number>();
	const { image_crop: crop } = tools;
	return {
		tools: crop
			? {
					...tools,
					async image_crop(call) {
						const made = await crop(call);
						const origin = task.images.findIndex(({ file }) => file === made.of);
						if (origin >= 0) crops.set(made.index, origin);
						return made;
					},
				}
			: tools,
		at({ query, image }) {
			const origin = image === undefined ? undefined : (crops.get(image) ?? image);
			// an image that identifies no hop says nothing of what is looked for
			if (origin !== undefined && !identified.has(origin)) return [];
			const words = query === undefined ? [] : [query];
			const aimed = aim.at(origin === undefined ? { words } : { words, image: origin });
			return aimed.flatMap(({ hop }) => hops.get(hop) ?? []);
		},
	};
}
