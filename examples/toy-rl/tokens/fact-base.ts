import type { Evidence, KnowledgeManifest } from "#domain";
import type { KnowledgeBase, SearchResult } from "#knowledge";
import { canonicalJson, sha256 } from "#store";

/** A fact and the passage that states it: the entity is its title. */
export interface Fact {
	id: string;
	entity: string;
	relation: string;
	value: string;
	/** Whether a search can find it; its passage can be read by id all the same. */
	found: boolean;
}

/**
 * A knowledge base of single facts: a query finds those whose entity (2 points) and relation (1 point) it names. It stands
 * where thousands are made in a minute; the words of a query are compared as they are.
 */
export function createFactBase(facts: readonly Fact[]): KnowledgeBase {
	const byId = new Map(facts.map((fact) => [fact.id, fact]));
	return {
		dir: "",
		manifest: manifestOf(facts.length),
		async search({ text = "", target, k }) {
			if (target !== "passage") return [];
			const words = new Set(text.split(/\s+/));
			const hits = facts.flatMap((fact) => {
				const score = (words.has(fact.entity) ? 2 : 0) + (words.has(fact.relation) ? 1 : 0);
				return fact.found && score > 0 ? [{ fact, score }] : [];
			});
			hits.sort((a, b) => b.score - a.score || (a.fact.id < b.fact.id ? -1 : 1));
			return hits.slice(0, k).map(({ fact, score }, at) => resultOf(fact, { score, rank: at + 1 }));
		},
		async evidence(id) {
			const fact = byId.get(id);
			return fact && passageOf(fact);
		},
		document: async (name) => facts.filter(({ entity }) => entity === name).map(passageOf),
		missing: async (ids) => [...new Set(ids)].filter((id) => !byId.has(id)),
		file: async () => undefined,
		async close() {},
	};
}

const textOf = ({ relation, value }: Fact) => `${relation} ${value}`;

const resultOf = (fact: Fact, place: { score: number; rank: number }): SearchResult => ({
	id: fact.id,
	...place,
	kind: "passage",
	document: fact.entity,
	title: fact.entity,
	snippet: textOf(fact),
	language: "en",
});

const passageOf = (fact: Fact): Evidence => ({
	kind: "passage",
	id: fact.id,
	document: fact.entity,
	title: fact.entity,
	text: textOf(fact),
	form: "prose",
	language: "en",
	sha256: sha256(textOf(fact)),
	provenance: { source: "invented" },
});

const name = "toy-facts";
const hash = sha256(canonicalJson({ name }));

const manifestOf = (count: number): KnowledgeManifest => ({
	version: 1,
	name,
	corpus: { name, hash },
	counts: { passage: count, page: 0, image: 0 },
	indexes: [],
	hash,
});
