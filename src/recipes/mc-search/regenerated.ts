import { z } from "zod";
import { Item, topologyOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type Estimate, spearman } from "#scoring";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import type { Cluster } from "./cluster.ts";
import { type Asking, askForChain, chainOfReply, ungrounded } from "./generate-chain.ts";
import { generateChainPrompt, scoreChainPrompt } from "./prompts.ts";
import { qualityOf, scoredChain } from "./quality.ts";
import { clusterOf, isShape } from "./topologies.ts";

/** How another model's chain over the same cluster, in the same shape, was scored beside ours. */
const Regenerated = z.object({
	model: z.string(),
	/** Means of the judge's scores. */
	ours: z.number(),
	theirs: z.number().nullable(),
	/** Why theirs could not be scored. */
	problem: z.string().nullable(),
});

/**
 * Has another model make the chain anew for a drawn share of the items, and the same judge score it. What came of it is
 * noted on the item; `regenerationAgreement` says over all of them whether both rank alike.
 */
export function regenerated(
	options: Asking & { knowledge: Pick<KnowledgeBase, "evidence" | "file">; share: number },
): Stage<Item, Item> {
	const { knowledge, hops, compound, answers, share } = options;
	const asking = { hops, compound, answers };
	return defineStage("annotate", "regenerated", 2, {
		params: { ...asking, share },
		calls: [
			{ role: "regenerator", optional: true, each: share, prompt: generateChainPrompt.hash },
			{ role: "judge", each: share, prompt: scoreChainPrompt.hash },
		],
		output: Item,
		async run(item, context) {
			const ours = qualityOf(item);
			const drawn = context.random(item.id).next() < share;
			if (!drawn || ours === undefined || !context.has("regenerator")) return [asPiece(item)];
			const { topology, ...ids } = clusterOf(item);
			const { language } = item.tags;
			const cluster: Cluster = { ...ids, title: "", language, source: item.source, rights: item.rights, hash: "" };
			const task = { id: item.id, cluster, topology };
			const { value: reply, model } = await askForChain(task, context, {
				...asking,
				knowledge,
				role: "regenerator",
			});
			const note = (theirs: number | null, problem: string | null) =>
				asPiece({ ...item, notes: { ...item.notes, regenerated: { model, ours, theirs, problem } } });
			if ("declined" in reply) return [note(null, reply.declined)];
			const made = chainOfReply(reply);
			const other = topologyOf(made.chain);
			const problem = ungrounded(reply, task) ?? (isShape(other, topology, asking) ? undefined : `made ${other}`);
			if (problem) return [note(null, problem)];
			const questions = [{ text: reply.question, by: model }];
			const { mean } = await scoredChain({ ...made, questions }, context, { knowledge });
			return [note(mean, null)];
		},
	});
}

/** Says so on the data card, where anything was made anew. */
export function regenerationRemarks(items: readonly Pick<Item, "notes">[]): string[] {
	const noted = items.filter(({ notes }) => notes.regenerated !== undefined);
	if (noted.length === 0) return [];
	const { value, low, high, n, failed } = regenerationAgreement(noted);
	const range = low === null || high === null ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
	const rho = value === null ? "cannot be told" : `is ${value.toFixed(2)}${range}`;
	const lost = failed > 0 ? `; ${failed} more could not be scored` : "";
	return [`Another model made ${n} chains anew: the rank correlation of both scores ${rho}${lost}.`];
}

/** Spearman's correlation of our scores and the other model's, over the items that were made anew. */
export function regenerationAgreement(items: Iterable<Pick<Item, "notes">>): Estimate & { failed: number } {
	const ours: number[] = [];
	const theirs: number[] = [];
	let failed = 0;
	for (const { notes } of items) {
		const parsed = Regenerated.safeParse(notes.regenerated);
		if (!parsed.success) continue;
		if (parsed.data.theirs === null) failed += 1;
		else {
			ours.push(parsed.data.ours);
			theirs.push(parsed.data.theirs);
		}
	}
	return { ...spearman(ours, theirs), failed };
}
