import type { View } from "#reports";
import { number, percent } from "../measures.ts";
import { type SeededRun, type SeededTable, seededView } from "../seeded-view.ts";
import { tokenToyConditions } from "./conditions.ts";
import type { TokenToyResult } from "./run.ts";

const labels = [
	{ key: "condition", title: "Condition" },
	{ key: "summary", title: "What it is" },
];

/** The tables of the token-level toy, from its runs. */
export function tokenViews(results: readonly TokenToyResult[]): View[] {
	if (results.length === 0) return [];
	const runs = results.map(seeded);
	const trained = runs.filter(({ labels: { condition } }) => condition !== "sft-only");
	return [
		seededView(
			{
				...{ name: "toy-tokens", title: "A policy that writes every token", labels, shown: "right" },
				source: "MMhops-R1, Tables 6 and 7, in their rows alone",
				describe:
					"After fine-tuning and training under each condition, in worlds that it was not trained in. Before: after fine-tuning alone, at T 4 whatever the condition's.",
				measures: [
					percent("before", "Before"),
					percent("right", "Right", { better: "higher" }),
					percent("hops-3", "3", { group: "Right, by hops" }),
					percent("hops-4", "4", { group: "Right, by hops" }),
					...[number("calls", "Calls"), number("useless", "Useless"), percent("format", "Well-formed")],
					...[percent("invalid", "Invalid turns"), number("said", "Tokens said")],
				],
				notes: [
					"Means an episode. Calls: those carried out. Useless: of them, those that brought no gold evidence which none before had brought; a search that missed is one. Well-formed: episodes whose every turn is. Invalid turns: turns that could not be carried out, of all turns.",
					"A seed whose fine-tuning does not pass the thresholds for copying and format is not trained further, and says so.",
				],
			},
			runs,
		),
		...(trained.length === 0 ? [] : [seededView(health, trained)]),
	];
}

const health: SeededTable = {
	...{
		name: "toy-tokens-health",
		title: "Health of the token-level updates",
		source: "Hopscope's own question",
		labels,
	},
	describe:
		"|ratio - 1|: the largest at the first epoch, which must be below 0.001. Clipped: mean shares of tokens at the last epoch. Masked: share of the tokens that carry no loss, the opening's among them. Entropy in nats a token, at the first round and at the last. Dropped: share of a depth's groups that the filter kept out of the updates.",
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
	notes: [],
};

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
