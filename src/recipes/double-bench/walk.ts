import { z } from "zod";
import type { Item } from "#domain";
import { createGraph, type Graph, type GraphStep } from "#graph";
import {
	asDrop,
	asPiece,
	defineStage,
	type Piece,
	type Stage,
	type StageContext,
	StageFault,
} from "../engine/stage.ts";
import type { Document } from "./document.ts";
import type { DocumentGraph } from "./document-graph.ts";
import { chooseRelationPrompt, inferIntentPrompt } from "./prompts.ts";

const Ends = z.object({ id: z.string(), name: z.string(), names: z.array(z.string()) });

/** One step of a walk: from an entity along a relation to the next. */
export const WalkStep = z.object({
	triple: z.string(),
	relation: z.string(),
	/** Whether the walk goes from the relation's subject to its object. */
	forward: z.boolean(),
	from: Ends,
	to: Ends,
	/** Pages that state it. */
	pages: z.array(z.string()),
	/** Things that the relation leads to from here; 1: it determines its target. */
	targets: z.number().int(),
});
export type WalkStep = z.infer<typeof WalkStep>;

/** What an item keeps of its walk. */
export const Walk = z.object({
	document: z.string(),
	/** Hash of the graph that is walked. */
	graph: z.string(),
	intent: z.string(),
	steps: z.array(WalkStep),
});
export type Walk = z.infer<typeof Walk>;

export const walkOf = (item: Item): Walk => Walk.parse(item.notes.walk);

/** What an item that another recipe made, or nobody, lacks for its walk to be looked at. */
export const lacksWalk = ({ notes }: Item): string | undefined =>
	notes.walk === undefined ? "it notes no walk along a document's graph" : undefined;

/** An entity to begin at, with what a reader wants to know of it. */
export const WalkStart = z.object({
	id: z.string(),
	document: z.string(),
	graph: z.string(),
	entity: Ends,
	intent: z.string().default(""),
});
export type WalkStart = z.infer<typeof WalkStart>;

/** A proposal for the next hop. */
export const WalkProposal = WalkStep.extend({ id: z.string() });

/** Where walks begin. */
interface Starting {
	/** Edges that a first entity has at least. */
	leastDegree: number;
	/** So many entities with the most edges are passed over: everything has to do with them. */
	skipHighest: number;
	walksPerDocument: number;
}

/** How walks go on. */
export interface Walking {
	/** Edges that an entity on the way has at least. */
	leastNeighbourDegree: number;
	/** Facts that are put before the model. */
	candidates: number;
	/** Things that a relation may lead to. */
	mostTargets: number;
}

/** The graphs that are walked, by document. They are put in by a free stage, which runs again on every resume. */
export type OpenGraphs = Map<string, { document: Document; graph: Graph; hash: string }>;

/** Entities to begin at, those with the most edges first. */
export function walkStarts(graphs: OpenGraphs, starting: Starting): Stage<DocumentGraph, WalkStart> {
	const { leastDegree, skipHighest, walksPerDocument } = starting;
	return defineStage("expand", "walk-starts", 1, {
		params: { leastDegree, skipHighest, walksPerDocument },
		yields: walksPerDocument,
		output: WalkStart,
		run({ document, hash, ...data }) {
			const graph = createGraph(data);
			graphs.set(document.id, { document, graph, hash });
			const hubs = [...graph.entities.values()]
				.filter(({ id, kind }) => kind === "entity" && graph.degree(id) >= leastDegree)
				.sort((a, b) => graph.degree(b.id) - graph.degree(a.id))
				.slice(skipHighest, skipHighest + walksPerDocument);
			if (hubs.length === 0) return [asDrop("dead_end", `no entity of ${leastDegree} edges`)];
			return hubs.map((entity) =>
				asPiece({
					id: `${document.id}/${entity.id}`,
					document: document.id,
					graph: hash,
					entity: endOf(entity),
					intent: "",
				}),
			);
		},
	});
}

