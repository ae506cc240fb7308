import type { LabelledItem } from "#domain";
import type { Interval } from "../../statistics/interval.ts";
import { compareRaters } from "./compare-raters.ts";
import { type Confusion, confusionOf } from "./confusion.ts";
import type { Measured, RaterPair } from "./rater-pairs.ts";
import { restricted } from "./subsets.ts";

/** A judge on the items that share a property, e.g. a language. */
export interface TagRow {
	tag: string;
	value: string;
	items: number;
	share: Interval;
	kappa: Measured;
	confusion: Confusion | undefined;
}

/** More different values than this are names, not groups. */
const mostValues = 20;

/** A judge by each property known of the items: modality, hops, language, answer type, and whatever else is tagged. */
export function byTag(
	items: readonly LabelledItem[],
	pairs: readonly RaterPair[],
	options: { dimension: string; clusterOf(item: string): string },
): TagRow[] {
	const tags = new Map(items.map((item) => [item.id, item.tags]));
	const rated = new Set(pairs.flatMap((pair) => pair.items));
	const values = new Map<string, Set<string>>();
	for (const id of rated)
		for (const [tag, value] of Object.entries(tags.get(id) ?? {}))
			values.set(tag, (values.get(tag) ?? new Set()).add(value));
	return [...values]
		.filter(([, found]) => found.size > 1 && found.size <= mostValues)
		.flatMap(([tag, found]) =>
			[...found]
				.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
				.flatMap((value): TagRow[] => {
					const within = pairs.flatMap((pair) => restricted(pair, (id) => tagOf(tags.get(id), tag) === value) ?? []);
					const agreement = compareRaters(within, options);
					if (!agreement) return [];
					const { items, share, kappa } = agreement;
					return [{ tag, value, items, share, kappa, confusion: confusionOf(within, options.dimension) }];
				}),
		);
}

const tagOf = (tags: Record<string, string> | undefined, tag: string) =>
	tags && Object.hasOwn(tags, tag) ? tags[tag] : undefined;
