import { type Chain, countName, grouped, retrievalHops, type Task, topologyOf } from "#domain";
import { type SearchModality, searchModalities, storedAs } from "./chain/modality-coverage.ts";
import { itemsByTask, type ScoredItem } from "./items-by-task.ts";
import { reasonOf } from "./scores-by-task.ts";
import { type RatioInterval, type RatioPart, ratioInterval } from "./statistics/ratio-interval.ts";

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
	const { tasks, items: all, starts, clusters } = itemsByTask(items);
	const kept = [...tasks.keys()].filter((place) => {
		const chain = tasks[place]?.chain;
		return options.textOnly || !(chain && isTextOnly(chain));
	});
	return [true, false].flatMap((image) =>
		searchModalities.flatMap((modality) => {
			const sums: CoverageSums = { parts: [], expected: 0, scored: 0, missing: {}, low: 0, high: 0, whole: 0 };
			for (const place of kept) {
				const task = tasks[place];
				if (!task || task.images.length > 0 !== image) continue;
				const own = all.slice(starts[place], starts[place + 1]);
				addCoverage(sums, own, { task, modality, cluster: clusters[place] ?? 0 });
			}
			const { parts, expected, scored, missing, low, high, whole } = sums;
			if (expected === 0) return [];
			const gold = parts.reduce((sum, part) => sum + part.denominator, 0);
			const covered = parts.reduce((sum, part) => sum + part.numerator, 0);
			const bounds: [number, number] = [low / whole, high / whole];
			return [{ image, modality, covered, gold, expected, scored, missing, bounds, ...ratioInterval(parts) }];
		}),
	);
}

/** What tasks make of a modality: what was covered where it is known, and what the missing could make of it. */
interface CoverageSums extends Pick<ModalityCoverageRow, "expected" | "scored" | "missing"> {
	parts: RatioPart[];
	/** Hops covered if none of the missing had been, and if all had been, of the gold hops. */
	low: number;
	high: number;
	whole: number;
}

/** Adds the records of a task; its repeats are averaged. */
function addCoverage(
	sums: CoverageSums,
	items: readonly ScoredItem[],
	{ task, modality, cluster }: { task: Task; modality: SearchModality; cluster: number },
): void {
	const hops = task.chain ? retrievalHops(task.chain) : [];
	const gold = hops.filter((hop) => storedAs(hop.modality) === modality).length;
	if (gold > 0) {
		sums.whole += gold;
		sums.expected += items.length;
	}
	let [known, covered, wanted] = [0, 0, 0];
	for (const { row } of items) {
		const counts = countsOf(row, modality);
		if (counts) {
			known += 1;
			covered += counts.covered;
			wanted += counts.gold;
		}
		if (gold === 0) continue;
		if (counts) sums.scored += 1;
		else countName(sums.missing, reasonOf(row, row?.scores["modality-coverage"]));
		sums.low += (counts?.covered ?? 0) / items.length;
		sums.high += (counts?.covered ?? gold) / items.length;
	}
	if (known > 0) sums.parts.push({ numerator: covered / known, denominator: wanted / known, cluster });
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
