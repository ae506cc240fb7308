import type { Statement } from "#domain";
import { byCodeUnits } from "#domain";
import { type Asked, askedBy } from "./asked.ts";
import type { Graph, GraphStep } from "./graph.ts";
import type { Link } from "./linker.ts";
import { relationKey } from "./relations.ts";

/** One evidence that a graph search found. */
export interface GraphHit {
	evidenceId: string;
	/** Above 0, at most 1; comparable within one search. */
	score: number;
	/** From an entity that the query names to the edge that the evidence states, that edge last. */
	path: GraphStep[];
	/** The statement of that edge in this evidence. */
	statement: Statement;
}

export interface GraphQuery {
	text: string;
	/** Evidence wanted. */
	k: number;
	/** Edges from a named entity: 1 to 3, 3 by default. */
	hops?: number;
	/** Evidence for which it is false is passed over, e.g. of another kind than is asked for. */
	accept?: (evidenceId: string) => boolean;
}

/** Bounds of the search: starts, edges of a start and of a later place, places gone on from, edges that are weighed. */
const mostStarts = 24;
const mostEdges = 5000;
const mostEdgesOn = 300;
const beam = 64;
const mostWays = 1000;
/** Places that state one edge: more of them cannot all be wanted. */
const mostStatements = 200;

/** What a further hop leaves of the score, and a further place that states the same edge. */
const perHop = 0.9;
const again = 0.5;

/** What an edge's score is made of. */
const shares = { base: 0.2, relation: 0.35, named: 0.2, quote: 0.15, type: 0.1 };

/** Below six digits scores differ between processors. */
const rounded = (score: number) => Math.round(score * 1e6) / 1e6;

/** Where the search goes on from: a named entity, or the end of a way. */
interface Place {
	id: string;
	way?: Way;
	/** Score of what leads here. */
	reach: number;
}

/** A way from a named entity, scored without the words of its last quote. */
interface Way {
	before: Way | undefined;
	step: GraphStep;
	reach: number;
	/** Of the last edge itself. */
	edge: number;
}

/**
 * Evidence of the edges around the entities that the query names, best first, ties by evidence id. An edge scores by how
 * many of its relation's words the query holds, by how far the relation determines its target, by the types and the
 * quote's words that the query asks for, and by its distance. The same graph and query give the same list.
 */
export function graphSearch(graph: Graph, query: GraphQuery): GraphHit[] {
	const links = graph.link(query.text).slice(0, mostStarts);
	const about = { asked: askedBy(query.text, links), named: new Set(links.map((link) => link.entity.id)) };
	const best = new Map<string, GraphHit>();
	let places: Place[] = links.map((link) => ({ id: link.entity.id, reach: startWeight(link) }));
	for (let hop = 1; hop <= Math.min(Math.max(query.hops ?? 3, 1), 3); hop += 1) {
		const ways = places.flatMap((place) => waysFrom(graph, place, about));
		ways.sort((a, b) => b.reach * b.edge - a.reach * a.edge || byCodeUnits(a.step.triple.id, b.step.triple.id));
		for (const way of ways.slice(0, mostWays)) collect(best, way, about.asked, query.accept);
		places = goOn(graph, ways);
	}
	return [...best.values()]
		.sort((a, b) => b.score - a.score || byCodeUnits(a.evidenceId, b.evidenceId))
		.slice(0, Math.max(0, Math.floor(query.k)));
}

/** A path as a line: `Solaris –directed by→ Andrei Tarkovsky –born in→ Zavrazhye`. */
export function pathText(path: GraphStep[]): string {
	const [first] = path;
	if (!first) return "";
	const names = path.map(({ triple, forward, to }) => {
		const arrow = !triple.directed ? `–${triple.relation}–` : forward ? `–${triple.relation}→` : `←${triple.relation}–`;
		return `${arrow} ${to.name}`;
	});
	return [first.from.name, ...names].join(" ");
}

const startWeight = ({ weight, words }: Link) => weight * (1 - 0.5 ** words.split(" ").length);

