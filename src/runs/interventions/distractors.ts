import { aroundSearches } from "./around-searches.ts";
import type { Intervene } from "./given.ts";

/** The most results that a search gives. */
const mostResults = 100;

/**
 * So many results from further down the ranking, none of them gold evidence, come before those that were asked for, which
 * all stay: the noise grows and nothing is lost.
 */
export function distractors({ count }: { count: number }): Intervene {
	return ({ view, context, gold, note, ask }) => {
		const acceptable = new Set(gold.chain?.hops.flatMap(({ evidence }) => evidence));
		const tools = aroundSearches(context.tools, async (search) => {
			note.searched();
			const depth = Math.min(mostResults, search.k + count + acceptable.size);
			const observation = await search.run({ k: depth });
			const asked = observation.results.slice(0, search.k);
			const below = observation.results.slice(search.k).filter(({ id }) => !acceptable.has(id));
			const first = below.slice(0, count);
			if (first.length > 0) note.acted();
			return { ...observation, results: [...first, ...asked] };
		});
		return ask(view, { tools });
	};
}
