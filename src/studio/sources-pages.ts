/**
 * What questions are asked of, as pages have it: knowledge bases, which can be searched, and benchmarks, which can be read
 * task by task. Only a server has them.
 */
import { z } from "zod";
import { freeRecord } from "#domain";
import { EvidenceCard, Media } from "./evidence-card.ts";
import { Facet, Query, type RowsQuery } from "./query.ts";

const Fact = z.object({ name: z.string(), value: z.string() });
/** What a search engine elsewhere does not tell is absent. */
const Counts = z.object({ passage: z.number().exactOptional(), page: z.number(), image: z.number() });
/** Left, top, right and bottom as shares of a page's width and height. */
const Corners = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/** A place on a page of the document, from 0. */
const Place = z.object({ page: z.number(), box: Corners });

/** A knowledge base in the list of them. */
export const KnowledgeLine = z.object({
	name: z.string(),
	/** Why it cannot be opened; null where it can. */
	problem: z.string().nullable(),
	counts: Counts,
	indexes: z.array(z.string()),
	/** Benchmarks over it. */
	benchmarks: z.array(z.string()),
});
export type KnowledgeLine = z.infer<typeof KnowledgeLine>;

export const KnowledgeTarget = z.enum(["text", "page", "image"]);
export type KnowledgeTarget = z.infer<typeof KnowledgeTarget>;

/** One index, in words. */
export const IndexLine = z.object({
	name: z.string(),
	/** What it finds by. */
	says: z.string(),
	over: z.array(z.string()),
	encoder: z.string(),
	dimensions: z.number().nullable(),
	metric: z.string(),
	/** "exact", or how near an approximate one comes. */
	exactness: z.string(),
});
export type IndexLine = z.infer<typeof IndexLine>;

/** A knowledge base: what it was made of, and what can be asked of it. */
export const KnowledgePage = z.object({
	name: z.string(),
	counts: Counts,
	facts: z.array(Fact),
	indexes: z.array(IndexLine),
	/** What can be looked for, and by which modes; `usual`: what a query takes that names none. */
	targets: z.array(z.object({ target: KnowledgeTarget, modes: z.array(z.string()), usual: z.string() })),
	benchmarks: z.array(z.string()),
});
export type KnowledgePage = z.infer<typeof KnowledgePage>;

/** What is looked for. */
export const KnowledgeQuery = z.object({
	text: z.string().max(4000).default(""),
	/** A picture: a data URL, or the id of an evidence that is or has one. */
	image: z.string().min(1).optional(),
	target: KnowledgeTarget.default("text"),
	/** Results of each index. */
	k: z.number().int().min(1).max(50).default(10),
	/** Only in these. */
	document: z.string().min(1).max(512).optional(),
	language: z.string().min(1).max(40).optional(),
});
export type KnowledgeQuery = z.infer<typeof KnowledgeQuery>;

/** What one way of searching brought. */
export const FoundBy = z.object({
	/** lexical, dense …; `image`: by the picture; `passages`: pages by their best passages; `both`: picture and text. */
	mode: z.string(),
	says: z.string(),
	/** Whether it is made of other lists. */
	fused: z.boolean(),
	/** Whether a query that names no mode is answered so. */
	usual: z.boolean(),
	ms: z.number(),
	/** Why it brought nothing, where that was no search; null where it was one. */
	problem: z.string().nullable(),
	hits: z.array(
		z.object({
			id: z.string(),
			rank: z.number(),
			score: z.number(),
			/** The part of the text that fits the query. */
			snippet: z.string(),
			/** Of a fused list: the indexes that found it. */
			indexes: z.array(z.string()),
		}),
	),
});
export type FoundBy = z.infer<typeof FoundBy>;

/** What every index brought, side by side. */
export const KnowledgeFound = z.object({
	lists: z.array(FoundBy),
	/** By id: what any of them brought. */
	evidence: freeRecord(EvidenceCard),
	/** What several indexes brought, those first on which most agree; a rank for each list, null where it lacks it. */
	agreed: z.array(z.object({ id: z.string(), ranks: z.array(z.number().nullable()) })),
	/** How many different results there are, and indexes that could have agreed. */
	of: z.number(),
	indexes: z.number(),
});
export type KnowledgeFound = z.infer<typeof KnowledgeFound>;

/** A document with what was read of it. */
export const DocumentPage = z.object({
	document: z.string(),
	title: z.string(),
	facts: z.array(Fact),
	/** Whether it holds more than is shown. */
	more: z.boolean(),
	passages: z.array(
		z.object({
			card: EvidenceCard,
			section: z.string(),
			form: z.string(),
			language: z.string(),
			places: z.array(Place),
		}),
	),
	pages: z.array(
		z.object({
			card: EvidenceCard,
			page: z.number(),
			/** What is printed on it, or its number. */
			label: z.string(),
			/** Width by height; null where it is not known. */
			ratio: z.number().nullable(),
			blocks: z.array(z.object({ kind: z.string(), text: z.string(), box: Corners.nullable() })),
			/** Why it could not be read; empty where it could. */
			failed: z.string(),
		}),
	),
	images: z.array(z.object({ card: EvidenceCard, place: Place.nullable() })),
});
export type DocumentPage = z.infer<typeof DocumentPage>;

