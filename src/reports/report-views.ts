/** A report as views: for each benchmark the tables of its runs, made of the report's data and of nothing else. */
import { present } from "#domain";
import { pairsToShow } from "./comparisons.ts";
import {
	aboutComparisons,
	aboutIntervals,
	aboutJudges,
	aboutMissing,
	aboutOrder,
	aboutSlices,
} from "./explanations.ts";
import { showMeasured, showShare } from "./number-format.ts";
import { alikeOf } from "./ranking.ts";
import type {
	BenchmarkReport,
	Ending,
	JudgeReport,
	Measured,
	MetricName,
	ReportData,
	RunComparison,
	RunReport,
	SliceName,
} from "./report-data.ts";
import { shortLabels } from "./short-labels.ts";
import { boundsNotes, comparedColumns } from "./views/compared-columns.ts";
import { healthView } from "./views/health-view.ts";
import { numberColumn, percentColumn, type TableColumn, tableOf, textColumn } from "./views/table.ts";
import type { Cell, View } from "./views/view.ts";
import { countCell, intervalCell, textCell, unscoredCell } from "./views/view-cells.ts";
import {
	boundsOf,
	countsOf,
	endingNames,
	headingOf,
	matchedNotes,
	metricOf,
	metricsIn,
	plural,
	ranksOf,
	sliceValueName,
	sliceWords,
	unitOf,
} from "./wording.ts";

/** What is reported of one benchmark, in the order of reading. */
export interface ReportSection {
	name: "ranking" | "outcomes" | "judges" | "slices";
	/** What holds for all of its tables. */
	notes: string[];
	views: View[];
}

interface Options {
	/** For a terminal: fewer metrics and slices, nothing that only a plot makes readable. */
	brief: boolean;
	/** What a run is called in a row. */
	nameOf(run: RunReport): string;
}

/** Runs of a benchmark in the order of its ranking. */
export function runsOf({ ranking }: BenchmarkReport, { runs }: ReportData): RunReport[] {
	const byId = new Map(runs.map((run) => [run.id, run]));
	return ranking.flatMap((id) => byId.get(id) ?? []);
}

/** The sections of a benchmark that have something to show. */
export function reportSections(
	benchmark: BenchmarkReport,
	data: ReportData,
	{ brief = false }: { brief?: boolean } = {},
): ReportSection[] {
	const runs = runsOf(benchmark, data);
	const names = shortLabels(
		runs.map(({ label }) => label),
		brief ? 28 : 40,
	);
	const options: Options = { brief, nameOf: (run) => names[runs.indexOf(run)] ?? run.label };
	const answering = runs.filter(({ answers }) => answers);
	const slices = (brief ? (["topology", "hops"] as const) : (Object.keys(sliceWords) as SliceName[])).map((by) =>
		sliceView(brief ? answering : runs, by, options),
	);
	const judged = runs.flatMap((run) => run.judges.map((judge) => ({ run, judge })));
	const outdated = runs.some(({ outdatedVerdicts }) => outdatedVerdicts > 0);
	const sections: ReportSection[] = [
		{
			name: "ranking",
			notes: [
				...matchedNotes(
					runs.map((run) => ({
						label: options.nameOf(run),
						evidence: run.imported?.evidence ?? run.knowledge.matched,
					})),
				),
				...(runs.length > 1 && !benchmark.intervention ? [aboutOrder(benchmark)] : []),
			],
			views: [
				healthView(runs, textColumn("run", "Run", options.nameOf)),
				rankingView(runs, benchmark, options),
				spentView(runs, options),
				differencesView(benchmark, runs, options),
			],
		},
		{
			name: "outcomes",
			notes: [],
			views: [
				outcomesView(
					answering.map((run) => ({ run, outcomes: run.outcomes, measured: run.metrics.accuracy })),
					{ title: "How the answers ended", lead: [textColumn("run", "Run", ({ run }) => options.nameOf(run))] },
				),
				...(brief ? [] : [behaviourView(runs, options)]),
			],
		},
		{
			name: "judges",
			notes: judged.length > 0 || outdated ? [aboutJudges(runs)] : [],
			views: judged.length > 0 ? judgeViews(judged, options) : [],
		},
		{
			name: "slices",
			notes: answering.length > 0 ? [aboutSlices(benchmark)] : [],
			views: [...slices, sliceDifferencesView(benchmark, runs, options)],
		},
	];
	return sections
		.map((section) => ({ ...section, views: section.views.filter(({ rows }) => rows.length > 0) }))
		.filter(({ views, notes }) => views.length + notes.length > 0);
}

