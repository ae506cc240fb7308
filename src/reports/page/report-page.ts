/** One self-contained page: no server, no script, nothing fetched; the content policy says so to the browser. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { clip, FindingKind, HopVerdict, packageFile, unknownHash } from "#domain";
import { agreementViews, readerNotes } from "../diagnosis/diagnosis-views.ts";
import { boundsNote, findingWords, headline, verdictWords } from "../diagnosis/diagnosis-words.ts";
import { showInline, showMeasured } from "../number-format.ts";
import { alikeOf } from "../ranking.ts";
import { reportData } from "../report.ts";
import type { BenchmarkReport, Failure, ReportData, ReportRun, RunReport } from "../report-data.ts";
import { type ReportSection, reportSections, runsOf } from "../report-views.ts";
import { buildViews } from "../views/build-views.ts";
import { viewBuilders } from "../views/registry.ts";
import { palette } from "../views/render/look.ts";
import { viewBlocks, viewMarkup } from "../views/render/render-html.ts";
import type { View } from "../views/view.ts";
import { boundsOf, metricsIn, modalityName, plural, wordsOf } from "../wording.ts";
import { failureBlock, failuresNote } from "./failure-block.ts";
import { type FailurePictures, makePictures } from "./pictures.ts";
import { type Content, html, type Markup, trusted } from "./template.ts";

/** Characters of pictures, of failures' text and of tables on a page: together under 3 MB with all the rest. */
const pictureBudget = 1_300_000;
const failureBudget = 900_000;
const viewBudget = 450_000;

/** The page's one style sheet, which the package ships beside its source: no build touches it. */
const sheet = readFileSync(packageFile("src/reports/page/page.css"), "utf8");
const colours = (ground: "light" | "dark") =>
	`:root{${palette.map((pair, place) => `--run-${place}:${pair[ground]}`).join(";")}}`;
const style = `${sheet}${colours("light")}@media screen and (prefers-color-scheme:dark){${colours("dark")}}`;

/**
 * The report as one HTML page, with small pictures of the question images and the evidence of failures. Every text of
 * the runs is escaped; the page stays under 3 MB and says where it leaves something out. `data` saves computing it again.
 */
export async function htmlReport(
	runs: readonly ReportRun[],
	options: { data?: ReportData | undefined; views?: readonly View[]; signal?: AbortSignal | undefined } = {},
): Promise<string> {
	const { data = await reportData(runs), views = [], signal } = options;
	const pictures = await makePictures(data, runs, { budget: pictureBudget, signal });
	const allowance = { left: failureBudget };
	const title = clip([...new Set(data.benchmarks.map(headingOf))].join(", ") || "No runs", 80);
	const bodies: Markup[] = [];
	for (const [place, benchmark] of data.benchmarks.entries()) {
		const own = runs.filter(({ manifest }) => benchmark.ranking.includes(manifest.id));
		const builders = viewBuilders.filter(({ name }) => ofSearch.has(name));
		const search = (await buildViews(own, { builders })).filter(({ rows }) => rows.length > 0);
		bodies.push(benchmarkSection(benchmark, { data, place, allowance, pictures: pictures.of, search }));
	}
	const tables = views.filter(({ name }) => !ofSearch.has(name));
	const left = pictures.leftOut;
	return pageOf(
		`${title} – Hopscope report`,
		html`${pageHeader(data, title)}${navigation(data, tables)}<main>${bodies}${viewSection(tables)}${glossary(data)}</main>
<footer><p>Made by Hopscope from ${plural(data.runs.length, "recorded run")}. This page holds everything it shows and fetches nothing.${
			left > 0 && ` ${plural(left, "picture")} left out to keep it small.`
		}</p></footer>`,
	);
}

/** Views of how agents searched, and of what they made of it: in the section of each benchmark. */
const ofSearch: ReadonlySet<string> = new Set(["delta-f1", "modality-coverage", "over-confidence"]);

/** A page of views alone. */
export function viewsPage(views: readonly View[], { title }: { title: string }): string {
	return pageOf(
		`${title} – Hopscope`,
		html`<header><p class="brand">Hopscope tables</p><h1><bdi>${title}</bdi></h1></header><main>${views.map(
			(view) => html`<section id="${view.name}"><h2>${view.title}</h2>${viewMarkup(view)}</section>`,
		)}</main>`,
	);
}