/** A benchmark in the list of them. */
export const BenchmarkLine = z.object({
	name: z.string(),
	title: z.string(),
	/** Why it cannot be opened; null where it can. */
	problem: z.string().nullable(),
	tasks: z.number(),
	knowledge: z.string(),
	licence: z.string(),
	/** The recipe that made it. */
	recipe: z.string().nullable(),
	runs: z.number(),
});
export type BenchmarkLine = z.infer<typeof BenchmarkLine>;

export const BenchmarkRun = z.object({
	id: z.string(),
	at: z.string(),
	agent: z.string(),
	model: z.string().nullable(),
	/** What was changed in the agent's world; null of a plain run. */
	intervention: z.string().nullable(),
	done: z.number(),
	total: z.number(),
	accuracy: z.number().nullable(),
});
export type BenchmarkRun = z.infer<typeof BenchmarkRun>;

/** One benchmark apart from its tasks. */
export const BenchmarkPage = z.object({
	name: z.string(),
	title: z.string(),
	description: z.string(),
	tasks: z.number(),
	licence: z.string(),
	sources: z.array(
		z.object({
			name: z.string(),
			version: z.string(),
			licence: z.string(),
			attribution: z.string(),
			/** Empty where it is no address of the web. */
			url: z.string(),
		}),
	),
	facts: z.array(Fact),
	/** What an importer could not carry over. */
	losses: z.array(z.string()),
	knowledge: z.object({ name: z.string(), there: z.boolean() }),
	/** Columns that tasks can be sorted and filtered by. */
	columns: z.array(z.object({ name: z.string(), title: z.string(), numeric: z.boolean() })),
	runs: z.array(BenchmarkRun),
	/** What the checks of the build that made it said of its tasks, by the last word of each; null where it was not made here. */
	made: z
		.object({
			items: z.number(),
			checks: z.array(
				z.object({
					check: z.string(),
					passed: z.number(),
					failed: z.number(),
					skipped: z.number(),
					notApplicable: z.number(),
					/** The filter that shows those that failed it. */
					where: z.string(),
				}),
			),
			/** Answers of solvers that are kept with the items. */
			trials: z.number(),
		})
		.nullable(),
	/** Null where nobody reviewed. */
	review: z
		.object({
			states: z.array(z.object({ state: z.string(), count: z.number(), where: z.string() })),
			/** How far people agree, a sentence each. */
			words: z.array(z.string()),
		})
		.nullable(),
});
export type BenchmarkPage = z.infer<typeof BenchmarkPage>;

/** The severity of what a check found. */
const Severity = z.enum(["error", "warning", "note"]);

export const BenchmarkFinding = z.object({
	check: z.string(),
	code: z.string(),
	severity: Severity,
	/** Empty where it is of the whole benchmark, or of all hops. */
	task: z.string(),
	hop: z.string(),
	message: z.string(),
});
export type BenchmarkFinding = z.infer<typeof BenchmarkFinding>;

/** Everything that can be said against a benchmark without a model. */
export const BenchmarkCheck = z.object({
	counts: z.object({ error: z.number(), warning: z.number(), note: z.number() }),
	checks: z.array(
		z.object({
			name: z.string(),
			about: z.string(),
			/** Why it was not made; null where it was. */
			skipped: z.string().nullable(),
			looked: z.number(),
			codes: z.array(
				z.object({
					code: z.string(),
					severity: Severity,
					count: z.number(),
					tasks: z.number(),
					/** The filter that shows their tasks; empty where it is of the whole benchmark. */
					where: z.string(),
				}),
			),
			figures: z.array(z.object({ name: z.string(), value: z.string() })),
			notes: z.array(z.string()),
			/** The first of what it found. */
			findings: z.array(BenchmarkFinding),
		}),
	),
});
export type BenchmarkCheck = z.infer<typeof BenchmarkCheck>;

/** Looking takes a while: ask again until it is done. */
export type BenchmarkChecked =
	| { is: "made"; page: BenchmarkCheck }
	| { is: "making"; work: string; done: number; total: number | null };

/** A hop of a gold chain as a list draws it. */
export const GoldHopMark = z.object({
	modality: z.string(),
	/** Places of those it needs, from 0. */
	needs: z.array(z.number()),
});
export type GoldHopMark = z.infer<typeof GoldHopMark>;

