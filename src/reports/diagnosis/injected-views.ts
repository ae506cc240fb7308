/** What a diagnosis found of injected faults, as tables. */
import type { Confusion, InjectedBudget } from "#diagnosis";
import { clip, present } from "#domain";
import { shareCell } from "../views/diagnosed.ts";
import { numberColumn, percentColumn, type TableColumn, tableOf, textColumn } from "../views/table.ts";
import type { View } from "../views/view.ts";
import { unscoredCell } from "../views/view-cells.ts";
import { spelt } from "../wording.ts";

type Mistake = (Confusion | InjectedBudget)["mistakes"][number];

/** A run with faults injected, and what its error budget made of them. */
export interface BudgetedRun {
	agent: string;
	budget: InjectedBudget;
}

const plain: Pick<View, "plots" | "source"> = { plots: [], source: "the injector's log" };
const examples = "With one task of each, and what the injector did there.";

const exampleColumns: TableColumn<Mistake>[] = [
	textColumn("task", "Task", ({ example }) => example.task),
	textColumn("did", "Done", ({ example }) => clip(example.did, 160)),
];

/** The matrix, the shares right and every kind of mistake; `scope` says which records they are of. */
export function confusionViews(confusion: Confusion, { name, scope }: { name: string; scope: string }): View[] {
	const kinds = [...new Set(confusion.rows.flatMap(({ found }) => found.map(({ is }) => is)))];
	const summary = [
		{ what: "Faults that struck", share: confusion.struck },
		{ what: "Nothing injected, nothing broken", share: confusion.nothing },
		{ what: "All records", share: confusion.all },
	];
	return present([
		{
			...plain,
			name: `${name}-right`,
			title: `Right diagnoses, ${scope}`,
			notes: [],
			describe: "How often the diagnosis names first what really happened, with 95 % intervals.",
			...tableOf(summary, [
				textColumn("what", "Records", ({ what }) => what),
				numberColumn("records", "n", ({ share }) => share.of),
				percentColumn("right", "Right", ({ share }) => shareCell(share)),
			]),
		},
		{
			...plain,
			name: `${name}-matrix`,
			title: `Injected against found, ${scope}`,
			describe:
				"Rows: what really happened, by the injector's log. Columns: what the diagnosis names first. Hop: the first broken hop is the very one that was struck.",
			...tableOf(confusion.rows, [
				textColumn("truth", "Injected", ({ truth }) => spelt(truth)),
				numberColumn("records", "n", ({ records }) => records),
				...kinds.map((kind) =>
					numberColumn<Confusion["rows"][number]>(
						`found-${kind}`,
						spelt(kind),
						({ found }) => found.find(({ is }) => is === kind)?.count ?? 0,
						{ group: "Found" },
					),
				),
				percentColumn("right", "Right", ({ right }) => shareCell(right)),
				percentColumn("hop", "Hop", ({ hop }) => (hop ? shareCell(hop) : unscoredCell("it breaks no hop"))),
			]),
			notes: confusion.rows.some(({ truth }) => truth === "natural-miss")
				? [
						"natural miss: no fault struck before it, and the evidence of the hop really did not come back; retrieval miss is then right.",
					]
				: [],
		},
		confusion.mistakes.length !== 0 && {
			...plain,
			name: `${name}-mistakes`,
			title: `Every kind of mistake, ${scope}`,
			notes: [],
			describe: examples,
			...tableOf<Mistake>(confusion.mistakes, [
				textColumn("truth", "Injected", ({ truth }) => spelt(truth)),
				textColumn("found", "Found", ({ found }) => spelt(found)),
				numberColumn("count", "Records", ({ count }) => count),
				...exampleColumns,
			]),
		},
	]);
}

/** Where error budgets put the failures of runs with faults injected, and where they were injected. */
export function injectedBudgetViews(
	runs: readonly BudgetedRun[],
	{ name, scope }: { name: string; scope: string },
): View[] {
	const aboutRow = () => ({ kind: "intervention" as const });
	const parts = runs.flatMap(({ agent, budget: { parts: all, failures } }) =>
		all.filter(({ injected, found }) => injected.count + found.count > 0).map((part) => ({ agent, failures, ...part })),
	);
	const mistakes = runs.flatMap(({ agent, budget }) => budget.mistakes.map((mistake) => ({ agent, ...mistake })));
	const budget = tableOf(
		parts,
		[
			textColumn("agent", "Agent", ({ agent }) => agent),
			numberColumn("failures", "Failures", ({ failures }) => failures),
			textColumn("part", "Part", ({ part }) => part),
			percentColumn("injected", "Injected", ({ injected }) => shareCell(injected)),
			percentColumn("found", "Found", ({ found }) => shareCell(found)),
			textColumn("difference", "Points", ({ difference }) =>
				difference === null ? unscoredCell("no failures") : pointsOf(difference),
			),
		],
		aboutRow,
	);
	return present([
		{
			...plain,
			name: `${name}-budget`,
			title: `Error budget against what was injected, ${scope}`,
			describe:
				"From interventions: shares of the failures by the part that lost them, where they were injected and where the budget puts them; the difference in points.",
			...budget,
			notes: runs.flatMap(({ agent, budget: { left } }) =>
				left > 0 ? [`${agent}: ${left} failures are left out, their cause or a re-run's end being unknown.`] : [],
			),
		},
		mistakes.length !== 0 && {
			...plain,
			name: `${name}-budget-mistakes`,
			title: `Failures given to another part, ${scope}`,
			notes: [],
			describe: examples,
			...tableOf<Mistake & { agent: string }>(
				mistakes,
				[
					textColumn("agent", "Agent", ({ agent }) => agent),
					textColumn("truth", "Injected", ({ truth }) => spelt(truth)),
					textColumn("found", "Given to", ({ found }) => found),
					numberColumn("count", "Failures", ({ count }) => count),
					...exampleColumns,
				],
				aboutRow,
			),
		},
	]);
}

const pointsOf = (difference: number) => `${difference > 0 ? "+" : ""}${(100 * difference).toFixed(1)}`;
