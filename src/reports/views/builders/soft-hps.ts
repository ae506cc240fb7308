/** Hit per step where evidence need only be like the gold one, as MC-Search's Table 13 has it. */
import { retrievalHops, retrievalSteps, type Score, scored, unscored } from "#domain";
import { softHitsPerStep, summarise } from "#scoring";
import { createEvidenceVectors, type EvidenceVectors } from "../evidence-vectors.ts";
import { type Measure, metricTable } from "../metric-table.ts";
import { plotByRun } from "../table.ts";
import type { ViewBuilder, ViewItem, ViewRun } from "../view.ts";
import { summaryCell } from "../view-cells.ts";
import { membersOf, searchingRuns } from "../view-items.ts";

const thresholds = [1, 0.95, 0.9, 0.85];

export const softHps: ViewBuilder = {
	name: "soft-hps",
	slow: true,
	title: "Soft HPS",
	describe:
		"Hit per step where a step counts for a hop whose evidence is at least τ like what it brought back. At τ = 1 only the same evidence counts, and it is HPS. Alike is the cosine of their texts' vectors (of a picture, its caption's) by the embedder that --embedder names; without one only τ = 1 is scored. The paper names none: thresholds below 1 compare with its own only as far as the embedders do.",
	source: "MC-Search, Table 13",
	async build(runs, options) {
		const { searching, notes } = searchingRuns(runs, options);
		const { embedder } = options;
		const members = membersOf(searching);
		const found = new Map<ViewItem, Map<number, Score>>();
		// runs over one knowledge base hold the same texts
		const byKnowledge = new Map<string, EvidenceVectors>();
		for (const { run, items } of members) {
			const { hash } = run.manifest.knowledge;
			const vectors = byKnowledge.get(hash) ?? (embedder && createEvidenceVectors(embedder, (id) => textOf(run, id)));
			if (vectors) byKnowledge.set(hash, vectors);
			for (const item of items) found.set(item, await scoresOf(item, vectors));
		}
		const measures = thresholds.map(
			(tau): Measure => ({
				column: { key: `tau-${tau}`, title: `τ = ${tau}`, unit: "percent", better: "higher" },
				cell: ({ items }) =>
					summaryCell(
						summarise(items, { metric: "soft-hps", share: true, scoreOf: (item) => found.get(item)?.get(tau) }),
					),
			}),
		);
		const { columns, rows } = metricTable(members, { by: [options.by ?? "topology"], measures, options, all: true });
		return {
			columns,
			rows,
			plots: thresholds.map((tau) => plotByRun("rows", "slice", `tau-${tau}`, `soft HPS % at τ = ${tau}`)),
			notes: [
				...notes,
				embedder
					? `Alike by ${embedder.name}.`
					: "No embedder is named, so that thresholds below 1 are not scored: --embedder onnx:FOLDER or openai:MODEL@http://….",
			],
		};
	},
};

async function textOf(run: ViewRun, id: string): Promise<string | undefined> {
	const evidence = await run.evidence(id);
	if (!evidence) return undefined;
	return evidence.kind === "image" ? `${evidence.title} ${evidence.caption ?? ""}` : evidence.text;
}

/** A record's soft HPS by threshold; none of a task whose chain needs no retrieval. At 1 it takes no vectors. */
async function scoresOf(
	{ task, record, row }: ViewItem,
	vectors: EvidenceVectors | undefined,
): Promise<Map<number, Score>> {
	const hops = task.chain ? retrievalHops(task.chain) : [];
	if (hops.length === 0) return new Map();
	const all = (score: Score) => new Map(thresholds.map((tau) => [tau, score]));
	const hps = row?.scores.hps;
	if (!record || !hps) return all(unscored("no record"));
	// what keeps HPS from being scored keeps this one too
	if (hps.is === "unscored") return all(hps);
	const gold = hops.map(({ evidence }) => evidence);
	const steps = retrievalSteps(record.trajectory).map(({ results }) => results.map(({ id }) => id));
	const compared = steps.map((ids) => ids.slice(0, mostCompared));
	const results = new Set(compared.flat());
	await vectors?.load([...results, ...gold.flatMap((evidence) => evidence.slice(0, mostCompared))]);
	const table = gold.map((evidence) => {
		const best = new Map(
			[...results].map((id) => [
				id,
				Math.max(0, ...evidence.slice(0, mostCompared).map((wanted) => vectors?.alike(wanted, id) ?? 0)),
			]),
		);
		return compared.map((ids) => Math.max(0, ...ids.map((id) => best.get(id) ?? 0)));
	});
	return new Map(
		thresholds.map((tau) => {
			if (!vectors && tau < 1) return [tau, unscored("no embedder is named")];
			const { value } = softHitsPerStep(gold, steps, { similarity: table, tau });
			return [tau, value === null ? unscored("no hop needs retrieval") : scored(value)];
		}),
	);
}

/** Of a hop's acceptable evidence, and of a step's results, so many are compared by their texts; ids all count. */
const mostCompared = 20;