export const BenchmarkRow = z.object({
	task: z.string(),
	question: z.string(),
	picture: Media.nullable(),
	/** In the order of dependency. */
	hops: z.array(GoldHopMark),
	topology: z.string(),
	answer: z.string(),
	answerType: z.string(),
	language: z.string(),
	/** How grave the gravest is that checks found; empty where they found nothing or were not made. */
	severity: z.string(),
	problems: z.number(),
	/** retain, edit, discard, conflict, waiting; empty where it was not given out. */
	review: z.string(),
});
export type BenchmarkRow = z.infer<typeof BenchmarkRow>;

export const BenchmarkRows = z.object({
	of: z.number(),
	total: z.number(),
	rows: z.array(BenchmarkRow),
	facets: z.array(Facet),
	problems: z.array(z.string()),
});
export type BenchmarkRows = z.infer<typeof BenchmarkRows>;

export const GoldHop = z.object({
	id: z.string(),
	/** From 1, in the order of dependency. */
	place: z.number(),
	question: z.string(),
	modality: z.string(),
	gold: z.string(),
	accepted: z.array(z.string()),
	/** What relates it to what it needs, or how it is computed; empty where it is not said. */
	relation: z.string(),
	needs: z.array(z.object({ hop: z.string(), role: z.string() })),
	/** Pieces of evidence that state it; any one suffices. */
	evidence: z.number(),
	region: z.object({ image: z.number(), box: z.tuple([z.number(), z.number(), z.number(), z.number()]) }).nullable(),
});
export type GoldHop = z.infer<typeof GoldHop>;

/** What one check of the build said of an item. */
export const ItemCheck = z.object({
	check: z.string(),
	/** `item`, or the hop looked at. */
	on: z.string(),
	verdict: z.enum(["pass", "fail", "skipped", "not-applicable"]),
	reason: z.string(),
	detail: z.string(),
	score: z.number().nullable(),
	threshold: z.number().nullable(),
	models: z.array(z.string()),
	trials: z.array(z.object({ condition: z.string(), model: z.string(), output: z.string(), score: z.number() })),
});
export type ItemCheck = z.infer<typeof ItemCheck>;

/** One task with its gold chain, and everything that was said of it. */
export const BenchmarkTask = z.object({
	task: z.string(),
	question: z.string(),
	images: z.array(Media),
	tags: z.array(Fact),
	topology: z.string(),
	answer: z.object({ type: z.string(), value: z.string(), accepted: z.array(z.string()), asOf: z.string() }),
	/** Empty where the source states no hops; `supporting` is then what it marks. */
	hops: z.array(GoldHop),
	sink: z.string(),
	supporting: z.number(),
	/** Null where nobody looked yet. */
	findings: z.array(BenchmarkFinding).nullable(),
	/** Null where it was not made here. */
	checks: z.array(ItemCheck).nullable(),
	/** Earlier wordings, where there were any. */
	wordings: z.array(z.object({ text: z.string(), by: z.string(), why: z.string() })),
	/** Empty where it was not given out. */
	review: z.string(),
	/** Tasks of the same nested series, with their level. */
	ladder: z.array(z.object({ task: z.string(), level: z.number() })),
	source: z.string(),
	rights: z.string(),
});
export type BenchmarkTask = z.infer<typeof BenchmarkTask>;

export const BenchmarkNext = Query.extend({ from: z.string(), step: z.number().int().min(-1).max(1) });
export type BenchmarkNext = z.infer<typeof BenchmarkNext>;

/** Gold evidence of one hop; of a task without a chain, what its source marks as supporting. */
export const GoldEvidence = z.object({ of: z.number(), evidence: z.array(EvidenceCard) });
export type GoldEvidence = z.infer<typeof GoldEvidence>;

/** A part of the data interface that exports do not have. Pictures: `data.media("knowledge:NAME" or "benchmark:NAME", …)`. */
export interface SourcesData {
	knowledgeBases(): Promise<KnowledgeLine[]>;
	knowledge(name: string): Promise<KnowledgePage>;
	search(name: string, query: KnowledgeQuery): Promise<KnowledgeFound>;
	document(name: string, document: string): Promise<DocumentPage>;
	benchmarks(): Promise<BenchmarkLine[]>;
	benchmark(name: string): Promise<BenchmarkPage>;
	/** Begins looking where nobody did yet. */
	check(name: string): Promise<BenchmarkChecked>;
	rows(name: string, query: RowsQuery): Promise<BenchmarkRows>;
	task(name: string, task: string): Promise<BenchmarkTask>;
	/** The task beside one, in the order and the filter that are set; null at the end. */
	next(name: string, query: BenchmarkNext): Promise<{ task: string; index: number } | null>;
	/** `hop` is empty of a task without a chain. */
	evidence(name: string, key: { task: string; hop: string }): Promise<GoldEvidence>;
}
