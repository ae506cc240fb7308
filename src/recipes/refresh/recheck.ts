import type { Item } from "#domain";
import { type Check, staleChecks } from "../engine/check.ts";
import { type Again, checksOf, failedLast, recheck } from "../engine/recheck.ts";
import type { Recipe } from "../engine/recipe.ts";

/** An item of an earlier version, as it would go on. */
export interface Earlier {
	item: Item;
	/** Whether evidence that it rests on is not what it was. */
	affected: boolean;
	/** The checks that it went through; none where nobody knows: then it is asked everything. */
	checks: Item["checks"];
}

/**
 * The recipe's checks over ready items in place of its stages: rules look at all of them, since new documents can break
 * what old ones held; what asks models looks only at those whose evidence changed. An item is asked what it was asked
 * before; one without records is asked everything. What it failed before and was kept with, it may fail again.
 */
export function recheckRecipe<Params>(recipe: Recipe<Params>, earlier: readonly Earlier[]): Recipe<Params> {
	return {
		...recipe,
		build(params, inputs) {
			const all = checksOf(recipe.build(params, inputs));
			const costly = new Set(all.filter(costs).map(({ name }) => name));
			const again = earlier.map(({ item, affected, checks }): Again => {
				const names = new Set(checks.map(({ check }) => check));
				// what is not looked at again holds still, and the next refresh has to know of it
				const held = affected ? [] : checks.filter(({ check }) => costly.has(check));
				return {
					item: { ...item, checks: held },
					failed: failedLast(checks),
					asks: ({ name }) => (affected || !costly.has(name)) && (names.size === 0 || names.has(name)),
				};
			});
			return recheck("earlier version", again, all);
		},
	};
}

const costs = ({ kind, calls = [] }: Check) => calls.length > 0 || kind === "probe";

/** Records that are about the item as it is. */
export function validChecks(item: Item): Item["checks"] {
	const stale = new Set(staleChecks(item));
	return item.checks.filter((record) => !stale.has(record));
}
