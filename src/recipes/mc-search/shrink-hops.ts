import { type Chain, type Hop, Item, questionOf, retrievalHops } from "#domain";
import { reworded } from "../engine/new-item.ts";
import { asDrop, asPiece, defineStage, type Stage, StageFault } from "../engine/stage.ts";
import { redundantHops } from "./have.ts";
import { shrinkChainPrompt } from "./prompts.ts";

const name = "shrunk-chain";

/** Takes the hops out that a look found redundant. The answer stays; a chain that gets too short is dropped. */
export function shrunkChains({ after, leastHops }: { after: string; leastHops: number }): Stage<Item, Item> {
	return defineStage("rewrite", name, 1, {
		params: { after, leastHops },
		calls: [{ role: "editor", each: 0.5, prompt: shrinkChainPrompt.hash }],
		output: Item,
		async run(item, context) {
			const redundant = redundantHops(item, after);
			if (redundant.length === 0) return [asPiece(item)];
			const { chain } = item;
			if (redundant.includes(chain.sink)) return [asDrop("hop_redundant", "its last step is of no use")];
			const left = without(chain, new Set(redundant));
			if (retrievalHops(left).length < leastHops)
				return [asDrop("hop_redundant", `${retrievalHops(left).length} hops are left`)];
			const staying = left.hops.filter(({ modality }) => modality !== "compute");
			const { value } = await context.ask("editor", shrinkChainPrompt, {
				language: item.tags.language,
				question: questionOf(item),
				answer: item.answer.value,
				steps: chain.hops.map(written).join("\n"),
				redundant: redundant.join(", "),
			});
			const asked = new Map(value.steps.map(({ id, subquestion }) => [id, subquestion]));
			if (asked.size !== staying.length || !staying.every(({ id }) => asked.has(id)))
				throw new StageFault(`the steps that stay are ${staying.map(({ id }) => id).join(", ")}, not those given`);
			const hops = left.hops.map((hop) => ({
				...hop,
				question: hop.modality === "compute" ? value.question : (asked.get(hop.id) ?? hop.question),
			}));
			const shrunk = reworded(item, { text: value.question, by: name, why: `without ${redundant.join(", ")}` });
			return [asPiece({ ...shrunk, chain: { ...left, hops } })];
		},
	});
}

const written = ({ id, question, answer }: Hop): string => `${id}: ${question}\n   answer: ${answer.value}`;

/** The chain without some hops: who needed one of them needs what it needed. */
function without({ hops, sink }: Chain, gone: ReadonlySet<string>): Chain {
	const needsOf = (hop: Hop, seen: ReadonlySet<string> = new Set()): Hop["needs"] =>
		hop.needs.flatMap((need) => {
			if (!gone.has(need.hop)) return [need];
			const taken = hops.find(({ id }) => id === need.hop);
			if (!taken || seen.has(need.hop)) return [];
			return needsOf(taken, new Set([...seen, need.hop])).map(({ hop: id }) => ({
				hop: id,
				role: "constraint" as const,
			}));
		});
	const left = hops.filter(({ id }) => !gone.has(id));
	return {
		sink,
		hops: left.map((hop) => {
			const needs = needsOf(hop);
			return { ...hop, needs: needs.filter(({ hop: id }, at) => needs.findIndex((need) => need.hop === id) === at) };
		}),
	};
}
