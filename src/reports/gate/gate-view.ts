/** A gate's decision as a table, and as a test report in the form that pipelines read. */

import { showInline, showNumber, type Unit } from "../number-format.ts";
import { html } from "../page/template.ts";
import { tableOf, textColumn } from "../views/table.ts";
import type { View } from "../views/view.ts";
import type { GateReport } from "./gate-report.ts";

type Decision = GateReport["decisions"][number];

export function gateView({ run, base, benchmark, decisions, cautions }: GateReport): View {
	return {
		name: "gate",
		title: `${run} against ${base}, on ${benchmark.name}`,
		describe:
			"It passes where the whole 95 % interval of run minus base lies above the drop that is allowed, fails where all of it lies below, and cannot be told otherwise.",
		source: "records.jsonl",
		...tableOf(decisions, [
			textColumn("metric", "Metric", ({ words }) => words.heading),
			textColumn("difference", "Run − base", (decision) => showInline(decision, unitOf(decision))),
			textColumn("allowed", "Allowed", allowedWords),
			textColumn("tasks", "Tasks", ({ n, tasks }) => (n === tasks ? `${n}` : `${n} of ${tasks}`)),
			textColumn("verdict", "Verdict", decisionWords),
		]),
		plots: [],
		notes: cautions,
	};
}

const unitOf = ({ words }: Decision): Unit => (words.aggregation === "mean" ? "plain" : "percent");

function allowedWords(decision: Decision): string {
	const rises = decision.words.direction === "lower";
	const most = rises ? decision.allowed : -decision.allowed;
	return `${rises ? "at most +" : "at least "}${showNumber(most, unitOf(decision), 1)}`;
}

/** What a decision says, in words. */
function decisionWords({ verdict, more, reason }: Decision): string {
	if (verdict !== "open") return verdict;
	return more === null ? `cannot tell: ${reason}` : `cannot tell: about ${more} more tasks like these would`;
}

/** A test suite of JUnit's XML: a test a metric; one that cannot be told is an error, not a failure. */
export function gateJunit({ run, base, decisions }: GateReport): string {
	const count = (verdict: Decision["verdict"]) => decisions.filter((one) => one.verdict === verdict).length;
	const tests = decisions.map((decision) => {
		const said = `${showInline(decision, unitOf(decision))}, allowed ${allowedWords(decision)}: ${decisionWords(decision)}`;
		const name = html`<testcase classname="${run}" name="${decision.metric} against ${base}"`;
		if (decision.verdict === "passes") return html`${name}/>`;
		return decision.verdict === "fails"
			? html`${name}><failure message="${said}"/></testcase>`
			: html`${name}><error message="${said}"/></testcase>`;
	});
	const counts = html`tests="${decisions.length}" failures="${count("fails")}" errors="${count("open")}"`;
	const suite = html`<testsuite name="hopscope gate" ${counts}>${tests}</testsuite>`;
	return `<?xml version="1.0" encoding="UTF-8"?>\n${suite.text}\n`;
}
