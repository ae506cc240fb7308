/** One self-contained page: no server, no script, nothing fetched; the content policy says so to the browser. */
import { createHash } from "node:crypto";
import { clip, unknownHash } from "#domain";
import { sliceNames } from "#scoring";
import { comparisonTable } from "./comparison-table.ts";
import { agreementTables } from "./diagnosis/diagnosis-agreement.ts";
import { readerSection } from "./diagnosis/second-reader.ts";
import { headline } from "./diagnosis/terminal-diagnosis.ts";
import { aboutConfidence, aboutIntervals, aboutMissing, aboutOrder, aboutSlices } from "./explanations.ts";
import { failureBlock, failuresNote } from "./failure-section.ts";
import { glossary } from "./glossary.ts";
import { judgeSection } from "./judge-section.ts";
import { type Look, looksOf } from "./look.ts";
import { type FailurePictures, type Media, makePictures, mediaOf } from "./media.ts";
import { showInline, showMeasured } from "./number-format.ts";
import { plotsOf } from "./plot-section.ts";
import { nameOf, sign } from "./plots.ts";
import { alikeOf } from "./ranking.ts";
import { reportData } from "./report.ts";
import type { BenchmarkReport, Failure, MetricName, ReportData, ReportRun, RunReport } from "./report-data.ts";
import { style } from "./style.ts";
import { behaviourTable, confidenceTable, healthTable, outcomesTable, rankingTable, sliceTable } from "./tables.ts";
import { type Content, html, type Markup, trusted } from "./template.ts";
import { viewBlocks } from "./views/render/render-html.ts";
import type { View } from "./views/view.ts";
import { boundsOf, metricsIn, plural } from "./wording.ts";

/** Characters of pictures, of failures' text and of tables on a page: together under 3 MB with all the rest. */
const pictureBudget = 1_300_000;
const failureBudget = 900_000;
const viewBudget = 450_000;

/**
 * The report as one HTML page, with small pictures of the question images and the evidence of failures. Every text of
 * the runs is escaped; the page stays under 3 MB and says where it leaves something out. `data` saves computing it again.
 */
export async function htmlReport(
	runs: readonly ReportRun[],
	options: { data?: ReportData | undefined; views?: readonly View[]; signal?: AbortSignal | undefined } = {},
): Promise<string> {
	const data = options.data ?? (await reportData(runs));
	return renderPage(data, { media: mediaOf(runs), views: options.views ?? [], signal: options.signal });
}

async function renderPage(
	data: ReportData,
	options: { media: Media; views: readonly View[]; signal: AbortSignal | undefined },
): Promise<string> {
	const { media, views, signal } = options;
	const pictures = await makePictures(data, media, { budget: pictureBudget, signal });
	const look = looksOf(data.runs);
	const several = data.benchmarks.length > 1;
	const allowance = { left: failureBudget };
	const bodies = data.benchmarks.map((benchmark, place) =>
		benchmarkSection(benchmark, { data, look, several, place, allowance, pictures: pictures.of }),
	);
	const title = clip([...new Set(data.benchmarks.map(headingOf))].join(", ") || "No runs", 80);
	const hash = createHash("sha256").update(style).digest("base64");
	const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
	return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${title} – Hopscope report</title><link rel="icon" href="data:,">
<style>${trusted(style)}</style></head>
<body><div class="page">${pageHeader(data, title)}${navigation(data, { several, views })}<main>${bodies}${viewSection(views)}${glossary(data.runs)}</main>
<footer><p>Made by Hopscope from ${plural(data.runs.length, "recorded run")}. This page holds everything it shows and fetches nothing.${
		pictures.leftOut > 0 && ` ${plural(pictures.leftOut, "picture")} left out to keep it small.`
	}</p></footer></div></body></html>
`.text;
}

function pageHeader(data: ReportData, title: string): Markup {
	const { runs, benchmarks } = data;
	const distinct = (values: string[]) => [...new Set(values)].join(", ");
	const days = runs.map((run) => run.at.slice(0, 10)).sort();
	const dates = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
	const facts: [string, Content][] = [
		...benchmarks.map((one): [string, Content] => [
			"Benchmark",
			html`<bdi>${one.name}</bdi>, ${plural(one.tasks, "task")}<br><span class="id muted">${one.hash.slice(0, 12)}</span>`,
		]),
		...[...new Map(runs.map((one) => [one.knowledge.hash, one.knowledge])).values()].map((one): [string, Content] => [
			"Knowledge base",
			one.hash === unknownHash
				? "What was searched elsewhere is not known"
				: html`<bdi>${one.name}</bdi><br><span class="id muted">${one.hash.slice(0, 12)}</span>`,
		]),
		...runs.flatMap(({ imported }): [string, Content][] =>
			imported
				? [
						[
							"Made elsewhere",
							html`<bdi>${imported.file}</bdi><br><span class="id muted">${imported.sha256.slice(0, 12)}</span>`,
						],
					]
				: [],
		),
		["Recorded", dates ?? "–"],
		["Seeds", distinct(runs.map((run) => String(run.seed)))],
		[
			"Software",
			`Hopscope ${distinct(runs.map((run) => run.software.hopscope))}, Node ${distinct(runs.map((run) => run.software.node))}`,
		],
		["Answers scored by", distinct(runs.flatMap((run) => run.scoring ?? [])) || "–"],
		["Scorer", distinct(runs.flatMap((run) => run.scorers)) || "–"],
	];
	return html`<header><p class="brand">${brandMark}Hopscope report</p><h1><bdi>${title}</bdi></h1>
<p class="lede">${benchmarks.map((benchmark) => leadSentence(benchmark, data))}</p>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl></header>`;
}

/** A chain of hops, the third broken. */
const brandMark = trusted(
	`<svg width="34" height="12" viewBox="0 0 34 12" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.5"><circle cx="5" cy="6" r="3.5"/><path d="M8.5 6h5"/><circle cx="17" cy="6" r="3.5"/><path d="M21 6h1M24.500 6h1"/><circle cx="29" cy="6" r="3.500" stroke-dasharray="2.2 2.2"/></g></svg>`,
);

