import { z } from "zod";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A source that a corpus or benchmark was made from, with its terms. */
export const Source = z.object({
	name: z.string(),
	version: z.string().optional(),
	licence: z.string(),
	attribution: z.string(),
	url: z.string().optional(),
});
export type Source = z.infer<typeof Source>;

const counts = z.object({ passage: z.number().int(), page: z.number().int(), image: z.number().int() });

/** `corpus.json`: what was read. */
export const CorpusManifest = z.object({
	version: z.literal(1),
	name: z.string(),
	licence: z.string(),
	sources: z.array(Source),
	counts,
	/** SHA-256 over the evidence in order of id. */
	hash: sha256,
});
export type CorpusManifest = z.infer<typeof CorpusManifest>;

/** `knowledge.json`: how a corpus was made searchable. A run records `hash`. */
export const KnowledgeManifest = z.object({
	version: z.literal(1),
	name: z.string(),
	corpus: z.object({ name: z.string(), hash: sha256 }),
	counts,
	indexes: z.array(
		z.object({
			name: z.enum(["lexical", "dense", "image"]),
			over: z.array(z.enum(["passage", "page", "image"])),
			encoder: z.string(),
			dimensions: z.number().int().positive().optional(),
			metric: z.string(),
			/** Exact search, or approximate with its recall at 10 measured against exact. */
			exact: z.boolean(),
			recall: z.number().optional(),
		}),
	),
	hash: sha256,
});
export type KnowledgeManifest = z.infer<typeof KnowledgeManifest>;

/** `benchmark.json`. */
export const BenchmarkManifest = z.object({
	version: z.literal(1),
	name: z.string(),
	title: z.string(),
	description: z.string(),
	licence: z.string(),
	sources: z.array(Source),
	/** Name of the knowledge base its evidence ids belong to. */
	knowledge: z.string(),
	tasks: z.number().int().min(0),
	/** SHA-256 of tasks.jsonl. */
	hash: sha256,
	recipe: z.object({ name: z.string(), version: z.string(), seed: z.number().optional() }).optional(),
	/** What an importer could not carry over. */
	losses: z.array(z.string()).optional(),
});
export type BenchmarkManifest = z.infer<typeof BenchmarkManifest>;

/** Which tools an agent has and how far it may go. */
export const Setting = z.object({
	name: z.string(),
	/** Passages a text search shows. */
	k: z.number().int().positive().default(3),
	/** Searches, or turns, the protocol allows; the protocol says which it counts. */
	limit: z.number().int().positive().optional(),
	temperature: z.number().min(0).optional(),
	maxTokens: z.number().int().positive().optional(),
});
export type Setting = z.infer<typeof Setting>;

/** Repeats of a task are numbered below this. */
export const mostRepeats = 1000;

/** `run.json`: everything the numbers of a run depend on. */
export const RunManifest = z.object({
	version: z.literal(1),
	id: z.string(),
	agent: z.object({
		name: z.string(),
		version: z.string(),
		promptHash: z.string().optional(),
		/** What a reference agent is for; others have none. */
		reference: z.string().optional(),
	}),
	model: z.string().nullable(),
	setting: Setting,
	benchmark: z.object({ name: z.string(), hash: sha256, folder: z.string() }),
	knowledge: z.object({ name: z.string(), hash: sha256, folder: z.string() }),
	/** Ids of the tasks planned, in benchmark order: what is expected, whatever was done. */
	tasks: z.array(z.string()),
	repeats: z.number().int().positive().max(mostRepeats),
	seed: z.number().int(),
	software: z.object({ hopscope: z.string(), node: z.string() }),
	at: z.string(),
});
export type RunManifest = z.infer<typeof RunManifest>;