/** Every edge from a place that leads nowhere where its way has been. */
function waysFrom(graph: Graph, { id, way, reach }: Place, about: { asked: Asked; named: Set<string> }): Way[] {
	const visited = new Set(way ? pathOf(way).flatMap(({ from, to }) => [from.id, to.id]) : [id]);
	const relations = new Map<string, { worded: number; determined: number }>();
	const ways: Way[] = [];
	for (const step of graph.strongest(id, way ? mostEdgesOn : mostEdges)) {
		if (visited.has(step.to.id)) continue;
		const { triple, forward } = step;
		const kind = `${forward} ${triple.relation}`;
		let relation = relations.get(kind);
		if (!relation) {
			const wordings = [triple.relation, ...(triple.wordings ?? [])];
			const worded = turnsBack(way, step)
				? 0
				: Math.max(...wordings.map((one) => about.asked.share(one, { keep: true })));
			const targets = graph.targets(id, triple.relation, forward ? "out" : "in");
			relation = { worded, determined: 1 / Math.sqrt(Math.max(1, targets)) };
			relations.set(kind, relation);
		}
		ways.push({ before: way, step, reach, edge: edgeScore(step, relation, about) });
	}
	return ways;
}

function edgeScore(
	{ to }: GraphStep,
	{ worded, determined }: { worded: number; determined: number },
	{ asked, named }: { asked: Asked; named: Set<string> },
): number {
	const typed = Math.max(0, ...to.types.map((type) => asked.share(type, { keep: true })));
	const isNamed = named.has(to.id);
	const met = shares.base + shares.relation * worded + shares.type * typed + (isNamed ? shares.named : 0);
	// an edge between two named entities is what the question is about, however many targets the relation has
	return met * (isNamed ? 1 : 0.25 + 0.75 * determined);
}

/** From where he died to who else died there: the question's word was for the way there, not for the way back. */
function turnsBack(way: Way | undefined, { triple, forward }: GraphStep): boolean {
	const key = relationKey(triple.relation);
	for (let at = way; at; at = at.before)
		if (at.step.forward !== forward && relationKey(at.step.triple.relation) === key) return true;
	return false;
}

/**
 * Keeps for each evidence its best statement; equal scores keep the shorter path, then the one of smaller ids. Of an
 * edge that many places state, each further one counts less: what another edge says is worth more than the same again.
 */
function collect(best: Map<string, GraphHit>, way: Way, asked: Asked, accept: GraphQuery["accept"]): void {
	const { reach, edge, step } = way;
	const ranked = step.triple.statements
		.filter(({ evidence }) => accept?.(evidence) ?? true)
		.slice(0, mostStatements)
		.map((statement) => ({ statement, share: edge + shares.quote * asked.share(statement.quote ?? "") }))
		.sort((a, b) => b.share - a.share || byCodeUnits(a.statement.evidence, b.statement.evidence));
	for (const [at, { statement, share }] of ranked.entries()) {
		const score = rounded(reach * Math.min(1, share) * again ** at);
		const before = best.get(statement.evidence);
		if (score <= 0 || (before && before.score > score)) continue;
		const hit = { evidenceId: statement.evidence, score, path: pathOf(way), statement };
		if (!before || before.score < score || precedes(hit, before)) best.set(statement.evidence, hit);
	}
}

function pathOf(way: Way): GraphStep[] {
	const path: GraphStep[] = [];
	for (let at: Way | undefined = way; at; at = at.before) path.push(at.step);
	return path.reverse();
}

function precedes(a: GraphHit, b: GraphHit): boolean {
	return a.path.length !== b.path.length ? a.path.length < b.path.length : idsOf(a) < idsOf(b);
}

const idsOf = ({ path }: GraphHit) => path.map(({ triple }) => triple.id).join(" ");

/** The best places to go on from: entities, not values, each once, by its best way. `ways` come best first. */
function goOn(graph: Graph, ways: Way[]): Place[] {
	const places = new Map<string, Place>();
	for (const way of ways) {
		const { to } = way.step;
		if (to.kind === "value") continue;
		// what everything touches joins nothing in particular
		const damp = 1 / (1 + Math.log10(Math.max(1, graph.degree(to.id) / 4)));
		const reach = rounded(way.reach * Math.sqrt(way.edge) * perHop * damp);
		if ((places.get(to.id)?.reach ?? -1) < reach) places.set(to.id, { id: to.id, way, reach });
	}
	return [...places.values()].sort((a, b) => b.reach - a.reach || byCodeUnits(a.id, b.id)).slice(0, beam);
}
