import type { View } from "#reports";
import { mean } from "#scoring";
import { number, percent } from "../measures.ts";
import { type SeededMeasure, type SeededRun, type SeededTable, seededView } from "../seeded-view.ts";
import type { ActionToyResult } from "./run-action-toy.ts";

const own = "Hopscope's own question";
const right = percent("right", "Right", { better: "higher" });
const behaviour = [
	number("calls", "Calls"),
	number("repeated", "Repeated"),
	number("strays", "Stray"),
	percent("format", "Well-formed"),
];
const labels = [
	{ key: "start", title: "Start" },
	{ key: "condition", title: "Condition" },
];

/** The tables of the action-level toy, from its runs. */
export function actionViews(results: readonly ActionToyResult[]): View[] {
	const of = (...names: string[]) => results.filter(({ condition }) => names.includes(condition));
	const depths = [...new Set(results.flatMap(({ after }) => after.byHops.map(({ hops }) => hops)))].sort(
		(a, b) => a - b,
	);
	const byHops = depths.map((hops) => percent(`hops-${hops}`, `${hops}`, { group: "Right, by hops" }));
	const dropped = depths.map((hops) => percent(`dropped-${hops}`, `${hops}`, { group: "Groups dropped, by hops" }));
	const table = (
		about: Pick<SeededTable, "name" | "title" | "describe"> & { notes?: string[]; source?: string },
		{
			some,
			measures,
			shown = "right",
		}: { some: readonly ActionToyResult[]; measures: SeededMeasure[]; shown?: string },
	): View[] =>
		some.length === 0
			? []
			: [seededView({ notes: [], source: own, ...about, labels, measures, shown }, some.map(seeded))];
	return [
		...table(
			{
				...{ name: "toy-reward", title: "Terms of the reward", source: "MMhops-R1, Table 6, in its rows alone" },
				describe:
					"Tasks that were not trained on, after training with and without terms of the reward; T 4, groups with a right answer kept.",
				notes: [
					wordsOfCalls,
					"Before: the same policy before training. Best: somebody who knows the gold, with the same actions, T, retriever and reader.",
				],
			},
			{
				some: of("full", "without action", "without format", "without both"),
				measures: [percent("before", "Before"), right, percent("best", "Best"), ...byHops, ...behaviour],
			},
		),
		...table(
			{
				name: "toy-turns",
				title: "Turn budget",
				source: "MMhops-R1, Table 7, in its rows alone",
				describe: "The full reward at T 2 to 5 (full is T 4). Each T allows so many observations before the answer.",
				notes: [wordsOfCalls],
			},
			{
				some: of("T 2", "T 3", "full", "T 5"),
				measures: [percent("before", "Before"), right, percent("best", "Best"), ...byHops, ...behaviour],
			},
		),
		...table(
			{
				name: "toy-filter",
				title: "Group filter",
				describe:
					"The full reward with groups of at least one right answer (full: the paper's), without those that are all right (DAPO), and with all groups. Kept, all right and all wrong: shares of the groups of all updates.",
				notes: [wordsOfCalls],
			},
			{
				some: of("full", "filter of DAPO", "no filter"),
				measures: [
					right,
					percent("kept", "Kept"),
					percent("all-right", "All right"),
					percent("all-wrong", "All wrong"),
					...behaviour,
				],
			},
		),
		...table(
			{
				name: "toy-dropped",
				title: "Groups that never contribute",
				describe:
					"Share of the groups of tasks with so many hops that the filter kept out of the updates, over a whole run: what is hardest is trained on least.",
			},
			{ some: of("full", "without action", "T 2", "T 3", "T 5", "filter of DAPO"), measures: dropped, shown: "" },
		),
		...table(
			{
				name: "toy-calls",
				title: "What R_tool counts",
				describe:
					"All valid calls as published (full), those up to the hops required, those that brought something new; gamma 0.25.",
				notes: [wordsOfCalls],
			},
			{
				some: of("full", "calls capped", "calls new"),
				measures: [right, ...behaviour, number("useless", "Useless")],
				shown: "useless",
			},
		),
		...probeViews(results),
		...table(
			{
				...{ name: "toy-health", title: "Health of the updates" },
				describe:
					"|ratio - 1|: the largest over all tokens and updates, at the first epoch (it must be below 0.001: what is trained is what was sampled) and at the last. Clipped: mean shares of tokens at the last epoch. Entropy in nats a turn.",
			},
			{
				some: results,
				measures: [
					number("first-off", "First epoch", { group: "|ratio - 1|" }),
					number("ratio", "Last", { group: "|ratio - 1|" }),
					percent("clipped-high", "Above", { group: "Clipped" }),
					percent("clipped-low", "Below", { group: "Clipped" }),
					number("entropy-before", "Before", { group: "Entropy" }),
					number("entropy", "After", { group: "Entropy" }),
				],
				shown: "",
			},
		),
	];
}