const endOf = ({ id, name, aliases }: { id: string; name: string; aliases: string[] }) => ({
	id,
	name,
	names: [name, ...aliases],
});

/** What a reader wants to know who begins there. */
export function walkIntent(graphs: OpenGraphs): Stage<WalkStart, WalkStart> {
	return defineStage("extract", "walk-intent", 1, {
		calls: [{ role: "generator", each: 1, prompt: inferIntentPrompt.hash }],
		output: WalkStart,
		async run(start, context) {
			const { document, graph } = openOf(graphs, start.document);
			const facts = graph.strongest(start.entity.id, 20).map(factOf).join("\n");
			const values = { language: document.language, entity: start.entity.name, summary: document.summary, facts };
			const { value } = await context.ask("generator", inferIntentPrompt, values);
			return [asPiece({ ...start, intent: value.intent })];
		},
	});
}

export function openOf(graphs: OpenGraphs, document: string) {
	const open = graphs.get(document);
	if (!open) throw new StageFault(`the graph of ${document} was not read`);
	return open;
}

/** Subject, relation, object. */
const factOf = ({ triple, forward, from, to }: GraphStep): string =>
	[forward ? from.name : to.name, triple.relation, forward ? to.name : from.name].join(" | ");

/**
 * The step that serves the intent best, among relations that lead to few things from here (fewest first, then those that
 * determine their ends most often); undefined where there is none or the model wants none. Nothing that was visited is
 * visited again.
 */
export async function chooseStep(
	walk: { document: string; at: string; intent: string; visited: ReadonlySet<string> },
	context: StageContext,
	options: { graphs: OpenGraphs; walking: Walking },
): Promise<WalkStep | undefined> {
	const { document, at, intent, visited } = walk;
	const { graphs, walking } = options;
	const { graph, document: read } = openOf(graphs, document);
	const targetsOf = ({ triple, forward }: GraphStep) => graph.targets(at, triple.relation, forward ? "out" : "in");
	const determines = ({ triple, forward }: GraphStep) => {
		const { functionality = 0, inverse = 0 } = graph.functionality(triple.relation) ?? {};
		return forward ? functionality : inverse;
	};
	const fit = graph
		.neighbours(at)
		.filter((step) => !visited.has(step.to.id) && graph.degree(step.to.id) >= walking.leastNeighbourDegree)
		.filter((step) => targetsOf(step) <= walking.mostTargets);
	const candidates = context
		.random(document, at, visited.size)
		.shuffle(fit)
		.sort((a, b) => targetsOf(a) - targetsOf(b) || determines(b) - determines(a))
		.slice(0, walking.candidates);
	if (candidates.length === 0) return undefined;
	const entity = candidates[0]?.from.name ?? "";
	const listed = candidates.map((step, index) => `${index}. ${factOf(step)}`).join("\n");
	const { value } = await context.ask("generator", chooseRelationPrompt, { entity, intent, candidates: listed });
	if (value.selected_index === null) return undefined;
	const chosen = candidates[value.selected_index];
	if (!chosen) throw new StageFault(`there is no candidate ${value.selected_index} among ${candidates.length}`);
	return stepOf(chosen, { targets: targetsOf(chosen), document: read });
}

function stepOf(
	{ triple, forward, from, to }: GraphStep,
	{ targets, document }: { targets: number; document: Document },
): WalkStep {
	const places = new Set(triple.statements.flatMap(({ pages = [] }) => pages));
	const pages = document.pages.filter(({ page }) => places.has(page)).map(({ id }) => id);
	return { triple: triple.id, relation: triple.relation, forward, from: endOf(from), to: endOf(to), pages, targets };
}

/** The fact that a step goes along, as words. */
export const factOfStep = ({ from, relation, to, forward }: WalkStep): string =>
	[forward ? from.name : to.name, relation, forward ? to.name : from.name].join(" | ");

export type WalkProposal = z.infer<typeof WalkProposal> & Piece;
