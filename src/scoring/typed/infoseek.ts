import { z } from "zod";
import { ScoringMode } from "#domain";
import { defineMetric, prediction } from "../metric.ts";
import { mean } from "../statistics/moments.ts";
import { GoldAnswer } from "./gold-answer.ts";
import { typedAccuracy } from "./typed-accuracy.ts";

export const infoseekSplits = ["unseen_question", "unseen_entity"] as const;
export type InfoseekSplit = (typeof infoseekSplits)[number];

export interface InfoseekItem {
	/** Null where there is none. */
	prediction: string | null;
	answer: GoldAnswer;
	split: InfoseekSplit;
}

/** One split's accuracy, in [0, 1], over `n` items; by kind of answer beside it. Null where there is no item. */
export interface SplitAccuracy {
	value: number | null;
	n: number;
	/** Items without a prediction. */
	missing: number;
	/** Items whose gold answer cannot be read, which are left out. */
	unreadable: number;
	time: number | null;
	number: number | null;
	string: number | null;
}

export interface InfoseekScore {
	value: number | null;
	reason?: string;
	splits: Record<InfoseekSplit, SplitAccuracy>;
}

/**
 * InfoSeek's overall score, in [0, 1]: the harmonic mean of the typed accuracies on its two splits, 2ab / (a + b).
 *
 * An item without a prediction is wrong; a split at 0 makes the score 0; a split without items leaves it undefined.
 * Mode `infoseek-2023` does as the released script: items without a prediction are left out, a split without items
 * scores 0, and splits and score are percentages rounded to two decimals (here divided by 100 again).
 * Source: `infoseek_eval.py` of edchengg/infoseek_eval.
 */
export function infoseek(
	items: readonly InfoseekItem[],
	options: { mode?: ScoringMode | undefined; language?: string | undefined } = {},
): InfoseekScore {
	const released = options.mode === "infoseek-2023";
	const of = (split: InfoseekSplit) =>
		accuracyOf(
			items.filter((item) => item.split === split),
			options,
		);
	const splits = { unseen_question: of("unseen_question"), unseen_entity: of("unseen_entity") };
	if (released) return { value: releasedMean(splits), splits };
	const empty = infoseekSplits.find((split) => splits[split].value === null);
	if (empty) return { value: null, reason: `no item of split ${empty}`, splits };
	return { value: harmonicMean(splits.unseen_question.value ?? 0, splits.unseen_entity.value ?? 0), splits };
}

function harmonicMean(a: number, b: number): number {
	return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

const kinds = ["time", "number", "string"] as const;

function accuracyOf(
	items: readonly InfoseekItem[],
	options: { mode?: ScoringMode | undefined; language?: string | undefined },
): SplitAccuracy {
	const released = options.mode === "infoseek-2023";
	const rights = { time: [] as number[], number: [] as number[], string: [] as number[] };
	const counts = { missing: 0, unreadable: 0 };
	for (const { prediction, answer } of items) {
		if (prediction === null) counts.missing += 1;
		if (prediction === null && released) continue;
		const { value } = typedAccuracy(prediction ?? "", answer, { mode: "relative-10", ...given(options) });
		if (value === null) counts.unreadable += 1;
		else
			rights[answer.type === "time" || answer.type === "number" ? answer.type : "string"].push(
				prediction === null ? 0 : value,
			);
	}
	const all = kinds.flatMap((kind) => rights[kind]);
	const share = (list: number[]) => {
		if (list.length === 0) return released ? 0 : null;
		return released ? rounded(100 * mean(list)) / 100 : mean(list);
	};
	const [time, number, string] = [share(rights.time), share(rights.number), share(rights.string)];
	return { value: share(all), n: all.length, ...counts, time, number, string };
}

/** Without what is undefined, which would take the place of a default. */
const given = <Options extends object>(options: Options) =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<Options>;

function releasedMean(splits: Record<InfoseekSplit, SplitAccuracy>): number {
	// in place of zeros, which would divide by zero
	const [a, b] = infoseekSplits.map((split) => rounded(100 * (splits[split].value ?? 0)) || 1e-12);
	return rounded(2 / (1 / (a ?? 1) + 1 / (b ?? 1))) / 100;
}

/** Two decimals as Python's `round` gives them: a value exactly between two goes to the even one. */
function rounded(value: number): number {
	const up = Number(value.toFixed(2));
	// of numbers with three decimals, only odd eighths are held exactly
	const tie = (value * 8) % 2 === 1;
	return tie && Math.round(up * 100) % 2 === 1 ? Number((up - 0.01).toFixed(2)) : up;
}

export const infoseekMetric = defineMetric({
	name: "infoseek",
	group: "answers",
	describe: "InfoSeek's overall score: the harmonic mean of typed accuracy on unseen questions and on unseen entities.",
	formula: "2ab / (a + b), a and b the mean typed accuracy over the items of split unseen_question and unseen_entity",
	range: "0 to 1",
	edges:
		"No prediction (null): wrong, and counted. A split at 0: 0. A split without items: unscored. Mode infoseek-2023, as released: no prediction leaves the item out, a split without items scores 0, percentages are rounded to two decimals.",
	source: "Chen et al. 2023 (InfoSeek), infoseek_eval.py",
	example: {
		items: [
			{ prediction: "1989", answer: { type: "time", value: "1990" }, split: "unseen_question" },
			{ prediction: "London", answer: { type: "string", value: "Paris" }, split: "unseen_question" },
			{ prediction: "about 1 m", answer: { type: "number", value: "1 m" }, split: "unseen_entity" },
		],
	},
	input: z.strictObject({
		items: z.array(z.strictObject({ prediction, answer: GoldAnswer, split: z.enum(infoseekSplits) })).max(1_000_000),
		mode: ScoringMode.optional(),
		language: z.string().max(35).optional(),
	}),
	compute: ({ items, ...options }) => {
		const { value, reason, splits } = infoseek(items, options);
		const beside = {
			mode: options.mode ?? "relative-10",
			n: splits.unseen_question.n + splits.unseen_entity.n,
			splits,
		};
		return value === null ? { value, reason: reason ?? "undefined", ...beside } : { value, ...beside };
	},
});
