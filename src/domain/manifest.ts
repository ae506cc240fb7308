import { z } from "zod";
import { freeRecord } from "./free-keys.ts";
import { Intervention } from "./intervention.ts";
import { ScoringMode } from "./scoring-mode.ts";

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
	/** Pages that are kept as pictures too; absent without pages, and where it was never counted. */
	pagePictures: z.number().int().min(0).optional(),
	/** Rules by which what has no pages of its own got them: HTML files, folders of numbered page pictures. */
	paging: z
		.array(
			z.object({
				kind: z.enum(["html", "page-folder"]),
				rule: z.string(),
				parameters: freeRecord(z.number()),
				documents: z.number().int(),
			}),
		)
		.optional(),
	/** SHA-256 over the evidence in order of id. */
	hash: sha256,
});
export type CorpusManifest = z.infer<typeof CorpusManifest>;

/** How text is searched; `hybrid` fuses all others that there are, except graph. */
const mode = z.enum(["lexical", "dense", "joint", "late", "graph", "hybrid"]);

/** One index of a knowledge base. */
export const KnowledgeIndex = z.object({
	/**
	 * lexical: BM25 over terms; dense: one vector a text; image: descriptors of pictures; joint: pictures in a space, with
	 * texts where the encoder has both; late: many vectors a page; graph: relations.
	 */
	name: z.enum(["lexical", "dense", "image", "joint", "late", "graph"]),
	over: z.array(z.enum(["passage", "page", "image"])),
	encoder: z.object({
		name: z.string(),
		/** Changes with whatever could give other vectors or terms: weights, conventions, what was learnt. */
		version: z.string(),
		/** The row of the conventions table that the encoder follows. */
		conventions: z.string().optional(),
	}),
	dimensions: z.number().int().positive().optional(),
	metric: z.string(),
	/** How much its ranks count where they are fused with those of words alone, whose count 1; 1 where nothing is said. */
	weight: z.number().positive().optional(),
	/** Exact search, or approximate with its recall measured against exact. */
	exact: z.boolean(),
	/** Of an approximate index: the share of the exact `at` best that it gives, mean over sampled queries. */
	recall: z
		.object({
			at: z.number().int().positive(),
			value: z.number().min(0).max(1),
			queries: z.number().int().positive(),
			against: z.literal("exact"),
		})
		.optional(),
	/** How an approximate index is searched, raised at build time until its recall was reached. */
	search: freeRecord(z.number()).optional(),
	/** SHA-256 over the files of an approximate index: two builds of one corpus can differ in places. */
	files: sha256.optional(),
});
export type KnowledgeIndex = z.infer<typeof KnowledgeIndex>;

/** A search engine elsewhere in the place of an index of Hopscope's own: what it searches may change without a word. */
export const KnowledgeService = z.object({
	kind: z.enum(["hopscope", "http", "elasticsearch", "opensearch", "qdrant", "pgvector"]),
	/** Without names, passwords and queries. */
	address: z.string(),
	/** What it told of itself when it was opened: its version, the index's own id, documents. */
	said: freeRecord(z.union([z.string(), z.number()])),
	/** Whether a passage can be asked for by its id: where not, only texts that a search brought are known. */
	looksUp: z.boolean(),
});
export type KnowledgeService = z.infer<typeof KnowledgeService>;

