/** A table or figure of a paper as it was printed, and how our own rows for it are made: a file of `suites/`. */
import { z } from "zod";
import { Answer, freeRecord, ownField, ScoringMode, Topology, tagVocabularies } from "#domain";
import { measureNames } from "./measure-names.ts";

const word = z.string().trim().min(1).max(300);
const key = z.string().regex(/^[a-z0-9][a-z0-9@.-]*$/);
const oneOrMore = <T extends z.ZodType>(value: T) =>
	z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(value).min(1));
/** Values of a slice: names, or hops as `2`, `2+` and `5-9`. */
const sliceValues = oneOrMore(z.union([word, z.number().transform(String)]));
/** Of each printed label what it stands for in our data. */
const groups = freeRecord(word, oneOrMore(word));

/** A column that names rows. The first three kinds say which of our tasks a row is of; the others name our run. */
export const LabelColumn = z.discriminatedUnion("is", [
	z.strictObject({ is: z.literal("slice"), key, title: word, by: word, groups }),
	/** Handed to the measure, which knows it (an error type, a modality). */
	z.strictObject({ is: z.literal("category"), key, title: word, groups }),
	z.strictObject({
		/**
		 * `run`: what tells it apart; `contender`: agent and model; `kind`: the paper's heading over several rows;
		 * `benchmark`: whose statistics they are.
		 */
		is: z.enum(["run", "contender", "agent", "model", "setting", "limit", "knowledge", "kind", "benchmark"]),
		key,
		title: word,
		prefix: word.optional(),
	}),
]);
export type LabelColumn = z.infer<typeof LabelColumn>;

export const ValueColumn = z.strictObject({
	key,
	title: word,
	group: word.optional(),
	unit: z.enum(["percent", "number"]),
	better: z.enum(["higher", "lower"]).optional(),
	/** Absent where our numbers stand in a table of their own (`view`). */
	measure: z.enum(measureNames).optional(),
	/** Ours times this: a judge's mean in [0, 1] on the paper's scale of 0 to 5. */
	scale: z.number().positive().optional(),
	/** Which of the benchmark's statistics stands here, where the row does not name it. */
	statistic: word.optional(),
	/** The tasks it is over, by slice or tag. */
	where: freeRecord(word, sliceValues).optional(),
	/** Which of several runs stands here: with so many results a search, or over the first or second benchmark named. */
	when: z.strictObject({ k: z.int().positive().optional(), benchmark: z.int().min(1).max(2).optional() }).optional(),
});
export type ValueColumn = z.infer<typeof ValueColumn>;

/** A run of a suite, as `hopscope run` takes it, without what the user says: benchmark and model. */
const Entry = z.strictObject({
	agent: oneOrMore(word),
	setting: oneOrMore(word).optional(),
	k: oneOrMore(z.int().positive()).optional(),
	limit: oneOrMore(z.int().positive()).optional(),
	/** Runs of each task, where the paper has more than one. */
	repeats: z.int().positive().optional(),
});
export type PublishedEntry = z.infer<typeof Entry>;

