/**
 * What the pages of the studio are made of: one data interface with two sources, a server and a folder of files. Texts are
 * as they were recorded, clipped where they say so; whoever shows them escapes them.
 */
import { z } from "zod";
import { freeRecord } from "#domain";
import { EvidenceCard, Media } from "./evidence-card.ts";
import { Facet, Query, RowsQuery } from "./query.ts";
import type { ReviewData } from "./review-pages.ts";
import type { RunsManaged } from "./runs-managed.ts";
import type { SourcesData } from "./sources-pages.ts";

export { EvidenceCard, Facet, Media, Query, RowsQuery };

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
	verdicts: freeRecord(Mark),
	findings: freeRecord(Mark),
	outcomes: freeRecord(Mark),
	/** How attempts end, by their stop reason. */
	stops: freeRecord(z.object({ plainly: z.string(), meaning: z.string() })),
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

/** Milliseconds of an answer: half took no longer, and 95 %. */
const Latency = z.object({ p50: z.number().nullable(), p95: z.number().nullable() });

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
	accuracy: Estimate,
	/** Actions that were asked for, those that could be read, and whether these are too few to say much else of it. */
	form: z.object({ actions: z.number(), read: z.number(), ill: z.boolean() }),
	latency: Latency,
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
	/** Whether figures of some runs are being worked out. */
	working: z.boolean().optional(),
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
	verdicts: freeRecord(z.number()),
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
	/** What ended answers by an error, the most frequent first, with the filter that shows their tasks. */
	errors: z.array(z.object({ error: z.string(), count: z.number(), where: z.string() })),
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
	latency: Latency,
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

/** A piece of a text that marks the values in it. */
export const Span = z.object({ text: z.string(), is: z.enum(["plain", "wrong", "gold"]) });
export type Span = z.infer<typeof Span>;

/** Words of the record in which a value was seen, quoted. */
export const Quote = z.object({
	/** `thought`: what was written before the step; `evidence`: a text that came back in it. */
	by: z.enum(["sub-answer", "query", "thought", "answer", "evidence"]),
	/** Null of the final answer. */
	step: z.number().nullable(),
	/** Whose text it is, of `evidence`. */
	evidence: z.string().nullable(),
	text: z.array(Span),
});
export type Quote = z.infer<typeof Quote>;

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
	/** The value that stands in its place, where one is known, it is not the right one, and the hop is not solved. */
	took: z.string().nullable(),
	/** The value that was read, where one is known. */
	read: z.string().nullable(),
	/** The value that later queries carry on, where it differs from what was read. */
	carried: z.string().nullable(),
	/** Why the verdict is given, in a sentence or two. */
	why: z.string(),
	/** What its card says besides, in plain words: where its evidence came from, what was carried on in a right value's place. */
	notes: z.array(z.string()),
	/** The words in which its value, or the one taken in its place, was seen. */
	proof: z.array(Quote),
	/** By evidence that it wants or that came back for it: the parts of the text around the gold value and the wrong one. */
	excerpts: freeRecord(z.array(Span)),
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
	/**
	 * What the agent stated, or is seen to have read. `gold`: the value of the hop that the step is for; `other-hop`: that of
	 * another hop, which stands at `hop`; `unsaid`: nobody can say. `made-up`: a wrong value that was judged to be so.
	 */
	read: z
		.object({
			text: z.string(),
			is: z.enum(["gold", "other-hop", "wrong", "made-up", "unsaid"]),
			hop: z.number().nullable(),
		})
		.nullable(),
	/** 0 where none was recorded. */
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
	/** Where an answer that is not right comes from, in a sentence, where that can be seen. */
	answerFrom: z.string().nullable(),
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
	evidence: freeRecord(EvidenceCard),
	/** Findings that are no verdict on a hop, the main one first. */
	findings: z.array(
		z.object({
			kind: z.string(),
			/** Whether it says of the main one's steps what else is wrong with them. */
			also: z.boolean(),
			says: z.string(),
			steps: z.array(z.number()),
			evidence: z.array(z.string()),
		}),
	),
	/** What cannot be said of this answer, and why. */
	notJudged: z.array(z.string()),
	/** What a trace recorded beside the steps, a line each; the first ones. */
	others: z.array(z.string()),
	plan: z.string().nullable(),
	error: z.string().nullable(),
	/** A stop reason, as the legend has it. */
	stop: z.string(),
	/** Time and calls are 0 where none were recorded. */
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