/** `knowledge.json`: how a corpus was made searchable. A run records `hash`. */
export const KnowledgeManifest = z.object({
	version: z.literal(1),
	name: z.string(),
	corpus: z.object({ name: z.string(), hash: sha256 }),
	/** What a search engine elsewhere does not tell is absent. */
	counts: counts.extend({ passage: counts.shape.passage.exactOptional() }),
	/** Pages that a model can be shown as pictures; absent without pages, and where it was never counted. */
	pagePictures: z.number().int().min(0).optional(),
	indexes: z.array(KnowledgeIndex),
	/** How a text is searched where the query does not say, by what is searched for. */
	modes: z.object({ passage: mode, page: mode, image: mode }).optional(),
	/** Pages are ranked by the best of their passages where the query does not say. */
	pagesThrough: z.literal("passages").optional(),
	/**
	 * SHA-256 over everything that decides results: corpus, analysis, encoders and what they learnt, indexes; of a search
	 * engine elsewhere over how it is asked and what it tells of itself.
	 */
	hash: sha256,
	service: KnowledgeService.optional(),
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
	/** How its answers are scored where neither the suite nor the run says; absent: `hopscope`. */
	scoring: ScoringMode.optional(),
	/** Conversion warnings: what an importer could not carry over. */
	losses: z.array(z.string()).optional(),
	/** Hashes of its tasks before evidence was attached to them, oldest first: runs over those answer the same questions. */
	earlier: z.array(sha256).optional(),
	/** Of a benchmark that is brought up to date: 2, 3, …; the day; the hash of the tasks before. */
	release: z
		.object({
			version: z.number().int().positive(),
			date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
			previous: sha256,
		})
		.optional(),
});
export type BenchmarkManifest = z.infer<typeof BenchmarkManifest>;

/** The ways in which models write the box of a crop: unit, image it refers to, and order. */
export const BoxConvention = z.enum(["pixels", "shown-pixels", "fraction", "thousandths", "thousandths-y-first"]);
export type BoxConvention = z.infer<typeof BoxConvention>;

/** Which tools an agent has and how far it may go. */
export const Setting = z.object({
	/** The agent's own name for it, e.g. `search+crop`, with what was changed. */
	name: z.string(),
	/** Results that a search shows where the model does not choose. */
	k: z.number().int().positive().default(3),
	/** How texts are searched, where a tool does not say and the knowledge base can; without it as the knowledge base does. */
	retrieval: mode.optional(),
	/** Searches, or turns, the protocol allows; the protocol says which it counts. */
	limit: z.number().int().positive().optional(),
	/** Canonical names of the tools offered; without it the agent's own. */
	tools: z.array(z.string()).optional(),
	/** Tools of the preset that are not offered, since the knowledge base holds nothing that they could find. */
	withheld: z.array(z.string()).optional(),
	/** Whether question images enter as pictures or, for models without eyes, as the captions of what they resemble. */
	images: z.enum(["pictures", "captions"]).optional(),
	/** How the model writes boxes; without it as the protocol does. */
	boxes: BoxConvention.optional(),
	/** Whether a last reply that may only answer follows when the budget is spent; without it as the protocol does. */
	lastAnswer: z.boolean().optional(),
	/** `turns`: observations are user messages; `continued`: the assistant's own message continues behind them. */
	form: z.enum(["turns", "continued"]).optional(),
	/** `paper`: as the published code does it, where that differs from what its paper says. */
	fidelity: z.enum(["exact", "paper"]).optional(),
	/** Whether an agent that is handed the gold evidence is handed the gold sub-questions too. */
	subQuestions: z.boolean().optional(),
	temperature: z.number().min(0).optional(),
	topP: z.number().min(0).max(1).optional(),
	maxTokens: z.number().int().positive().optional(),
	/** Further fields of every request to the model, as its server takes them, e.g. `chat_template_kwargs`. */
	request: freeRecord(z.unknown()).optional(),
	/** Whether the model's server holds every reply to a grammar of the protocol. */
	constrain: z.boolean().optional(),
});
export type Setting = z.infer<typeof Setting>;

/** Where a run was made elsewhere, and which knowledge base it searched is not known: the hash it records. */
export const unknownHash = "0".repeat(64);

const count = z.number().int().min(0);

