/**
 * What the pages of the studio are made of: one data interface with two sources, a server and a folder of files. Texts are
 * as they were recorded, clipped where they say so; whoever shows them escapes them. Nothing here needs Node.
 */
import { z } from "zod";

/** A picture by its name in the studio's media: `name` is all that an address may hold of it. */
export const Media = z.object({
	name: z.string(),
	width: z.number().nullable(),
	height: z.number().nullable(),
	/** What somebody who does not see it is told. */
	alt: z.string(),
});
export type Media = z.infer<typeof Media>;

/** How a verdict, finding or outcome is drawn and said: one table for every page. */
export const Mark = z.object({
	/** One character that needs no colour. */
	mark: z.string(),
	/** The term, as tables and filters have it. */
	name: z.string(),
	/** The same in words that need no explanation. */
	plainly: z.string(),
	meaning: z.string(),
	/** `ok`: as it should be; `bad`: broken; `dim`: neither can be said. */
	tone: z.enum(["ok", "bad", "dim"]),
});
export type Mark = z.infer<typeof Mark>;

/** The words and marks of everything that pages name by a key. */
export const Legend = z.object({
	/** By hop verdict, with `not-judged`. */
	verdicts: z.record(z.string(), Mark),
	findings: z.record(z.string(), Mark),
	outcomes: z.record(z.string(), Mark),
});
export type Legend = z.infer<typeof Legend>;

/** A value with its 95 % interval; null with a reason where nothing was scored. */
export const Estimate = z.object({
	value: z.number().nullable(),
	low: z.number().nullable(),
	high: z.number().nullable(),
	/** Tasks that it rests on. */
	n: z.number(),
	reason: z.string().optional(),
});
export type Estimate = z.infer<typeof Estimate>;

/** A run in the list of runs. */
export const RunLine = z.object({
	id: z.string(),
	at: z.string(),
	agent: z.string(),
	model: z.string().nullable(),
	benchmark: z.string(),
	/** What was changed in the agent's world, and in which run. */
	intervention: z.object({ of: z.string(), what: z.string() }).nullable(),
	done: z.number(),
	errors: z.number(),
	total: z.number(),
	/** Whether a process is writing it. */
	live: z.boolean(),
	accuracy: z.number().nullable(),
	calls: z.number(),
	tokens: z.number(),
	cost: z.number().nullable(),
	currency: z.string().nullable(),
	tags: z.array(z.string()),
});
export type RunLine = z.infer<typeof RunLine>;

/** The first page: which runs there are. */
export const RunsPage = z.object({
	workspace: z.string(),
	runs: z.array(RunLine),
	/** False of an export: nothing can be changed, searched or followed. */
	live: z.boolean(),
});
export type RunsPage = z.infer<typeof RunsPage>;

/** How chains break at one place: the picture at the head of a run. */
export const BreaksAt = z.object({
	/** From 1, in the order of dependency. */
	place: z.number(),
	/** Whether all further places are counted here too. */
	onwards: z.boolean(),
	/** The filter that shows their tasks. */
	where: z.string(),
	/** Chains that are long enough to break here. */
	chains: z.number(),
	/** Of all chains, those that are first seen to break here; the interval takes in those that may, though nothing shows it. */
	share: Estimate,
	count: z.number(),
	/** Chains that may have broken here first, though nothing shows it. */
	possible: z.number(),
	/** By verdict. */
	verdicts: z.record(z.string(), z.number()),
});
export type BreaksAt = z.infer<typeof BreaksAt>;

export const MetricLine = z.object({
	name: z.string(),
	heading: z.string(),
	meaning: z.string(),
	/** Whether more is better. */
	direction: z.enum(["higher", "lower", "neither"]),
	unit: z.enum(["percent", "number"]),
	estimate: Estimate,
	/** Records that could not be scored. */
	unscored: z.number(),
});
export type MetricLine = z.infer<typeof MetricLine>;

