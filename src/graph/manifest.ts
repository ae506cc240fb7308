import { z } from "zod";
import { Usage } from "#domain";

/** The file that makes a folder a graph, and the files beside it. */
export const manifestName = "graph.json";
export const fileNames = { entities: "entities.jsonl", triples: "triples.jsonl", rejected: "rejected.jsonl" } as const;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);

/** `graph.json`. */
export const GraphManifest = z.object({
	version: z.literal(1),
	/** Raised when the same claims would give another graph. */
	format: z.literal(1),
	name: z.string(),
	/** The corpus whose evidence the statements name, where there is one. */
	corpus: z.object({ name: z.string(), hash }).optional(),
	counts: z.object({
		entities: count,
		triples: count,
		/** Places where a triple is stated. */
		statements: count,
		/** Evidence with at least one statement. */
		evidence: count,
		/** Triples refused, each kept with its reason in rejected.jsonl. */
		rejected: count,
		/** Evidence that the model was to read. */
		passages: count,
		/** Of those, without a reply that could be read; each with its reason in rejected.jsonl. */
		unextracted: count,
	}),
	/** What made it: models with the hashes of their prompts, forms of imported files. */
	origins: z.array(z.string()),
	/** Conversion warnings: what an import could not carry over. */
	losses: z.array(z.string()),
	/** What the model calls behind it took, in whichever run they were made. */
	usage: Usage.optional(),
	files: z.object({ entities: hash, triples: hash, rejected: hash }),
	/** Over what the graph holds, not over when or at what cost it was made. */
	hash,
});
export type GraphManifest = z.infer<typeof GraphManifest>;

/** What was not taken into the graph, and why. */
export const Rejected = z.object({
	/** triple: one item of a reply or a file; passage: an evidence whose reply was not had, or not read to its end. */
	kind: z.enum(["triple", "passage"]),
	evidence: z.string().optional(),
	/** A short name of the reason, for counting. */
	reason: z.string(),
	/** The reason in words. */
	detail: z.string(),
	/** The item as it came, as JSON, cut where it is long. */
	item: z.string().optional(),
	origin: z.string(),
});
export type Rejected = z.infer<typeof Rejected>;
