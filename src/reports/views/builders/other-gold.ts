/** The same questions with the gold of another model family, as MC-Search's Table 11 compares them. */
import { compareRuns, summarise } from "#scoring";
import { short } from "../../summaries.ts";
import { isIntervention, sameBenchmark } from "../baselines.ts";
import { differenceOf } from "../differences.ts";
import { agentOf, tasksColumn } from "../metric-table.ts";
import { column, plotByRun } from "../table.ts";
import type { Column, ViewBuilder, ViewRow, ViewRun } from "../view.ts";
import { countCell, summaryCell, textCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, gradingJudge, groupsOf, propertyName, valueName } from "../view-items.ts";

export const otherGold: ViewBuilder = {
	name: "other-gold",
	title: "The same questions with other gold",
	describe:
		"Two benchmarks that ask the same questions (tasks of the same ids) and hold other gold answers and chains, made by another model family: the same agent scored by each, and the difference of the first less the second, paired by task. Scores that stay close do not lean on how one family words its gold.",
	source: "MC-Search, Table 11",
	build(runs, options) {
		const pairs = pairsOf(runs.filter(answers));
		const by = options.by ?? "topology";
		const judged = pairs.length > 0 && pairs.every((pair) => pair.every(gradingJudge));
		const metrics = ["f1", ...(judged ? ["judged"] : ["accuracy"])];
		const rows = pairs.flatMap(([a, b]) => {
			const [first, second] = [gradedItems(a).items, gradedItems(b).items];
			const others = new Set(second.map(({ task }) => task.id));
			const shared = first.filter(({ task }) => others.has(task.id));
			return groupsOf([{ run: a, items: shared }], [by]).flatMap(
				({ values: [value = ""], members: [member] }): ViewRow[] => {
					if (!member) return [];
					const ids = new Set(member.items.map(({ task }) => task.id));
					const other = second.filter(({ task }) => ids.has(task.id));
					const cells = metrics.flatMap((metric) => [
						[`${metric}-a`, summaryCell(summarise(member.items, { metric }))] as const,
						[`${metric}-b`, summaryCell(summarise(other, { metric }))] as const,
						[
							`${metric}-difference`,
							{ is: "measured", measured: differenceOf(compareRuns(member.items, other, { metric })) },
						] as const,
					]);
					return [
						{
							...(isIntervention(a) ? { kind: "intervention" as const } : {}),
							cells: {
								slice: textCell(valueName(by, value)),
								run: textCell(short(agentOf(a))),
								gold: textCell(`${nameOf(a)} / ${nameOf(b)}`),
								tasks: countCell(ids.size),
								...Object.fromEntries(cells),
							},
						},
					];
				},
			);
		});
		const [pair] = pairs;
		const heads =
			pair && new Set(pairs.map((one) => one.map(nameOf).join())).size === 1 ? pair.map(nameOf) : ["first", "second"];
		return {
			rows,
			columns: [
				column("slice", propertyName(by)),
				column("run", "Agent"),
				column("gold", "Gold of"),
				tasksColumn.column,
				...metrics.flatMap((metric): Column[] => {
					const group = metric === "judged" ? "Judge" : metric === "f1" ? "F1" : metric;
					return [
						column(`${metric}-a`, heads[0] ?? "first", "percent", { group }),
						column(`${metric}-b`, heads[1] ?? "second", "percent", { group }),
						column(`${metric}-difference`, "Difference", "percent", { signed: true, group }),
					];
				}),
			],
			plots: [plotByRun("rows", "slice", "f1-difference", "difference in points")],
			notes:
				pairs.length > 0
					? [...(judged ? graderNotes(pairs.flat()) : []), ...unshared(pairs)]
					: ["No two of these runs are of one agent on two benchmarks that share their questions."],
		};
	},
};

const nameOf = ({ manifest: { benchmark } }: ViewRun): string => short(benchmark.name);

/** Runs of one agent with one model and setting on two benchmarks with tasks of the same ids and questions. */
function pairsOf(runs: readonly ViewRun[]): [ViewRun, ViewRun][] {
	const contender = ({ manifest: { agent, model, setting, intervention } }: ViewRun) =>
		JSON.stringify([agent.name, model, setting, intervention?.what ?? null]);
	return runs.flatMap((a, place) =>
		runs
			.slice(place + 1)
			.filter((b) => contender(a) === contender(b) && !sameBenchmark(a, b) && shareQuestions(a, b))
			.map((b): [ViewRun, ViewRun] => [a, b]),
	);
}

function shareQuestions(a: ViewRun, b: ViewRun): boolean {
	const questions = new Map(a.tasks.map(({ id, question }) => [id, question]));
	const common = b.tasks.filter(({ id }) => questions.has(id));
	return common.length > 0 && common.every(({ id, question }) => questions.get(id) === question);
}

function unshared(pairs: readonly [ViewRun, ViewRun][]): string[] {
	return pairs.flatMap(([a, b]) => {
		const [first, second] = [new Set(a.manifest.tasks), new Set(b.manifest.tasks)];
		const only = [...first].filter((id) => !second.has(id)).length + [...second].filter((id) => !first.has(id)).length;
		return only > 0 ? [`${nameOf(a)} and ${nameOf(b)}: ${only} tasks are in one of the two only, and left out.`] : [];
	});
}
