import type { GraphEntity, GraphFact, Statement } from "#recipes";
import type { AtlasRelation } from "./content.ts";

/** The graph while it is being filled, with the look-ups that writing needs. */
export interface Draft {
	entities: Map<string, GraphEntity>;
	facts: GraphFact[];
	relations: Record<string, AtlasRelation>;
	addEntity(entity: Omit<GraphEntity, "depictions">): GraphEntity;
	addFact(subject: string, relation: string, object: GraphFact["object"]): void;
	/** Facts of `subject` by `relation`, in the order they were added. */
	about(subject: string, relation: string): GraphFact[];
	/** Facts by `relation` whose object is the entity. */
	pointingAt(object: string, relation: string): GraphFact[];
	/** Records that the evidence states the facts, and with them the facts they imply. */
	state(facts: readonly GraphFact[], statement: Statement): void;
}

export function createDraft(relations: Record<string, AtlasRelation>): Draft {
	const entities = new Map<string, GraphEntity>();
	const facts: GraphFact[] = [];
	const forward = new Map<string, GraphFact[]>();
	const backward = new Map<string, GraphFact[]>();
	const key = (end: string, relation: string) => `${relation} ${end}`;
	const file = (index: Map<string, GraphFact[]>, name: string, fact: GraphFact) => {
		const list = index.get(name);
		if (list) list.push(fact);
		else index.set(name, [fact]);
	};
	const objectOf = (fact: GraphFact) => ("entity" in fact.object ? fact.object.entity : undefined);

	const draft: Draft = {
		entities,
		facts,
		relations,
		addEntity(entity) {
			const known = entities.get(entity.id);
			if (known) return known;
			const added = { ...entity, depictions: [] };
			entities.set(entity.id, added);
			return added;
		},
		addFact(subject, relation, object) {
			const meaning = relations[relation];
			if (!meaning) throw new Error(`no relation is called ${relation}`);
			const same = draft.about(subject, relation);
			const entity = "entity" in object ? object.entity : undefined;
			if (entity !== undefined && same.some((fact) => objectOf(fact) === entity)) return;
			const fact: GraphFact = { subject, relation, object, statements: [] };
			facts.push(fact);
			file(forward, key(subject, relation), fact);
			if (entity === undefined) return;
			file(backward, key(entity, relation), fact);
			if (meaning.impliesInverse) draft.addFact(entity, meaning.impliesInverse, { entity: subject });
		},
		about: (subject, relation) => forward.get(key(subject, relation)) ?? [],
		pointingAt: (object, relation) => backward.get(key(object, relation)) ?? [],
		state(stated, statement) {
			for (const fact of stated) {
				record(fact, statement);
				const implied = relations[fact.relation]?.impliesInverse;
				const object = objectOf(fact);
				if (implied && object !== undefined)
					for (const other of draft.about(object, implied))
						if (objectOf(other) === fact.subject) record(other, statement);
			}
		},
	};
	return draft;
}

function record(fact: GraphFact, statement: Statement): void {
	const known = fact.statements.some(
		({ evidence, modality }) => evidence === statement.evidence && modality === statement.modality,
	);
	if (!known) fact.statements.push({ ...statement });
}