export const SliceLine = z.object({
	value: z.string(),
	/** The filter that shows its tasks. */
	where: z.string(),
	records: z.number(),
	accuracy: Estimate,
});

/** One run. */
export const RunPage = z.object({
	line: RunLine,
	facts: z.array(z.object({ name: z.string(), value: z.string() })),
	/** Whether its replies could be read and its attempts could end. */
	cautions: z.array(z.string()),
	/** Which hop breaks most, in a sentence. */
	headline: z.string(),
	outcomes: z.array(z.object({ outcome: z.string(), count: z.number() })),
	breaks: z.object({
		places: z.array(BreaksAt),
		/** Chains of which no hop is seen to be broken: those seen whole, and those that may be broken though nothing shows it. */
		sound: z.number(),
		unobserved: z.number(),
		/** The filters that show those that are seen whole, and those that may be broken. */
		soundWhere: z.string(),
		unobservedWhere: z.string(),
		/** Records with a judged hop, and without. */
		chains: z.number(),
		without: z.number(),
	}),
	metrics: z.array(MetricLine),
	slices: z.array(z.object({ name: z.string(), rows: z.array(SliceLine) })),
	/** Milliseconds of an answer: half took no longer, and 95 %. */
	latency: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
	/** Columns that tasks can be sorted and filtered by. */
	columns: z.array(
		z.object({
			name: z.string(),
			title: z.string(),
			/** Whether its values are numbers, which are compared, or names. */
			numeric: z.boolean(),
		}),
	),
});
export type RunPage = z.infer<typeof RunPage>;

/** What of the tasks is wanted: a filter in the language of `where.ts`, and an order: a column, `-` before it for descending. */
export const Query = z.object({
	where: z.string().max(2000).default(""),
	sort: z.string().max(60).default(""),
});
export type Query = z.infer<typeof Query>;

export const RowsQuery = Query.extend({
	offset: z.number().int().min(0).default(0),
	limit: z.number().int().min(0).max(500).default(100),
});
export type RowsQuery = z.infer<typeof RowsQuery>;

/** One hop of a row's chain: its verdict, whether the chain first breaks here. */
export const HopMark = z.object({ verdict: z.string(), first: z.boolean() });

export const Row = z.object({
	task: z.string(),
	repeat: z.number(),
	question: z.string(),
	/** A small picture of the question's first image. */
	picture: Media.nullable(),
	hops: z.array(HopMark),
	outcome: z.string(),
	/** What would be named first. */
	primary: z.string().nullable(),
	answer: z.string().nullable(),
	gold: z.string(),
	steps: z.number(),
	ms: z.number(),
	tokens: z.number(),
	cost: z.number().nullable(),
});
export type Row = z.infer<typeof Row>;

/** Values of a property with how many records of the filter have them. */
export const Facet = z.object({
	name: z.string(),
	title: z.string(),
	values: z.array(z.object({ value: z.string(), title: z.string(), count: z.number(), where: z.string() })),
});
export type Facet = z.infer<typeof Facet>;

export const RowsPage = z.object({
	/** Records of the run, and those that the filter leaves. */
	of: z.number(),
	total: z.number(),
	rows: z.array(Row),
	/** Counts under the filter; of a facet that the filter names, as if it did not. */
	facets: z.array(Facet),
	/** What of the filter could not be understood, in a sentence; it is then left out. */
	problems: z.array(z.string()),
});
export type RowsPage = z.infer<typeof RowsPage>;

/** Names one answer of a run. */
export const TaskKey = z.object({ task: z.string(), repeat: z.number().int().min(0).default(0) });
export type TaskKey = z.infer<typeof TaskKey>;

/** Where to go from one answer, in the order and the filter that are set. */
export const NextQuery = Query.extend({
	from: TaskKey,
	/** By how many, negative for back. */
	step: z.number().int().min(-1).max(1),
	/** Only answers that went wrong. */
	failures: z.boolean().default(false),
});
export type NextQuery = z.infer<typeof NextQuery>;