/** A view of a report's own: it follows no paper and is described by the section that it stands in. */
function ownView<Row>(
	name: string,
	title: string,
	{
		rows,
		columns,
		...more
	}: { rows: readonly Row[]; columns: readonly TableColumn<NoInfer<Row>>[] } & Partial<
		Pick<View, "notes" | "plots" | "over">
	> &
		Pick<View, "across" | "intervals">,
): View {
	return { name, title, describe: "", source: "", plots: [], notes: [], ...more, ...tableOf(rows, columns) };
}

const measuredCell = (measured: Measured | undefined): Cell =>
	measured ? { is: "measured", measured } : unscoredCell("no such task");

const metricColumn = <Row>(
	metric: MetricName,
	of: (row: Row) => Measured,
	runs: readonly RunReport[] = [],
): TableColumn<Row> =>
	(unitOf(metric, runs) === "percent" ? percentColumn : numberColumn)(metric, headingOf(metric, runs), (row) =>
		measuredCell(of(row)),
	);

function rankingView(runs: readonly RunReport[], benchmark: BenchmarkReport, { brief, nameOf }: Options): View {
	const metrics = metricsIn(brief ? "terminal" : "page", runs);
	const [accuracy = "accuracy", ...others] = metrics;
	const column = (metric: MetricName) => metricColumn<RunReport>(metric, (run) => metricOf(run, metric), runs);
	const bounded = runs.some((run) => boundsOf(run.metrics.accuracy) !== undefined);
	return ownView("ranking", "Accuracy and chain metrics", {
		rows: runs,
		columns: [
			textColumn("run", "Run", nameOf),
			textColumn("place", "Rank", ranksOf),
			...(brief ? [] : [textColumn<RunReport>("about", "", (run) => aboutRank(run, runs, { benchmark, nameOf }))]),
			numberColumn<RunReport>("scored", "Scored", ({ scored, expected }) => countCell(scored, expected)),
			column(accuracy),
			...(bounded
				? [numberColumn<RunReport>("bounds", "Bounds %", (run) => textCell(boundsOf(run.metrics.accuracy) ?? "–"))]
				: []),
			...others.map(column),
		],
		plots: [{ form: "rows", x: "run", y: "accuracy", xTitle: "", yTitle: "accuracy %" }],
		intervals: aboutIntervals(runs, metrics),
		notes: [aboutMissing(runs, metrics, nameOf)].filter((note) => note !== ""),
	});
}

/** Tokens, money and time; columns of which no run knows anything are left out. */
function spentView(runs: readonly RunReport[], { nameOf }: Options): View {
	const seconds = (ms: number | null) => (ms === null ? "–" : (ms / 1000).toFixed(ms < 10_000 ? 2 : 0));
	const asked = runs.some(({ spent }) => spent.calls > 0);
	const count = (key: "calls" | "inputTokens" | "outputTokens", title: string) =>
		numberColumn<RunReport>(key, title, ({ spent }) => spent[key]);
	const priced = runs.some(({ spent }) => spent.cost !== null);
	return ownView("spent", "What the answers took", {
		rows: runs,
		columns: [
			textColumn("run", "Run", nameOf),
			...(asked
				? [count("calls", "Model calls"), count("inputTokens", "Tokens in"), count("outputTokens", "Tokens out")]
				: []),
			...(priced ? [numberColumn<RunReport>("cost", "Cost", ({ spent }) => textCell(money(spent)))] : []),
			numberColumn("p50", "Seconds, half within", ({ spent }) => textCell(seconds(spent.latency.p50))),
			numberColumn("p95", "95 % within", ({ spent }) => textCell(seconds(spent.latency.p95))),
		],
	});
}

