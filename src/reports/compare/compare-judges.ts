/** The judges of one run against one another, and against people: what was recorded, nobody is asked. */
import { usageError, type Verdict } from "#domain";
import {
	type Agreement,
	calibrate,
	type JudgeSeen,
	judgesIn,
	type Reading,
	runAnswers,
	runReadings,
	stampOf,
} from "#scoring";
import type { ReportRun } from "../report-data.ts";
import { short } from "../summaries.ts";
import { judgeComparisons } from "../views/judge-comparisons.ts";
import { numberColumn, percentColumn, tableOf, textColumn } from "../views/table.ts";
import type { Cell, View } from "../views/view.ts";
import { intervalCell, unscoredCell } from "../views/view-cells.ts";

export interface JudgesComparison {
	version: 1;
	run: string;
	/** Who judged, by rubric, with the answers that each judged. */
	judges: { judge: string; rubric: string; seed: number; answers: number }[];
	/** People and models whose labels came with the run. */
	labelled: number;
	agreements: RaterAgreement[];
	notes: string[];
}

/** Two raters on one dimension of a rubric: the grade, or one of its scores, or all scores stacked. */
export interface RaterAgreement {
	rubric: string;
	dimension: string;
	a: string;
	/** `people`: every person who labelled, each weighing by what was labelled. */
	b: string;
	agreement: Agreement;
}

/**
 * Agreement of every two judges by one rubric, and of each with people's and models' labels. `judges` are ids,
 * all that judged without it. Refuses (exit 2) a run that nobody judged, ids that did not, and what leaves nothing to compare.
 */
export function judgesReport(
	run: ReportRun,
	{ judges }: { judges?: readonly string[] | undefined } = {},
): JudgesComparison {
	const verdicts = run.verdicts ?? [];
	const seen = judgesIn(verdicts);
	mustHaveJudged(run, { seen, judges });
	const chosen = seen.filter(({ judge }) => !judges || judges.includes(judge));
	const items = runAnswers(run, run.labels);
	const byChosen = verdicts.filter(({ judge }) => !judges || judges.includes(judge.model));
	const agreements = [
		...judgeComparisons({ ...run, verdicts: byChosen }).map(({ sides: [a, b], rubric, dimension, agreement }) => ({
			...{ rubric, dimension, a, b, agreement },
		})),
		...chosen.flatMap((one) => withModels(run, one, { verdicts, items })),
	];
	const naming = chosen.filter(({ rubric }) => Object.keys(rubric.labels).length > 0).map(({ rubric }) => rubric.name);
	const labelled = items.filter(({ labels }) => labels.length > 0).length;
	if (agreements.length === 0)
		throw usageError(
			"nothing-to-compare",
			`${run.manifest.id} has ${chosen.length === 1 ? "one judge" : "no two judges by one rubric"}${labelled === 0 ? " and no labels" : ""}: there is nothing to compare`,
			"Judge it by another model with the same rubric (hopscope judge), or give people's labels with --labels.",
		);
	return {
		version: 1,
		run: run.manifest.id,
		judges: chosen.map((one) => ({
			...{ judge: one.judge, rubric: one.rubric.name, seed: one.seed },
			answers: new Set(readings(run, verdicts, one).map(({ item }) => item)).size,
		})),
		labelled,
		agreements,
		notes:
			naming.length > 0
				? [`Left out, since they name errors and give neither grade nor score: ${[...new Set(naming)].join(", ")}.`]
				: [],
	};
}

const readings = ({ manifest }: ReportRun, verdicts: readonly Verdict[], seen: JudgeSeen): Reading[] =>
	runReadings(manifest.id, verdicts, seen);

/** Labels of models that came with the run: a second judge's word, no person's. */
function withModels(
	run: ReportRun,
	seen: JudgeSeen,
	{ verdicts, items }: { verdicts: readonly Verdict[]; items: ReturnType<typeof runAnswers> },
): RaterAgreement[] {
	if (!items.some(({ labels }) => labels.some(({ kind }) => kind === "model"))) return [];
	const { rubric, seed } = seen;
	const { dimensions } = calibrate(items, {
		...{ rubric, seed, judge: { ...stampOf(seen), readings: readings(run, verdicts, seen) } },
	});
	return dimensions.flatMap(({ name, models }) =>
		models.map(({ rater, agreement }) => ({
			...{ rubric: rubric.name, dimension: name, a: short(seen.judge), b: `labels of ${short(rater)}` },
			agreement,
		})),
	);
}

function mustHaveJudged(
	{ manifest }: ReportRun,
	{ seen, judges }: { seen: readonly JudgeSeen[]; judges: readonly string[] | undefined },
): void {
	const refuse = (what: string, remedy: string) => usageError("no-verdicts", what, remedy);
	if (seen.length === 0)
		throw refuse(
			`nobody judged ${manifest.id} by a rubric as it reads today`,
			`Judge it first: hopscope judge ${manifest.id} --model MODEL.`,
		);
	const missing = judges?.find((id) => !seen.some(({ judge }) => judge === id));
	if (missing !== undefined)
		throw refuse(
			`${missing} did not judge ${manifest.id}`,
			`There is: ${[...new Set(seen.map(({ judge }) => judge))].join(", ")}.`,
		);
}

const figureOf =
	(name: "kappa" | "weightedKappa" | "pearson" | "spearman") =>
	({ agreement: { items, [name]: found } }: RaterAgreement): Cell =>
		intervalCell({ ...found, n: items, groups: items, method: "jackknife" });

/** One table: two raters on one dimension a row. */
export function judgesView({ run, judges, labelled, agreements, notes }: JudgesComparison): View {
	return {
		name: "judge-agreement",
		title: `Agreement of judges over ${short(run)}`,
		describe:
			"Two raters of the same answers. Bias: the first less the second, on the dimension's own scale (grades as 0, 0.5, 1); limits: 95 of 100 single differences lie within so much of it. Agreement of two judges is no measure of truth.",
		source: "MC-Search, Tables 9, 10; Bland and Altman 1986",
		...tableOf(agreements, [
			textColumn("rubric", "Rubric", ({ rubric }) => rubric),
			textColumn("dimension", "Dimension", ({ dimension }) => dimension),
			textColumn("raters", "Raters", ({ a, b }) => `${a}, ${b}`),
			numberColumn("items", "Answers", ({ agreement }) => agreement.items),
			percentColumn("share", "Same", ({ agreement }) => intervalCell(agreement.share)),
			numberColumn("kappa", "Kappa", figureOf("kappa")),
			numberColumn("weighted", "Kappa, squared", figureOf("weightedKappa")),
			numberColumn("pearson", "Pearson", figureOf("pearson")),
			numberColumn("spearman", "Spearman", figureOf("spearman")),
			numberColumn("bias", "Bias", ({ agreement }) => intervalCell(agreement.bias), { signed: true }),
			numberColumn("limits", "Limits ±", ({ agreement: { limits } }) =>
				limits === null ? unscoredCell("too few answers for a spread") : limits,
			),
		]),
		plots: [],
		notes: [
			`Judged: ${judges.map(({ judge, rubric, answers }) => `${short(judge)} by ${rubric} ${answers}`).join(", ")}; answers with labels: ${labelled}.`,
			"Intervals of kappa and correlations by the jackknife over groups of answers to related questions.",
			...notes,
		],
	};
}
