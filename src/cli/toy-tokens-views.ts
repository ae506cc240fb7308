import { type SeededMeasure, type SeededRun, seededView, type View } from "#reports";
import { type TokenToyResult, tokenToyConditions } from "#training";

const percent = (key: string, title: string, more: Partial<SeededMeasure> = {}): SeededMeasure => ({
	...{ key, title, unit: "percent" },
	...more,
});
const number = (key: string, title: string, more: Partial<SeededMeasure> = {}): SeededMeasure => ({
	...{ key, title, unit: "number" },
	...more,
});
const labels = [
	{ key: "condition", title: "Condition" },
	{ key: "summary", title: "What it is" },
];
const source = "MMhops-R1, Tables 6 and 7, in their rows alone";

/** The tables of the token-level toy, from its runs. */
export function tokenViews(results: readonly TokenToyResult[]): View[] {
	if (results.length === 0) return [];
	const runs = results.map(seeded);
	return [
		seededView(
			{
				...{ name: "toy-tokens", title: "A policy that writes every token", source, labels, shown: "right" },
				describe:
					"After fine-tuning and training under each condition, in worlds that it was not trained in. Before: after fine-tuning alone.",
				measures: [
					percent("before", "Before"),
					percent("right", "Right", { better: "higher" }),
					percent("hops-3", "3", { group: "Right, by hops" }),
					percent("hops-4", "4", { group: "Right, by hops" }),
					...[number("calls", "Calls"), number("useless", "Useless"), percent("format", "Well-formed")],
					...[percent("invalid", "Invalid turns"), number("said", "Tokens said")],
				],
				notes: [
					"A seed whose fine-tuning does not pass the thresholds for copying and format is not trained further, and says so.",
				],
			},
			runs,
		),
		seededView(
			{
				...{ name: "toy-tokens-health", title: "Health of the token-level updates", source, labels, notes: [] },
				describe:
					"|ratio - 1|: the largest at the first epoch, which must be below 0.001. Clipped: mean shares of tokens. Masked: share of the tokens that carry no loss. Entropy in nats a token, at the first round and at the last.",
				measures: [
					number("ratio-off", "|ratio - 1|"),
					percent("clipped-high", "Above", { group: "Clipped" }),
					percent("clipped-low", "Below", { group: "Clipped" }),
					percent("masked", "Masked"),
					number("entropy-before", "First", { group: "Entropy" }),
					number("entropy", "Last", { group: "Entropy" }),
					percent("dropped-3", "3", { group: "Groups dropped, by hops" }),
					percent("dropped-4", "4", { group: "Groups dropped, by hops" }),
				],
			},
			runs.filter(({ labels: { condition } }) => condition !== "sft-only"),
		),
	];
}

function seeded({ seed, condition, start, notStarted, evaluation, health }: TokenToyResult): SeededRun {
	const byHops = (hops: number) => evaluation?.byHops.find((one) => one.hops === hops)?.accuracy ?? null;
	const dropped = (hops: number) => health?.dropped.find((one) => one.hops === hops)?.share ?? null;
	return {
		seed,
		labels: { condition, summary: tokenToyConditions[condition].summary },
		...(notStarted === null ? {} : { reason: notStarted }),
		values: {
			...{ before: start.evaluation.accuracy, right: evaluation?.accuracy ?? null },
			...{ "hops-3": byHops(3), "hops-4": byHops(4) },
			...{ calls: evaluation?.calls ?? null, useless: evaluation?.uselessCalls ?? null },
			...{ format: evaluation?.wellFormed ?? null, invalid: evaluation?.invalidTurns ?? null },
			...{ said: evaluation?.said ?? null, "ratio-off": health?.ratioOff ?? null },
			...{ "clipped-high": health?.clippedHigh ?? null, "clipped-low": health?.clippedLow ?? null },
			...{ masked: health?.maskedTokens ?? null },
			...{ "entropy-before": health?.entropy[0] ?? null, entropy: health?.entropy[1] ?? null },
			...{ "dropped-3": dropped(3), "dropped-4": dropped(4) },
		},
	};
}
