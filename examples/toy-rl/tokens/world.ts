/**
 * Invented worlds: twelve entities and six relations, and in each world other facts, so that an answer can only be had by
 * looking it up hop after hop. Chance is 1 in 12.
 */
import { Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { createFactBase, type Fact } from "./fact-base.ts";

export const entities = [
	"Arvel",
	"Bonta",
	"Cresk",
	"Dulmo",
	"Ferin",
	"Gostra",
	"Hileth",
	"Jurno",
	"Kelva",
	"Lombar",
	"Mirsk",
	"Norda",
] as const;
export const relations = ["capital", "founder", "river", "neighbour", "patron", "rival"] as const;

/** One task with the only knowledge that answers it. */
export interface World {
	task: Task;
	knowledge: KnowledgeBase;
	/** The facts of the chain, first hop first. */
	chain: Fact[];
}

/** Share of chains of three hops; the others have four (MMhops' bridging questions). */
const threeHops = 0.708;
/** Share of facts that a search finds. */
const recall = 0.95;

/** A world of its own, with a task in it. */
export function drawWorld(id: string, random: () => number): World {
	const facts = entities.flatMap((entity) =>
		relations.map((relation): Fact => {
			const value = pick(
				entities.filter((other) => other !== entity),
				random,
			);
			return { id: `${entity}/${relation}`, entity, relation, value, found: random() < recall };
		}),
	);
	const hops = random() < threeHops ? 3 : 4;
	const chain = drawChain(facts, { hops, random });
	return { task: taskOf(id, chain), knowledge: createFactBase(facts), chain };
}

/** No entity comes twice in a chain: an answer given before its end is wrong. */
function drawChain(facts: readonly Fact[], { hops, random }: { hops: number; random: () => number }): Fact[] {
	for (;;) {
		const chain: Fact[] = [];
		let entity: string = pick(entities, random);
		while (chain.length < hops) {
			const open = facts.filter(
				(fact) => fact.entity === entity && chain.every(({ relation }) => relation !== fact.relation),
			);
			const next = pick(open, random);
			chain.push(next);
			entity = next.value;
		}
		if (new Set([chain[0]?.entity, ...chain.map(({ value }) => value)]).size === hops + 1) return chain;
	}
}

function taskOf(id: string, chain: readonly Fact[]): Task {
	const answer = (value: string) => ({ type: "string", value, accepted: [value] });
	return Task.parse({
		id,
		question: [chain[0]?.entity, ...chain.map(({ relation }) => relation)].join(" "),
		answer: answer(chain.at(-1)?.value ?? ""),
		chain: {
			hops: chain.map(({ id: evidence, entity, relation, value }, at) => ({
				id: `hop-${at + 1}`,
				question: `${entity} ${relation}`,
				modality: "text",
				evidence: [evidence],
				answer: answer(value),
				needs: at === 0 ? [] : [{ hop: `hop-${at}`, role: "bridge" }],
			})),
			sink: `hop-${chain.length}`,
		},
		tags: { language: "en" },
	});
}

export const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T;
