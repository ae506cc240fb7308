import type { ScoredItem } from "../items-by-task.ts";
import type { Scorer } from "../scorer.ts";
import { chosenScore, scoresByTask, weightOf } from "../scores-by-task.ts";
import { type Apart, apart } from "./apart.ts";
import { looksOver } from "./looks.ts";

/*
 * A race between settings on the same tasks, in random order and in blocks. Wrong drops are bounded by parting the chance of
 * error among all comparisons that could be made (Bonferroni, over settings and looks): simple, and right whatever their
 * dependence. Source: Maron and Moore 1997 (racing); Jamieson and Talwalkar 2016 for looks at doubled sizes.
 */

/** What a race was begun with. */
export interface RaceRules {
	metric: Scorer;
	/** The chance that the truly best setting is ever dropped is at most this. */
	alpha: number;
	/** How much worse than the best a setting may be, in the metric's unit (shares from 0 to 1). */
	margin: number;
	/** Settings that begin, and tasks that each would answer. */
	settings: number;
	tasks: number;
}

/** A setting with what it answered so far. */
export interface Racer<Item extends ScoredItem = ScoredItem> {
	name: string;
	/** Of the tasks that were asked. */
	items: readonly Item[];
}

/** A racer beside the best. */
export interface Stand {
	name: string;
	/** Over its scored tasks, in the metric's unit; null where none is. */
	mean: number | null;
	/** Racer minus best, oriented as the metric is. */
	behind: Apart;
}

/** The chance that is left for one side of one comparison at one of the looks that can drop a setting. */
export function tailOf({ alpha, settings, tasks }: Pick<RaceRules, "alpha" | "settings" | "tasks">): number {
	const looks = Math.max(1, looksOver(tasks).length - 1);
	return alpha / Math.max(1, settings - 1) / looks;
}

/** The best racer so far: of the highest mean, the first of several. Undefined where none has a score. */
export function leader<Item extends ScoredItem>(
	racers: readonly Racer<Item>[],
	rules: Pick<RaceRules, "metric">,
): Racer<Item> | undefined {
	let best: { racer: Racer<Item>; height: number } | undefined;
	for (const racer of racers) {
		const height = heightOf(racer, rules);
		if (height !== undefined && (best === undefined || height > best.height)) best = { racer, height };
	}
	return best?.racer;
}

/** The racers that are surely worse than the best by more than the margin, at one look. */
export function losers<Item extends ScoredItem>(racers: readonly Racer<Item>[], rules: RaceRules): Stand[] {
	const best = leader(racers, rules);
	if (!best) return [];
	const tail = tailOf(rules);
	return racers
		.filter((racer) => racer !== best)
		.map((racer) => standOf(racer, best, { ...rules, tail }))
		.filter(({ behind }) => isSurelyWorse(behind, rules));
}

/** A racer that is still in when the race is over. */
export interface Finisher extends Stand {
	best: boolean;
	/** Significantly worse than the best, by the interval of 1 − alpha, whatever the margin. */
	worse: boolean;
	/** Surely no worse by more than the margin than any other that is still in, corrected for all settings. */
	within: boolean;
}

/** What the race says of those that are still in; the best first has a difference of 0. */
export function finish<Item extends ScoredItem>(racers: readonly Racer<Item>[], rules: RaceRules): Finisher[] {
	const best = leader(racers, rules);
	if (!best) return [];
	const corrected = rules.alpha / Math.max(1, rules.settings - 1);
	return racers.map((racer) => {
		const stand = standOf(racer, best, { ...rules, tail: rules.alpha / 2 });
		const within = racers.every((other) => {
			if (other === racer) return true;
			const { behind } = standOf(racer, other, { ...rules, tail: corrected });
			return worstOf(behind, rules) >= -rules.margin;
		});
		return { ...stand, best: racer === best, worse: racer !== best && bestOf(stand.behind, rules) < 0, within };
	});
}

function standOf<Item extends ScoredItem>(
	racer: Racer<Item>,
	best: Racer<Item>,
	{ metric, tail }: Pick<RaceRules, "metric"> & { tail: number },
): Stand {
	const itself = { value: 0, low: 0, high: 0, n: 0, tasks: 0 };
	const behind = racer === best ? itself : apart(racer.items, best.items, { metric, tail });
	return { name: racer.name, mean: meanOf(racer, metric), behind };
}

const isLower = ({ metric }: Pick<RaceRules, "metric">) => metric.direction === "lower";
/** The ends of a difference, where more is better. */
const worstOf = ({ low, high }: Apart, rules: Pick<RaceRules, "metric">) => (isLower(rules) ? -high : low);
const bestOf = ({ low, high }: Apart, rules: Pick<RaceRules, "metric">) => (isLower(rules) ? -low : high);
const isSurelyWorse = (behind: Apart, rules: RaceRules) => bestOf(behind, rules) < -rules.margin;

function heightOf(racer: Racer, rules: Pick<RaceRules, "metric">): number | undefined {
	const value = meanOf(racer, rules.metric);
	return value === null ? undefined : isLower(rules) ? -value : value;
}

function meanOf({ items }: Racer, metric: Scorer): number | null {
	const scores = scoresByTask(items, { metric });
	const chosen = chosenScore({ metric });
	let [sum, whole] = [0, 0];
	for (const place of scores.tasks.keys()) {
		if (!scores.scored[place]) continue;
		const weight = weightOf(scores, place, chosen);
		sum += weight * (scores.means[place] ?? 0);
		whole += weight;
	}
	return whole > 0 ? sum / whole : null;
}
