/** What came of a sweep: its settings with their figures and costs, the frontier, and the cheapest that will do. */
import type { RunManifest } from "#domain";
import { clip } from "#domain";
import { type Finisher, finish, type RaceRules, type ScorerWords, summarise, wordsOf } from "#scoring";
import { showNumber, type Unit } from "../number-format.ts";
import type { Measured } from "../report-data.ts";
import { measuredOf } from "../summaries.ts";
import type { SummarisedItem } from "../summarised-run.ts";
import { frontierOf } from "./frontier.ts";

/** A setting as the race left it. */
export interface RacedSetting {
	manifest: RunManifest;
	/** Words of its passages, where they were cut anew. */
	chunk: number | "own" | undefined;
	/** After how many tasks it was dropped. */
	dropped?: number;
	/** Its model, or program, answered nobody any more. */
	failed: boolean;
	/** What was recorded. */
	items: readonly SummarisedItem[];
	/** What each answer took; money is unknown where no price was written down. */
	spent: readonly Readonly<Record<CostUnit, number | undefined>>[];
}

/** What costs are counted in: the first that is known of every setting and differs between them. */
const costUnits = ["money", "tokens", "calls", "ms"] as const;
export type CostUnit = (typeof costUnits)[number];

export const sweepStates = ["best", "alike", "worse", "dropped", "failed", "unfinished"] as const;

export interface SweptSetting {
	run: string;
	label: string;
	agent: string;
	model: string | null;
	setting: string;
	knowledge: string;
	chunk: number | "own" | null;
	/** Tasks answered, of those planned. */
	tasks: number;
	planned: number;
	measured: Measured;
	hps: Measured;
	/** Mean of an answer, in the report's unit; null where nothing was answered. */
	cost: number | null;
	/**
	 * `best`; `alike`: not significantly worse than it; `worse`: significantly, and not dropped; `dropped` by the sweep;
	 * `failed`; `unfinished` where the sweep was stopped.
	 */
	state: (typeof sweepStates)[number];
	/** Minus the best, on the same tasks, with its interval; null of the best, and of those that did not end the race. */
	behind: { value: number; low: number | null; high: number | null; tasks: number } | null;
	/** Surely no worse than any other that ended the race by more than the margin. */
	within: boolean;
	/** None costs less and is as good. */
	frontier: boolean;
}

export interface SweepReport {
	version: 1;
	sweep: string;
	benchmark: { name: string; hash: string };
	metric: ScorerWords;
	alpha: number;
	/** In the metric's unit (shares from 0 to 1). */
	margin: number;
	/** Whether the race came to its end. */
	over: boolean;
	looks: number[];
	/** Answers that were given, and those that all settings would have given. */
	answers: { given: number; possible: number };
	cost: { unit: CostUnit; currency: string | null };
	/** Best first, those that were dropped last. */
	settings: SweptSetting[];
	/** Runs: the best, the cheapest not significantly worse, and the cheapest surely within the margin; null where none is. */
	best: string | null;
	cheapest: string | null;
	within: string | null;
	/** What it comes to, in sentences. */
	verdict: string[];
	cautions: string[];
}

