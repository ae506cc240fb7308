/** The page's tables: ranking, outcomes and slices. */
import { differenceCell, measuredCell, rateCell, scrollBox } from "./cells.ts";
import type { Look } from "./look.ts";
import { showMeasured, showShare } from "./number-format.ts";
import { barScale, intervalBar, nameOf } from "./plots.ts";
import { alikeOf } from "./ranking.ts";
import type { BenchmarkReport, Ending, Measured, RunComparison, RunReport, SliceName } from "./report-data.ts";
import { html, type Markup } from "./template.ts";
import {
	boundsOf,
	countsOf,
	endingNames,
	headingOf,
	healthCells,
	healthWords,
	metricOf,
	metricsIn,
	placesOf,
	sliceValueName,
	sliceWords,
	unitOf,
} from "./wording.ts";

type LookOf = (label: string) => Look;

export function rankingTable(
	runs: readonly RunReport[],
	options: { look: LookOf; caption: string; comparisons: readonly RunComparison[] },
): Markup {
	const beside = metricsIn("page", runs).filter((name) => name !== "accuracy");
	const heads = beside.map((name) => {
		return html`<th scope="col">${headingOf(name, runs)}${unitOf(name, runs) === "percent" && " %"}</th>`;
	});
	const rows = runs.map((run) => {
		const look = options.look(run.label);
		const { value, interval } = showMeasured(run.metrics.accuracy, "percent");
		const { reference } = run.agent;
		const bounds = boundsOf(run.metrics.accuracy);
		const name = `${run.label}: accuracy ${value} %${interval && `, 95 % interval ${interval}`}`;
		return html`<tr><td class="left">${placesOf(run)}</td><th scope="row" class="name">${nameOf(run, look)}${reference !== null && html`<span class="more">${reference}</span>`}${alike(run, runs, options)}</th>
${measuredCell(run.metrics.accuracy, { unit: "percent", strong: true })}<td class="bar">${intervalBar(run.metrics.accuracy, look, name)}</td>
${beside.map((metric) => measuredCell(metricOf(run, metric), { unit: unitOf(metric, runs), beside: run.metrics.accuracy }))}<td>${run.scored}<span class="ci">of ${run.expected}</span>${bounds !== undefined && html`<span class="ci">in ${bounds} %</span>`}</td></tr>`;
	});
	return scrollBox(
		options.caption,
		html`<table class="ranking"><caption>${options.caption}</caption><thead><tr><th scope="col" class="left">Place</th><th scope="col" class="left">Agent</th>
<th scope="col">Accuracy %</th><th scope="col" class="bar">${barScale()}</th>${heads}<th scope="col">Scored</th></tr></thead><tbody>${rows}</tbody></table>`,
	);
}

/** The runs that a run was not told apart from. */
function alike(
	run: RunReport,
	runs: readonly RunReport[],
	{ look, comparisons }: { look: LookOf; comparisons: readonly RunComparison[] },
): Markup | undefined {
	const others = alikeOf(run, runs, comparisons);
	if (others.length === 0) return undefined;
	const named = others.length === 1 ? others.map(({ label }) => look(label).name) : `${others.length} others`;
	return html`<span class="alike">not told apart from <bdi>${named}</bdi></span>`;
}

/** Whether replies could be read and attempts could end: before anything that rests on them. */
export function healthTable(runs: readonly RunReport[], options: { look: LookOf; caption: string }): Markup {
	const heads = Object.values(healthWords).map(
		({ heading, meaning }) => html`<th scope="col" title="${meaning}">${heading}</th>`,
	);
	const rows = runs.map((run) => {
		const cells = healthCells(run.health).map((text) => html`<td>${text}</td>`);
		return html`<tr><th scope="row" class="name">${nameOf(run, options.look(run.label))}</th>${cells}</tr>`;
	});
	return scrollBox(
		options.caption,
		html`<table><caption>${options.caption}</caption><thead><tr><th scope="col" class="left">Agent</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`,
	);
}

/** What the agents did; nothing where none of them talked with a model. */
export function behaviourTable(
	runs: readonly RunReport[],
	options: { look: LookOf; caption: string },
): Markup | undefined {
	if (runs.every((run) => run.metrics.rounds.value === null)) return undefined;
	const shown = metricsIn("behaviour", runs);
	const heads = shown.map((name) => html`<th scope="col">${headingOf(name)}</th>`);
	const rows = runs.map((run) => {
		const cells = shown.map((name) => measuredCell(metricOf(run, name), { unit: unitOf(name, runs) }));
		return html`<tr><th scope="row" class="name">${nameOf(run, options.look(run.label))}</th>${cells}</tr>`;
	});
	return scrollBox(
		options.caption,
		html`<table><caption>${options.caption}</caption><thead><tr><th scope="col" class="left">Agent</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`,
	);
}

