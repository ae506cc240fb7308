/** A drift as tables: what changed around the agent, and what changed in what it did. */

import { percentColumn, tableOf, textColumn } from "../views/table.ts";
import type { View } from "../views/view.ts";
import { intervalCell, unscoredCell } from "../views/view-cells.ts";
import type { Changed, Drift } from "./drift.ts";

/** `name`: "A − B"; `a` is the later run's letter, `b` the earlier's. */
export function driftViews(drift: Drift, { name, a, b }: { name: string; a: string; b: string }): View[] {
	return [circumstancesView(drift, { name, a, b }), behaviourView(drift, { name })];
}

function circumstancesView(drift: Drift, { name, a, b }: { name: string; a: string; b: string }): View {
	const { changed, same, earlier, later } = drift;
	return {
		name: "drift-circumstances",
		title: `What changed around the agent, ${name}`,
		describe: `${b} was begun ${earlier.at.slice(0, 10)}, ${a} ${later.at.slice(0, 10)}, ${apart(earlier.at, later.at)} later, with the same agent, model and setting.`,
		source: "run.json and records.jsonl",
		...tableOf(changed, [
			textColumn("what", "Circumstance", ({ what }) => what),
			textColumn("before", `${b}, earlier`, ({ before }) => before),
			textColumn("after", `${a}, later`, ({ after }) => after),
		]),
		plots: [],
		notes: [
			...(changed.length === 0 ? ["Nothing that is recorded changed but the date."] : []),
			`As before: ${same.join(", ")}.`,
		],
	};
}

function behaviourView({ pairs, answers, queries, results, accuracy }: Drift, { name }: { name: string }): View {
	const rows: { what: string; found: Partial<Changed>; none: string }[] = [
		{ what: "answer", found: answers, none: "each task was answered once" },
		{ what: "searches", found: queries, none: "each task was answered once" },
		{
			what: "results of the same first search",
			found: { between: results },
			none: "not looked at within a run",
		},
	];
	return {
		name: "drift-behaviour",
		title: `What changed in what the agent did, ${name}`,
		describe:
			"Shares of records, paired by task and repeat, that differ between the runs; beside them how often two repeats within one run differ, which is what no drift at all looks like.",
		source: "records.jsonl",
		...tableOf(rows, [
			textColumn("what", "Other than before", ({ what }) => what),
			percentColumn("between", "Between the runs", ({ found: { between } }) => between && intervalCell(between)),
			percentColumn("within", "Between repeats", ({ found: { within }, none }) =>
				within ? intervalCell(within) : unscoredCell(none),
			),
		]),
		plots: [],
		notes: [`${pairs} records are paired.`, accuracyNote(accuracy)],
	};
}

function accuracyNote({ moved, repeats, against }: Drift["accuracy"]): string {
	const points = (value: number) => (value * 100).toFixed(1).replace("-", "−");
	if (moved === null) return "Accuracy was not scored in both runs.";
	const start = `Accuracy moved by ${moved > 0 ? "+" : ""}${points(moved)} points`;
	if (against === "unknown" || repeats.half === null)
		return `${start}. How much it varies when nothing changes is not known: ${repeats.reason}.${repeats.repeated === 0 ? " Runs with --repeats 3 tell." : ""} The paired test below takes each answer as one draw.`;
	return `${start}; answering the same tasks again moves it by up to ${points(repeats.half)} in 95 of 100 cases (from the repeats of ${repeats.repeated} tasks), so this is ${against === "beyond" ? "more than repeats explain" : "no more than repeats explain"}.`;
}

function apart(from: string, to: string): string {
	const minutes = (Date.parse(to) - Date.parse(from)) / 60_000;
	if (!Number.isFinite(minutes)) return "some time";
	if (minutes < 120) return `${Math.round(minutes)} minutes`;
	return minutes < 2880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
}
