import type { Evidence, Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { Agent } from "./agent.ts";
import { askModel, promptHash } from "./ask-model.ts";
import { solve } from "./extractive/solve.ts";
import { identifyingHops, inDependencyOrder } from "./gold.ts";
import { createPool } from "./pool.ts";
import { createRecorder, recorded } from "./recorder.ts";

/** How many acceptable evidences of one hop are handed over: any one would do. */
const handedPerHop = 8;

/**
 * The gold evidence of all hops is handed to the reader, which then answers: the model when there is one, else the
 * extractive agent's own decomposition and reader over nothing but that evidence. It separates reading from searching.
 * It searches nothing, so its steps carry no call: it is no retrieval agent, its hit per step is 0 by construction and
 * says nothing. Sub-questions are the reader's own, not the gold ones.
 */
export const oracle: Agent = {
	name: "oracle",
	version: "1",
	summary: "Reads the gold evidence of all hops and answers: what is left to gain from better search.",
	paper: "MC-Search: golden F1",
	reference: "is handed the gold evidence",
	needs: { model: "optional", gold: true },
	promptHash,
	async answer(view, context) {
		const { gold, knowledge, model, setting, signal, tools } = context;
		const outer = createRecorder(tools, { signal, handed: true });
		return recorded(outer, signal, async () => {
			signal.throwIfAborted();
			if (!gold) throw new Error("oracle was not given the task's gold chain");
			const { evidence, images } = await goldEvidence(gold, knowledge);
			if (model) return askModel(view, context, { model, evidence });
			const recorder = createRecorder(createPool(evidence, { images }), { signal, handed: true });
			return recorded(recorder, signal, () => solve(view, recorder, { setting }));
		});
	},
};

async function goldEvidence(gold: Task, knowledge: KnowledgeBase) {
	const evidence = new Map<string, Evidence>();
	const images: Evidence[][] = gold.images.map(() => []);
	const identifies = gold.chain ? identifyingHops(gold) : new Map<string, number>();
	for (const hop of gold.chain ? inDependencyOrder(gold.chain) : []) {
		for (const id of hop.evidence.slice(0, handedPerHop)) {
			const found = await knowledge.evidence(id);
			if (!found) continue;
			evidence.set(id, found);
			const image = identifies.get(hop.id);
			if (image !== undefined && found.kind === "image") images[image]?.push(found);
		}
	}
	return { evidence: [...evidence.values()], images };
}
