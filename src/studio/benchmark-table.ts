/** The tasks of a benchmark as columns and rows: what a list of them is filtered and sorted by. */
import { clip, inDependencyOrder, type Task, topologyOf } from "#domain";
import { modalityName, topologyName } from "#reports";
import { imageMedia } from "./media-names.ts";
import { taskTable } from "./run-table.ts";
import { type FacetGiven, type FacetWords, titledFacets } from "./select.ts";
import type { BenchmarkRow, GoldHopMark } from "./sources-pages.ts";
import { type Category, createCategory, type Table } from "./table.ts";

/** What is known of tasks besides themselves, by id. */
export interface SaidOfTasks {
	/** What checks found: codes, and the gravest. */
	problems?: ReadonlyMap<string, { codes: readonly string[]; severity: string; count: number }> | undefined;
	/** Where its review stands. */
	review: ReadonlyMap<string, string>;
	/** Checks of its build that it failed. */
	failed: ReadonlyMap<string, readonly string[]>;
}

export function benchmarkTable(tasks: readonly Task[], { problems, review, failed }: SaidOfTasks): Table {
	const { numbers, categories } = taskTable(tasks);
	const column = (read: (task: Task) => string | undefined, options: { sets?: boolean } = {}): Category => {
		const gathered = createCategory(tasks.length, options);
		for (const [row, task] of tasks.entries()) gathered.set(row, read(task) || undefined);
		return gathered.done();
	};
	const several = (valuesOf: (task: Task) => readonly string[]) =>
		column((task) => [...new Set(valuesOf(task))].join(" "), { sets: true });
	return {
		rows: tasks.length,
		numbers: new Map([
			...numbers,
			["problems", Float64Array.from(tasks, ({ id }) => problems?.get(id)?.count ?? (problems ? 0 : Number.NaN))],
		]),
		categories: new Map([
			// both names of a hop count: `hops:3` by its values, `hops>3` by number
			["hops", column(({ chain }) => chain && String(chain.hops.length))],
			["modality", several(({ chain }) => chain?.hops.map(({ modality }) => modality) ?? [])],
			["answertype", column(({ answer }) => answer.type)],
			...(problems ? ([["problem", several(({ id }) => problems.get(id)?.codes ?? [])]] as const) : []),
			...(review.size > 0 ? ([["review", column(({ id }) => review.get(id))]] as const) : []),
			...(failed.size > 0 ? ([["failed", several(({ id }) => failed.get(id) ?? [])]] as const) : []),
			...categories,
		]),
	};
}

const facets: FacetGiven[] = [
	{
		name: "topology",
		title: "Shape of the chain",
		titleOf: (value) => (value === "none" ? "no chain" : topologyName(value)),
	},
	{
		name: "hops",
		title: "Hops",
		titleOf: (value) => (value === "none" ? "no chain" : value === "1" ? "1 hop" : `${value} hops`),
	},
	{
		name: "modality",
		title: "Kinds of hops",
		titleOf: (value) => (value === "none" ? "no chain" : modalityName(value).toLowerCase()),
	},
	{ name: "language", title: "Language", titleOf: (value) => (value === "und" ? "not said" : value) },
	{ name: "answertype", title: "Answer", titleOf: (value) => answerTypes[value] ?? value },
	{ name: "problem", title: "What checks found", titleOf: (value) => (value === "none" ? "nothing" : inWords(value)) },
	{ name: "failed", title: "Checks it failed", titleOf: (value) => (value === "none" ? "none" : inWords(value)) },
	{ name: "review", title: "Review", titleOf: (value) => (value === "none" ? "not given out" : value) },
];

const answerTypes: Record<string, string> = {
	string: "a name",
	number: "a number",
	time: "a date",
	boolean: "yes or no",
	list: "a list",
	text: "a text",
	none: "unanswerable",
};

const inWords = (value: string) => value.replaceAll("-", " ");

/** A tag with more values than this names its tasks rather than telling them apart. */
const mostTagValues = 40;

export function benchmarkFacets(table: Table): FacetWords[] {
	const { categories, rows } = table;
	const tags = [...categories.keys()]
		.filter((name) => name.startsWith("tag."))
		.filter((name) => {
			const values = categories.get(name)?.dictionary.length ?? 0;
			return values > 1 && values <= Math.min(mostTagValues, rows / 2);
		})
		.map((name) => ({ name, title: name.slice(4), titleOf: (value: string) => value.replaceAll("_", " ") }));
	return titledFacets(table, [...facets, ...tags]);
}

const titles: Record<string, string> = {
	hops: "Hops",
	retrieving: "Hops with evidence",
	images: "Question images",
	problems: "Problems found",
	task: "Task",
	question: "Question",
	gold: "Answer",
	answertype: "Answer type",
	modality: "Kinds of hops",
	language: "Language",
	topology: "Shape of the chain",
	problem: "What checks found",
	failed: "Checks it failed",
	review: "Review",
};

/** The columns by which tasks are sorted and filtered; one that has numbers is told as such. */
export const benchmarkColumns = ({ numbers, categories }: Table) =>
	[...new Set([...categories.keys(), ...numbers.keys()])]
		.filter((name) => name !== "picture")
		.map((name) => ({
			name,
			title: titles[name] ?? name.replace(/^tag\./, "Tag "),
			numeric: numbers.has(name),
		}));

/** Most hops that a list draws. */
const mostDrawn = 40;

export function benchmarkRow(task: Task, { problems, review }: SaidOfTasks): BenchmarkRow {
	const [image] = task.images;
	const found = problems?.get(task.id);
	return {
		task: task.id,
		question: clip(task.question, 300),
		picture: image ? imageMedia(task, image) : null,
		hops: hopMarks(task),
		topology: task.chain ? topologyName(topologyOf(task.chain)) : "no chain",
		answer: clip(task.answer.value, 200),
		answerType: answerTypes[task.answer.type] ?? task.answer.type,
		language: task.tags.language,
		severity: found?.severity ?? "",
		problems: found?.count ?? 0,
		review: review.get(task.id) ?? "",
	};
}

function hopMarks({ chain }: Task): GoldHopMark[] {
	const hops = chain ? inDependencyOrder(chain).slice(0, mostDrawn) : [];
	const places = new Map(hops.map(({ id }, place) => [id, place]));
	return hops.map(({ modality, needs }) => ({ modality, needs: needs.flatMap(({ hop }) => places.get(hop) ?? []) }));
}
