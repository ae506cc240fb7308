import type { View } from "#reports";
import type { ToyResult } from "#training";
import { actionViews } from "./toy-actions-views.ts";
import { tokenViews } from "./toy-tokens-views.ts";

/** The tables of all tiers that were run. */
export function toyViews(results: readonly ToyResult[]): View[] {
	return [
		...actionViews(results.flatMap((result) => (result.tier === "actions" ? [result] : []))),
		...tokenViews(results.flatMap((result) => (result.tier === "tokens" ? [result] : []))),
	];
}