export function sweepReport(
	raced: readonly RacedSetting[],
	{
		name,
		rules,
		margin,
		over,
		looks,
		answersOnly,
	}: {
		name: string;
		rules: RaceRules;
		/** As people wrote it. */
		margin: number;
		over: boolean;
		looks: number[];
		answersOnly?: string | undefined;
	},
): SweepReport {
	const ended = raced.filter(({ dropped, failed, items }) => dropped === undefined && !failed && items.length > 0);
	const finishers = over
		? finish(
				ended.map(({ manifest, items }) => ({ name: manifest.id, items })),
				rules,
			)
		: [];
	const standings = new Map(finishers.map((one) => [one.name, one]));
	const best = finishers.find((one) => one.best)?.name ?? null;
	const unit = costUnitOf(raced);
	const labels = labelsIn(raced);
	const { direction } = rules.metric;
	const sign = direction === "lower" ? -1 : 1;
	const rows = raced.map((one): SweptSetting => settingOf(one, { stand: standings.get(one.manifest.id) }));
	const priced = rows.flatMap((row) =>
		row.cost === null || row.measured.value === null
			? []
			: [{ row, cost: row.cost, height: sign * row.measured.value }],
	);
	for (const { row } of frontierOf(priced)) row.frontier = true;
	const height = ({ measured: { value } }: SweptSetting) => (value === null ? Number.NEGATIVE_INFINITY : sign * value);
	const place = ({ state }: SweptSetting) => (state === "best" ? 0 : state === "dropped" || state === "failed" ? 2 : 1);
	const settings = rows.sort((a, b) => place(a) - place(b) || height(b) - height(a));
	const byCost = [...settings].sort((a, b) => (a.cost ?? Infinity) - (b.cost ?? Infinity));
	const cheapest = byCost.find(({ state }) => state === "best" || state === "alike") ?? null;
	const within = over && finishers.length > 0 ? (byCost.find((row) => row.within) ?? null) : null;
	const [first] = raced;
	const currency = raced.find(({ manifest }) => manifest.price)?.manifest.price?.currency ?? null;
	const report = {
		...{ version: 1 as const, sweep: name, metric: wordsOf(rules.metric), alpha: rules.alpha, margin: rules.margin },
		benchmark: { name: clip(first?.manifest.benchmark.name ?? "", 120), hash: first?.manifest.benchmark.hash ?? "" },
		...{ over, looks, settings, best, cheapest: cheapest?.run ?? null, within: within?.run ?? null },
		answers: {
			given: raced.reduce((sum, { items }) => sum + items.length, 0),
			possible: raced.reduce((sum, { manifest }) => sum + manifest.tasks.length * manifest.repeats, 0),
		},
		cost: { unit, currency: unit === "money" ? currency : null },
	};
	return {
		...report,
		verdict: verdictOf(report, margin),
		cautions: cautionsOf(raced, { answersOnly, unit, alpha: rules.alpha }),
	};

	function settingOf(one: RacedSetting, { stand }: { stand: Finisher | undefined }): SweptSetting {
		const { manifest, items, dropped, failed, spent, chunk } = one;
		const isBest = manifest.id === best;
		const measured = measuredOf(summarise(items, { metric: rules.metric }));
		return {
			...{ run: manifest.id, label: labels.get(one) ?? manifest.id, agent: manifest.agent.name, model: manifest.model },
			...{ setting: manifest.setting.name, knowledge: manifest.knowledge.name, chunk: chunk ?? null },
			...{ tasks: new Set(items.map(({ task }) => task.id)).size, planned: manifest.tasks.length, measured },
			hps: measuredOf(summarise(items, { metric: "hps" })),
			cost: spent.length === 0 ? null : spent.reduce((sum, each) => sum + (each[unit] ?? 0), 0) / spent.length,
			state: failed
				? "failed"
				: dropped !== undefined
					? "dropped"
					: !stand
						? "unfinished"
						: isBest
							? "best"
							: stand.worse
								? "worse"
								: "alike",
			behind:
				isBest || !stand || stand.behind.value === null
					? null
					: { ...ends(stand.behind), value: stand.behind.value, tasks: stand.behind.n },
			within: stand?.within ?? false,
			frontier: false,
		};
	}
}

/** JSON knows no infinity. */
const ends = ({ low, high }: { low: number; high: number }) => ({
	low: Number.isFinite(low) ? low : null,
	high: Number.isFinite(high) ? high : null,
});

function costUnitOf(raced: readonly RacedSetting[]): CostUnit {
	const spent = raced.flatMap((one) => one.spent);
	const isKnown = (unit: CostUnit) =>
		spent.every((each) => each[unit] !== undefined) && spent.some((each) => (each[unit] ?? 0) > 0);
	return costUnits.find(isKnown) ?? "ms";
}

/** What tells settings apart, in few words. */
function labelsIn(raced: readonly RacedSetting[]): Map<RacedSetting, string> {
	const parts = (one: RacedSetting) => {
		const { agent, model, setting, knowledge } = one.manifest;
		return {
			agent: agent.name,
			model,
			// every setting begins with the name of its preset
			setting: setting.name.replace(/^default /, ""),
			chunk: one.chunk === undefined ? null : one.chunk === "own" ? "own passages" : `${one.chunk} words`,
			knowledge: one.chunk === undefined ? knowledge.name : null,
		};
	};
	const all = raced.map(parts);
	const differs = (key: keyof ReturnType<typeof parts>) => new Set(all.map((one) => one[key])).size > 1;
	const telling = (["agent", "model", "setting", "chunk", "knowledge"] as const).filter(differs);
	const shown = telling.length > 0 ? telling : (["agent"] as const);
	return new Map(
		raced.map((one) => {
			const own = parts(one);
			return [one, shown.flatMap((key) => (own[key] === null ? [] : [clip(String(own[key]), 60)])).join(" · ")];
		}),
	);
}

