import { topologyOf } from "#domain";
import { type SearchModality, searchModalities } from "./chain/modality-coverage.ts";
import { type RatioInterval, ratioInterval } from "./statistics/ratio-interval.ts";
import { clusterOf, type ScoredItem, type Summary, summarise } from "./summarise.ts";

/**
 * A metric by Δstep (retrieval steps made minus gold hops; below 0: searched too rarely), ascending. Records without a
 * Δstep (no chain, an error, no row) belong to no point. Source: MC-Search Figure 4.
 */
export function byDeltaStep(
	items: readonly ScoredItem[],
	options: { metric: string },
): { delta: number; summary: Summary }[] {
	const groups = new Map<number, ScoredItem[]>();
	for (const item of items) {
		const delta = item.row?.scores["delta-step"];
		if (delta?.is !== "scored") continue;
		const group = groups.get(delta.value);
		if (group) group.push(item);
		else groups.set(delta.value, [item]);
	}
	return [...groups.keys()]
		.sort((a, b) => a - b)
		.map((delta) => ({ delta, summary: summarise(groups.get(delta) ?? [], options) }));
}

/** One cell of the modality coverage table. */
export interface ModalityCoverageRow extends RatioInterval {
	/** Whether the questions of this half have an image. */
	image: boolean;
	modality: SearchModality;
	/** Hops covered and gold hops, summed over the tasks that were scored, repeats of a task averaged first. */
	covered: number;
	gold: number;
}

/**
 * Modality coverage over many records: sum of covered over sum of gold hops for each modality, split by whether the
 * question has an image. Text-only chains are left out for parity with the paper unless `textOnly` is set; halves and
 * modalities without gold hops have no row. Source: MC-Search Table 4.
 */
export function modalityCoverageTable(
	items: readonly ScoredItem[],
	options: { textOnly?: boolean } = {},
): ModalityCoverageRow[] {
	const kept = items.filter(({ task }) => options.textOnly || !(task.chain && isTextOnly(topologyOf(task.chain))));
	const byTask = new Map<string, ScoredItem[]>();
	for (const item of kept) byTask.set(item.task.id, [...(byTask.get(item.task.id) ?? []), item]);
	const groups = [...byTask.values()];
	return [true, false].flatMap((image) =>
		searchModalities.flatMap((modality) => {
			const parts = groups.flatMap((group) => {
				const [first] = group;
				if (!first || first.task.images.length > 0 !== image) return [];
				const counts = group.flatMap(({ row }) => countsOf(row, modality) ?? []);
				if (counts.length === 0) return [];
				const mean = (of: "covered" | "gold") => counts.reduce((sum, one) => sum + one[of], 0) / counts.length;
				return [{ numerator: mean("covered"), denominator: mean("gold"), cluster: clusterOf(first.task) }];
			});
			const gold = parts.reduce((sum, part) => sum + part.denominator, 0);
			const covered = parts.reduce((sum, part) => sum + part.numerator, 0);
			return gold === 0 ? [] : [{ image, modality, covered, gold, ...ratioInterval(parts) }];
		}),
	);
}

/** A fork of text branches counts as text-only in that paper's view. */
function isTextOnly(topology: string): boolean {
	return topology === "text-only-chain" || topology === "text-fork";
}

function countsOf(row: ScoredItem["row"], modality: string): { covered: number; gold: number } | undefined {
	const score = row?.scores["modality-coverage"];
	const counts = score?.is === "scored" ? score.details?.[modality] : undefined;
	if (typeof counts !== "object" || counts === null || !("covered" in counts) || !("gold" in counts)) return undefined;
	const { covered, gold } = counts;
	return typeof covered === "number" && typeof gold === "number" ? { covered, gold } : undefined;
}
