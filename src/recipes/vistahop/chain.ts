import { z } from "zod";
import { Answer, Box, EvidenceId } from "#domain";
import { RegionType, relationCategories } from "./prompts.ts";

/** A picture of the corpus that questions may be asked about. */
export const Picture = z.object({
	/** Its evidence id. */
	id: EvidenceId,
	title: z.string(),
	sha256: z.string(),
	width: z.number().int().positive(),
	height: z.number().int().positive(),
	licence: z.string().optional(),
	source: z.string(),
});
export type Picture = z.infer<typeof Picture>;

/** A named thing in a picture. */
export const Anchor = z.object({
	id: z.string(),
	picture: Picture,
	name: z.string(),
	type: RegionType,
	/** Pixels of the picture. */
	box: Box,
	confidence: z.number(),
	label: z.string(),
	text: z.string(),
	caption: z.string(),
	/** How many things of its type the picture shows. */
	alike: z.number().int().min(1),
	category: z.string(),
	scenario: z.string(),
});
export type Anchor = z.infer<typeof Anchor>;

/** An end of a hop: an entity, or a value, which ends a chain. */
export const Node = z.object({
	id: z.string(),
	name: z.string(),
	aliases: z.array(z.string()),
	value: Answer.optional(),
	/** 0 to 1, where the encyclopedia tells. */
	familiarity: z.number().optional(),
});
export type Node = z.infer<typeof Node>;

/** A thing in a picture with what is known of it. */
export const Seed = z.object({
	id: z.string(),
	anchor: Anchor,
	node: Node,
	description: z.string(),
	properties: z.array(z.object({ name: z.string(), value: z.string() })),
	related: z.array(z.string()),
	/** What it is known from, with its state. */
	from: z.object({ kind: z.enum(["page", "graph"]), revision: z.string() }),
	/** Hops at which its chain is to end, once drawn. */
	depth: z.number().int().positive().optional(),
});
export type Seed = z.infer<typeof Seed>;

/** A hop of a chain, or a proposal for one. */
export const Step = z.object({
	to: Node,
	property: z.string(),
	label: z.string(),
	direction: z.enum(["out", "in"]),
	/** Evidence of the corpus that states it. */
	evidence: z.array(EvidenceId),
	revision: z.string().optional(),
	/** Statements by this property among those looked at. */
	frequency: z.number().int(),
	category: z.enum(relationCategories).optional(),
	confidence: z.number().optional(),
	familiarity: z.number().optional(),
});
export type Step = z.infer<typeof Step>;

/** A chain while it grows and when it has grown. */
export const Walk = z.object({ id: z.string(), seed: Seed, steps: z.array(Step) });
export type Walk = z.infer<typeof Walk>;

/** A walk with the proposals for its next hop, best first. */
export const Proposals = z.object({ id: z.string(), walk: Walk, steps: z.array(Step) });
export type Proposals = z.infer<typeof Proposals>;

/** Where a walk stands now. */
export const lastOf = ({ seed, steps }: Walk): Node => steps.at(-1)?.to ?? seed.node;

/** A statement in words, read from its subject to its object. */
export function statementOf(from: Node, { label, direction, to }: Step): string {
	return direction === "out" ? `${from.name} — ${label} — ${to.name}` : `${to.name} — ${label} — ${from.name}`;
}

/** Every hop of a walk in words, one a line. */
export function linesOf({ seed, steps }: Walk): string {
	return steps.map((step, at) => `${at + 1}. ${statementOf(steps[at - 1]?.to ?? seed.node, step)}`).join("\n");
}