/** An answer with its place among the rows of the filter, from 0. */
export const PlacedTask = TaskKey.extend({ index: z.number().int().min(0) });
export type PlacedTask = z.infer<typeof PlacedTask>;

/** Evidence as the inspector shows it. */
export const EvidenceCard = z.object({
	id: z.string(),
	/** `unknown` where the knowledge base no longer holds it. */
	kind: z.enum(["passage", "page", "image", "unknown"]),
	title: z.string(),
	/** The text, an image's caption; clipped at some thousand characters. */
	text: z.string(),
	/** How long the text is in whole. */
	length: z.number(),
	document: z.string(),
	picture: Media.nullable(),
	/** Where it stands in its picture: left, top, right and bottom as shares of the picture's width and height. */
	boxes: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])).optional(),
});
export type EvidenceCard = z.infer<typeof EvidenceCard>;

/** One gold hop as it went. Steps are named by their index. */
export const TaskHop = z.object({
	id: z.string(),
	/** From 1, in the order of dependency. */
	place: z.number(),
	question: z.string(),
	modality: z.string(),
	gold: z.string(),
	/** Hops that it needs, by id. */
	needs: z.array(z.object({ hop: z.string(), role: z.string() })),
	verdict: z.string(),
	/** Whether the chain is first seen to break here. */
	first: z.boolean(),
	/** Whether it may have broken before, though nothing shows it. */
	possible: z.boolean(),
	/** The value that was read for it, where one is known and it is not the right one. */
	took: z.string().nullable(),
	/** The value that was read, where one is known. */
	read: z.string().nullable(),
	/** The value that later queries carry on, where it differs from what was read. */
	carried: z.string().nullable(),
	/** Why the verdict is given, in a sentence or two. */
	why: z.string(),
	/** Steps that aimed at it, and that brought its evidence. */
	aimed: z.array(z.number()),
	brought: z.array(z.number()),
	/** Its acceptable evidence, those that came back first, and how many more there are. */
	wanted: z.array(z.object({ id: z.string(), came: z.boolean() })),
	more: z.number(),
	/** Of its acceptable evidence, how many came back. */
	found: z.number(),
	/** What it looks at in a question image: the image's place, and a box in its pixels (left, top, right, bottom). */
	region: z.object({ image: z.number(), box: z.tuple([z.number(), z.number(), z.number(), z.number()]) }).nullable(),
});
export type TaskHop = z.infer<typeof TaskHop>;

/** A piece of a query; `wrong` where it carries on a value that was taken wrongly. */
export const Span = z.object({ text: z.string(), wrong: z.boolean() });

export const StepResult = z.object({
	id: z.string(),
	rank: z.number(),
	score: z.number(),
	/** `gold`: evidence of a hop that the step aims at; `other-hop`: of another hop; `other`: of none. */
	is: z.enum(["gold", "other-hop", "other"]),
	/** Hops whose evidence it is. */
	hops: z.array(z.string()),
});

export const TaskStep = z.object({
	index: z.number(),
	round: z.number().nullable(),
	role: z.string().nullable(),
	/** In words: "text search". Null where nothing was called. */
	tool: z.string().nullable(),
	query: z.array(Span),
	subQuestion: z.string().nullable(),
	thought: z.string().nullable(),
	/** What the agent stated, or is seen to have read, and whether that is right, where it can be said. */
	read: z.object({ text: z.string(), right: z.boolean().nullable() }).nullable(),
	ms: z.number(),
	tokens: z.number().nullable(),
	error: z.string().nullable(),
	results: z.array(StepResult),
	/** Results beyond those listed. */
	more: z.number(),
	/** Hops that it aimed at, and whose evidence it brought. */
	aimed: z.array(z.string()),
	brought: z.array(z.string()),
	/** A search that has to do with no hop. */
	stray: z.boolean(),
	/** The same search as an earlier one. */
	repeated: z.boolean(),
	/** The arguments of the call as JSON, clipped. */
	call: z.string().nullable(),
	/** The part of a question image that was cut out, as a hop's `region`. */
	crop: z.object({ image: z.number(), box: z.tuple([z.number(), z.number(), z.number(), z.number()]) }).nullable(),
});
export type TaskStep = z.infer<typeof TaskStep>;