/**
 * What a reader should take away, with no more order than the tests and bounds carry: the best contender, and beside it
 * the references.
 */
function leadSentence(benchmark: BenchmarkReport, data: ReportData): Content {
	const measured = runsOf(benchmark, data).filter((run) => run.metrics.accuracy.value !== null);
	const contenders = measured.filter((run) => run.agent.reference === null);
	const [first] = contenders.length > 0 ? contenders : measured;
	if (!first) return html`Nothing was scored on <bdi>${benchmark.name}</bdi>. `;
	const on = data.benchmarks.length > 1 && html` on <bdi>${benchmark.name}</bdi>`;
	if (benchmark.intervention)
		return html`Interventions are no scores of an agent: with ${benchmark.intervention.what}, ${showInline(first.metrics.accuracy, "percent")}\u00a0% of ${plural(benchmark.tasks, "task")} came out right. `;
	const alike = alikeOf(first, contenders, benchmark.comparisons).length;
	const order =
		alike > 0
			? `, ranked first; no significant difference to ${alike === 1 ? "another run" : `${alike} other runs`}, so no winner is claimed`
			: contenders.length > 1 && ", significantly above every other contender";
	const bounds = boundsOf(first.metrics.accuracy);
	const unscored =
		bounds !== undefined &&
		` of the ${first.scored} answers scored, ${bounds}\u00a0% of the ${first.expected} expected, whatever the unscored would have been`;
	const { value, interval } = showMeasured(first.metrics.accuracy, "percent");
	const beside = measured.filter((run) => run.agent.reference !== null && run !== first);
	return html`<strong><bdi>${clip(first.label, 80)}</bdi></strong> answers ${value}\u00a0% right${interval && ` (95 % interval ${interval})`}${unscored}${on}${order}. ${beside.map(
		(run, index) =>
			html`${index === 0 ? "For comparison: " : "; "}<bdi>${clip(run.label, 80)}</bdi> (${run.agent.reference}) ${showInline(run.metrics.accuracy, "percent")}\u00a0%`,
	)}${beside.length > 0 && ". "}`;
}

/** What a benchmark's part of the page is called: interventions, and runs whose answers are scored otherwise, have parts of their own. */
const headingOf = ({ name, intervention, scoring }: BenchmarkReport): string =>
	[
		name,
		...(intervention ? [`intervention ${intervention.what}`] : []),
		...(scoring ? [`scored by ${scoring}`] : []),
	].join(", ");

function runsOf(benchmark: BenchmarkReport, data: ReportData): RunReport[] {
	const byId = new Map(data.runs.map((run) => [run.id, run]));
	return benchmark.ranking.flatMap((id) => byId.get(id) ?? []);
}

const parts = {
	ranking: "Ranking",
	where: "Where it breaks",
	outcomes: "Outcomes",
	judges: "Judges",
	slices: "Slices",
	failures: "Worst failures",
};

function navigation(data: ReportData, { several, views }: { several: boolean; views: readonly View[] }): Markup {
	const judged = data.runs.some((run) => run.judges.length > 0 || run.outdatedVerdicts > 0);
	const links = several
		? data.benchmarks.map((benchmark, place) => html`<a href="#b${place}">${headingOf(benchmark)}</a>`)
		: Object.entries(parts).map(([id, name]) => (id !== "judges" || judged) && html`<a href="#b0-${id}">${name}</a>`);
	return html`<nav aria-label="Sections">${links}${views.length > 0 && html`<a href="#tables">Tables</a>`}<a href="#glossary">What the numbers mean</a></nav>`;
}

/** What papers report of such runs, folded: each is long, and few are wanted at once. */
function viewSection(views: readonly View[]): Content {
	if (views.length === 0) return null;
	return html`<section><h2 id="tables">Tables</h2><p class="note">Every table that these runs have data for, with its plots. As LaTeX, Markdown or CSV: <code>hopscope report RUN --views NAME --format latex</code>.</p>
${viewBlocks(views, { budget: viewBudget })}</section>`;
}

