import { type Hop, identifyingHops, inDependencyOrder, type ToolCall } from "#domain";
import type { Agent } from "../agent.ts";
import { createRecorder, recorded } from "../driver/recorder.ts";

/**
 * Replays the gold chain as if an agent had walked it: one search per retrieving hop, in dependency order, that brings
 * back the hop's first acceptable evidence; then the accepted answer. It searches nothing. It tests the scorer: hit per
 * step 1, rollout deviation 0, accuracy 1.
 */
export const goldReplay: Agent = {
	name: "gold-replay",
	version: "1",
	summary: "Replays the gold chain as a trajectory: tests the scoring, needs no model.",
	reference: "replays the gold chain: checks the scorer",
	needs: { model: "none", gold: true },
	settings: { default: {} },
	card: {
		messages: "none",
		budget: "one step for each gold hop",
		reports: "hit per step 1, rollout deviation 0, accuracy 1, if the scoring is right",
		mostCalls: () => 0,
	},
	async answer(_view, context) {
		const { gold, setting, signal, tools } = context;
		const recorder = createRecorder(tools, { signal });
		return recorded(recorder, signal, async () => {
			signal.throwIfAborted();
			if (!gold) throw new Error("gold-replay was not given the task's gold chain");
			const identifies = identifyingHops(gold);
			for (const hop of gold.chain ? inDependencyOrder(gold.chain) : []) {
				const [evidence] = hop.evidence;
				const call = evidence === undefined ? undefined : callOf(hop, identifies.get(hop.id), setting.k);
				recorder.note({
					subQuestion: hop.question,
					...(call ? { call } : {}),
					results: evidence === undefined ? [] : [{ id: evidence, score: 1, rank: 1 }],
					subAnswer: hop.answer.value,
				});
			}
			if (gold.answer.type === "none") return recorder.finish({ answer: null, stop: "answered", abstained: true });
			return recorder.finish({ answer: gold.answer.value, stop: "answered" });
		});
	},
};

/** The search that would find a hop's evidence, by the hop's modality. */
function callOf(hop: Hop, image: number | undefined, k: number): ToolCall {
	if (image !== undefined) return { tool: "image_search_by_image", arguments: { image, k }, valid: true };
	const tool =
		hop.modality === "image" ? "image_search_by_text" : hop.modality === "page" ? "page_search" : "text_search";
	return { tool, arguments: { query: hop.question, k }, valid: true };
}