const money = ({ cost, currency }: RunReport["spent"]) =>
	cost === null ? "–" : `${cost.toFixed(cost < 1 ? 4 : 2)} ${currency ?? ""}`.trim();

/** What an agent is there to show, and the runs from which it does not differ significantly. */
function aboutRank(
	run: RunReport,
	runs: readonly RunReport[],
	{ benchmark, nameOf }: Pick<Options, "nameOf"> & { benchmark: BenchmarkReport },
): string {
	const [one, ...more] = alikeOf(run, runs, benchmark.comparisons);
	const alike = one && (more.length === 0 ? nameOf(one) : `${more.length + 1} others`);
	return [run.agent.reference ?? "", alike ? `no significant difference from ${alike}` : ""].filter(Boolean).join("; ");
}

/** Every pair of a few runs, else those with the best contender. */
function differencesView(
	{ comparisons }: BenchmarkReport,
	runs: readonly RunReport[],
	{ brief, nameOf }: Options,
): View {
	const { shown, against } = pairsToShow(comparisons, runs);
	const name = nameById(runs, nameOf);
	const left = comparisons.length - shown.length;
	return ownView("run-differences", "Difference A − B of accuracy, in points", {
		rows: shown,
		columns: [
			textColumn<RunComparison>("run", "A", ({ a }) => name(a)),
			textColumn("less", "B", ({ b }) => name(b)),
			...comparedColumns("percent", { p: "p, Holm", words: { a: "better", b: "worse" }, brief }),
		],
		intervals: aboutComparisons,
		notes: present([
			...shown.flatMap((pair) => boundsNotes(pair, `${name(pair.a)} − ${name(pair.b)}`)),
			against &&
				`Shown are the pairs with ${nameOf(against)}; ${plural(left, "other pair")}, which the correction counts too, with --json.`,
		]),
	});
}

const nameById = (runs: readonly RunReport[], nameOf: Options["nameOf"]) => (id: string) => {
	const run = runs.find((one) => one.id === id);
	return run ? nameOf(run) : id;
};

interface Ended {
	outcomes: RunReport["outcomes"];
	run: RunReport;
	measured: Measured | null;
}

/** Every expected answer in one column, by run, or by run as a judge found them. */
function outcomesView<Row extends Ended>(
	rows: readonly Row[],
	{ title, lead }: { title: string; lead: TableColumn<Row>[] },
): View {
	const countOf = ({ outcomes }: Ended, ending: Ending) =>
		outcomes.find((outcome) => outcome.ending === ending)?.count ?? 0;
	const endings = (Object.keys(endingNames) as Ending[]).filter((ending) =>
		rows.some((row) => countOf(row, ending) > 0),
	);
	const shareOf = (row: Row, ending: Ending) => {
		const count = countOf(row, ending);
		return textCell(count === 0 ? "0" : `${count} (${showShare(count, row.run.expected)} %)`);
	};
	return ownView("outcomes", title, {
		rows,
		columns: [
			...lead,
			...endings.map((ending) => numberColumn<Row>(ending, endingNames[ending], (row) => shareOf(row, ending))),
			numberColumn("expected", "expected", ({ run }) => run.expected),
			numberColumn("bounds", "bounds %", ({ measured }) =>
				textCell(measured ? (boundsOf(measured) ?? showMeasured(measured, "percent").value) : "–"),
			),
		],
		notes: [
			"Every expected answer is in one column. Bounds: worst-case and best-case accuracy, with everything unscored counted as wrong and as right.",
		],
	});
}

