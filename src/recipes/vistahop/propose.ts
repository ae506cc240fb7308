import type { KnowledgeBase } from "#knowledge";
import { mentionsAny } from "#scoring";
import type { Edge, Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import { each, type Flow } from "../engine/flow.ts";
import { asDrop, asPiece, defineStage, type Outcome, type Stage } from "../engine/stage.ts";
import { lastOf, linesOf, Proposals, type Step, type Walk } from "./chain.ts";
import { pickNeighboursPrompt, rateFamiliarityPrompt, type relationCategories, typeEntitiesPrompt } from "./prompts.ts";
import { byNumber, numbered, verifySteps } from "./verify-steps.ts";

export interface ProposalBounds {
	/** Neighbours looked at. */
	pool: number;
	/** Of those, chosen. */
	pick: number;
	/** Confidence that a relation must have. */
	confidence: number;
	/** Familiarity from which on an entity is left out. */
	familiarity: number;
	/** Relation categories that are no hops. */
	refused: readonly (typeof relationCategories)[number][];
	/** Whether a relation must lead to one thing only: a question through any other has several answers. */
	determined: boolean;
	/** Whether statements that have ended are left out. */
	current: boolean;
	/** Hops from which on a value may be the next one: it ends the chain. */
	least: number;
	/** How often a value goes before entities where there are both and the chain is to end. */
	valueEnds: number;
}

interface Sources {
	encyclopedia: Encyclopedia;
	knowledge: Pick<KnowledgeBase, "search" | "manifest">;
}

/** Statements asked for, of which the pool is what may serve. */
const mostAsked = 300;
/** Results among which evidence of a statement from outside the corpus is looked for. */
const mostSearched = 10;

/** The proposals for a walk's next hop: neighbours, only concrete ones, a choice of them, verified, obscure, ranked. */
export function propose(sources: Sources, bounds: ProposalBounds): Flow<Walk, Proposals> {
	return each(neighbours(sources, bounds))
		.to(concrete())
		.to(picked(bounds))
		.to(related(bounds))
		.to(unfamiliar(sources.encyclopedia, bounds));
}

type Way = Stage<Proposals, Proposals>;

function neighbours(
	{ encyclopedia, knowledge }: Sources,
	{ pool, determined, current, least }: ProposalBounds,
): Stage<Walk, Proposals> {
	return defineStage("expand", "neighbours", 1, {
		output: Proposals,
		params: { pool, determined, current, least, encyclopedia: encyclopedia.id, knowledge: knowledge.manifest.hash },
		async run(walk, { signal }) {
			const from = lastOf(walk);
			const edges = await encyclopedia.neighbours(from.id, { limit: mostAsked, signal });
			const visited = new Set([walk.seed.node.id, ...walk.steps.map(({ to }) => to.id)]);
			const drops: Outcome<Proposals>[] = [];
			const steps: Step[] = [];
			for (const edge of edges) {
				const drop = (reason: "many_valued" | "over_cap" | "time_unanchored" | "lacking_evidence") =>
					drops.push(asDrop(reason, edge.label, `${walk.id}: ${edge.label} ${nameOf(edge)}`));
				if (!("value" in edge.object) && visited.has(edge.object.id)) continue;
				if ("value" in edge.object && walk.steps.length + 1 < least) continue;
				if (determined && edge.values !== 1) drop("many_valued");
				else if (current && edge.during?.to !== undefined) drop("time_unanchored");
				else if (steps.length >= pool) drop("over_cap");
				else {
					const evidence = edge.evidence ?? (await evidenceFor(from.name, edge, knowledge));
					if (evidence.length === 0) drop("lacking_evidence");
					else steps.push(stepOf(edge, { evidence, among: edges }));
				}
			}
			return [asPiece({ id: walk.id, walk, steps }), ...drops];
		},
	});
}

const nameOf = ({ object }: Edge) => ("value" in object ? object.value : object.name);

function stepOf(edge: Edge, { evidence, among }: { evidence: string[]; among: readonly Edge[] }): Step {
	const { object, property, label, direction, revision } = edge;
	const to =
		"value" in object
			? { id: `${property} ${object.value}`, name: object.value, aliases: [], value: object.answer, familiarity: 0 }
			: { id: object.id, name: object.name, aliases: [] };
	const frequency = among.filter((one) => one.property === property).length;
	return { to, property, label, direction, evidence, frequency, ...(revision === undefined ? {} : { revision }) };
}

/** Passages that name both ends of a statement from outside the corpus. */
async function evidenceFor(from: string, edge: Edge, knowledge: Pick<KnowledgeBase, "search">): Promise<string[]> {
	const to = nameOf(edge);
	const found = await knowledge.search({ text: `${from} ${edge.label} ${to}`, target: "passage", k: mostSearched });
	return found
		.filter(({ title, snippet }) => [from, to].every((name) => mentionsAny([name], [title, snippet])))
		.map(({ id }) => id);
}

/** The proposals that stay, with drops for the others. */
function sifted(given: Proposals, kept: readonly Step[], drops: readonly Outcome<Proposals>[]): Outcome<Proposals>[] {
	return [asPiece({ ...given, steps: [...kept] }), ...drops];
}

const dropOf = (
	{ walk }: Proposals,
	{ to }: Step,
	reason: "abstract_entity" | "over_cap" | "too_familiar",
	detail: string,
): Outcome<Proposals> => asDrop(reason, detail, `${walk.id}: ${to.name}`);

function concrete(): Way {
	return defineStage("expand", "concrete", 1, {
		output: Proposals,
		calls: [{ role: "verifier", each: 1, prompt: typeEntitiesPrompt.hash }],
		async run(given, context) {
			const entities = given.steps.filter(({ to }) => to.value === undefined);
			if (entities.length === 0) return sifted(given, given.steps, []);
			const values = { entities: numbered(entities, ({ to }) => to.name) };
			const { value } = await context.ask("verifier", typeEntitiesPrompt, values);
			const abstract = byNumber(entities, value.entities, "types").filter(({ said }) => said.type === "ABSTRACT");
			const out = new Set(abstract.map(({ one }) => one));
			const drops = abstract.map(({ one }) => dropOf(given, one, "abstract_entity", one.to.name));
			const kept = given.steps.filter((step) => !out.has(step));
			return sifted(given, kept, drops);
		},
	});
}

function picked({ pick }: ProposalBounds): Way {
	return defineStage("expand", "picked", 1, {
		params: { pick },
		output: Proposals,
		calls: [{ role: "generator", each: 1, prompt: pickNeighboursPrompt.hash }],
		async run(given, context) {
			if (given.steps.length <= pick) return sifted(given, given.steps, []);
			const { seed } = given.walk;
			const hints = given.walk.steps.length > 0 ? [] : seed.properties.map(({ name, value }) => `${name}: ${value}`);
			const values = {
				most: String(pick),
				chain: linesOf(given.walk) || seed.node.name,
				hints: hints.join("\n") || "(none)",
				candidates: numbered(
					given.steps,
					({ to, label, frequency }) => `${to.name} (${label}; frequency ${frequency})`,
				),
			};
			const { value } = await context.ask("generator", pickNeighboursPrompt, values);
			const wanted = [...new Set(value.indices)].flatMap((index) => given.steps[index - 1] ?? []).slice(0, pick);
			const out = given.steps.filter((step) => !wanted.includes(step));
			const drops = out.map((step) => dropOf(given, step, "over_cap", "not chosen"));
			return sifted(given, wanted, drops);
		},
	});
}

function related(bounds: ProposalBounds): Way {
	const { confidence, refused } = bounds;
	return defineStage("expand", "related", 1, {
		params: { confidence, refused },
		output: Proposals,
		calls: [verifySteps.call],
		published: {
			rate: 0.926,
			of: "retained relations that people find valid",
			share: "other",
			source: "VistaHop, Table 6",
		},
		async run(given, context) {
			if (given.steps.length === 0) return sifted(given, [], []);
			const from = lastOf(given.walk);
			const pairs = given.steps.map((step) => ({ from, step }));
			const said = await verifySteps.ask(context, pairs, bounds);
			const kept = said.flatMap((one) => ("reason" in one ? [] : [one.step]));
			const drops = said.flatMap((one): Outcome<Proposals>[] =>
				"reason" in one ? [{ is: "drop", ...one, id: `${given.id}: ${one.step.to.name}` }] : [],
			);
			return sifted(given, kept, drops);
		},
	});
}

const reference = /encyclop|wikipedia|britannica|dictionar|thesaurus|\batlas\b|almanac|^(?:list|index|outline) of /i;

function unfamiliar(encyclopedia: Encyclopedia, { familiarity: bound, valueEnds }: ProposalBounds): Way {
	return defineStage("expand", "unfamiliar", 2, {
		output: Proposals,
		params: { familiarity: bound, valueEnds, encyclopedia: encyclopedia.id },
		calls: [{ role: "verifier", each: 1, prompt: rateFamiliarityPrompt.hash }],
		async run(given, context) {
			const known: Step[] = [];
			for (const step of given.steps) {
				const { to } = step;
				const subjects = to.value ? [] : await encyclopedia.resolve(to.name, { signal: context.signal });
				const own = subjects.find(({ id }) => id === to.id);
				const told = reference.test(to.name) ? 1 : to.value ? 0 : own?.familiarity;
				const node = { ...to, aliases: own?.aliases ?? [], ...(own ? { name: own.name } : {}) };
				known.push({ ...step, to: node, ...(told === undefined ? {} : { familiarity: told }) });
			}
			const open = known.filter(({ familiarity }) => familiarity === undefined);
			if (open.length > 0) {
				const values = { entities: numbered(open, ({ to }) => to.name) };
				const { value } = await context.ask("verifier", rateFamiliarityPrompt, values);
				for (const { one, said } of byNumber(open, value.scores, "familiarity")) one.familiarity = said.score;
			}
			const out = known.filter(({ familiarity = 1 }) => familiarity >= bound);
			const { steps, seed } = given.walk;
			const ends = steps.length + 1 >= (seed.depth ?? 0);
			const valuesFirst = ends && context.random(given.id, steps.length).next() < valueEnds;
			const kept = known.filter((step) => !out.includes(step)).sort(byRank(valuesFirst));
			const drops = out.map((step) => dropOf(given, step, "too_familiar", `${step.familiarity}`));
			return sifted(given, kept, drops);
		},
	});
}

/** Values before or behind entities; then what is less familiar, surer, rarer. */
const byRank =
	(valuesFirst: boolean) =>
	(a: Step, b: Step): number => {
		const values = Number(b.to.value !== undefined) - Number(a.to.value !== undefined);
		return (
			(valuesFirst ? values : -values) ||
			(a.familiarity ?? 1) - (b.familiarity ?? 1) ||
			(b.confidence ?? 0) - (a.confidence ?? 0) ||
			a.frequency - b.frequency ||
			(a.to.id < b.to.id ? -1 : a.to.id > b.to.id ? 1 : 0)
		);
	};
