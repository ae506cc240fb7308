/** From runs to the data of a report. Every statistic is scoring's; here they are only asked for and set in order. */

import { addUsage, grouped, noUsage, recordKey, unknownHash } from "#domain";
import {
	answerOutcomes,
	byDeltaStep,
	clusterOf,
	formatHealth,
	latencyOf,
	modalityCoverageTable,
	overConfidence,
	type ScoredItem,
	scorers,
	sliceNames,
	slices,
	summarise,
	wordsOf,
} from "#scoring";
import { comparePairs, compareSlices } from "./comparisons.ts";
import { diagnosedItems, diagnosedRun } from "./diagnosis/diagnosed-run.ts";
import { worstFailures } from "./failures.ts";
import { judgesOf } from "./judges.ts";
import { rankingOf, ranksAmong } from "./ranking.ts";
import type {
	BenchmarkReport,
	CoverageRow,
	ReportData,
	ReportRun,
	RunReport,
	SliceName,
	SliceRow,
	Spent,
} from "./report-data.ts";
import { interventionOf, labelsOf } from "./run-labels.ts";
import { scoredBy } from "./scored-by.ts";
import {
	asShare,
	boundsOf,
	type Expected,
	endingsOf,
	expectedItems,
	measuredOf,
	short,
	shortened,
} from "./summaries.ts";
import { hasAnswer } from "./views/grade-measures.ts";
import { viewItems } from "./views/view-items.ts";
import { healthCautions } from "./wording.ts";

/**
 * Everything the views show of some runs, as plain JSON. Runs given twice count once; runs of one benchmark (by name and
 * hash) whose answers are scored alike are ranked together, interventions apart from them and from one another. A run that
 * planned a task which `tasks` does not hold is an error (exit 2), since leaving it out would shrink the denominator. With
 * `failures` false they are counted, and none is shown hop by hop: no evidence is then looked up.
 */
export async function reportData(
	runs: readonly ReportRun[],
	{ failures = true }: { failures?: boolean | undefined } = {},
): Promise<ReportData> {
	const distinct = [...new Map(runs.map((run) => [run.manifest.id, run])).values()];
	const label = labelsOf(distinct);
	const reports: RunReport[] = [];
	const items = new Map<string, Expected[]>();
	for (const run of distinct) {
		const expected = expectedItems(run);
		items.set(run.manifest.id, expected);
		reports.push(await runReport(run, { label: label(run), items: expected, failures }));
	}
	const groups = grouped(reports, ({ benchmark: { name, hash }, intervention, scoring }) =>
		JSON.stringify([name, hash, intervention, scoring]),
	);
	const benchmarks = [...groups.values()].map((members) => benchmarkReport(members, items));
	const ranked = benchmarks.flatMap(({ ranking }) => ranking);
	return {
		version: 1,
		benchmarks,
		runs: reports.sort((a, b) => ranked.indexOf(a.id) - ranked.indexOf(b.id)),
	};
}

async function runReport(
	run: ReportRun,
	{ label, items, failures }: { label: string; items: Expected[]; failures: boolean },
): Promise<RunReport> {
	const { manifest } = run;
	const headline = summarise(items, { metric: "accuracy" });
	const added = run.scorers ?? [];
	const metrics = Object.fromEntries(
		[...scorers, ...added].map((metric) => [metric.name, measuredOf(summarise(items, { metric }))]),
	) as RunReport["metrics"];
	const answers = run.records.length === 0 || run.records.some(({ trajectory }) => !trajectory.searchOnly);
	return {
		id: manifest.id,
		label,
		agent: {
			name: short(manifest.agent.name),
			version: short(manifest.agent.version),
			promptHash: manifest.agent.promptHash ?? null,
			reference: manifest.agent.reference === undefined ? null : short(manifest.agent.reference),
		},
		model: manifest.model === null ? null : short(manifest.model),
		setting: manifest.setting,
		benchmark: { name: short(manifest.benchmark.name), hash: manifest.benchmark.hash },
		knowledge: { name: short(manifest.knowledge.name), hash: manifest.knowledge.hash },
		software: { hopscope: short(manifest.software.hopscope), node: short(manifest.software.node) },
		scorers: [...new Set(run.rows.map((row) => short(row.scorer)))].sort(),
		scoring: scoredBy(run),
		intervention: interventionOf(manifest),
		seed: manifest.seed,
		repeats: manifest.repeats,
		at: manifest.at,
		imported: manifest.imported ? { file: short(manifest.imported.file), sha256: manifest.imported.sha256 } : null,
		answers,
		expected: items.length,
		scored: headline.scored,
		bounds: boundsOf(headline.bounds),
		outcomes: endingsOf(headline),
		health: formatHealth(run.records.map(({ trajectory }) => trajectory)),
		spent: spentBy(run),
		metrics,
		...(added.length > 0 ? { addedScorers: added.map(wordsOf) } : {}),
		places: null,
		slices: Object.fromEntries(sliceNames.map((by) => [by, sliceRows(items, by)])) as Record<SliceName, SliceRow[]>,
		deltaSteps: deltaSteps(items),
		coverage: modalityCoverageTable(items).map(
			({ image, modality, covered, gold, bounds, missing, ...share }): CoverageRow => ({
				modality,
				question: image ? "with image" : "without image",
				covered,
				gold,
				share: { ...share, bounds: boundsOf(bounds), missing: shortened(missing) },
			}),
		),
		confidence: answers ? confidenceOf(run, items) : null,
		...judgesOf(run),
		diagnosis: run.diagnoses ? diagnosedRun(run, diagnosedItems(run, items)) : null,
		failures: await worstFailures(run, items, failures ? {} : { most: 0 }),
	};
}