/** Nothing where no agent talked with a model. */
function behaviourView(runs: readonly RunReport[], { nameOf }: Options): View {
	const metrics = metricsIn("behaviour", runs);
	const talking = runs.some((run) => run.metrics.rounds.value !== null);
	return ownView("behaviour", "What the agents did for a task, on average", {
		rows: talking ? runs : [],
		columns: [
			textColumn<RunReport>("run", "Run", nameOf),
			...metrics.map((metric) => metricColumn<RunReport>(metric, (run) => metricOf(run, metric), runs)),
		],
		notes: [aboutMissing(runs, metrics, nameOf)].filter((note) => note !== ""),
	});
}

interface Judged {
	run: RunReport;
	judge: JudgeReport;
}

function judgeViews(judged: readonly Judged[], { brief, nameOf }: Options): View[] {
	const lead: TableColumn<Judged>[] = [
		textColumn("run", "Run", ({ run }) => nameOf(run)),
		textColumn("judge", "Judge", ({ judge }) => judge.judge),
		textColumn("rubric", "Rubric", ({ judge }) => judge.rubric),
	];
	const methods = new Set(judged.flatMap(({ judge }) => judge.corrected?.methods.map(({ method }) => method) ?? []));
	const correctedBy = (method: string, { corrected }: JudgeReport): Cell => {
		const found = corrected?.methods.find((one) => one.method === method);
		if (!corrected || !found) return textCell("uncorrected");
		const n = corrected.judged;
		return intervalCell({ ...found, n, groups: n, method: found.low === null ? "none" : "delta" });
	};
	const judges = ownView("judges", "What judges say, by judge and rubric", {
		rows: judged,
		columns: [
			...lead,
			numberColumn("scored", "Scored", ({ judge }) => countCell(judge.scored, judge.expected)),
			percentColumn(
				"judged",
				"Judged",
				({ judge }) => (judge.value ? measuredCell(judge.value) : unscoredCell("the rubric gives labels only")),
				{ bounded: true },
			),
			...(methods.size === 0 ? [textColumn<Judged>("corrected", "Corrected", () => "uncorrected")] : []),
			...[...methods].map((method) =>
				percentColumn<Judged>(method, method, ({ judge }) => correctedBy(method, judge), { group: "Corrected" }),
			),
			numberColumn("unread", "Unparsed %", ({ judge: { unparsed } }) =>
				textCell(unparsed.share === null ? "–" : `${showShare(unparsed.verdicts, unparsed.of)} of ${unparsed.of}`),
			),
			percentColumn("flips", "Flips", ({ judge }) => intervalCell(judge.flips)),
			textColumn("prompt", "Prompt", ({ judge }) => judge.prompt.slice(0, brief ? 8 : 12)),
			...(brief
				? []
				: [
						percentColumn<Judged>("order", "Order", ({ judge }) => orderCell(judge), { signed: true }),
						numberColumn<Judged>("times", "Runs", ({ judge }) => judge.times),
						metricColumn<Judged>("accuracy", ({ run }) => run.metrics.accuracy),
					]),
		],
		notes: judged.flatMap(({ run, judge: { judge, rubric, corrected } }) =>
			corrected
				? [
						`${nameOf(run)}, ${judge} by ${rubric}: corrected by ${plural(corrected.labelled, "label")} on ${plural(corrected.judged, "answer")}.`,
					]
				: [],
		),
	});
	if (brief) return [judges];
	const graded = judged.filter(({ judge }) => judge.given.some(({ is }) => is === "grade"));
	const ended = graded.map((one) => ({ ...one, outcomes: one.judge.outcomes, measured: one.judge.value }));
	return [
		judges,
		givenView(judged, lead),
		outcomesView<Judged & Ended>(ended, { title: "How the answers ended, as judged", lead }),
	];
}

const orderCell = ({ position: { method, ...effect } }: JudgeReport): Cell =>
	intervalCell({ ...effect, method: method === "none" ? "none" : "t" });

