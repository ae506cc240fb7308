/** One run as its page shows it: what its columns come to. Every statistic is scoring's or the diagnosis' own. */
import { type Break, breaksOf } from "#diagnosis";
import { type HopVerdict, present, type RunManifest, type Task, tally } from "#domain";
import { headline, matchedNotes, sliceValueName, sliceWords } from "#reports";
import {
	isIllFormed,
	latencyOf,
	noValue,
	type Scorer,
	scorerOf,
	scorers,
	sliceNames,
	slices,
	summarise,
} from "#scoring";
import type { BreaksAt, Estimate, MetricLine, RunLine, RunPage } from "./pages.ts";
import { notJudged, recordColumns } from "./run-index.ts";
import { type RunTable, taskIdAt } from "./run-table.ts";
import { type Item, scoredItems } from "./scored-items.ts";
import { hopColumn, type Table, valueAt } from "./table.ts";
import { quote } from "./where.ts";

export interface RunShown {
	line: RunLine;
	manifest: RunManifest;
	table: RunTable;
	/** Tasks of the benchmark by id. */
	tasks: ReadonlyMap<string, Task>;
	/** Scorers beside the registered ones. */
	added?: readonly Scorer[] | undefined;
}

export function runPage({ line, manifest, table, tasks, added = [] }: RunShown): RunPage {
	const items = scoredItems(manifest, { table, tasks });
	const broken = breaksIn(table, tasks);
	const longest = broken.reduce((most, { task }) => Math.max(most, task.chain?.hops.length ?? 0), 0);
	const breaks = breaksOf(broken, longest);
	const seconds = table.numbers.get("seconds") ?? new Float64Array();
	const metrics = [...scorers, ...added].flatMap((scorer) => metricLine(scorer, items));
	return {
		line: { ...line, accuracy: metrics.find(({ name }) => name === "accuracy")?.estimate ?? line.accuracy },
		facts: factsOf(manifest),
		cautions: cautionsOf(table, manifest),
		headline: headline({ ...breaks, withChain: broken.length, recorded: table.rows }),
		outcomes: outcomesOf(items, table),
		errors: errorsOf(table),
		breaks: {
			places: breaks.firstBroken.map(
				({ place, share, verdicts }): BreaksAt => ({
					place,
					onwards: false,
					where: `broken:${place}`,
					chains: broken.filter(({ task }) => (task.chain?.hops.length ?? 0) >= place).length,
					share: { ...estimate(share), n: share.of },
					count: share.count,
					possible: broken.filter(({ open }) => open.has(place)).length,
					verdicts: verdicts as Record<string, number>,
				}),
			),
			sound: broken.filter(({ place, open }) => place === 0 && open.size === 0).length,
			unobserved: broken.filter(({ place, open }) => place === 0 && open.size > 0).length,
			soundWhere: "broken:none unobserved:no",
			unobservedWhere: "broken:none unobserved:yes",
			chains: broken.length,
			without: table.rows - broken.length,
		},
		metrics,
		slices: sliceNames.map((by) => ({
			name: sliceWords[by].heading,
			rows: slices(items, by).map(({ name, items: own }) => ({
				value: sliceValueName(by, name),
				where: whereOf(by, name, table),
				records: own.length,
				accuracy: measured(summarise(own, { metric: "accuracy" })),
			})),
		})),
		latency: latencyOf(seconds.map((each) => each * 1000)),
		columns: columnsOf(table),
	};
}

/** The columns that hold what slices are by, where there is one. */
const columnOf: Partial<Record<(typeof sliceNames)[number], string>> = {
	topology: "topology",
	hops: "retrieving",
	language: "language",
};

/** The filter that shows a slice's tasks; empty where there is none. */
function whereOf(by: (typeof sliceNames)[number], name: string, { numbers }: Table): string {
	const column = columnOf[by];
	if (column === undefined) return "";
	if (name !== noValue) return `${column}:${quote(name)}`;
	return numbers.has(column) ? `-${column}>=0` : `${column}:none`;
}

function breaksIn(table: RunTable, tasks: RunShown["tasks"]): Break[] {
	const [broken, open] = [table.categories.get("broken"), table.categories.get("open")];
	if (!broken) return [];
	return Array.from({ length: table.rows }, (_, row) => row).flatMap((row): Break[] => {
		const said = valueAt(broken, row);
		const task = tasks.get(taskIdAt(table, row));
		if (said === null || said === notJudged || !task) return [];
		const place = said === "none" ? 0 : Number(said);
		const column = table.categories.get(hopColumn(place));
		const verdict = (column && valueAt(column, row)) as HopVerdict | null | undefined;
		const places = open ? (valueAt(open, row) ?? "") : "";
		return [
			{ task, place, verdict: verdict ?? null, open: new Set(places === "" ? [] : places.split(" ").map(Number)) },
		];
	});
}