/** Results that another index brought back, every one counted, by what matched them to evidence of ours. */
export const MatchedResults = z.object({
	results: count,
	/** By a table of ids that was given. */
	byTable: count,
	/** Called as ours is. */
	byId: count,
	byAddress: count,
	/** By document and page. */
	byPage: count,
	/** The same words. */
	byText: count,
	/** At least half of the evidence's five-word shingles stand in them. */
	byShingles: count,
	/** Matched to nothing. */
	unmapped: count,
});
export type MatchedResults = z.infer<typeof MatchedResults>;

/** The share of results that were matched to nothing; null where there are none. */
export const unmappedShare = ({ results, unmapped }: MatchedResults): number | null =>
	results === 0 ? null : unmapped / results;

/** What a run that was made elsewhere was read from. */
export const ImportedFrom = z.object({
	/** Name of the file, without its folders. */
	file: z.string(),
	sha256,
	/** What its rows are: `predictions`, `trajectories`, `records` of a run, or a form of transcripts. */
	forms: z.array(z.string()),
	/** Rows of the file; those that could not be read; those of no task; those that hold no answer. */
	rows: z.number().int().min(0),
	refused: z.number().int().min(0),
	unknown: z.number().int().min(0),
	unanswered: z.number().int().min(0),
	/**
	 * Of traces: spans in the file, each once; those that made steps, messages or the attempt itself; those kept beside the
	 * steps; those that could not be read at all.
	 */
	spans: z
		.object({
			all: z.number().int().min(0),
			understood: z.number().int().min(0),
			kept: z.number().int().min(0),
			refused: z.number().int().min(0),
		})
		.optional(),
	/** How the results of its steps were matched to evidence of the knowledge base; absent where that was not needed or not counted. */
	evidence: MatchedResults.optional().catch(undefined),
});
export type ImportedFrom = z.infer<typeof ImportedFrom>;

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
	/** What the costs in its records were reckoned with, for a million tokens. */
	price: z
		.object({
			currency: z.string(),
			input: z.number().min(0),
			cached: z.number().min(0).optional(),
			output: z.number().min(0),
		})
		.optional(),
	setting: Setting,
	/** What was known of the model's server when the run was planned, and what of the setting was fitted to it. */
	endpoint: z
		.object({
			/** Its name, with its version where it tells that. */
			server: z.string().optional(),
			/** Tokens of prompt and reply together. */
			contextTokens: z.number().int().positive().optional(),
			/** It cuts what outgrows the context without a word: such a conversation ends before it is sent. */
			cuts: z.boolean().optional(),
			/** What was changed for it, in sentences. */
			adapted: z.array(z.string()),
		})
		.optional(),
	benchmark: z.object({ name: z.string(), hash: sha256, folder: z.string() }),
	knowledge: z.object({
		name: z.string(),
		hash: sha256,
		folder: z.string(),
		service: KnowledgeService.optional(),
		/** How results of a search engine elsewhere, which has other ids, were matched to evidence of the benchmark. */
		matched: MatchedResults.optional(),
	}),
	/** Ids of the tasks planned, in benchmark order: what is expected, whatever was done. */
	tasks: z.array(z.string()),
	repeats: z.number().int().positive().max(mostRepeats),
	seed: z.number().int(),
	/** How its answers are scored; absent: as the benchmark says. Its records do not depend on it. */
	scoring: ScoringMode.optional(),
	/** A re-run of `of` with one part of the world changed: its scores are no scores of the agent. */
	intervention: z.object({ of: z.string(), what: Intervention }).optional(),
	/** The sweep that it belongs to, and after how many tasks that stopped it by design: the others were never asked. */
	sweep: z
		.object({ name: z.string(), stopped: z.object({ after: z.number().int().positive() }).optional() })
		.optional(),
	/** Made elsewhere: no agent of ours answered, so it is never resumed; `at` is when it was read. */
	imported: ImportedFrom.optional(),
	software: z.object({ hopscope: z.string(), node: z.string() }),
	at: z.string(),
});
export type RunManifest = z.infer<typeof RunManifest>;