function pageOf(title: string, body: Markup): string {
	const hash = createHash("sha256").update(style).digest("base64");
	const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
	return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="data:,">
<style>${trusted(style)}</style></head>
<body><div class="page">${body}</div></body></html>
`.text;
}

function pageHeader({ runs, benchmarks, ...data }: ReportData, title: string): Markup {
	const distinct = (values: string[]) => [...new Set(values)].join(", ");
	const days = runs.map((run) => run.at.slice(0, 10)).sort();
	const named = (name: Content, hash: string) =>
		html`<bdi>${name}</bdi><br><span class="id muted">${hash.slice(0, 12)}</span>`;
	const bases = new Map(runs.map(({ knowledge }) => [knowledge.hash, knowledge]));
	const facts: [string, Content][] = [
		...benchmarks.map(({ name, tasks, hash }): [string, Content] => [
			"Benchmark",
			named(`${name}, ${plural(tasks, "task")}`, hash),
		]),
		...[...bases.values()].map(({ name, hash }): [string, Content] => [
			"Knowledge base",
			hash === unknownHash ? "What was searched elsewhere is not known" : named(name, hash),
		]),
		...runs.flatMap(({ imported }): [string, Content][] =>
			imported ? [["Made elsewhere", named(imported.file, imported.sha256)]] : [],
		),
		["Recorded", distinct([days[0] ?? "–", days.at(-1) ?? "–"]).replace(", ", " to ")],
		["Seeds", distinct(runs.map(({ seed }) => String(seed)))],
		[
			"Software",
			`Hopscope ${distinct(runs.map(({ software }) => software.hopscope))}, Node ${distinct(runs.map(({ software }) => software.node))}`,
		],
		["Answers scored by", distinct(runs.flatMap(({ scoring }) => scoring ?? [])) || "–"],
		["Scorer", distinct(runs.flatMap(({ scorers }) => scorers)) || "–"],
	];
	const lead = benchmarks.map((benchmark) => leadSentence(benchmark, { runs, benchmarks, ...data }));
	return html`<header><p class="brand">Hopscope report</p><h1><bdi>${title}</bdi></h1><p class="lede">${lead}</p>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl></header>`;
}

/**
 * What a reader should take away, with no more order than the tests and bounds carry: the best contender, and beside it
 * the references.
 */
function leadSentence(benchmark: BenchmarkReport, data: ReportData): Content {
	const measured = runsOf(benchmark, data).filter((run) => run.metrics.accuracy.value !== null);
	const contenders = measured.filter((run) => run.agent.reference === null);
	const [first] = contenders.length > 0 ? contenders : measured;
	if (!first) return html`Nothing was scored on <bdi>${benchmark.name}</bdi>. `;
	const share = (run: RunReport) => `${showInline(run.metrics.accuracy, "percent")}\u00a0%`;
	if (benchmark.intervention)
		return html`Interventions are no scores of an agent: with ${benchmark.intervention.what}, ${share(first)} of ${plural(benchmark.tasks, "task")} came out right. `;
	const on = data.benchmarks.length > 1 && html` on <bdi>${benchmark.name}</bdi>`;
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
	const beside = measured
		.filter((run) => run.agent.reference !== null && run !== first)
		.map((run) => `${clip(run.label, 80)} (${run.agent.reference}) ${share(run)}`);
	return html`<strong><bdi>${clip(first.label, 80)}</bdi></strong> answers ${value}\u00a0% right${interval && ` (95 % interval ${interval})`}${unscored}${on}${order}. ${
		beside.length > 0 && html`For comparison: <bdi>${beside.join("; ")}</bdi>. `
	}`;
}

/** What a benchmark's part of the page is called: interventions, and runs whose answers are scored otherwise, have parts of their own. */
const headingOf = ({ name, intervention, scoring }: BenchmarkReport): string =>
	[
		name,
		...(intervention ? [`intervention ${intervention.what}`] : []),
		...(scoring ? [`scored by ${scoring}`] : []),
	].join(", ");

const parts: Record<ReportSection["name"], string> = {
	ranking: "Ranking",
	outcomes: "Outcomes",
	judges: "Judges",
	slices: "Slices",
};

function navigation({ benchmarks }: ReportData, views: readonly View[]): Markup {
	const links = benchmarks.map((benchmark, place) => html`<a href="#b${place}">${headingOf(benchmark)}</a>`);
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
	place: number;
	/** Characters of failures that the page may still take. */
	allowance: { left: number };
	pictures: Map<Failure, FailurePictures>;
	/** Views of how its runs searched. */
	search: View[];
}

const notesMarkup = (notes: readonly string[]) => notes.map((note) => html`<p class="note">${note}</p>`);

function benchmarkSection(benchmark: BenchmarkReport, options: SectionOptions): Markup {
	const { data, place, search } = options;
	const runs = runsOf(benchmark, data);
	// contenders before the agents they are compared with
	const contendersFirst = [...runs].sort(
		(a, b) => Number(a.agent.reference !== null) - Number(b.agent.reference !== null),
	);
	const opened = contendersFirst.find((run) => run.failures.shown.length > 0);
	const sections = reportSections(benchmark, data).map(
		({ name, notes, views }) =>
			html`<section><h3>${name === "ranking" && benchmark.intervention ? "Under the intervention" : parts[name]}</h3>${notesMarkup(notes)}${views.map((view) => viewMarkup(view))}</section>`,
	);
	return html`<div class="benchmark"><h2 id="b${place}"><bdi>${headingOf(benchmark)}</bdi></h2>${benchmark.cautions.map(
		(caution) => html`<p class="caution">${caution}</p>`,
	)}${sections}${search.length > 0 && html`<section><h3>Where it breaks</h3>${search.map((view) => viewMarkup(view))}</section>`}<section><h3>Worst failures</h3><p class="note">Wrong answers (then those ended by a budget or an error), the lowest HPS first, then the earliest broken hop; dealt over topologies, one per group of related tasks while there are enough.</p>
${contendersFirst.map((run) => failureList(run, run === opened, options))}</section></div>`;
}

function failureList(run: RunReport, open: boolean, { data, place, allowance, pictures }: SectionOptions): Markup {
	const blocks: Markup[] = [];
	const { diagnosis, failures, label } = run;
	for (const [index, failure] of failures.shown.entries()) {
		const block = failureBlock(failure, {
			pictures: pictures.get(failure),
			open: open && index === 0,
			anchor: `b${place}-${data.runs.indexOf(run)}-f${index}`,
		});
		if (block.text.length > allowance.left) break;
		allowance.left -= block.text.length;
		blocks.push(block);
	}
	const left = failures.shown.length - blocks.length;
	return html`<div class="block"><h4 class="run-name"><bdi>${label}</bdi></h4>
${diagnosis && html`<p class="note">${headline(diagnosis.summary)}</p>${notesMarkup(diagnosis.reader ? readerNotes(diagnosis.reader) : [])}${agreementViews(diagnosis).map((view) => viewMarkup(view))}`}<p class="note">${failuresNote(run)}${left > 0 && ` ${left} of them left out to keep the page small.`}</p>
${blocks.length > 0 && html`<div class="failures">${blocks}</div>`}</div>`;
}

interface Term {
	name: string;
	meaning: string;
	id?: string;
}

const terms = (list: readonly Term[]) =>
	html`<dl class="glossary">${list.map(
		({ name, meaning, id }) =>
			html`<div${id !== undefined && html` id="says-${id}"`}><dt>${name}</dt><dd>${meaning}</dd></div>`,
	)}</dl>`;

/** What the numbers mean; where runs were diagnosed also the verdicts, and what is said of whole records. */
function glossary({ runs }: ReportData): Markup {
	const shown = [...metricsIn("page", runs), ...metricsIn("behaviour", runs), "modality-coverage"];
	const words = new Map(shown.flatMap((name) => wordsOf(name, runs) ?? []).map((one) => [one.name, one]));
	const numbers: Term[] = [
		...[...words.values()].map(({ heading, meaning }) => ({ name: heading, meaning })),
		{
			name: "Interval",
			meaning:
				"Where the true value would lie in 95 of 100 such benchmarks; tasks that share an image, a document or a nested question series share their luck.",
		},
		{
			name: "Outcome",
			meaning:
				"How an answer ended. Abstentions count 0 in accuracy; errors and missing answers are unscored, and shown.",
		},
		{
			name: "Hop",
			meaning: `One sub-question of the gold chain. ${modalityName("compute")} hops need no retrieval and are not counted.`,
		},
	];
	const ofRecords = FindingKind.options.filter((kind) => !Object.hasOwn(verdictWords, kind));
	const diagnosed = html`<h3 id="verdicts">What the diagnosis says of a hop</h3><p class="note">One verdict a hop: the first that fits, cause before effect, in the order of this list.</p>${terms(HopVerdict.options.map((id) => ({ id, ...verdictWords[id] })))}
<h3 id="findings">What it says of a record</h3>${terms(ofRecords.map((id) => ({ id, ...findingWords[id] })))}
<h3 id="not-observed">What cannot be seen</h3>${terms([
		{
			name: "Reading seen",
			meaning:
				"Of the hops whose evidence came back, and that did not break before they could be read, those that show how they were read. Rates of reading are of these alone; runs that show it at different shares of hops are not ranked by them.",
		},
		{
			name: "Shares of failures",
			meaning: `${boundsNote} Where nothing is named and nothing ruled out they are not observable, which is not 0 %.`,
		},
		{ name: "Or before", meaning: "An earlier hop that was not observed may be the one that broke first." },
	])}`;
	return html`<section><h2 id="glossary">What the numbers mean</h2>${terms(numbers)}${runs.some(({ diagnosis }) => diagnosis !== null) && diagnosed}</section>`;
}
