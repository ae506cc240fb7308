import { z } from "zod";
import { type Item, itemOf, questionOf, type Task } from "#domain";
import type { ChatModel } from "#models";
import { checkStage } from "../engine/check.ts";
import { byItem, source } from "../engine/flow.ts";
import type { Recipe, RecipeInputs } from "../engine/recipe.ts";
import { runBuild } from "../engine/run-recipe.ts";
import { probe } from "../probes/probe.ts";
import type { Condition, ProbeSources } from "../probes/view.ts";
import { heldEvidence } from "../stages/picture-of.ts";

/** What a solver made of the distractors of each task alone. */
export interface DistractorsProbed {
	/** Tasks answered right without any gold evidence. */
	answered: string[];
	declined: string[];
	/** Could not be shown or asked: neither. */
	skipped: { task: string; why: string }[];
	faults: string[];
}

/** Shows a solver the distractors without the gold evidence: it must not come to the right answer. */
export async function probeDistractors(
	tasks: readonly Task[],
	distractors: ReadonlyMap<string, readonly string[]>,
	options: {
		solver: ChatModel;
		sources: ProbeSources;
		dir: string;
		samples?: number;
		signal?: AbortSignal | undefined;
	},
): Promise<DistractorsProbed> {
	const { solver, sources, dir, samples = 1, signal } = options;
	const given: Condition = {
		name: "handed-out-distractors",
		expected: 1,
		async views(item, { evidence, picture }) {
			const found = await heldEvidence({ evidence }, distractors.get(item.id) ?? []);
			const images = await Promise.all(item.images.map((image) => picture?.({ image })));
			const shown = images.flatMap((one) => one ?? []);
			if (shown.length < images.length) return { lacking: "the question's image cannot be shown" };
			const question = questionOf(item);
			return [
				{
					condition: "distractors only",
					question,
					gold: item.answer,
					images: shown,
					evidence: found,
				},
			];
		},
	};
	const check = probe({ name: "distractors-only", given, expect: "wrong", reason: "confounder", samples }, sources);
	const probed: DistractorsProbed = { answered: [], declined: [], skipped: [], faults: [] };
	const stage = checkStage(check);
	const looking = byItem<Item, Item>([stage], async (item, engine) => {
		const [record] = await engine.perform(stage, item);
		if (!record) probed.faults.push(item.id);
		else if (record.verdict === "fail") probed.answered.push(item.id);
		else if (record.verdict === "pass") probed.declined.push(item.id);
		else probed.skipped.push({ task: item.id, why: record.detail ?? "" });
		return [];
	});
	const probing: Recipe = {
		name: "distractors",
		version: "1",
		title: "Distractors",
		description: "Distractors shown alone.",
		paper: "",
		params: z.object({}),
		roles: { solver: { does: "answers from the distractors alone" } },
		needs: [],
		build: () => source({ name: "tasks", version: 1 }, () => tasks.map((task) => itemOf(task))).to(looking),
	};
	await runBuild(probing, {} as RecipeInputs, dir, { models: { solver }, signal });
	return probed;
}