/** A run among those that are compared. */
export const ComparedRun = z.object({
	/** a, b, …: what columns and filters call it. */
	letter: z.string(),
	id: z.string(),
	/** What tells it from the others. */
	label: z.string(),
	at: z.string(),
	repeats: z.number(),
	/** Tasks that it planned. */
	tasks: z.number(),
	accuracy: Estimate,
	currency: z.string().nullable(),
	/** What was changed in the agent's world; null of a plain run. */
	intervention: z.string().nullable(),
});
export type ComparedRun = z.infer<typeof ComparedRun>;

/** The difference of two runs in one figure, paired by task. */
export const DifferenceLine = z.object({
	name: z.string(),
	heading: z.string(),
	meaning: z.string(),
	direction: z.enum(["higher", "lower", "neither"]),
	unit: z.enum(["percent", "number"]),
	/** Of the first run and of the second, over the tasks that are paired. */
	means: z.tuple([z.number(), z.number()]).nullable(),
	/** First − second. */
	difference: Estimate,
	/** Corrected for all tests of the comparison; null where nothing was tested. */
	p: z.number().nullable(),
	/** The run of which the difference is shown to be more; `reversible`: what is not scored could turn it round. */
	more: z.enum(["a", "b", "reversible", "none"]),
	/** Tasks on which the first is ahead, on which neither is, and on which the second is. */
	wins: z.number(),
	ties: z.number(),
	losses: z.number(),
	/** Tasks of both that are not paired, since one has no figure for them. */
	unpaired: z.number(),
});
export type DifferenceLine = z.infer<typeof DifferenceLine>;

/** Tasks that went right in one run and wrong in another, by where the wrong one broke. */
export const FlipBreak = z.object({
	/** From 1, in the order of dependency; 0: no hop is seen to be broken. */
	place: z.number(),
	/** A hop verdict; empty where no hop is named. */
	verdict: z.string(),
	count: z.number(),
	/** The filter that shows them. */
	where: z.string(),
});
export type FlipBreak = z.infer<typeof FlipBreak>;

export const Flips = z.object({
	count: z.number(),
	where: z.string(),
	/** Of the run in which it went wrong, the most frequent first. */
	breaks: z.array(FlipBreak),
});
export type Flips = z.infer<typeof Flips>;

/** Two of the runs, named by their letters; of one agent at two dates the later stands first. */
export const ComparedPair = z.object({
	a: z.string(),
	b: z.string(),
	/** Accuracy and what else tells of quality, tested and corrected together. */
	differences: z.array(DifferenceLine),
	/** What the answers took: neither more nor less is claimed to be better, and nothing is tested. */
	effort: z.array(DifferenceLine),
	/** Tasks that only `a` did right, and only `b`. */
	won: Flips,
	lost: Flips,
	/** Tasks in which the two went alike, by how: `right`, `wrong`, `even`. */
	alike: z.array(z.object({ standing: z.string(), count: z.number(), where: z.string() })),
	/** Tasks that cannot be compared: one of the two has no score of them. */
	uncompared: z.number(),
	/** Tasks that only one of them planned: in no figure. */
	onlyIn: z.tuple([z.number(), z.number()]),
});
export type ComparedPair = z.infer<typeof ComparedPair>;

/** Runs of one benchmark against one another. */
export const ComparePage = z.object({
	benchmark: z.string(),
	scoring: z.string().nullable(),
	/** The score by which a task went right or wrong, as tables call it. */
	by: z.string(),
	runs: z.array(ComparedRun),
	/** Every two of them; none where an export does not hold the differences of just these. */
	pairs: z.array(ComparedPair),
	/** What a reader must know before believing a difference. */
	cautions: z.array(z.string()),
	/** Tests that the correction is over. */
	tests: z.number(),
	/** Columns that the tasks can be sorted and filtered by. */
	columns: z.array(z.object({ name: z.string(), title: z.string(), numeric: z.boolean() })),
});
export type ComparePage = z.infer<typeof ComparePage>;

/** One task as several runs did it, in the order in which they are named. */
export const ComparedRow = z.object({
	task: z.string(),
	question: z.string(),
	picture: Media.nullable(),
	gold: z.string(),
	/** `right`, `wrong`, `ahead`, `behind`, `even`, `unscored` or `missing` of each run. */
	standings: z.array(z.string()),
	/** Whether some did it right and others wrong. */
	differs: z.boolean(),
	/** The place of the first hop that went otherwise in one run than in another; 0: none is seen to; null: it cannot be said. */
	parts: z.number().nullable(),
	/** The answer that stands for each run: the first that went as most of its repeats did; null where there is none. */
	sides: z.array(Row.nullable()),
	/** Of the score that tells right from wrong, the mean over repeats. */
	shares: z.array(z.number().nullable()),
});
export type ComparedRow = z.infer<typeof ComparedRow>;

