/** From runs to the data of a report. Every statistic is scoring's; here they are only asked for and set in order. */

import { addUsage, counted, grouped, noUsage, unknownHash } from "#domain";
import {
	answerOutcomes,
	byDeltaStep,
	clusterOf,
	healthOf,
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
import { diagnosedRun } from "./diagnosis/diagnosed-run.ts";
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
import { asShare, boundsOf, endingsOf, measuredOf, short, shortened } from "./summaries.ts";
import {
	isSummarised,
	type RecordHead,
	type SummarisedItem,
	type SummarisedRun,
	summarised,
} from "./summarised-run.ts";
import { isGiven } from "./views/grade-measures.ts";
import { healthCautions } from "./wording.ts";

/**
 * Everything the views show of some runs, as plain JSON. Runs given twice count once; runs of one benchmark (by name and
 * hash) whose answers are scored alike are ranked together, interventions apart from them and from one another. A run that
 * planned a task which `tasks` does not hold is an error (exit 2), since leaving it out would shrink the denominator. With
 * `failures` false they are counted, and none is shown hop by hop: no evidence is then looked up.
 */
export async function reportData(
	runs: readonly (ReportRun | SummarisedRun)[],
	{ failures = true }: { failures?: boolean | undefined } = {},
): Promise<ReportData> {
	const distinct = [...new Map(runs.map((run) => [run.manifest.id, run])).values()];
	const label = labelsOf(distinct);
	const reports: RunReport[] = [];
	const items = new Map<string, SummarisedItem[]>();
	for (const one of distinct) {
		const run = isSummarised(one) ? one : summarised(one);
		items.set(run.manifest.id, run.items);
		reports.push(await runReport(run, { label: label(one), failures }));
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
	run: SummarisedRun,
	{ label, failures }: { label: string; failures: boolean },
): Promise<RunReport> {
	const { manifest, items } = run;
	const headline = summarise(items, { metric: "accuracy" });
	const added = run.scorers ?? [];
	const metrics = Object.fromEntries(
		[...scorers, ...added].map((metric) => [metric.name, measuredOf(summarise(items, { metric }))]),
	) as RunReport["metrics"];
	const heads = items.flatMap(({ head }) => head ?? []);
	const answers = heads.length === 0 || heads.some(({ searchOnly }) => !searchOnly);
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
		knowledge: knowledgeOf(manifest),
		software: { hopscope: short(manifest.software.hopscope), node: short(manifest.software.node) },
		...(manifest.sweep ? { sweep: { ...manifest.sweep, name: short(manifest.sweep.name) } } : {}),
		scorers: run.scoredWith,
		scoring: run.scoring,
		intervention: interventionOf(manifest),
		seed: manifest.seed,
		repeats: manifest.repeats,
		at: manifest.at,
		imported: importedOf(manifest),
		answers,
		expected: items.length,
		scored: headline.scored,
		bounds: boundsOf(headline.bounds),
		outcomes: endingsOf(headline),
		health: healthOf(heads),
		spent: spentBy(run, heads),
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
		confidence: answers ? confidenceOf(items) : null,
		...(run.judged ? judgesOf(run.judged) : { judges: [], outdatedVerdicts: 0 }),
		diagnosis: run.diagnosed ? diagnosedRun(run) : null,
		failures: await worstFailures(run, failures ? {} : { most: 0 }),
	};
}

function knowledgeOf({ knowledge: { name, hash, matched } }: SummarisedRun["manifest"]): RunReport["knowledge"] {
	return { name: short(name), hash, ...(matched ? { matched } : {}) };
}

function importedOf({ imported }: SummarisedRun["manifest"]): RunReport["imported"] {
	if (!imported) return null;
	const { file, sha256, evidence = null } = imported;
	return { file: short(file), sha256, evidence };
}

function spentBy({ manifest }: SummarisedRun, heads: readonly RecordHead[]): Spent {
	const { calls, inputTokens, outputTokens, cost } = heads.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
	const currency = manifest.price?.currency ?? null;
	const latency = latencyOf(heads.map(({ ms }) => ms));
	return { calls, inputTokens, outputTokens, cost: cost ?? null, currency, latency };
}

/** Records whose retrieval and answer were both graded, by whether retrieval hit; undefined where there are none. */
function confidenceOf(items: readonly SummarisedItem[]): RunReport["confidence"] {
	const graded = items.flatMap(({ task, row, head }) => {
		const hit = row?.scores.hit;
		const outcome = answerOutcomes.find((one) => one === row?.outcome);
		if (hit?.is !== "scored" || !outcome) return [];
		const answered = isGiven(row?.outcome) && (head === undefined || head.answers);
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

function benchmarkReport(members: RunReport[], items: ReadonlyMap<string, SummarisedItem[]>): BenchmarkReport {
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
	for (const { id, sweep } of members)
		if (sweep?.stopped)
			cautions.push(
				`${id} was stopped by the sweep ${sweep.name} after ${counted(sweep.stopped.after, "task")}, by design: what is missing was never asked.`,
			);
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
