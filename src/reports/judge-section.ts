/** What judges said of the runs' answers: beside the accuracy, which stays the headline. */
import { measuredCell, rateCell, scrollBox } from "./cells.ts";
import { aboutJudges } from "./explanations.ts";
import type { Look } from "./look.ts";
import { showDifference, showInline, showMeasured, showShare } from "./number-format.ts";
import { nameOf } from "./plots.ts";
import type { Ending, JudgeGiven, JudgeReport, Measured, RunReport } from "./report-data.ts";
import { outcomesTable } from "./tables.ts";
import { type Content, html, type Markup } from "./template.ts";
import { boundsOf, endingNames, plural } from "./wording.ts";

type LookOf = (label: string) => Look;

/** The section's body; undefined where nobody has judged. */
export function judgeSection(runs: readonly RunReport[], options: { look: LookOf }): Markup | undefined {
	const judged = runs.flatMap((run) => run.judges.map((judge) => ({ run, judge })));
	const outdated = runs.reduce((sum, run) => sum + run.outdatedVerdicts, 0);
	if (judged.length === 0 && outdated === 0) return undefined;
	const name = ({ run, judge }: { run: RunReport; judge: JudgeReport }) =>
		html`${nameOf(run, options.look(run.label))}<span class="alike"><bdi>${judge.judge}</bdi>, ${judge.rubric}</span>`;
	const graded = judged.filter(({ judge }) => judge.given.some(({ is }) => is === "grade"));
	return html`<p class="note">${aboutJudges(runs)}</p>
${judged.length > 0 && judgeTable(judged, name)}${judged.length > 0 && givenTable(judged, name)}
${
	graded.length > 0 &&
	outcomesTable(
		graded.map((one) => ({
			name: name(one),
			outcomes: one.judge.outcomes,
			expected: one.run.expected,
			accuracy: one.judge.value,
		})),
		{
			caption: "How the answers ended, as judged",
			by: "judged",
			always: ["right", "wrong", "abstained", "error", "unparsed-judge", "missing"],
		},
	)
}`;
}

interface Judged {
	run: RunReport;
	judge: JudgeReport;
}

function judgeTable(judged: Judged[], name: (one: Judged) => Markup): Markup {
	const rows = judged.map((one) => {
		const { run, judge } = one;
		const { share, verdicts, of } = judge.unparsed;
		const order = showDifference(judge.position);
		return html`<tr><th scope="row" class="name">${name(one)}</th>${judge.value ? measuredCell(judge.value, { unit: "percent", strong: true }) : html`<td class="zero">–</td>`}
<td class="left">${correction(judge)}</td><td>${judge.scored}<span class="ci">of ${judge.expected}</span>${judge.value && boundsLine(judge.value)}</td>
<td class="${share === null && "zero"}">${share === null ? "–" : html`${showShare(verdicts, of)}<span class="ci">${verdicts} of ${of}</span>`}</td>${rateCell(judge.flips, { n: true })}
<td class="${order.value === "–" && "zero"}">${order.value}${order.interval !== "" && html`<span class="ci">${order.interval}</span>`}${judge.position.n > 0 && html`<span class="ci">n ${judge.position.n}</span>`}</td>
<td>${judge.times}</td><td class="left"><span class="id">${judge.prompt.slice(0, 12)}</span></td>${measuredCell(run.metrics.accuracy, { unit: "percent" })}</tr>`;
	});
	const caption = "What judges say, by judge and rubric";
	return scrollBox(
		caption,
		html`<table class="judges"><caption>${caption}</caption><thead><tr><th scope="col" class="left">Agent, judge, rubric</th><th scope="col">Judged %</th><th scope="col" class="left">Corrected %</th>
<th scope="col">Scored</th><th scope="col">Unread %</th><th scope="col">Flips %</th><th scope="col">Order, points</th><th scope="col">Runs</th><th scope="col" class="left">Prompt</th><th scope="col">Accuracy %</th></tr></thead><tbody>${rows}</tbody></table>`,
	);
}

function boundsLine(value: Measured): Markup | undefined {
	const bounds = boundsOf(value);
	return bounds === undefined ? undefined : html`<span class="ci">in ${bounds} %</span>`;
}

/** What people's labels make of the judge's share of right answers. */
function correction({ corrected }: JudgeReport): Content {
	if (!corrected) return html`<span class="muted">judge, uncorrected</span>`;
	return [
		...corrected.methods.map(
			({ method, ...found }) =>
				html`<span class="line">${found.value === null ? "–" : showInline(found, "percent")} <span class="muted">${method}${found.value === null && found.reason !== undefined && `: ${found.reason}`}</span></span>`,
		),
		html`<span class="ci">${plural(corrected.labelled, "label")} on ${plural(corrected.judged, "answer")}</span>`,
	];
}

/** Grades, labels and scores, one a line. */
function givenTable(judged: Judged[], name: (one: Judged) => Markup): Markup | undefined {
	const bodies = judged.flatMap((one) => {
		const { given } = one.judge;
		if (given.length === 0) return [];
		const rows = given.map(
			(
				line,
				place,
			) => html`<tr>${place === 0 && html`<th scope="rowgroup" rowspan="${given.length}" class="name">${name(one)}</th>`}<td class="left">${line.is}</td><td class="left"><bdi>${line.is === "grade" ? (endingNames[line.name as Ending] ?? line.name) : line.name}</bdi></td>
${line.is === "score" ? scoreCell(line) : rateCell(line.value)}<td>${line.value.n}</td><td>${line.is === "score" ? "–" : line.verdicts}</td></tr>`,
		);
		return [html`<tbody>${rows}</tbody>`];
	});
	if (bodies.length === 0) return undefined;
	const caption = "What judges gave";
	return scrollBox(
		caption,
		html`<table><caption>${caption} <span>· grades and labels as shares of the answers, scores as means on their scale</span></caption><thead><tr><th scope="col" class="left">Agent, judge, rubric</th><th scope="col" class="left">Kind</th><th scope="col" class="left">Name</th><th scope="col">% of answers, or mean</th><th scope="col">Tasks</th><th scope="col">Verdicts</th></tr></thead>${bodies}</table>`,
	);
}

function scoreCell({ value, scale }: JudgeGiven & { is: "score" }): Markup {
	const shown = showMeasured(value, "plain");
	return html`<td>${shown.value}${shown.interval !== "" && html`<span class="ci">${shown.interval}</span>`}<span class="ci">of ${scale.least} to ${scale.most}</span></td>`;
}