export const ComparedRowsPage = RowsPage.omit({ rows: true }).extend({ rows: z.array(ComparedRow) });
export type ComparedRowsPage = z.infer<typeof ComparedRowsPage>;

/** Where to go from one compared task; `failures`: only to tasks that some did right and others wrong. */
export const ComparedNextQuery = NextQuery.omit({ from: true }).extend({ task: z.string() });
export type ComparedNextQuery = z.infer<typeof ComparedNextQuery>;

/** A task with its place among the rows of the filter, from 0. */
export const ComparedPlace = z.object({ task: z.string(), index: z.number() });
export type ComparedPlace = z.infer<typeof ComparedPlace>;
/** A cell of a table in words; what it has none of is absent. */
export const TableCell = z.object({
	text: z.string(),
	/** `38–47`. */
	interval: z.string().optional(),
	/** `28/30` where not everything expected was scored. */
	counts: z.string().optional(),
	/** `35–50`: what the rest could make of it. */
	bounds: z.string().optional(),
	/** Signs of significance, `†‡`. */
	marks: z.string().optional(),
	/** The best of the runs that it can be compared with. */
	best: z.boolean().optional(),
	published: z.boolean().optional(),
	/** More about the number. */
	about: z.string().optional(),
});
export type TableCell = z.infer<typeof TableCell>;

/** A drawing of a table's figures as an SVG document of its own, with its colours for light and dark. */
export const TablePlot = z.object({
	title: z.string(),
	alt: z.string(),
	svg: z.string(),
	width: z.number(),
	height: z.number(),
	/** Its series with their signs, where there are several. */
	legend: z.array(z.object({ name: z.string(), svg: z.string() })),
});
export type TablePlot = z.infer<typeof TablePlot>;

/** A table with its plots, as reports write it. */
export const ShownTable = z.object({
	/** Names it on its page, and in addresses. */
	id: z.string(),
	/** What `--views` calls it. */
	name: z.string(),
	title: z.string(),
	describe: z.string(),
	/** Which published table it follows. */
	source: z.string(),
	columns: z.array(
		z.object({
			title: z.string(),
			/** The heading that it shares with its neighbours, or empty. */
			group: z.string(),
			/** Words stand to the left, numbers to the right. */
			words: z.boolean(),
		}),
	),
	rows: z.array(
		z.object({
			cells: z.array(TableCell),
			kind: z.enum(["plain", "reference", "published", "intervention"]),
			/** Leading cells that say the same as in the row above. */
			repeats: z.number(),
			/** A rule goes before it. */
			parted: z.boolean(),
		}),
	),
	/** Rows in whole; a page has the first of them, a copy all. */
	of: z.number(),
	notes: z.array(z.string()),
	plots: z.array(TablePlot),
});
export type ShownTable = z.infer<typeof ShownTable>;

export const TermList = z.object({
	title: z.string(),
	note: z.string(),
	terms: z.array(z.object({ name: z.string(), meaning: z.string(), id: z.string().optional() })),
});

/** Everything that is reported of some runs in tables. */
export const TablesPage = z.object({
	title: z.string(),
	runs: z.array(z.object({ id: z.string(), label: z.string() })),
	facts: z.array(z.object({ name: z.string(), value: z.string() })),
	/** A benchmark each; interventions, and runs that are scored otherwise, have parts of their own. */
	parts: z.array(
		z.object({
			heading: z.string(),
			/** What a reader should take away. */
			lead: z.array(z.object({ text: z.string(), strong: z.boolean() })),
			cautions: z.array(z.string()),
			sections: z.array(z.object({ title: z.string(), notes: z.array(z.string()), tables: z.array(ShownTable) })),
		}),
	),
	/** Every further table that the runs have data for. */
	tables: z.array(ShownTable),
	glossary: z.array(TermList),
});
export type TablesPage = z.infer<typeof TablesPage>;

export const TableFormat = z.enum(["markdown", "csv", "latex"]);
export type TableFormat = z.infer<typeof TableFormat>;

/** What takes long to make: ask again until it is there. */
export type Made<Page> =
	| { is: "made"; page: Page }
	| { is: "making"; work: string; done: number; total: number | null };

