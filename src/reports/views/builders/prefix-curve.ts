/** Accuracy by how much of the chain is given. */
import type { CurvePoint } from "#diagnosis";
import { intervenedRuns } from "../../diagnosis/interventions-report.ts";
import type { ViewBuilder, ViewRow, ViewRun } from "../view.ts";
import { countCell, runColumn, summaryCell, textCell } from "../view-cells.ts";

export const prefixCurveView: ViewBuilder = {
	name: "prefix-curve",
	title: "Accuracy by given prefix",
	describe:
		"Accuracy when the first hops of the gold chain, in the order of dependency, are given as solved: by the number given, for each length of chain, and for all lengths by the share given (to the nearest hop). Every line is about the same tasks throughout; none given is the run itself.",
	source: "Hopscope",
	build(runs, options) {
		const { members, notes } = intervenedRuns(runs, options);
		const rows = members.flatMap(({ run, report: { curve } }) => [
			...curve.byLength.flatMap(({ length, points }) =>
				points.map((point) => rowOf(run, { chains: `${length} hops`, given: `${point.given} of ${length}`, point })),
			),
			...curve.byShare.map((point) => rowOf(run, { chains: "all", given: `${100 * point.given} %`, point })),
		]);
		function rowOf(
			run: ViewRun,
			{ chains, given, point }: { chains: string; given: string; point: CurvePoint },
		): ViewRow {
			const { accuracy } = point;
			return {
				run: run.manifest.id,
				kind: "intervention",
				cells: {
					run: textCell(options.label(run)),
					chains: textCell(chains),
					given: textCell(given),
					tasks: countCell(accuracy.tasks),
					accuracy: summaryCell(accuracy),
				},
			};
		}
		const chosen = members.some(({ report: { curve, budget } }) => {
			const [none] = curve.byShare;
			return none?.accuracy.value === 0 && budget.right > 0;
		});
		const leftOut = members.flatMap(({ report: { curve } }) =>
			curve.leftOut > 0
				? [
						`${curve.leftOut} records are in no line, since not every prefix of their chain was run: hopscope intervene RUN --prefix.`,
					]
				: [],
		);
		return {
			rows,
			columns: [
				runColumn,
				{ key: "chains", title: "Chains", unit: "text" },
				{ key: "given", title: "Given", unit: "text" },
				{ key: "tasks", title: "Tasks", unit: "number" },
				{ key: "accuracy", title: "Accuracy", unit: "percent", better: "higher" },
			],
			plots: [
				{
					...{ form: "lines", x: "given", y: "accuracy", series: "run", split: "chains" },
					...{ xTitle: "hops given", yTitle: "accuracy %" },
				},
			],
			notes: [
				...(chosen
					? [
							"Only tasks that failed were re-run, so that none given is 0 % by choice; --all-tasks gives the curve of all.",
						]
					: []),
				...leftOut,
				...notes,
			],
		};
	},
};