export const PublishedTable = z
	.strictObject({
		/** `PAPER:N` of a table, `PAPER:figure-N` of a figure. */
		name: z.string().regex(/^[a-z][a-z0-9-]*:(?:figure-)?[1-9][0-9]*$/),
		source: word,
		title: word,
		/** What it measures, in a sentence. */
		measures: z.string().min(1).max(1000),
		/** What is to be known of the printed numbers: read otherwise, left out, at odds with another table. */
		remarks: z.array(z.string().min(1)).default([]),
		/** The key of a label that stands in the paper's columns and in rows here. */
		transposed: key.optional(),
		/** The numbers stand in running text, not in a table. */
		scattered: z.boolean().default(false),
		/** The numbers are drawn and stand nowhere in the text: there may be no printed row. */
		drawn: z.boolean().default(false),
		labels: z.array(LabelColumn).min(1),
		/** None where a view shows a figure of which no number is printed. */
		values: z.array(ValueColumn).default([]),
		/** Labels, then numbers as they were printed; `~` where nothing was. */
		rows: z.array(z.array(word)),
		/** How answers are scored for it, where it is not as their benchmark says. */
		scoring: ScoringMode.optional(),
		/** The rubric whose verdicts are ours. */
		rubric: word.optional(),
		/** A view that shows our numbers in a table of its own. */
		view: word.optional(),
		/** What that view breaks them down by: a slice or a tag. */
		by: word.optional(),
		/** Ours are these statistics of a benchmark (`hopscope benchmark stats --as NAME`): nothing is run. */
		statistics: word.optional(),
		needs: z.strictObject({ benchmark: word, model: word }),
		/** What is run for ours; lists multiply. */
		runs: z.array(Entry).default([]),
		/** Run beside it, for columns that are read against them. */
		references: z.strictObject({ baseline: Entry.optional(), golden: Entry.optional() }).default({}),
		/** Where our protocol knowingly is another than the paper's. */
		differs: z.array(z.string().min(1)),
	})
	.superRefine(({ labels, values, rows, runs, transposed, view, drawn, statistics }, context) => {
		const fail = (message: string, path: (string | number)[]) => context.addIssue({ code: "custom", message, path });
		const keys = [...labels, ...values].map((column) => column.key);
		if (new Set(keys).size < keys.length) fail("two columns have one key", ["values"]);
		if (transposed !== undefined && !labels.some((label) => label.key === transposed))
			fail("no label has this key", ["transposed"]);
		if (values.length === 0 && !(drawn && view !== undefined)) fail("there are none", ["values"]);
		if (rows.length === 0 && !drawn) fail("there are none, and the numbers are not said to be drawn", ["rows"]);
		if ((runs.length === 0) !== (statistics !== undefined))
			fail("a table of runs or of statistics, one of the two", ["runs"]);
		if (view === undefined)
			for (const [at, { measure }] of values.entries())
				if (measure === undefined) fail("has no measure, and the table no view", ["values", at]);
		for (const [at, { where = {} }] of values.entries())
			for (const [by, wanted] of Object.entries(where))
				for (const value of wanted)
					if (!isKnown(by, value)) fail(`no task is ever ${by} ${JSON.stringify(value)}`, ["values", at, "where", by]);
		for (const [at, label] of labels.entries())
			if (label.is === "slice")
				for (const [name, wanted] of Object.entries(label.groups))
					for (const value of wanted)
						if (!isKnown(label.by, value))
							fail(`no task is ever ${label.by} ${JSON.stringify(value)}`, ["labels", at, "groups", name]);
		for (const [at, row] of rows.entries()) {
			if (row.length !== keys.length) fail(`has ${row.length} cells for ${keys.length} columns`, ["rows", at]);
			for (const [place, label] of labels.entries())
				if ("groups" in label && !Object.hasOwn(label.groups, row[place] ?? ""))
					fail(`${JSON.stringify(row[place])} is no group of ${label.key}`, ["rows", at, place]);
			for (const [place, text] of row.slice(labels.length).entries())
				if (text !== absent && !printed.test(text))
					fail(`${JSON.stringify(text)} is no number`, ["rows", at, labels.length + place]);
		}
	});
export type PublishedTable = z.infer<typeof PublishedTable>;

/** What tasks are grouped by whose values are a fixed list: a table that asks for another would never find a task. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
	...tagVocabularies,
	topology: Topology.options,
	level: ["L1", "L2", "L3"],
	"answer-type": Answer.options.map(({ shape }) => shape.type.value),
};

const isKnown = (by: string, value: string): boolean => ownField(vocabularies, by)?.includes(value) ?? true;

/** What a file writes where nothing was printed. */
export const absent = "~";

/** `36.49`, `27.4%`, `-0.0083 (0.00082)`, `1,339/1,533`. */
export const printed = /^([+-]?\d[\d,]*(?:\.\d+)?)%?(?:\/(\d[\d,]*))?(?: \(([^()]+)\))?$/;