function spentBy({ manifest, records }: ReportRun): Spent {
	const { calls, inputTokens, outputTokens, cost } = records.reduce(
		(sum, { trajectory }) => addUsage(sum, trajectory.usage),
		noUsage,
	);
	const currency = manifest.price?.currency ?? null;
	const latency = latencyOf(records.map(({ trajectory }) => trajectory.ms));
	return { calls, inputTokens, outputTokens, cost: cost ?? null, currency, latency };
}

/** Records whose retrieval and answer were both graded, by whether retrieval hit; undefined where there are none. */
function confidenceOf(run: ReportRun, items: readonly Expected[]): RunReport["confidence"] {
	const records = new Map(
		viewItems(run).map((item) => [recordKey({ task: item.task.id, repeat: item.repeat }), item.record]),
	);
	const graded = items.flatMap(({ task, repeat, row }) => {
		const hit = row?.scores.hit;
		const outcome = answerOutcomes.find((one) => one === row?.outcome);
		if (hit?.is !== "scored" || !outcome) return [];
		const answered = hasAnswer({ row, record: records.get(recordKey({ task: task.id, repeat })) });
		return [{ hit: hit.value === 1, outcome, answered, cluster: clusterOf(task) }];
	});
	if (graded.length === 0) return null;
	const { missing, expected } = summarise(items, { metric: "hit" });
	const { hit, miss, all } = overConfidence(graded);
	const within = (row: typeof all) => ({ ...row, answered: asShare(row.answered), accuracy: asShare(row.accuracy) });
	return { hit: within(hit), miss: within(miss), all: within(all), expected, missing: shortened(missing) };
}

function sliceRows(items: readonly ScoredItem[], by: SliceName): SliceRow[] {
	return slices(items, by).map(({ name, items: members }) => {
		const accuracy = summarise(members, { metric: "accuracy" });
		return {
			value: short(name),
			expected: members.length,
			scored: accuracy.scored,
			accuracy: measuredOf(accuracy),
			f1: measuredOf(summarise(members, { metric: "f1" })),
			hps: measuredOf(summarise(members, { metric: "hps" })),
		};
	});
}

function deltaSteps(items: readonly ScoredItem[]): RunReport["deltaSteps"] {
	return byDeltaStep(items).map(({ delta, items: own }) => {
		const accuracy = summarise(own, { metric: "accuracy" });
		const f1 = summarise(own, { metric: "f1" });
		return { delta, count: accuracy.expected, accuracy: measuredOf(accuracy), f1: measuredOf(f1) };
	});
}

function benchmarkReport(members: RunReport[], items: ReadonlyMap<string, Expected[]>): BenchmarkReport {
	const [first] = members;
	const intervention = first?.intervention ?? null;
	const ranked = rankingOf(members);
	const compared = ranked.map(({ id }) => ({ id, items: items.get(id) ?? [] }));
	const answering = intervention ? [] : compared.filter((_, place) => ranked[place]?.answers);
	const comparisons = comparePairs(answering);
	if (!intervention) for (const run of ranked) run.places = ranksAmong(run, ranked, comparisons);
	const planned = compared.map((run) => new Set(run.items.map(({ task }) => task.id)));
	const union = new Set(planned.flatMap((tasks) => [...tasks]));
	const cautions: string[] = [];
	if (intervention)
		cautions.push(
			`Intervention ${intervention.what} of ${intervention.of}: the same agent with a part of the world changed. These are no scores of the agent, and they are neither ranked nor compared.`,
		);
	if (planned.some((tasks) => tasks.size < union.size))
		cautions.push(
			"These runs planned different tasks, so their numbers are not about the same questions; two runs are compared on the tasks that both planned.",
		);
	const searched = new Set(members.map((run) => run.knowledge.hash));
	if (members.length > 1 && searched.has(unknownHash))
		cautions.push("What some of these runs searched is not known: they were made elsewhere.");
	else if (searched.size > 1) cautions.push("These runs searched different knowledge bases.");
	cautions.push(...healthCautions(members));
	if (new Set(members.flatMap((run) => run.scorers)).size > 1)
		cautions.push("These runs were scored by different versions of the scorer; score them again to compare them.");
	const { name, hash } = first?.benchmark ?? { name: "", hash: "" };
	const scoring = first?.scoring ?? null;
	return {
		name,
		hash,
		intervention,
		scoring,
		tasks: union.size,
		ranking: ranked.map((run) => run.id),
		comparisons,
		cautions,
		sliceComparisons: compareSlices(answering).map((one) => ({ ...one, value: short(one.value) })),
	};
}
