import type { View } from "#reports";
import { actionViews } from "./actions/views.ts";
import { tokenViews } from "./tokens/views.ts";
import type { ToyResult } from "./toy-job.ts";

export const toyBanner =
	"synthetic: exercises rewards, advantages, filter, masks and environment; not evidence about MMhops-R1";

/** The tables of all tiers that were run; each says what it is no evidence of, since each can be written by itself. */
export function toyViews(results: readonly ToyResult[]): View[] {
	const views = [
		...actionViews(results.flatMap((result) => (result.tier === "actions" ? [result] : []))),
		...tokenViews(results.flatMap((result) => (result.tier === "tokens" ? [result] : []))),
	];
	return views.map((view) => ({
		...view,
		notes: [`${toyBanner[0]?.toUpperCase()}${toyBanner.slice(1)}.`, ...view.notes],
	}));
}
