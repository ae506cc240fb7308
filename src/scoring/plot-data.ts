import { type Chain, countName, grouped, retrievalHops, topologyOf } from "#domain";
import { type SearchModality, searchModalities, storedAs } from "./chain/modality-coverage.ts";
import { clusterOf, reasonOf, type ScoredItem } from "./scores-by-task.ts";
import { type RatioInterval, ratioInterval } from "./statistics/ratio-interval.ts";

/** Retrieval steps made minus gold hops (below 0: searched too rarely); without a chain, or after an error, none. */
export function deltaStepOf({ row }: Pick<ScoredItem, "row">): number | undefined {
	const score = row?.scores["delta-step"];
	return score?.is === "scored" ? score.value : undefined;
}

/** Records by their Δstep, ascending; those without one are in no group. Source: MC-Search Figure 4. */
export function byDeltaStep<Item extends ScoredItem>(items: readonly Item[]): { delta: number; items: Item[] }[] {
	const groups = grouped(items, deltaStepOf);
	return [...groups].flatMap(([delta, own]) => (delta === undefined ? [] : [{ delta, items: own }])).sort(byDelta);
}

const byDelta = (a: { delta: number }, b: { delta: number }) => a.delta - b.delta;

/** One cell of the modality coverage table. */
export interface ModalityCoverageRow extends RatioInterval {
	/** Whether the questions of this half have an image. */
	image: boolean;
	modality: SearchModality;
	/** Hops covered and gold hops, summed over the tasks that were scored, repeats of a task averaged first. */
	covered: number;
	gold: number;
	/** Records expected of tasks with gold hops in the modality, those scored, and the reasons of the rest. */
	expected: number;
	scored: number;
	missing: Record<string, number>;
	/** The ratio if none of the hops of what is missing had been covered, and if all had been. */
	bounds: [number, number];
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
	const kept = items.filter(({ task }) => options.textOnly || !(task.chain && isTextOnly(task.chain)));
	const groups = [...grouped(kept, ({ task }) => task.id).values()];
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
			const half = groups.filter(([first]) => first !== undefined && first.task.images.length > 0 === image);
			const account = accountOf(half, modality);
			return account.expected === 0 ? [] : [{ image, modality, covered, gold, ...account, ...ratioInterval(parts) }];
		}),
	);
}

/** What was expected of a modality, and what the missing could make of it; repeats of a task are averaged. */
function accountOf(groups: ScoredItem[][], modality: SearchModality) {
	const missing: Record<string, number> = {};
	let [expected, scored, low, high, whole] = [0, 0, 0, 0, 0];
	for (const group of groups) {
		const chain = group[0]?.task.chain;
		const gold = chain ? retrievalHops(chain).filter((hop) => storedAs(hop.modality) === modality).length : 0;
		if (gold === 0) continue;
		whole += gold;
		expected += group.length;
		for (const { row } of group) {
			const covered = countsOf(row, modality)?.covered;
			if (covered === undefined) {
				const reason = reasonOf(row, row?.scores["modality-coverage"]);
				countName(missing, reason);
			} else scored += 1;
			low += (covered ?? 0) / group.length;
			high += (covered ?? gold) / group.length;
		}
	}
	return { expected, scored, missing, bounds: [low / whole, high / whole] satisfies [number, number] };
}

/** A fork of text branches counts as text-only in that paper's view, unless it goes on to an image. */
export function isTextOnly(chain: Chain): boolean {
	return (
		["text-only-chain", "text-fork"].includes(topologyOf(chain)) &&
		retrievalHops(chain).every(({ modality }) => modality !== "image")
	);
}

function countsOf(row: ScoredItem["row"], modality: string): { covered: number; gold: number } | undefined {
	const score = row?.scores["modality-coverage"];
	const counts = score?.is === "scored" ? score.details?.[modality] : undefined;
	if (typeof counts !== "object" || counts === null || !("covered" in counts) || !("gold" in counts)) return undefined;
	const { covered, gold } = counts;
	return typeof covered === "number" && typeof gold === "number" ? { covered, gold } : undefined;
}