const wordsOfCalls =
	"Means an episode. Calls: those carried out. Repeated: a search that had been made before; stray: one that has nothing to do with the task; both are useless. Well-formed: episodes whose every turn is.";

const useless = ({ after }: ActionToyResult) => after.repeated + after.strays;

function seeded(result: ActionToyResult): SeededRun {
	const { seed, condition, start, before, after, best, training } = result;
	return {
		...{ seed, labels: { start, condition } },
		values: {
			...{ before: before.accuracy, right: after.accuracy, best: best.accuracy },
			...Object.fromEntries(after.byHops.map(({ hops, accuracy }) => [`hops-${hops}`, accuracy])),
			...{
				calls: after.calls,
				repeated: after.repeated,
				strays: after.strays,
				format: after.format,
				useless: useless(result),
			},
			...{ kept: training.kept, "all-right": training.allRight, "all-wrong": training.allWrong },
			...Object.fromEntries(training.dropped.map(({ hops, share }) => [`dropped-${hops}`, share])),
			...{ "first-off": training.firstOff, ratio: training.ratio },
			...{ "clipped-high": training.clippedHigh, "clipped-low": training.clippedLow },
			...{ "entropy-before": before.entropy, entropy: after.entropy },
		},
	};
}

/** Gamma of the conditions that the probe consists of, by the form of R_tool; without a weight the forms are one. */
const probes: Record<string, { condition: string; gamma: number }[]> = Object.fromEntries(
	(["all", "capped", "new"] as const).map((calls) => [
		calls,
		[
			{ condition: "without action", gamma: 0 },
			{ condition: calls === "all" ? "full" : `calls ${calls}`, gamma: 0.25 },
			{ condition: `calls ${calls}, gamma 0.5`, gamma: 0.5 },
			{ condition: `calls ${calls}, gamma 1`, gamma: 1 },
		],
	]),
);

/** Useless calls at growing gamma, and their slope: what a form of R_tool teaches beside the task. */
function probeViews(results: readonly ActionToyResult[]): View[] {
	const warm = results.filter(({ start }) => start === "warm");
	const seeds = [...new Set(warm.map(({ seed }) => seed))].sort((a, b) => a - b);
	const runs = Object.entries(probes).flatMap(([calls, points]) =>
		seeds.flatMap((seed): SeededRun[] => {
			const found = points.flatMap(({ condition, gamma }) => {
				const result = warm.find((one) => one.seed === seed && one.condition === condition);
				return result ? [{ gamma, useless: useless(result), right: result.after.accuracy }] : [];
			});
			if (found.length < points.length) return [];
			const at = found.map(({ gamma, useless: count }) => [`gamma-${gamma}`, count]);
			return [
				{
					seed,
					labels: { calls },
					values: { ...Object.fromEntries(at), slope: slopeOf(found), right: found.at(-1)?.right ?? null },
				},
			];
		}),
	);
	if (runs.length === 0) return [];
	const about = {
		...{ name: "toy-probe", title: "Does R_tool pay for useless calls?", source: own },
		describe:
			"Useless calls an episode after a warm start, by the weight of R_tool, and the slope of a straight line through them, seed by seed: calls more for each unit of gamma.",
		notes: [
			"A slope above 0 whose interval excludes 0: this form of R_tool buys useless calls. Useless: repeated or stray.",
		],
	};
	const gammas = [0, 0.25, 0.5, 1].map((gamma) =>
		number(`gamma-${gamma}`, `${gamma}`, { group: "Useless calls at gamma" }),
	);
	const measures = [...gammas, number("slope", "Slope", { signed: true }), percent("right", "Right at gamma 1")];
	return [seededView({ ...about, labels: [{ key: "calls", title: "R_tool counts" }], measures, shown: "slope" }, runs)];
}

/** Of the least-squares line through the points. */
function slopeOf(points: readonly { gamma: number; useless: number }[]): number {
	const [x, y] = [mean(points.map(({ gamma }) => gamma)), mean(points.map((point) => point.useless))];
	const above = points.reduce((sum, point) => sum + (point.gamma - x) * (point.useless - y), 0);
	return above / points.reduce((sum, point) => sum + (point.gamma - x) ** 2, 0);
}
