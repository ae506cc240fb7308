import { z } from "zod";
import {
	type Chain,
	isSearch,
	type Modality,
	retrievalHops,
	retrievalSteps,
	scored,
	searchTools,
	type Trajectory,
	unscored,
} from "#domain";
import { clusterNames, defineMetric } from "../metric.ts";
import { noChain } from "../scorer.ts";
import { asResult } from "../statistics/as-result.ts";
import { type RatioInterval, ratioInterval } from "../statistics/ratio-interval.ts";

/** What a step can search and a hop can live in. Tables and triples are stored and searched as text. */
export const searchModalities = ["text", "image", "page"] as const;
export type SearchModality = (typeof searchModalities)[number];

/** For one modality: gold hops in it, steps that searched it, and how many of the hops such steps could have served. */
export interface Covered {
	gold: number;
	steps: number;
	covered: number;
}

/**
 * Modality coverage of one task: for each modality m, covered = min(steps that searched m, gold hops of m).
 *
 * It asks whether the agent searched the right kinds of source often enough, not whether it found anything. Over tasks
 * the covered and the gold counts are summed before dividing. Hops that only compute do not count; modalities that
 * neither the chain nor the steps touch are left out. Source: MC-Search Table 4.
 */
export function modalityCoverage(chain: Chain, trajectory: Trajectory): Partial<Record<SearchModality, Covered>> {
	const gold = retrievalHops(chain).map((hop) => storedAs(hop.modality));
	const steps = retrievalSteps(trajectory).flatMap((step) =>
		step.call && isSearch(step.call.tool) ? [searchTools[step.call.tool]] : [],
	);
	const counts: Partial<Record<SearchModality, Covered>> = {};
	for (const modality of searchModalities) {
		const wanted = gold.filter((found) => found === modality).length;
		const made = steps.filter((found) => found === modality).length;
		if (wanted + made > 0) counts[modality] = { gold: wanted, steps: made, covered: Math.min(wanted, made) };
	}
	return counts;
}

/** The searchable form that evidence of a hop's modality is stored in. */
export function storedAs(modality: Modality): SearchModality {
	return modality === "image" || modality === "page" ? modality : "text";
}

type Counts = Readonly<Partial<Record<SearchModality, number>>>;

/** One task's counts by modality: gold hops, and steps that searched. */
interface CountedTask {
	gold: Counts;
	steps: Counts;
	cluster?: string | undefined;
}

/**
 * Modality coverage over tasks: sum of min(steps, gold) over sum of gold, with its interval over clusters. Several
 * modalities are covered each by its own steps and then summed. No gold hop in them: null.
 */
function coverageOver(tasks: readonly CountedTask[], modalities: readonly SearchModality[]): RatioInterval {
	const over = (amount: (modality: SearchModality) => number) =>
		modalities.reduce((sum, modality) => sum + amount(modality), 0);
	const parts = tasks.map(({ gold, steps, cluster }, index) => ({
		numerator: over((modality) => Math.min(gold[modality] ?? 0, steps[modality] ?? 0)),
		denominator: over((modality) => gold[modality] ?? 0),
		cluster: cluster === undefined ? `task ${index}` : `cluster ${cluster}`,
	}));
	return ratioInterval(parts);
}

function byModality(tasks: readonly CountedTask[]): Partial<Record<SearchModality, RatioInterval>> {
	const present = searchModalities.filter((modality) => tasks.some(({ gold }) => (gold[modality] ?? 0) > 0));
	return Object.fromEntries(present.map((modality) => [modality, coverageOver(tasks, [modality])]));
}

const counts = z.partialRecord(z.enum(searchModalities), z.number().min(0).max(1_000_000));

export const modalityCoverageMetric = defineMetric({
	name: "modality-coverage",
	group: "chains",
	describe: "Gold hops that steps searching their modality could have served, by modality, with intervals.",
	formula: "sum over tasks of min(steps of m, gold hops of m) / sum over tasks of gold hops of m; value: over all m",
	range: "0 to 1",
	edges:
		"Counts may be means over repeats. Where tasks say whether their question has an image, withImage and withoutImage hold the two halves. No gold hop: unscored. Text-only chains are the caller's to leave out.",
	source: "MC-Search, Table 4",
	example: {
		tasks: [
			{ gold: { text: 2, image: 1 }, steps: { text: 3 }, image: false },
			{ gold: { text: 1, image: 1 }, steps: { text: 1, image: 2 }, image: true },
		],
	},
	input: z.strictObject({
		tasks: z
			.array(
				z.strictObject({
					gold: counts,
					steps: counts,
					image: z.boolean().optional(),
					cluster: clusterNames.element.optional(),
				}),
			)
			.max(100_000),
	}),
	compute: ({ tasks }) => {
		const found = coverageOver(tasks, searchModalities);
		const halves = [true, false].flatMap((image) => {
			const half = tasks.filter((task) => task.image === image);
			return half.length === 0 ? [] : [[image ? "withImage" : "withoutImage", byModality(half)]];
		});
		return asResult({
			...found,
			...(found.value === null ? { reason: "no gold hop" } : {}),
			modalities: byModality(tasks),
			...Object.fromEntries(halves),
		});
	},
	record: {
		heading: "Modality coverage",
		meaning:
			"Steps that searched a modality against gold hops that live in it, never more than the hops, summed over tasks. Its interval: Wilson on the effective number of hops, which allows for groups of tasks that share their luck.",
		needs: ["chain", "steps"],
		direction: "higher",
		unit: "percent",
		aggregation: "ratio",
		tables: [],
		example: 1,
		score({ task: { chain }, trajectory, gold }) {
			if (!chain) return unscored(noChain);
			const modalities = modalityCoverage(chain, trajectory);
			const covered = Object.values(modalities).reduce((sum, one) => sum + one.covered, 0);
			return scored(covered / gold().length, { ...modalities });
		},
	},
});
