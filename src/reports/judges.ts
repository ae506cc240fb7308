import { ownField } from "#domain";
/** What judges made of a run, by judge and rubric. */
import {
	correctedAccuracy,
	type JudgeSeen,
	judgedRows,
	judgesIn,
	ruleId,
	runAnswers,
	runReadings,
	stampOf,
	summarise,
	summariseVerdicts,
} from "#scoring";
import type { JudgeGiven, JudgeReport, ReportRun, RunReport } from "./report-data.ts";
import { asShare, endingsOf, expectedItems, measuredOf, short, shortened } from "./summaries.ts";

export function judgesOf(run: ReportRun): Pick<RunReport, "judges" | "outdatedVerdicts"> {
	const { verdicts = [] } = run;
	const judges = judgesIn(verdicts);
	const stamps = new Set(judges.map((seen) => JSON.stringify(Object.entries(stampOf(seen)).sort())));
	const outdated = verdicts.filter(({ judge: { model, rubric, prompt, seed } }) => {
		return !stamps.has(JSON.stringify(Object.entries({ model, rubric, prompt, seed }).sort()));
	});
	return { judges: judges.map((seen) => judgeReport(run, seen)), outdatedVerdicts: outdated.length };
}

function judgeReport(run: ReportRun, seen: JudgeSeen): JudgeReport {
	const verdicts = run.verdicts ?? [];
	const told = summariseVerdicts(run, { verdicts, ...seen });
	const rows = judgedRows(run.rows, verdicts, seen);
	const summary = summarise(expectedItems({ ...run, rows }), { metric: "judged" });
	const { expected, scored, prompt, seed, times, unparsed, flips, position, sameModel } = told;
	const labelsOnly = Object.keys(seen.rubric.labels).length > 0 && told.value.n === 0;
	return {
		...{ judge: short(told.judge), rubric: told.rubric, prompt, seed, times, expected, scored },
		unscored: shortened(told.unscored),
		...{ unparsed, flips: asShare(flips), position, sameModel },
		byRule: told.judge === ruleId,
		value: labelsOnly ? null : measuredOf(summary),
		given: givenIn(told, seen),
		outcomes: endingsOf(summary),
		corrected: correctedOf(run, seen),
	};
}

/** The run's answers, with people's labels where there are any, against the judge's grades. */
function correctedOf(run: ReportRun, seen: JudgeSeen): JudgeReport["corrected"] {
	const { verdicts = [], labels = [] } = run;
	if (labels.length === 0) return null;
	const items = runAnswers(run, labels);
	const clusters = new Map(items.map(({ id, cluster }) => [id, cluster]));
	const [found] = correctedAccuracy(items, runReadings(run.manifest.id, verdicts, seen), {
		rubric: seen.rubric,
		clusterOf: (item) => clusters.get(item) ?? item,
	});
	if (!found || found.labelled === 0) return null;
	const methods = [
		...(found.roganGladen ? [{ method: "Rogan–Gladen" as const, ...found.roganGladen }] : []),
		...(found.ppi ? [{ method: "PPI++" as const, ...found.ppi }] : []),
	];
	return {
		...{ judged: found.judged, labelled: found.labelled },
		methods: methods.map(({ method, value, low, high, reason }) => ({
			...{ method, value, low, high },
			...(reason === undefined ? {} : { reason }),
		})),
	};
}

function givenIn(told: ReturnType<typeof summariseVerdicts>, { rubric }: JudgeSeen): JudgeGiven[] {
	const shares = (is: "grade" | "label", of: typeof told.labels) =>
		Object.entries(of).map(
			([name, { verdicts, share }]): JudgeGiven => ({ is, name, verdicts, value: asShare(share) }),
		);
	return [
		...shares("grade", told.grades),
		...shares("label", told.labels),
		...Object.entries(told.scores).flatMap(([name, value]): JudgeGiven[] => {
			const scale = ownField(rubric.scores, name);
			return scale ? [{ is: "score", name, scale: { least: scale.least, most: scale.most }, value }] : [];
		}),
	];
}