interface SectionOptions {
	data: ReportData;
	look: (label: string) => Look;
	several: boolean;
	place: number;
	/** Characters of failures that the page may still take. */
	allowance: { left: number };
	pictures: Map<Failure, FailurePictures>;
}

function benchmarkSection(benchmark: BenchmarkReport, options: SectionOptions): Markup {
	const { data, look, several, place } = options;
	const runs = runsOf(benchmark, data);
	// headings step down by one under a benchmark's own heading
	const heading = (id: keyof typeof parts) => {
		// what is not ranked has no ranking
		const name = id === "ranking" && benchmark.intervention ? "Under the intervention" : parts[id];
		return several ? html`<h3 id="b${place}-${id}">${name}</h3>` : html`<h2 id="b${place}-${id}">${name}</h2>`;
	};
	const legend = html`<ul class="legend">${runs.map((run) => html`<li>${sign(look(run.label))}<bdi>${run.label}</bdi></li>`)}</ul>`;
	// contenders before the agents they are compared with
	const contendersFirst = [...runs].sort(
		(a, b) => Number(a.agent.reference !== null) - Number(b.agent.reference !== null),
	);
	const opened = contendersFirst.find((run) => run.failures.shown.length > 0);
	const slices = sliceNames.map((by) =>
		sliceTable(contendersFirst, by, { look, comparisons: benchmark.sliceComparisons }),
	);
	const missing = (metrics: readonly MetricName[]) => {
		const sentence = aboutMissing(runs, metrics, (run) => look(run.label).name);
		return sentence !== "" && html`<p class="note">${sentence}</p>`;
	};
	const behaviour = behaviourTable(runs, { look, caption: "What the agents did for a task, on average" });
	const confidence = confidenceTable(runs, { look, caption: "Answers with and without the evidence" });
	const judges = judgeSection(runs, { look });
	const body = html`
<section>${heading("ranking")}${benchmark.cautions.map((caution) => html`<p class="caution">${caution}</p>`)}${runs.length > 1 && !benchmark.intervention && html`<p class="note">${aboutOrder(benchmark)}</p>`}${healthTable(runs, { look, caption: "Whether replies could be read and attempts could end" })}${rankingTable(runs, { look, caption: "Accuracy and chain metrics by agent", comparisons: benchmark.comparisons })}
<p class="note">${aboutIntervals(runs, metricsIn("page", runs))}</p>${missing(metricsIn("page", runs))}
${comparisonTable(benchmark, runs, { look })}</section>
<section>${heading("where")}${legend}<div class="plots">${plotsOf(runs, { look })}</div></section>
<section>${heading("outcomes")}<p class="note">Every expected answer is in one column. The bounds are the accuracy if everything unscored had been wrong, and if it had been right.</p>
${outcomesTable(
	runs
		.filter(({ answers }) => answers)
		.map((run) => ({
			name: nameOf(run, look(run.label)),
			outcomes: run.outcomes,
			expected: run.expected,
			accuracy: run.metrics.accuracy,
		})),
	{
		caption: "How the answers ended",
		by: "accuracy",
		always: ["right", "wrong", "abstained", "context-limit", "error", "budget", "missing"],
	},
)}
${confidence}${confidence && html`<p class="note">${aboutConfidence}</p>${missing(["hit"])}`}
${behaviour}${behaviour && missing(metricsIn("behaviour", runs))}</section>
${judges && html`<section>${heading("judges")}${judges}</section>`}
<section>${heading("slices")}<p class="note">${aboutSlices(benchmark)}</p>${slices}</section>
<section>${heading("failures")}<p class="note">Wrong answers (then those ended by a budget or an error), the lowest HPS first, then the earliest broken hop; dealt over topologies, one per group of related tasks while there are enough.</p>
${contendersFirst.map((run) => failureList(run, run === opened, options))}</section>`;
	if (!several) return body;
	return html`<div class="benchmark"><h2 id="b${place}"><bdi>${headingOf(benchmark)}</bdi></h2>${body}</div>`;
}

function failureList(run: RunReport, open: boolean, options: SectionOptions): Markup {
	const blocks: Markup[] = [];
	const below = `b${options.place}-${options.data.runs.indexOf(run)}`;
	for (const [index, failure] of run.failures.shown.entries()) {
		const block = failureBlock(failure, {
			pictures: options.pictures.get(failure),
			open: open && index === 0,
			anchor: `${below}-f${index}`,
		});
		if (block.text.length > options.allowance.left) break;
		options.allowance.left -= block.text.length;
		blocks.push(block);
	}
	const name = html`${sign(options.look(run.label))}<bdi>${run.label}</bdi>`;
	const left = run.failures.shown.length - blocks.length;
	return html`<div class="block">${options.several ? html`<h4 class="run-name">${name}</h4>` : html`<h3>${name}</h3>`}
${run.diagnosis && html`<p class="note">${headline(run.diagnosis.summary)}</p>${agreementTables(run.diagnosis.agreement)}${run.diagnosis.reader && readerSection(run.diagnosis.reader)}`}<p class="note">${failuresNote(run)}${left > 0 && ` ${left} of them left out to keep the page small.`}</p>
${blocks.length > 0 && html`<div class="failures">${blocks}</div>`}</div>`;
}
