import { z } from "zod";
import { Answer } from "./answer.ts";
import { EvidenceId } from "./evidence.ts";
import { Box } from "./layout.ts";

export const HopId = z.string().min(1).max(128);

export const Modality = z.enum(["text", "image", "page", "table", "graph", "compute"]);
export type Modality = z.infer<typeof Modality>;

/** How a computing hop makes its answer from the operands it needs, in the order of `needs`. */
export const Compute = z.object({
	op: z.enum([
		"add",
		"subtract",
		"multiply",
		"divide",
		"mean",
		"max",
		"min",
		"argmax",
		"argmin",
		"difference",
		"equal",
		"greater",
		"earlier",
		"count",
		"select",
	]),
	unit: z.string().optional(),
});

export const Need = z.object({
	hop: HopId,
	/** bridge: its answer is the entity asked about; operand: its answer is computed with; constraint: it narrows. */
	role: z.enum(["bridge", "operand", "constraint"]),
});

/** One step of the gold chain: a sub-question with its answer and the evidence that states it. */
export const Hop = z.object({
	id: HopId,
	question: z.string().min(1),
	modality: Modality,
	needs: z.array(Need).default([]),
	/** Every evidence that states the fact; any one suffices. Empty for a hop that only computes. */
	evidence: z.array(EvidenceId).default([]),
	answer: Answer,
	relation: z.string().optional(),
	/** The part of a question image that the hop looks at: the image's id and a box in its pixels. */
	region: z.object({ image: z.string().min(1), box: Box }).optional(),
	compute: Compute.optional(),
});
export type Hop = z.infer<typeof Hop>;

/** A graph of hops whose `sink` gives the task's answer. */
export const Chain = z.object({ hops: z.array(Hop).min(1), sink: HopId });
export type Chain = z.infer<typeof Chain>;

/**
 * The hops that a question's length and level count: all that look something up or follow a relation. Left out are
 * computing, which is no hop, and recognising what a question's image shows, which is where a chain begins: an image
 * hop that needs no other. Of a fused question the hops of all its parts. Source: VistaHop, section 3.2 (the relational
 * steps from the seed in the image to the answer).
 */
export function reasoningHops({ chain, images }: { chain?: Chain | undefined; images: readonly unknown[] }): Hop[] {
	const recognises = ({ modality, needs, region }: Hop) =>
		modality === "image" && needs.length === 0 && (region !== undefined || images.length > 0);
	return (chain?.hops ?? []).filter((hop) => hop.modality !== "compute" && !recognises(hop));
}

/** The hops that need retrieval: those with acceptable evidence, in listed order. */
export function retrievalHops<Listed extends { evidence: readonly string[] }>(chain: {
	hops: readonly Listed[];
}): Listed[] {
	return chain.hops.filter((hop) => hop.evidence.length > 0);
}
