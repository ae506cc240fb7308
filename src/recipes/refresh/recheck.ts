import type { Item } from "#domain";
import { type Check, staleChecks } from "../engine/check.ts";
import { source } from "../engine/flow.ts";
import { gate } from "../engine/gate.ts";
import type { Recipe } from "../engine/recipe.ts";
import type { StageAbout } from "../engine/stage.ts";

/** An item of an earlier version, as it would go on. */
export interface Earlier {
	item: Item;
	/** Whether evidence that it rests on is not what it was. */
	affected: boolean;
	/** Names of the checks that it went through; none where nobody knows: then it is asked everything. */
	checks: ReadonlySet<string>;
}

/**
 * The recipe's checks over ready items in place of its stages: rules look at all of them, since new documents can break
 * what old ones held; what asks models looks only at those whose evidence changed. An item is asked what it was asked
 * before; one without records is asked everything.
 */
export function recheckRecipe<Params>(recipe: Recipe<Params>, earlier: readonly Earlier[]): Recipe<Params> {
	const asked = new Map(earlier.map((one) => [one.item.id, one]));
	return {
		...recipe,
		build(params, inputs) {
			const checks = new Map(
				recipe
					.build(params, inputs)
					.stages.filter(isCheck)
					.map((check) => [check.name, check]),
			);
			const again = [...checks.values()].map((check): Check => {
				const costs = (check.calls?.length ?? 0) > 0 || check.kind === "probe";
				return {
					...check,
					concerns(item) {
						const { affected = true, checks: names } = asked.get(item.id) ?? {};
						if (costs && !affected) return false;
						if (names && names.size > 0 && !names.has(check.name)) return false;
						return check.concerns?.(item) ?? true;
					},
				};
			});
			const items = earlier.map(({ item }) => ({ ...item, checks: [] }));
			return source({ name: "earlier version", version: 1 }, () => items).to(gate(again));
		},
	};
}

/** Checks whose records are about the item as it is. */
export function checkNames(item: Item): Set<string> {
	const stale = new Set(staleChecks(item));
	return new Set(item.checks.filter((record) => !stale.has(record)).map(({ check }) => check));
}

const isCheck = (stage: StageAbout): stage is Check =>
	"look" in stage && (stage.kind === "check" || stage.kind === "probe");
