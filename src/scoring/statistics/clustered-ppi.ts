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
	/** Of a labelled one: of how many it stands, 1 over its chance of being labelled. All or none have it. */
	weight?: number | undefined;
}

export interface ClusteredPpi extends Ppi {
	/** Clusters, and those with a label. */
	clusters: number;
	labelledClusters: number;
}

/**
 * As `ppi`, where things of one cluster depend on one another, labelled and unlabelled ones alike.
 *
 * Value and lambda are those of `ppi`, under `weight` those for labels drawn by strata. Its error sums influences by
 * cluster: with b = lambda N / (N - m) and e = Y - b f, psi_c = b * sum over all of (f - mean f) / N + sum over labelled of
 * w (e - weighted mean e) / sum of w; SE^2 = C/(C-1) * sum of psi_c^2; t quantile on the labelled
 * clusters less one. With clusters of one this is PPI++'s interval but for small-sample factors. All labels 0 or all 1: the labels
 * alone, by Wilson over the labelled clusters. One labelled cluster: no interval.
 * Source: Angelopoulos, Duchi and Zrnic 2023 (arXiv 2311.01453); clustered errors as in Miller 2024.
 */
export function clusteredPpi(things: readonly PartlyLabelled[]): ClusteredPpi {
	const labelled = things.flatMap(({ cluster, judge, label, weight }) =>
		label === undefined ? [] : [{ cluster, judge, label, weight: weight ?? 1 }],
	);
	const isWeighted = things.some(({ label, weight }) => label !== undefined && weight !== undefined);
	const found = ppi({
		judge: things.map(({ judge }) => judge),
		human: labelled.map(({ label }) => label),
		judged: labelled.map(({ judge }) => judge),
		weights: isWeighted ? labelled.map(({ weight }) => weight) : undefined,
	});
	const labelledClusters = new Set(labelled.map(({ cluster }) => cluster)).size;
	const about = { ...found, clusters: new Set(things.map(({ cluster }) => cluster)).size, labelledClusters };
	const { value, lambda } = found;
	if (value === null || lambda === null) return about;
	const [first] = labelled;
	if (first && (first.label === 0 || first.label === 1) && labelled.every(({ label }) => label === first.label))
		return { ...about, ...wilson(first.label, labelledClusters) };
	if (labelledClusters < 2) return { ...about, low: null, high: null, reason: "labels of one cluster have no spread" };
	const others = things.length - labelled.length;
	const slope = others === 0 ? 0 : (lambda * things.length) / others;
	const centreAll = mean(things.map(({ judge }) => judge));
	const whole = labelled.reduce((sum, { weight }) => sum + weight, 0);
	const residual = ({ judge, label }: { judge: number; label: number }) => label - slope * judge;
	const meanResidual = labelled.reduce((sum, one) => sum + one.weight * residual(one), 0) / whole;
	const sums = new Map<string, number>();
	const add = (cluster: string, part: number) => sums.set(cluster, (sums.get(cluster) ?? 0) + part);
	for (const { cluster, judge } of things) add(cluster, (slope * (judge - centreAll)) / things.length);
	for (const one of labelled) add(one.cluster, (one.weight * (residual(one) - meanResidual)) / whole);
	const squares = [...sums.values()].reduce((sum, each) => sum + each * each, 0);
	const half =
		studentQuantile(0.975, labelledClusters - 1) * Math.sqrt((labelledClusters / (labelledClusters - 1)) * squares);
	// the plain value before it was cut into [0, 1] lies inside the plain interval
	const centre = meanResidual + slope * centreAll;
	return { ...about, ...clip({ value: centre, low: centre - half, high: centre + half }) };
}
