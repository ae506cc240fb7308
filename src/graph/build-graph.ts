import type { Entity, Statement, Triple } from "#domain";
import { byCodeUnits } from "#domain";
import { canonicalJson, sha256 } from "#store";
import type { Claim, GraphInput } from "./claim.ts";
import type { Mention } from "./entity-keys.ts";
import type { Rejected } from "./manifest.ts";
import { relationKey } from "./relations.ts";
import { resolveEntities } from "./resolve.ts";

const longestDescription = 4000;

/**
 * Resolves the ends of claims to entities and joins what states one edge. Equal claims count once; the order of the
 * input does not matter. A claim whose ends turn out to be one entity is refused with that reason, its entity kept.
 */
export function buildGraph(input: GraphInput): { entities: Entity[]; triples: Triple[]; rejected: Rejected[] } {
	const claims = [...new Map(input.claims.map((claim) => [canonicalJson(claim), claim]))]
		.sort(([a], [b]) => byCodeUnits(a, b))
		.map(([, claim]) => claim);
	const ends = claims.map(endsOf);
	const { entities, idOf } = resolveEntities([...ends.flat(), ...(input.entities ?? [])], input);
	const edges = new Map<string, Edge>();
	const rejected: Rejected[] = [];
	for (const [index, claim] of claims.entries()) {
		const [subject = "", object = ""] = ends[index]?.map(idOf) ?? [];
		if (subject === object) {
			rejected.push(sameEnds(claim));
			continue;
		}
		// an edge without direction is one whichever end was written first
		const turned = !claim.directed && object < subject;
		const pair: [string, string] = turned ? [object, subject] : [subject, object];
		const key = JSON.stringify([pair[0], relationKey(claim.relation), pair[1], claim.directed]);
		const edge = edges.get(key) ?? {
			ends: pair,
			directed: claim.directed,
			wordings: new Map(),
			statements: new Map(),
			said: new Set(),
		};
		edges.set(key, edge);
		const wording = claim.relation.replace(/\s+/gu, " ").trim();
		edge.wordings.set(wording, (edge.wordings.get(wording) ?? 0) + 1);
		if (claim.description) edge.said.add(claim.description);
		if (claim.statement)
			edge.statements.set(canonicalJson(claim.statement), turned ? turn(claim.statement) : claim.statement);
	}
	const triples = [...edges].map(([key, edge]) => tripleOf(`t${sha256(key).slice(0, 20)}`, edge));
	return { entities, triples: triples.sort((a, b) => byCodeUnits(a.id, b.id)), rejected };
}

interface Edge {
	ends: [string, string];
	directed: boolean;
	wordings: Map<string, number>;
	statements: Map<string, Statement>;
	said: Set<string>;
}

const endsOf = ({ subject, object, statement }: Claim): [Mention, Mention] => [
	{ ...subject, document: statement?.document },
	{ ...object, document: statement?.document },
];

function tripleOf(id: string, { ends, directed, wordings, statements, said }: Edge): Triple {
	const [relation = "", ...others] = [...wordings]
		.sort(([a, m], [b, n]) => n - m || byCodeUnits(a, b))
		.map(([text]) => text);
	const description = [...said].sort().join("\n").slice(0, longestDescription);
	const sorted = [...statements].sort(([keyA, a], [keyB, b]) => byPlace(a, b) || byCodeUnits(keyA, keyB));
	return {
		id,
		subject: ends[0],
		relation,
		object: ends[1],
		directed,
		...(others.length > 0 ? { wordings: others.sort() } : {}),
		...(description === "" ? {} : { description }),
		statements: sorted.map(([, statement]) => statement),
	};
}

const byPlace = (a: Statement, b: Statement) =>
	byCodeUnits(a.evidence, b.evidence) ||
	(a.span?.[0] ?? -1) - (b.span?.[0] ?? -1) ||
	(a.span?.[1] ?? -1) - (b.span?.[1] ?? -1);

function turn(statement: Statement): Statement {
	const { grounds } = statement;
	return grounds ? { ...statement, grounds: { subject: grounds.object, object: grounds.subject } } : statement;
}

const sameEnds = (claim: Claim): Rejected => ({
	kind: "triple",
	...(claim.statement ? { evidence: claim.statement.evidence } : {}),
	reason: "same-ends",
	detail: `"${claim.subject.name}" and "${claim.object.name}" are one entity`,
	item: JSON.stringify(claim).slice(0, 2000),
	origin: claim.statement?.origin ?? "unknown",
});
