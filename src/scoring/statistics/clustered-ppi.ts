import { clip } from "./corrected.ts";
import { mean } from "./moments.ts";
import { type Ppi, ppi } from "./ppi.ts";
import { studentQuantile } from "./student-t.ts";
import { wilson } from "./wilson.ts";

/** One thing that a judge or a rule values, and some of which people labelled. */
export interface PartlyLabelled {
	/** What it shares its luck with, e.g. its trace. */
	cluster: string;
	/** The rule's value, in [0, 1]. */
	judge: number;
	/** What a person says, in [0, 1]; absent where nobody did. */
	label?: number | undefined;
}

export interface ClusteredPpi extends Ppi {
	/** Clusters, and those with a label. */
	clusters: number;
	labelledClusters: number;
}

/**
 * As `ppi`, where things of one cluster depend on one another, labelled and unlabelled ones alike.
 *
 * Value and lambda are PPI++'s. Its error sums influences by cluster: psi_c = lambda * sum over unlabelled of (f - mean f_U) /
 * n + sum over labelled of (e - mean e) / m with e = Y - lambda f; SE^2 = C/(C-1) * sum of psi_c^2; t quantile on the labelled
 * clusters less one. With clusters of one this is PPI++'s interval but for small-sample factors. All labels 0 or all 1: the labels
 * alone, by Wilson over the labelled clusters. One labelled cluster: no interval.
 * Source: Angelopoulos, Duchi and Zrnic 2023 (arXiv 2311.01453); clustered errors as in Miller 2024.
 */
export function clusteredPpi(things: readonly PartlyLabelled[]): ClusteredPpi {
	const labelled = things.flatMap(({ cluster, judge, label }) =>
		label === undefined ? [] : [{ cluster, judge, label }],
	);
	const found = ppi({
		judge: things.map(({ judge }) => judge),
		human: labelled.map(({ label }) => label),
		judged: labelled.map(({ judge }) => judge),
	});
	const labelledClusters = new Set(labelled.map(({ cluster }) => cluster)).size;
	const about = { ...found, clusters: new Set(things.map(({ cluster }) => cluster)).size, labelledClusters };
	const { value, lambda } = found;
	if (value === null || lambda === null) return about;
	const [first] = labelled;
	if (first && (first.label === 0 || first.label === 1) && labelled.every(({ label }) => label === first.label))
		return { ...about, ...wilson(first.label, labelledClusters) };
	if (labelledClusters < 2) return { ...about, low: null, high: null, reason: "labels of one cluster have no spread" };
	const others = things.filter(({ label }) => label === undefined);
	const meanOthers = others.length === 0 ? 0 : mean(others.map(({ judge }) => judge));
	const residuals = labelled.map(({ judge, label }) => label - lambda * judge);
	const meanResidual = mean(residuals);
	const sums = new Map<string, number>();
	const add = (cluster: string, part: number) => sums.set(cluster, (sums.get(cluster) ?? 0) + part);
	for (const { cluster, judge } of others) add(cluster, (lambda * (judge - meanOthers)) / others.length);
	for (const [at, { cluster }] of labelled.entries())
		add(cluster, ((residuals[at] ?? 0) - meanResidual) / labelled.length);
	const squares = [...sums.values()].reduce((sum, each) => sum + each * each, 0);
	const half =
		studentQuantile(0.975, labelledClusters - 1) * Math.sqrt((labelledClusters / (labelledClusters - 1)) * squares);
	// the plain value before it was cut into [0, 1] lies inside the plain interval
	const centre = meanResidual + lambda * meanOthers;
	return { ...about, ...clip({ value: centre, low: centre - half, high: centre + half }) };
}
