import type { TextReading } from "#benchmarks";
import { type Evidence, grouped, type Passage, retrievalHops, type Task } from "#domain";
import type { Graph } from "#graph";
import { sha256 } from "#store";
import { heldEvidence } from "../stages/picture-of.ts";
import { drawExchange, type Exchange, newNames } from "./exchange.ts";
import { bare, keyOf, namedEntities } from "./named-entities.ts";
import { createRenaming } from "./renaming.ts";
import { type SubstitutionRefusal, substituteInTask } from "./substitute-task.ts";

/** A benchmark in a world where entities have exchanged their names. */
export interface Substitution {
	tasks: Task[];
	refused: { task: string; why: SubstitutionRefusal; detail: string }[];
	exchanges: Exchange[];
	/** A passage of the corpus as it reads there, under another id and document. */
	passage(before: Passage): Passage;
}

/**
 * Exchanges the names of entities of one kind all over a benchmark: what was true of one is true of another, so that who
 * remembers the world or the benchmark answers wrongly, and who reads answers rightly. The same seed gives the same variant.
 */
export async function substituteEntityNames(
	tasks: readonly Task[],
	options: {
		evidence(id: string): Promise<Evidence | undefined>;
		reading: TextReading;
		/** Gives types and other names, where there is one. */
		graph?: Graph | undefined;
		seed: number;
		sameAnswers?: boolean;
	},
): Promise<Substitution> {
	const { graph, seed, sameAnswers = false, reading } = options;
	const ids = new Set(tasks.flatMap(({ chain }) => (chain ? retrievalHops(chain).flatMap((hop) => hop.evidence) : [])));
	const held = (await heldEvidence(options, ids)).filter((one) => one.kind === "passage");
	const texts = new Map(held.map((one) => [one.id, one]));
	const byName = grouped(held, ({ title }) => keyOf(bare(title)));
	// a task that cannot be changed anyway draws nobody in
	const fit = tasks.filter(
		({ chain, images }) =>
			chain && images.length === 0 && retrievalHops(chain).every((hop) => hop.evidence.some((id) => texts.has(id))),
	);
	const known = graph && ((name: string) => knownTo(graph, name));
	const entities = namedEntities(fit, {
		passage: (id) => texts.get(id),
		about: (name) => byName.get(keyOf(name)) ?? [],
		...(known ? { known } : {}),
	});
	const exchanges = drawExchange(entities, { seed });
	const names = newNames(exchanges);
	const renaming = createRenaming(names);
	const coded = (prefix: string, text: string) => `${prefix}-${sha256(`${seed}\u0000${text}`).slice(0, 16)}`;
	const passage = ({ regions: _regions, ...before }: Passage): Passage => {
		const title = renaming.rename(before.title, before.text);
		const text = renaming.rename(before.text, before.title);
		const { attribution } = before.provenance;
		return {
			...before,
			// ids and documents say names too
			id: coded("e", before.id),
			document: coded("d", before.document),
			title,
			text,
			sha256: sha256(text),
			...(before.section === undefined ? {} : { section: renaming.rename(before.section, before.text) }),
			provenance: {
				...before.provenance,
				...(attribution === undefined ? {} : { attribution: `${attribution}; changed: names are exchanged` }),
			},
		};
	};
	const passages = new Map(held.map((before) => [before.id, { before, after: passage(before) }]));
	const context = { names, renaming, passages, reading, sameAnswers, idOf: (id: string) => coded("e", id) };
	const substitution: Substitution = { tasks: [], refused: [], exchanges, passage };
	for (const task of tasks) {
		const made = substituteInTask(task, context);
		if ("task" in made) substitution.tasks.push(made.task);
		else substitution.refused.push({ task: task.id, ...made });
	}
	return substitution;
}

function knownTo(graph: Graph, name: string) {
	const [entity, ...others] = graph.find(name);
	if (!entity || others.length > 0 || entity.kind === "value") return undefined;
	return { aliases: [entity.name, ...entity.aliases], type: entity.types[0] };
}
