import { z } from "zod";
import type { CheckRecord, Item, QuestionVersion } from "#domain";
import { aboutOf, type Check } from "../engine/check.ts";
import { reworded } from "../engine/new-item.ts";
import { type Again, failedLast, recheck } from "../engine/recheck.ts";
import type { Recipe } from "../engine/recipe.ts";
import type { Settled } from "./settle.ts";

/** An item that reviewers changed, with the verdicts that held until then. */
interface Edited {
	item: Item;
	stale: CheckRecord[];
}

/** What reviews made of the items. */
export interface Applied {
	/** Retained as they were. */
	retained: Item[];
	/** Changed by reviewers: they are accepted once the checks that are void now have passed again. */
	edited: Edited[];
	discarded: Item[];
	/** Waiting for reviews, or in conflict. */
	open: Item[];
}

/** Carries settled reviews over to the items. Nothing is accepted that nobody has settled. */
export function applyReviews(items: readonly Item[], settled: readonly Settled[]): Applied {
	const byItem = new Map(settled.map((one) => [one.item, one]));
	const applied: Applied = { retained: [], edited: [], discarded: [], open: [] };
	for (const item of items) {
		const one = byItem.get(item.id);
		if (one?.state === "retain") applied.retained.push(item);
		else if (one?.state === "discard") applied.discarded.push(item);
		else if (one?.state === "edit") {
			// verdicts on earlier wordings were void before, and the item was accepted without them
			const about = aboutOf(item);
			applied.edited.push({ item: editedBy(item, one), stale: item.checks.filter((check) => check.about === about) });
		} else applied.open.push(item);
	}
	return applied;
}

function editedBy(item: Item, { edits, reviews }: Settled): Item {
	const reviewers = [...new Set(reviews.filter((one) => one.decision === "edit").map(({ reviewer }) => reviewer))];
	const why: QuestionVersion["why"] = reviews.flatMap(({ reasons }) => reasons)[0];
	const by = `review: ${reviewers.sort().join(", ")}`;
	const changed = edits?.question ? reworded(item, { text: edits.question, by, ...(why ? { why } : {}) }) : item;
	const accepted = edits?.accepted;
	if (!accepted) return changed;
	// the answer itself stays the gold one: reviewers add and take away other forms of it
	const answer = { ...changed.answer, accepted: [...new Set([changed.answer.value, ...accepted])] };
	const hops = changed.chain.hops.map((hop) => (hop.id === changed.chain.sink ? { ...hop, answer } : hop));
	return { ...changed, answer, chain: { ...changed.chain, hops } };
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
