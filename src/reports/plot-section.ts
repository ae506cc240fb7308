/** The figures of a benchmark's section: by hops, by topology, by Δstep, by modality. */
import { aboutMissing } from "./explanations.ts";
import type { Look } from "./look.ts";
import { countBars, intervalLines, intervalRows, type Point } from "./plots.ts";
import type { RunReport } from "./report-data.ts";
import { type Content, html, type Markup } from "./template.ts";
import { modalityName, topologyName } from "./wording.ts";

type LookOf = (label: string) => Look;

/** The figures that the runs have data for. */
export function plotsOf(runs: readonly RunReport[], options: { look: LookOf }): Content[] {
	const { look } = options;
	const figures: Content[] = [];
	const answering = runs.filter(({ answers }) => answers);
	const dotted = answering.some((run) => run.scored < run.expected)
		? ", dots the bounds that the unscored could make of it"
		: "";
	const nameOf = (run: RunReport) => look(run.label).name;
	const unmeasured = aboutMissing(runs, ["delta-step"], nameOf);
	const sliced = (by: "hops" | "topology", number: boolean): Point[] =>
		answering.flatMap((run) =>
			run.slices[by].map((row) => ({
				at: number ? Number(row.value) : row.value,
				label: run.label,
				measured: row.accuracy,
			})),
		);
	const hops = sliced("hops", true).filter((point) => Number.isFinite(point.at));
	if (hops.length > 0)
		figures.push(
			figure("Accuracy by hops", `Does it hold as the chain grows? Bars are 95 % intervals${dotted}.`, [
				intervalLines(hops, {
					name: "Accuracy by number of hops, one line for each agent",
					look,
					axis: "hops that need retrieval",
					counts: true,
					valueAxis: "accuracy %",
				}),
			]),
		);
	const topologies = sliced("topology", false);
	if (topologies.length > 0)
		figures.push(
			figure("Accuracy by topology", "By the shape of the gold chain.", [
				intervalRows(topologies, {
					name: "Accuracy by topology of the chain",
					look,
					axis: "accuracy %",
					describe: topologyName,
				}),
			]),
		);
	const deltas = runs.flatMap((run) => run.deltaSteps.map((bin) => ({ ...bin, at: bin.delta, label: run.label })));
	if (deltas.length > 0) {
		const near = deltas.filter((bin) => Math.abs(bin.at) < farthest && bin.count >= fewest);
		figures.push(
			figure(
				"Steps beyond the chain (Δstep)",
				`Answers by how many retrieval steps more (+) or fewer (−) than the gold chain. ${unmeasured}`,
				[
					countBars(gathered(deltas), {
						name: "Number of answers by Δstep, a panel for each agent",
						look,
						axis: "Δstep",
						tick: deltaName,
					}),
				],
			),
			figure(
				"F1 by Δstep",
				`What searching too little or too much goes with; the bars beside it say of how many answers. Points of fewer than ${fewest} are left out.`,
				[
					intervalLines(
						near.map(({ at, label, f1 }) => ({ at, label, measured: f1 })),
						{ name: "F1 by Δstep, one line for each agent", look, axis: "Δstep", valueAxis: "F1 %", tick: deltaName },
					),
				],
			),
		);
	}
	for (const question of ["with image", "without image"] as const) {
		const covered = runs.flatMap((run) =>
			run.coverage.flatMap((row) =>
				row.question === question ? [{ at: row.modality, label: run.label, measured: row.share }] : [],
			),
		);
		if (covered.length === 0) continue;
		figures.push(
			figure(
				`Coverage, questions ${question}`,
				"Did it search the kinds of source that the chain needs, as often as the chain needs them?",
				[
					intervalRows(covered, {
						name: `Modality coverage for questions ${question}`,
						look,
						axis: "coverage %",
						describe: modalityName,
					}),
				],
			),
		);
	}
	return figures;
}

/** Bars this far from 0 gather everything beyond; the points of the curve end before. */
const farthest = 6;
const fewest = 5;

/** Counts by Δstep, the outermost bars taking in what lies beyond. */
function gathered(
	bins: { at: number; label: string; count: number }[],
): { at: number; label: string; count: number }[] {
	const sums = new Map<string, { at: number; label: string; count: number }>();
	for (const { at, label, count } of bins) {
		const near = Math.max(-farthest, Math.min(farthest, at));
		const key = JSON.stringify([label, near]);
		const sum = sums.get(key) ?? { at: near, label, count: 0 };
		sum.count += count;
		sums.set(key, sum);
	}
	return [...sums.values()];
}

/** "≤−6", "−1", "0", "+2", "≥6". */
function deltaName(at: number): string {
	if (at === 0) return "0";
	if (Math.abs(at) >= farthest) return at < 0 ? `≤−${farthest}` : `≥${farthest}`;
	return at < 0 ? `−${-at}` : `+${at}`;
}

function figure(title: string, caption: string, plots: Markup[]): Markup {
	return html`<figure><figcaption><strong>${title}</strong><p>${caption}</p></figcaption>${plots}</figure>`;
}