/** `0.0042 USD`, `1234 tokens`, `12 ms` an answer. */
export function costWords(cost: number | null, { unit, currency }: SweepReport["cost"]): string {
	if (cost === null) return "–";
	const number = cost === 0 ? "0" : cost >= 100 ? cost.toFixed(0) : Number(cost.toPrecision(2)).toString();
	return `${number} ${unit === "money" ? (currency ?? "money") : unit}`;
}

type Told = Pick<SweepReport, "settings" | "over" | "metric" | "cost" | "cheapest" | "within" | "best">;

function verdictOf({ settings, over, metric, cost, ...named }: Told, margin: number): string[] {
	if (!over) return ["The sweep was stopped before its end: given again, it goes on where it stopped."];
	const of = (run: string | null) => settings.find((one) => one.run === run);
	const [best, cheapest, within] = [of(named.best), of(named.cheapest), of(named.within)];
	if (!best) return ["No setting ended the race with a score."];
	const unit: Unit = metric.aggregation === "mean" ? "plain" : "percent";
	const inWords = (value: number) => `${showNumber(value, unit, 1)}${unit === "percent" ? " points" : ""}`;
	const marginWords = `${margin}${unit === "percent" ? " points" : ""}`;
	const sentences: string[] = [];
	const worst = cheapest?.behind && (metric.direction === "lower" ? cheapest.behind.high : cheapest.behind.low);
	if (!cheapest || cheapest === best || !cheapest.behind)
		sentences.push(
			`${best.label} is the best, and every cheaper setting is significantly worse (${costWords(best.cost, cost)} an answer).`,
		);
	else {
		const lost = metric.direction === "lower" ? cheapest.behind.value : -cheapest.behind.value;
		const most = worst === null || worst === undefined ? null : metric.direction === "lower" ? worst : -worst;
		sentences.push(
			`The cheapest setting that is not significantly worse than the best (${best.label}, ${costWords(best.cost, cost)} an answer) is ${cheapest.label}: ${costWords(cheapest.cost, cost)} an answer, ${lost > 0 ? `${inWords(lost)} worse` : "as good"} on the same tasks${most === null ? "" : `, and perhaps as much as ${inWords(Math.max(0, most))}`}.`,
		);
		if (!cheapest.within)
			sentences.push(
				`These tasks do not show that it is within the margin of ${marginWords}: not significantly worse is not as good.`,
			);
	}
	const ended = settings.filter(({ state }) => state === "best" || state === "alike" || state === "worse").length;
	if (ended === 1)
		sentences.push(`It alone ended the race: every other was surely worse by more than ${marginWords}, or failed.`);
	else
		sentences.push(
			within
				? `The cheapest that is surely within ${marginWords} of every other that ended the race is ${within.label}.`
				: `Of no setting these tasks show that it is within ${marginWords} of every other: more tasks would.`,
		);
	return sentences;
}

function cautionsOf(
	raced: readonly RacedSetting[],
	{ answersOnly, unit, alpha }: { answersOnly: string | undefined; unit: CostUnit; alpha: number },
): string[] {
	const dropped = raced.filter((one) => one.dropped !== undefined).length;
	const unpriced = unit !== "money" && raced.some(({ spent }) => spent.some(({ money }) => money === undefined));
	return [
		...(answersOnly === undefined ? [] : [`${answersOnly[0]?.toUpperCase()}${answersOnly.slice(1)}.`]),
		...(dropped > 0
			? [
					`Dropped settings were stopped by the sweep, with the figures of the tasks until then; the chance that the truly best is among them is at most ${Number((100 * alpha).toPrecision(3))} %.`,
				]
			: []),
		...(unpriced ? [`Costs are ${unit === "ms" ? "times" : unit}: no price of every model is written down.`] : []),
		...(unit === "ms" ? ["Times are of this machine, and of as many tasks at once as were answered."] : []),
	];
}