function outcomesOf(items: readonly Item[], { categories }: Table): RunPage["outcomes"] {
	const counts = new Map<string, number>();
	const outcome = categories.get("outcome");
	for (const { line } of items) {
		const ended = (line !== undefined && outcome && valueAt(outcome, line)) || "missing";
		counts.set(ended, (counts.get(ended) ?? 0) + 1);
	}
	return [...counts].map(([name, count]) => ({ outcome: name, count })).sort((a, b) => b.count - a.count);
}

/** Errors of which more are not listed. */
const mostErrors = 20;

function errorsOf(table: Table): RunPage["errors"] {
	const column = table.categories.get("error");
	const said = Array.from(column?.codes ?? []).flatMap((_, row) => (column && valueAt(column, row)) ?? []);
	return Object.entries(tally(said))
		.map(([error, count]) => ({ error, count, where: `error:${quote(error)}` }))
		.sort((a, b) => b.count - a.count)
		.slice(0, mostErrors);
}

/** The accuracy of the answers so far, as the page has it. */
export const accuracyIn = ({ manifest, table, tasks }: Pick<RunShown, "manifest" | "table" | "tasks">): Estimate =>
	measured(summarise(scoredItems(manifest, { table, tasks }, ["accuracy"]), { metric: "accuracy" }));

function metricLine(scorer: Scorer, items: readonly Item[]): MetricLine[] {
	const summary = summarise(items, { metric: scorer });
	if (summary.expected === 0) return [];
	const { name, heading, meaning, direction, unit } = scorer;
	return [
		{
			name,
			heading,
			meaning,
			direction,
			unit,
			estimate: measured(summary),
			unscored: summary.expected - summary.scored,
		},
	];
}

type Spread = Pick<Estimate, "value" | "low" | "high"> & { reason?: string | undefined };

export const measured = (summary: Spread & { tasks: number }): Estimate => ({ ...estimate(summary), n: summary.tasks });

const estimate = ({ value, low, high, reason }: Spread): Omit<Estimate, "n"> => ({
	value,
	low,
	high,
	...(reason === undefined ? {} : { reason }),
});

function cautionsOf({ numbers }: Table, { agent, imported, knowledge }: RunManifest): string[] {
	const sum = (name: string) => (numbers.get(name) ?? new Float64Array()).reduce((total, one) => total + (one || 0), 0);
	const [actions, read] = [sum("actions"), sum("readable")];
	return present([
		isIllFormed({ actions, read }) &&
			`Only ${read} of ${actions} actions could be read: the scores tell of the form before anything else.`,
		...matchedNotes([{ label: agent.name.slice(0, 80), evidence: imported?.evidence ?? knowledge.matched }]),
	]);
}

function factsOf({
	agent,
	model,
	setting,
	benchmark,
	knowledge,
	scoring,
	seed,
	repeats,
	at,
	software,
	imported,
}: RunManifest): RunPage["facts"] {
	const short = (hash: string) => hash.slice(0, 12);
	const facts: [string, string | undefined][] = [
		["Agent", `${agent.name} ${agent.version}`],
		["Model", model ?? "none"],
		["Setting", `${setting.name}, k ${setting.k}${setting.limit === undefined ? "" : `, limit ${setting.limit}`}`],
		["Benchmark", `${benchmark.name} (${short(benchmark.hash)})`],
		["Knowledge base", `${knowledge.name} (${short(knowledge.hash)})`],
		["Scoring", scoring],
		["Repeats", repeats > 1 ? String(repeats) : undefined],
		["Seed", String(seed)],
		["Begun", at],
		["Software", `Hopscope ${software.hopscope}, Node ${software.node}`],
		["Made elsewhere", imported?.file],
	];
	return facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: value.slice(0, 200) }]));
}

/** What columns of a run are called. */
const titles: Record<string, string> = {
	task: "Task",
	question: "Question",
	outcome: "Outcome",
	primary: "Finding",
	verdict: "Verdict of any hop",
	broken: "First broken hop",
	open: "Hops that may have broken",
	unobserved: "Something not observed",
	tool: "Tool",
	stop: "How it ended",
	error: "Error that ended it",
	at: "Answered at (UTC)",
	topology: "Shape of the chain",
	language: "Language",
	answer: "Answer",
	gold: "Gold answer",
	shows: "What the agent shows",
	hops: "Hops",
	retrieving: "Hops that retrieve",
	images: "Question images",
	repeat: "Repeat",
	attempt: "Attempt",
	steps: "Steps",
	seconds: "Seconds",
	tokens: "Tokens",
	calls: "Model calls",
	cost: "Cost",
	actions: "Actions",
	readable: "Actions that could be read",
};

const hidden = new Set<string>([...Object.values(recordColumns), "picture"]);

export function columnsOf({ numbers, categories }: Table): RunPage["columns"] {
	return [...categories.keys(), ...numbers.keys()]
		.filter((name) => !hidden.has(name))
		.map((name) => ({ name, title: columnTitle(name), numeric: numbers.has(name) }));
}

export const columnTitle = (name: string): string =>
	titles[name] ?? scorerOf(name)?.heading ?? name.replace(/^hop(\d+)$/, "Verdict of hop $1");