/** How answers ended, by run, or by run as a judge found them. */
export function outcomesTable(
	rows: readonly { name: Markup; outcomes: RunReport["outcomes"]; expected: number; accuracy: Measured | null }[],
	{ caption, by, always }: { caption: string; by: string; always: readonly Ending[] },
): Markup {
	const countOf = (row: { outcomes: RunReport["outcomes"] }, ending: Ending) =>
		row.outcomes.find((outcome) => outcome.ending === ending)?.count ?? 0;
	const endings = (Object.keys(endingNames) as Ending[]).filter(
		(ending) => always.includes(ending) || rows.some((row) => countOf(row, ending) > 0),
	);
	const body = rows.map((row) => {
		const cells = endings.map((ending) => {
			const count = countOf(row, ending);
			if (count === 0) return html`<td class="zero">0</td>`;
			return html`<td>${count}<span class="ci">${showShare(count, row.expected)} %</span></td>`;
		});
		const bounds = row.accuracy && (boundsOf(row.accuracy) ?? showMeasured(row.accuracy, "percent").value);
		return html`<tr><th scope="row" class="name">${row.name}</th>${cells}<td>${row.expected}</td><td>${bounds ?? "–"}</td></tr>`;
	});
	return scrollBox(
		caption,
		html`<table><caption>${caption}</caption><thead><tr><th scope="col" class="left">Agent</th>${endings.map(
			(ending) => html`<th scope="col">${endingNames[ending]}</th>`,
		)}<th scope="col">expected</th><th scope="col">${by} bounds %</th></tr></thead><tbody>${body}</tbody></table>`,
	);
}

/** What the agents did where retrieval had found all evidence, and where it had not; nothing where no run tells. */
export function confidenceTable(
	runs: readonly RunReport[],
	options: { look: LookOf; caption: string },
): Markup | undefined {
	const told = runs.flatMap((run) => (run.confidence ? [{ run, table: run.confidence }] : []));
	if (told.length === 0) return undefined;
	const rows = told.map(({ run, table }) => {
		const cells = (["hit", "miss"] as const).map((of) => {
			const { n, answered, accuracy } = table[of];
			return html`<td>${n}</td>${rateCell(answered)}${rateCell(accuracy)}`;
		});
		return html`<tr><th scope="row" class="name">${nameOf(run, options.look(run.label))}</th>${cells}<td>${table.all.n}<span class="ci">of ${table.expected}</span></td></tr>`;
	});
	const group = html`<th scope="col">n</th><th scope="col">answered %</th><th scope="col">right of them %</th>`;
	return scrollBox(
		options.caption,
		html`<table class="confidence"><caption>${options.caption}</caption><colgroup><col></colgroup><colgroup><col><col><col></colgroup><colgroup><col><col><col></colgroup><thead><tr><td></td><th scope="colgroup" colspan="3" class="group">All evidence found</th><th scope="colgroup" colspan="3" class="group">Not all found</th><td></td></tr><tr><th scope="col" class="left">Agent</th>${group}${group}<th scope="col">Known</th></tr></thead><tbody>${rows}</tbody></table>`,
	);
}

/** Rows a slice's table may have; the rest is in the data. */
const mostValues = 40;

/** Accuracy and HPS of every run in every value of one slice, and where two runs were compared their difference. */
export function sliceTable(
	runs: readonly RunReport[],
	by: SliceName,
	options: { look: LookOf; comparisons: BenchmarkReport["sliceComparisons"] },
): Markup | undefined {
	const values = [...new Set(runs.flatMap((run) => run.slices[by].map((row) => row.value)))];
	if (values.length === 0) return undefined;
	const hidden = Math.max(0, values.length - mostValues);
	const columns = ["accuracy", "hps"] as const;
	const compared = new Map(options.comparisons.flatMap((one) => (one.slice === by ? [[one.value, one]] : [])));
	const [pair] = compared.values();
	const labelOf = (id: string | undefined) => {
		const run = runs.find((one) => one.id === id);
		return run ? options.look(run.label).name : "";
	};
	const differenceIn = (value: string) => {
		const found = compared.get(value);
		return found ? differenceCell(found, { mark: true }) : html`<td class="zero">–</td>`;
	};
	const caption = html`By ${sliceWords[by].heading.toLowerCase()} <span>· ${sliceWords[by].caption}${hidden > 0 && `; ${hidden} more values are in the JSON`}</span>`;
	const rows = values.slice(0, mostValues).map((value) => {
		const found = runs.map((run) => run.slices[by].find((row) => row.value === value));
		const answered = found.filter((_, place) => runs[place]?.answers);
		const counts = countsOf((answered.length > 0 ? answered : found).flatMap((row) => row?.accuracy ?? []));
		return html`<tr><th scope="row"><bdi>${sliceValueName(by, value)}</bdi></th><td>${counts}</td>${found.map(
			(row, place) =>
				columns.map((column) =>
					column === "accuracy" && !runs[place]?.answers
						? html`<td class="zero">–</td>`
						: measuredCell(row?.[column], { unit: "percent" }),
				),
		)}${pair !== undefined && differenceIn(value)}</tr>`;
	});
	return scrollBox(
		`By ${sliceWords[by].heading.toLowerCase()}`,
		html`<table class="slices"><caption>${caption}</caption><colgroup><col><col></colgroup>${runs.map(
			() => html`<colgroup><col><col></colgroup>`,
		)}${pair !== undefined && html`<colgroup><col></colgroup>`}<thead><tr><td colspan="2"></td>${runs.map(
			(run) => html`<th scope="colgroup" colspan="2" class="group">${nameOf(run, options.look(run.label))}</th>`,
		)}${pair !== undefined && html`<th scope="colgroup" class="group">Difference<span class="ci"><bdi>${labelOf(pair.a)}</bdi> less <bdi>${labelOf(pair.b)}</bdi></span></th>`}</tr><tr><th scope="col" class="left">${sliceWords[by].heading}</th><th scope="col">n</th>${runs.map(
			() => columns.map((column) => html`<th scope="col">${headingOf(column)} %</th>`),
		)}${pair !== undefined && html`<th scope="col">accuracy, points</th>`}</tr></thead><tbody>${rows}</tbody></table>`,
	);
}
