/** What two judges, or a judge and people, gave to the same answers: the data of MC-Search's Figure 6. */
import { judgesIn, runAnswers, runReadings } from "#scoring";
import { short } from "../../summaries.ts";
import { numberColumn, runColumn, tableOf, textColumn } from "../table.ts";
import type { ViewBuilder, ViewRun } from "../view.ts";

export const judgePairs: ViewBuilder = {
	name: "judge-pairs",
	title: "Scores of two judges on the same answers",
	describe:
		"How many answers got which scores from two judges of one rubric, or from a judge and a person, by dimension: agreement lies on the diagonal. Each judge's first run counts. Scales are of whole steps, so the cells are the scores themselves where the paper draws hexagons.",
	source: "MC-Search, Figure 6",
	build(runs, options) {
		const rows = runs.flatMap((run) => pairsOf(run).map((pair) => ({ ...pair, run, label: options.label(run) })));
		const table = tableOf(
			rows,
			[
				runColumn,
				textColumn("sides", "Between", ({ sides }) => sides),
				textColumn("dimension", "Dimension", dimensionOf),
				numberColumn("first", "First", ({ first }) => first),
				numberColumn("second", "Second", ({ second }) => second),
				numberColumn("answers", "Answers", ({ answers }) => answers),
				textColumn("panel", "", (row) => [row.label, row.sides, dimensionOf(row)].join(" · ")),
			],
			({ run }) => ({ run: run.manifest.id }),
		);
		return {
			rows: table.rows,
			// the last tells the plots apart
			columns: table.columns.slice(0, -1),
			plots: [
				{
					form: "cells",
					x: "first",
					y: "second",
					value: "answers",
					split: "panel",
					xTitle: "first",
					yTitle: "second",
				},
			],
			notes: rows.length > 0 ? [] : ["No two judges, nor a judge and a person, have scored the same answers."],
		};
	},
};

const dimensionOf = ({ dimension }: Pick<Pair, "dimension">) => dimension.replaceAll("_", " ");

interface Pair {
	sides: string;
	dimension: string;
	first: number;
	second: number;
	answers: number;
}

/** By side (a judge by a rubric, or a person), what it gave: values by dimension and answer. */
function pairsOf(run: ViewRun): Pair[] {
	const { verdicts = [], labels = [] } = run;
	if (verdicts.length === 0) return [];
	const judges = judgesIn(verdicts).map((seen) => ({
		name: short(seen.judge),
		rubric: seen.rubric.name,
		given: new Map(
			runReadings(run.manifest.id, verdicts, seen)
				.filter((reading) => reading.run === 0)
				.flatMap(({ item, judgement }) =>
					judgement.is === "judged"
						? Object.entries(judgement.scores).map(
								([dimension, value]) => [JSON.stringify([dimension, item]), value] as const,
							)
						: [],
				),
		),
	}));
	const answers = new Set(runAnswers(run, labels).map(({ id }) => id));
	const rated = labels
		.filter(({ id }) => answers.has(id))
		.flatMap(({ id, labels: ratings }) =>
			ratings.flatMap(({ rater, label }) =>
				label.is === "score" ? [{ rater, key: JSON.stringify([label.name, id]), value: label.value }] : [],
			),
		);
	const persons = [...new Set(rated.map(({ rater }) => rater))].map((rater) => ({
		name: short(rater),
		given: new Map(rated.filter((one) => one.rater === rater).map(({ key, value }) => [key, value] as const)),
	}));
	return judges.flatMap((one, place) => [
		...judges
			.slice(place + 1)
			.filter(({ rubric }) => rubric === one.rubric)
			.flatMap((other) => countsOf(one, other)),
		...persons.flatMap((person) => countsOf(one, person)),
	]);
}

interface Side {
	name: string;
	given: ReadonlyMap<string, number>;
}

function countsOf(one: Side, other: Side): Pair[] {
	const counts = new Map<string, Pair>();
	for (const [key, first] of one.given) {
		const second = other.given.get(key);
		if (second === undefined) continue;
		const [dimension = ""]: string[] = JSON.parse(key);
		const place = JSON.stringify([dimension, first, second]);
		const known = counts.get(place) ?? { sides: `${one.name} / ${other.name}`, dimension, first, second, answers: 0 };
		known.answers += 1;
		counts.set(place, known);
	}
	return [...counts.values()].sort(
		(a, b) => a.dimension.localeCompare(b.dimension, "en") || a.first - b.first || a.second - b.second,
	);
}
