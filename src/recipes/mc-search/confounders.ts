import { retrievalHops } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { type Asked, StageFault } from "../engine/stage.ts";
import { findConfoundersPrompt } from "./prompts.ts";
import { shownEvidence } from "./shown-cluster.ts";
import { clusterOf, lacksCluster } from "./topologies.ts";

/** Nothing of the cluster that the chain leaves unused settles one of its steps by itself. */
export function noConfounders({ knowledge }: { knowledge: Pick<KnowledgeBase, "evidence" | "file"> }): Check {
	return defineCheck("check", "no-confounders", 1, {
		calls: [{ role: "judge", each: 4, prompt: findConfoundersPrompt.hash }],
		lacks: lacksCluster,
		async look(item, context) {
			const { texts, images } = clusterOf(item);
			const hops = retrievalHops(item.chain);
			const used = new Set(hops.flatMap(({ evidence }) => evidence));
			const unused = [...texts, ...images].filter((id) => !used.has(id));
			if (unused.length === 0) return pass({ detail: "the chain uses the whole cluster" });
			const shown = await shownEvidence(unused, { knowledge });
			const asked: Asked<unknown>[] = [];
			for (const { id, question, answer } of hops) {
				const values = { question, answer: answer.value, texts: shown.texts, images: shown.images };
				const reply = await context.ask("judge", findConfoundersPrompt, values, { images: shown.pictures });
				asked.push(reply);
				const { resolving } = reply.value;
				const foreign = resolving.find((one) => !unused.includes(one));
				if (foreign !== undefined) throw new StageFault(`judge: ${foreign} was not shown`);
				if (resolving.length > 0)
					return fail("confounder", `${resolving.join(", ")} settles ${id}`, { ...askedOf(...asked), on: { hop: id } });
			}
			return pass(askedOf(...asked));
		},
	});
}