/** One answer of a run that an error budget tells of. */
export const BudgetTask = TaskKey.extend({
	question: z.string(),
	/** The finding that is named first of it. */
	primary: z.string().nullable(),
	/** Re-runs of it, with how each ended. */
	reruns: z.array(z.object({ run: z.string(), what: z.string(), outcome: z.string() })),
	/** Why it is in no part; empty where it is in one. */
	reason: z.string(),
});
export type BudgetTask = z.infer<typeof BudgetTask>;

/** What re-runs with a part of the world changed show of a run; no scores of its agent. */
export const BudgetPage = z.object({
	run: z.string(),
	/** Of a run that is a re-run itself: the run that it is of. */
	of: z.string().nullable(),
	/** What makes the re-runs there are not, each a command. */
	commands: z.array(z.object({ says: z.string(), command: z.string() })),
	/** Why nothing can be intervened in; empty where something can. */
	cannot: z.string(),
	reruns: z.array(
		z.object({
			run: z.string(),
			what: z.string(),
			tasks: z.number(),
			records: z.number(),
			/** Answers it planned. */
			total: z.number(),
		}),
	),
	/** Records expected; of them right, failed, ended by an error or a spent budget, and not there. */
	expected: z.number(),
	right: z.number(),
	failed: z.number(),
	brokenOff: z.number(),
	missing: z.number(),
	withoutChain: z.number(),
	/** Failures whose re-runs suffice to give them to a part. */
	settled: z.number(),
	/** What the failures were lost to, cause before effect; they sum to the settled. */
	parts: z.array(
		z.object({
			part: z.string(),
			name: z.string(),
			meaning: z.string(),
			share: Estimate,
			count: z.number(),
			tasks: z.array(BudgetTask),
		}),
	),
	/** Failures in no part yet. */
	unsettled: z.object({
		count: z.number(),
		reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
		tasks: z.array(BudgetTask),
	}),
	/** What each intervention recovered by itself; these overlap. */
	recoveries: z.array(
		z.object({
			name: z.string(),
			share: Estimate,
			count: z.number(),
			/** Failures that it was not run on, or that ended by an error. */
			unknown: z.number(),
			held: z.number(),
			runs: z.array(z.string()),
		}),
	),
	/** By length of chain, the hop from which on the agent succeeds once it and those before it are given. */
	decisive: z.array(
		z.object({
			hops: z.number(),
			places: z.array(
				z.object({
					place: z.union([z.number(), z.literal("none"), z.literal("never")]),
					share: Estimate,
					count: z.number(),
				}),
			),
			/** Records of which it cannot be told. */
			unsure: z.number(),
		}),
	),
	/** What re-running said of failures with hops whose reading nothing shows; null where there are none. */
	settling: z
		.object({
			failures: z.number(),
			settled: z.number(),
			byItself: z.number(),
			open: z.number(),
			/** The settled, by the finding that is now named first. */
			named: z.array(z.object({ finding: z.string(), count: z.number(), tasks: z.array(BudgetTask) })),
		})
		.nullable(),
	/** The same in the tables of `hopscope intervene`. */
	tables: z.array(ShownTable),
});
export type BudgetPage = z.infer<typeof BudgetPage>;

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
	/** Tables of some runs; making them takes seconds for thousands of records. */
	tables(runs: readonly string[]): Promise<Made<TablesPage>>;
	/** One of those tables, whole, as text for elsewhere. */
	tableText(runs: readonly string[], table: string, format: TableFormat): Promise<string>;
	/** What interventions in a run recovered. */
	budget(run: string): Promise<Made<BudgetPage>>;
	budgetText(run: string, table: string, format: TableFormat): Promise<string>;
	/** Calls back whenever one of the runs has changed, with its name, until what it returns is called. */
	onChange(runs: readonly string[], changed: (run: string) => void): () => void;
	/** Runs of one benchmark against one another; refused, with the reason, where they cannot be compared. */
	compare(runs: readonly string[]): Promise<ComparePage>;
	comparedRows(runs: readonly string[], query: RowsQuery): Promise<ComparedRowsPage>;
	comparedNext(runs: readonly string[], query: ComparedNextQuery): Promise<ComparedPlace | null>;
	/** Where a picture is fetched from; `small` is one for a list. */
	media(run: string, name: string, options?: { small?: boolean }): string;
	/** Absent of an export: its runs are as they were. */
	manage?: RunsManaged;
	/** Absent of an export: nothing can be decided there. */
	reviews?: ReviewData;
	/** Absent of an export: it holds what runs came to, and nothing to search. */
	sources?: SourcesData;
}
