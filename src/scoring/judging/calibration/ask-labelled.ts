import { addUsage, type LabelledItem, noUsage, type Usage } from "#domain";
import { askAll } from "../ask-all.ts";
import type { Judge, Rubric, Shown } from "../rubric.ts";
import { firstOf } from "../shown-order.ts";
import type { ShownPair } from "./preference.ts";
import type { Reading } from "./reading.ts";

export interface AskOptions {
	rubric: Rubric;
	/** Runs over each item, in each order for pairs. */
	times: number;
	/** Chooses what comes first of single answers, and the judge's samples. */
	seed: number;
	concurrency?: number;
	/** Told of every reading, with what all cost so far. */
	onReading?(reading: Reading, used: Usage): void;
	/** Asked before each call: true begins no further one. */
	until?(running: number): boolean;
	signal?: AbortSignal | undefined;
}

/** How often a judge is to be asked about these items. */
export function askCount(items: readonly LabelledItem[], times: number): number {
	return items.reduce((sum, item) => sum + times * (item.other === undefined ? 1 : 2), 0);
}

/**
 * Asks a judge about labelled items, without their labels. Pairs are shown in both orders, single answers in one that the
 * seed chooses and that all runs keep, so that runs differ in nothing but the judge. Ends early, with the last failure as
 * `refused`, when the judge's model answers nobody; only an abort is thrown.
 */
export async function askLabelled(
	items: readonly LabelledItem[],
	judge: Judge,
	{ rubric, times, seed, concurrency, onReading, until, signal }: AskOptions,
): Promise<{ readings: Reading[]; usage: Usage; served: string[]; refused?: string }> {
	const jobs = Array.from({ length: times }, (_, run) =>
		items.flatMap((item) => ordersOf(item, seed).map((first) => ({ item, run, first }))),
	).flat();
	const readings: Reading[] = [];
	const served = new Set<string>();
	let usage = noUsage;
	const { refused } = await askAll(jobs, {
		...{ concurrency, until, signal },
		async ask({ item, run, first }, index) {
			const told = await judge.judge(shownOf(item, first), { rubric, run, seed, signal });
			const { judgement } = told;
			const reading = { item: item.id, run, first, judgement };
			readings[index] = reading;
			usage = addUsage(usage, told.usage);
			if (told.served !== undefined) served.add(told.served);
			onReading?.(reading, usage);
			if (judgement.is === "judged") return { is: judgement.by === "rule" ? "unasked" : "answered" };
			return judgement.because === "model" ? { is: "failed", reason: judgement.reason } : { is: "answered" };
		},
	});
	// places of jobs that were not begun are empty
	const given = readings.flatMap((reading) => reading ?? []);
	return { readings: given, usage, served: [...served], ...(refused === undefined ? {} : { refused }) };
}

function ordersOf(item: LabelledItem, seed: number): Reading["first"][] {
	if (item.other !== undefined) return ["submitted", "other"];
	return [firstOf([seed, item.id])];
}

function shownOf(item: LabelledItem, first: Reading["first"]): Shown | ShownPair {
	const { question, reference, submitted, evidence, goldSteps, steps } = item;
	const shown = {
		...{ question, reference, submitted, evidence },
		...(goldSteps ? { goldSteps } : {}),
		...(steps ? { steps } : {}),
	};
	if (item.other === undefined) return { ...shown, first: first === "reference" ? "reference" : "submitted" };
	return { ...shown, first: "reference", other: item.other, firstAnswer: first === "other" ? "other" : "submitted" };
}