/** One answer with everything that was recorded and found of it. */
export const TaskPage = z.object({
	run: z.string(),
	task: z.string(),
	repeat: z.number(),
	repeats: z.number(),
	attempt: z.number(),
	/** "en", "bridge", "3 hops" … */
	tags: z.array(z.string()),
	question: z.string(),
	images: z.array(Media),
	outcome: z.string(),
	answer: z.string().nullable(),
	accepted: z.array(z.string()),
	/** "Breaks at hop 3: evidence not found". */
	title: z.string(),
	tone: z.enum(["ok", "bad", "dim"]),
	/** What that rests on, in a sentence or two. */
	summary: z.string(),
	/** Hops that may have broken before, in words; empty where there are none. */
	before: z.string(),
	steps: z.array(TaskStep),
	hops: z.array(TaskHop),
	/** By id: what hops want and what steps brought. */
	evidence: z.record(z.string(), EvidenceCard),
	/** Findings that are no verdict on a hop. */
	findings: z.array(
		z.object({
			kind: z.string(),
			says: z.string(),
			steps: z.array(z.number()),
			evidence: z.array(z.string()),
		}),
	),
	/** What cannot be said of this answer, and why. */
	notJudged: z.array(z.string()),
	plan: z.string().nullable(),
	error: z.string().nullable(),
	stop: z.string(),
	ms: z.number(),
	tokens: z.number(),
	calls: z.number(),
	cost: z.number().nullable(),
	currency: z.string().nullable(),
	scores: z.array(
		z.object({ name: z.string(), heading: z.string(), value: z.number().nullable(), reason: z.string().optional() }),
	),
	/** What judges said of the answer. */
	judged: z.array(z.object({ judge: z.string(), rubric: z.string(), said: z.string(), reason: z.string() })),
	messages: z.number(),
});
export type TaskPage = z.infer<typeof TaskPage>;

/** A message as it went over the wire. Texts come in parts; `length` says how long they are in whole. */
export const MessageView = z.object({
	role: z.string(),
	conversation: z.string().nullable(),
	thought: z.string().nullable(),
	calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
	content: z.array(
		z.union([
			z.object({ text: z.string(), length: z.number() }),
			z.object({ picture: Media.nullable(), file: z.string() }),
		]),
	),
});
export type MessageView = z.infer<typeof MessageView>;

export const MessagesPage = z.object({ of: z.number(), messages: z.array(MessageView) });
export type MessagesPage = z.infer<typeof MessagesPage>;

/** Where the pages get all they show from. */
export interface StudioData {
	legend(): Promise<Legend>;
	runs(): Promise<RunsPage>;
	run(run: string): Promise<RunPage>;
	rows(run: string, query: RowsQuery): Promise<RowsPage>;
	task(run: string, key: TaskKey): Promise<TaskPage>;
	/** The answer beside this one; null at the end. */
	next(run: string, query: NextQuery): Promise<PlacedTask | null>;
	messages(run: string, key: TaskKey & { offset: number; limit: number }): Promise<MessagesPage>;
	/** One text of a message from a character on. */
	text(run: string, key: TaskKey & { message: number; part: number; offset: number }): Promise<string>;
	/** Calls back whenever a run has changed, until what it returns is called. */
	onChange(run: string, changed: () => void): () => void;
	/** Where a picture is fetched from; `small` is one for a list. */
	media(run: string, name: string, options?: { small?: boolean }): string;
}
