import { z } from "zod";
import type { Answer, Hop, Passage } from "#domain";
import { freeObject } from "#domain";
import { withNumberKind } from "../number-kind.ts";
import { passageOf } from "./passage.ts";
import { extractedValue, fusedValue } from "./value-extraction.ts";

/** One relation that VistaHop's synthesis walked, with the words that state it. */
const Edge = freeObject({
	source: z.string().min(1),
	target: z.string().min(1),
	relation_type: z.string(),
	evidence: z.string(),
	wikidata_relation_type: z.string().optional(),
	wikidata_property_id: z.string().optional(),
});
type Edge = z.infer<typeof Edge>;

export const EvidenceChain = freeObject({
	seed_entity: z.string(),
	nodes: z.array(freeObject({ entity: z.string(), source_url: z.string().optional() })).max(200),
	edges: z.array(Edge).max(200),
});
export type EvidenceChain = z.infer<typeof EvidenceChain>;

const OriginalVqa = freeObject({
	id: z.string().min(1),
	question: z.string().min(1),
	answer: z.string(),
	metadata: freeObject({ original_question: z.string().optional() }).optional(),
});
const Extraction = freeObject({
	chain_id: z.string(),
	original_answer: z.string(),
	extraction_method: z.string(),
	extracted_value: z.number(),
});
export const Fused = freeObject({
	question: z.string().min(1),
	final_answer: z.number(),
	fusion_operation: z.string().min(1),
	extraction_details: z.array(Extraction).min(2).max(50),
	original_vqas: z.array(OriginalVqa).min(2).max(50),
});
export type Fused = z.infer<typeof Fused>;

/** The words of an edge as evidence; undefined where it has none. */
export function passageOfEdge(edge: Edge, chain: EvidenceChain): Passage | undefined {
	const text = edge.evidence.trim();
	if (text === "") return undefined;
	const url = chain.nodes.find((node) => node.entity === edge.source)?.source_url ?? "";
	return passageOf(
		{ title: edge.source, text, ...(url === "" ? {} : { document: url }) },
		{
			...{ prefix: "vistahop", source: "VistaHop", language: "und", licence: "see the page it was taken from" },
			attribution: (title) => (url === "" ? title : url),
		},
	);
}

const named = (value: string): Answer => ({ type: "string", value, accepted: [value] });

/**
 * The edges up to the answer as hops, in their order: each needs the one before it that leads to where it starts. The
 * files hold no sub-questions: a hop's question is its entity and relation.
 */
export function hopsOfEdges(chain: EvidenceChain, answer: string): Hop[] | { problem: string } {
	const end = chain.edges.findLastIndex((edge) => edge.target === answer);
	if (end < 0) return { problem: `no edge of its evidence chain leads to "${answer}"` };
	const edges = chain.edges.slice(0, end + 1);
	return edges.map((edge, place) => {
		const before = edges.slice(0, place).findLastIndex((earlier) => earlier.target === edge.source);
		const relation = edge.wikidata_relation_type || edge.relation_type;
		const passage = passageOfEdge(edge, chain);
		return {
			id: `h${place + 1}`,
			question: `${edge.source}: ${relation.replaceAll("_", " ") || "related"}?`,
			modality: "text",
			needs: before < 0 ? [] : [{ hop: `h${before + 1}`, role: "bridge" as const }],
			evidence: passage ? [passage.id] : [],
			answer: named(edge.target),
			relation: edge.wikidata_property_id || relation,
		};
	});
}

/**
 * The graph of a fused question over the chains of its parts: each part's answer is made a number, the numbers are
 * computed with. Every number is worked out again; one that differs is a problem of the row.
 */
export function hopsOfFusion(
	fused: Fused,
	answer: Answer,
	chainOf: (vqa: Fused["original_vqas"][number]) => EvidenceChain | undefined,
): { hops: Hop[] | undefined; problem?: never } | { problem: string } {
	if (fused.extraction_details.length !== fused.original_vqas.length)
		return { problem: `${fused.extraction_details.length} values of ${fused.original_vqas.length} parts` };
	const hops: Hop[] = [];
	const values: number[] = [];
	let whole = true;
	for (const [place, vqa] of fused.original_vqas.entries()) {
		const stated = fused.extraction_details[place];
		if (!stated || stated.original_answer !== vqa.answer)
			return { problem: `value ${place + 1} is of "${stated?.original_answer}", the part answers "${vqa.answer}"` };
		const worked = extractedValue(vqa.answer, stated.extraction_method);
		if ("problem" in worked) return worked;
		if (Math.abs(worked.value - stated.extracted_value) > 1e-6)
			return {
				problem: `says ${stated.extracted_value} for ${stated.extraction_method} of "${vqa.answer}", it is ${worked.value}`,
			};
		values.push(worked.value);
		const chain = chainOf(vqa);
		const part = chain ? hopsOfEdges(chain, vqa.answer) : { problem: "not there" };
		if (!Array.isArray(part)) {
			whole = false;
			continue;
		}
		const named = (id: string) => `p${place + 1}-${id}`;
		const question = `${stated.extraction_method.replaceAll("_", " ")} of ${vqa.answer}`;
		hops.push(
			...part.map((hop) => ({
				...hop,
				id: named(hop.id),
				needs: hop.needs.map((need) => ({ ...need, hop: named(need.hop) })),
			})),
			{
				id: named("value"),
				question,
				modality: "compute",
				needs: [{ hop: named(part.at(-1)?.id ?? ""), role: "operand" }],
				evidence: [],
				answer: withNumberKind(numeric(worked.value), question),
			},
		);
	}
	const result = fusedValue(fused.fusion_operation, values);
	if ("problem" in result) return result;
	if (Math.abs(result.value - fused.final_answer) > 1e-6 * Math.max(1, Math.abs(result.value)))
		return {
			problem: `says that ${fused.fusion_operation} of ${values.join(", ")} is ${fused.final_answer}, it is ${result.value}`,
		};
	if (!whole) return { hops: undefined };
	const needs = values.map((_, place) => ({ hop: `p${place + 1}-value`, role: "operand" as const }));
	hops.push({
		id: "fused",
		question: fused.question,
		modality: "compute",
		needs,
		evidence: [],
		answer,
		compute: { op: result.op },
	});
	return { hops };
}

export const numeric = (value: number): Answer => ({
	...{ type: "number", value: `${value}`, accepted: [`${value}`] },
	number: { value },
});