/** Grades, labels and scores, one a row. */
function givenView(judged: readonly Judged[], lead: readonly TableColumn<Judged>[]): View {
	const rows = judged.flatMap((one) => one.judge.given.map((line) => ({ ...one, line })));
	return ownView("judges-gave", "What judges gave", {
		rows,
		columns: [
			...lead,
			textColumn("kind", "Kind", ({ line }) => line.is),
			textColumn("name", "Name", ({ line: { is, name } }) =>
				is === "grade" ? (endingNames[name as Ending] ?? name) : name,
			),
			percentColumn("share", "Share of answers", ({ line }) =>
				line.is === "score" ? undefined : intervalCell(line.value),
			),
			numberColumn("mean", "Mean", ({ line }) => (line.is === "score" ? intervalCell(line.value) : undefined)),
			textColumn("scale", "Scale", ({ line }) =>
				line.is === "score" ? `${line.scale.least} to ${line.scale.most}` : "",
			),
			numberColumn("tasks", "Tasks", ({ line }) => line.value.n),
			numberColumn("verdicts", "Verdicts", ({ line }) => (line.is === "score" ? undefined : line.verdicts)),
		],
	});
}

/** Accuracy and HPS of every run in every value of one slice, the runs side by side. */
function sliceView(runs: readonly RunReport[], by: SliceName, { brief, nameOf }: Options): View {
	const values = [...new Set(runs.flatMap((run) => run.slices[by].map((row) => row.value)))];
	const shown = values.slice(0, mostValues);
	const rows = shown.flatMap((value) => {
		const found = runs.map((run) => ({ run, row: run.slices[by].find((row) => row.value === value) }));
		const answered = found.filter(({ run }) => run.answers);
		const n = countsOf((answered.length > 0 ? answered : found).flatMap(({ row }) => row?.accuracy ?? []));
		return found.map((one) => ({ ...one, value, n }));
	});
	const { heading, caption } = sliceWords[by];
	const hidden = values.length - shown.length;
	return ownView(`slices-${by}`, `By ${heading.toLowerCase()}: ${caption}`, {
		rows,
		columns: [
			textColumn("slice", heading, ({ value }) => sliceValueName(by, value)),
			numberColumn("n", "n", ({ n }) => textCell(n)),
			textColumn("run", "Run", ({ run }) => nameOf(run)),
			percentColumn(
				"accuracy",
				"Accuracy",
				({ run, row }) => (run.answers ? measuredCell(row?.accuracy) : unscoredCell("the agent only searches")),
				{ bounded: true },
			),
			...(brief
				? []
				: [percentColumn<(typeof rows)[number]>("hps", "HPS", ({ row }) => measuredCell(row?.hps), { bounded: true })]),
		],
		across: "run",
		// the first table says how intervals are made
		intervals: "",
		plots:
			by === "hops" || by === "topology"
				? [
						{
							form: by === "hops" ? "lines" : "rows",
							x: "slice",
							y: "accuracy",
							series: "run",
							xTitle: by === "hops" ? "hops that need retrieval" : "",
							yTitle: "accuracy %",
						},
					]
				: [],
		notes: hidden > 0 ? [`${plural(hidden, "more value")}: --json.`] : [],
	});
}

/** Rows that a slice's table may have; the rest is in the data. */
const mostValues = 40;

/** Of a benchmark with two runs, their difference in each slice. */
function sliceDifferencesView(
	{ sliceComparisons }: BenchmarkReport,
	runs: readonly RunReport[],
	{ brief, nameOf }: Options,
): View {
	const name = nameById(runs, nameOf);
	const [first] = sliceComparisons;
	const shown = sliceComparisons.filter(({ slice }) => !brief || slice === "topology" || slice === "hops");
	return ownView("slice-differences", first ? `${name(first.a)} − ${name(first.b)} by slice, in points` : "", {
		rows: shown,
		columns: [
			textColumn<(typeof shown)[number]>("slice", "Slice", ({ slice }) => sliceWords[slice].heading),
			textColumn<(typeof shown)[number]>("value", "Value", ({ slice, value }) => sliceValueName(slice, value)),
			...comparedColumns("percent", { p: "p, BH", words: { a: "better *", b: "worse *" }, brief: true }),
		],
		intervals: "",
	});
}
