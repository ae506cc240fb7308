import { z } from "zod";
import type { CheckRecord, Item } from "#domain";
import { type Check, checkStage } from "../engine/check.ts";
import { byItem, type Flow, source } from "../engine/flow.ts";
import type { Recipe } from "../engine/recipe.ts";
import type { Edited } from "./apply-reviews.ts";

/** The checks among a recipe's stages, each once. */
export function checksOf({ stages }: Pick<Flow<never, unknown>, "stages">): Check[] {
	const isCheck = (stage: object): stage is Check => "look" in stage;
	return [...new Map(stages.filter(isCheck).map((check) => [check.name, check])).values()];
}

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
	const known = new Map(checks.map((check) => [check.name, check]));
	const again = byItem<Edited, Item>(checks, async ({ item, stale }, engine) => {
		let checked = item;
		for (const old of latest(stale)) {
			const check = known.get(old.check);
			if (!check) return [];
			const [record] = await engine.perform(checkStage(check), item);
			if (!record) return [];
			checked = { ...checked, checks: [...checked.checks, record] };
			if (record.verdict !== "fail" || old.verdict === "fail") continue;
			engine.drop(check.name, item, { reason: record.reason ?? "other", detail: record.detail });
			return [];
		}
		return [checked];
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
		build: () =>
			source({ name: "edited-items", version: 1 }, () => edited.map((one) => ({ ...one, id: one.item.id }))).to(again),
	};
}

/** Of several verdicts of one check the last. */
const latest = (records: readonly CheckRecord[]): CheckRecord[] => [
	...new Map(records.map((record) => [record.check, record])).values(),
];
