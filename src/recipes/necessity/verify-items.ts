import { z } from "zod";
import type { CheckRecord, Item } from "#domain";
import type { ChatModel } from "#models";
import { checkStage } from "../engine/check.ts";
import { byItem, source } from "../engine/flow.ts";
import type { Recipe, RecipeInputs } from "../engine/recipe.ts";
import { runBuild } from "../engine/run-recipe.ts";
import { closedBook, everything, withoutOne } from "../probes/conditions.ts";
import { probe } from "../probes/probe.ts";
import type { ProbeSources } from "../probes/view.ts";
import { neededByRule } from "./needed-by-rule.ts";

/**
 * The templates' own look at what a chain needs: a solver is wrong with the question alone, right with all evidence, and wrong
 * without any one hop's.
 */
export const necessityProbes = (sources: ProbeSources) => [
	probe({ name: "closed-book", given: closedBook(), expect: "wrong", reason: "closed_book" }, sources),
	probe({ name: "solvable", given: everything(), expect: "right", reason: "not_solvable" }, sources),
	probe({ name: "every-hop-needed", given: withoutOne("hop"), expect: "wrong", reason: "hop_skippable" }, sources),
];

/**
 * Items with a look at whether every hop of their chains is needed: by a model that answers with and without the evidence of
 * each, or, without a model, by words. Where one look finds a fault no further is taken. Replies are kept in `dir` as a build's are.
 */
export async function verifyItems(
	items: readonly Item[],
	sources: ProbeSources,
	{
		model,
		dir,
		signal,
		onProgress,
	}: {
		model?: ChatModel | undefined;
		dir: string;
		signal?: AbortSignal | undefined;
		onProgress?: (looked: number) => void;
	},
): Promise<Item[]> {
	const looks = (model ? necessityProbes(sources) : [neededByRule(sources)]).map((check) =>
		checkStage(check, { missing: "skipped" }),
	);
	const found = new Map<string, CheckRecord[]>();
	const looking = byItem<Item, Item>(looks, async (item, engine) => {
		const records: CheckRecord[] = [];
		for (const look of looks) {
			const [record] = await engine.perform(look, item);
			if (record) records.push(record);
			if (record?.verdict !== "pass") break;
		}
		found.set(item.id, records);
		onProgress?.(found.size);
		return [];
	});
	const verifying: Recipe = {
		name: "verify",
		version: "1",
		title: "Verify",
		description: "Whether every hop is needed.",
		paper: "",
		params: z.object({}),
		roles: { solver: { does: "answers with and without the evidence of each hop", optional: true } },
		needs: [],
		build: () => source({ name: "tasks", version: 1 }, () => [...items]).to(looking),
	};
	// what its looks read they hold themselves
	await runBuild(verifying, {} as RecipeInputs, dir, { models: model ? { solver: model } : {}, signal });
	return items.map((item) => ({ ...item, checks: [...item.checks, ...(found.get(item.id) ?? [])] }));
}
