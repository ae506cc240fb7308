import { z } from "zod";
import type { Check } from "../engine/check.ts";
import { type Again, failedLast, recheck } from "../engine/recheck.ts";
import type { Recipe } from "../engine/recipe.ts";
import type { Edited } from "./apply-reviews.ts";

/** Names of the checks that an item has to pass again and that are not among the given. */
export function outOfReach({ stale }: Edited, checks: readonly Check[]): string[] {
	const known = new Set(checks.map(({ name }) => name));
	return [...new Set(stale.map(({ check }) => check))].filter((name) => !known.has(name));
}

/**
 * A recipe that runs the void checks of edited items again and lets through those that pass them all. A check that had
 * failed before and was let through may fail again.
 */
export function recheckRecipe(edited: readonly Edited[], checks: readonly Check[]): Recipe {
	const near = edited.filter((one) => outOfReach(one, checks).length === 0);
	const again = near.map(({ item, stale }): Again => {
		const names = new Set(stale.map(({ check }) => check));
		return { item, failed: failedLast(stale), asks: ({ name }) => names.has(name) };
	});
	return {
		name: "recheck",
		version: "1",
		title: "Checks after review",
		description: "Runs the checks again that reviewers' edits made void.",
		paper: "",
		params: z.object({}),
		roles: Object.fromEntries(
			checks.flatMap(({ name, calls = [] }) =>
				calls.map(({ role }) => [role, { does: `runs the check ${name} again`, optional: true }]),
			),
		),
		needs: [],
		build: () => recheck("edited-items", again, checks),
	};
}
