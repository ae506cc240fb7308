/** A sweep as a table, with the frontier of cost and accuracy as its plot. */
import { showInline, showNumber, type Unit } from "../number-format.ts";
import { numberColumn, percentColumn, tableOf, textColumn } from "../views/table.ts";
import type { Cell, View } from "../views/view.ts";
import type { SweepReport, SweptSetting, sweepStates } from "./sweep-report.ts";

export function sweepView(report: SweepReport): View {
	const { sweep, benchmark, metric, settings, cost, answers, looks, verdict, cautions } = report;
	const unit: Unit = metric.aggregation === "mean" ? "plain" : "percent";
	const measuredColumn = unit === "percent" ? percentColumn : numberColumn;
	const better = metric.direction === "lower" ? "lower" : "higher";
	const hasHps = metric.name !== "hps" && settings.some(({ hps }) => hps.value !== null);
	const unitName = cost.unit === "money" ? (cost.currency ?? "money") : cost.unit;
	const saved = answers.possible - answers.given;
	return {
		name: "sweep",
		title: `Sweep ${sweep} on ${benchmark.name}`,
		describe: verdict.join(" "),
		source: "records.jsonl",
		...tableOf(
			settings,
			[
				textColumn("setting", "Setting", ({ label }) => label),
				textColumn("state", "State", stateWords),
				numberColumn("tasks", "Tasks", ({ tasks, planned }): Cell => ({ is: "count", value: tasks, of: planned })),
				measuredColumn("measured", metric.heading, ({ measured }): Cell => ({ is: "measured", measured }), { better }),
				...(hasHps
					? [percentColumn<SweptSetting>("hps", "HPS", ({ hps }): Cell => ({ is: "measured", measured: hps }))]
					: []),
				textColumn("behind", "Minus the best", ({ behind }) => (behind ? showInline(behind, unit) : "–")),
				numberColumn(
					"cost",
					`Cost of an answer (${unitName})`,
					({ cost: each }): Cell =>
						each === null ? { is: "unscored", reason: "nothing was answered" } : { is: "count", value: rounded(each) },
				),
				textColumn("frontier", "Frontier", ({ frontier }) => (frontier ? "yes" : "")),
			],
			({ run }) => ({ run }),
		),
		plots: [
			{
				...{ form: "frontier", x: "cost", y: "measured", series: "state", value: "setting" },
				...{ xTitle: `Cost of an answer (${unitName})`, yTitle: metric.heading },
			},
		],
		notes: [
			`${answers.given} of ${answers.possible} answers were given: ${showNumber(saved / Math.max(1, answers.possible), "percent", 0)} % saved. Looked at after ${looks.join(", ")} tasks.`,
			...settings.flatMap(({ label, run }) => (label === run ? [] : [`${label}: ${run}`])),
			...cautions,
		],
	};
}

/** As many digits as tell settings apart. */
const rounded = (value: number) => Number(value.toPrecision(3));

const words: Record<(typeof sweepStates)[number], string> = {
	best: "best",
	alike: "not significantly worse",
	worse: "significantly worse",
	dropped: "dropped",
	failed: "failed",
	unfinished: "unfinished",
};

const stateWords = ({ state }: SweptSetting): string => words[state];
