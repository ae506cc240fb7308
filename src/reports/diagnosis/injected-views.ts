/** What a diagnosis found of injected faults, as tables. */
import type { Confusion, InjectedBudget, Share } from "#diagnosis";
import { clip } from "#domain";
import type { Cell, Column, View, ViewRow } from "../views/view.ts";
import { countCell, intervalCell, textCell, unscoredCell } from "../views/view-cells.ts";

/** A run with faults injected, and what its error budget made of them. */
export interface BudgetedRun {
	agent: string;
	budget: InjectedBudget;
}

const plain: Pick<View, "plots" | "source"> = { plots: [], source: "the injector's log" };
const text = (key: string, title: string): Column => ({ key, title, unit: "text" });
const number = (key: string, title: string): Column => ({ key, title, unit: "number" });
const percent = (key: string, title: string): Column => ({ key, title, unit: "percent" });

const shareCell = ({ of, ...share }: Share): Cell => intervalCell({ ...share, n: of });

const words = (name: string) => name.replaceAll("-", " ");

/** The matrix, the shares right and every kind of mistake; `scope` says which records they are of. */
export function confusionViews(confusion: Confusion, { name, scope }: { name: string; scope: string }): View[] {
	const kinds = [...new Set(confusion.rows.flatMap(({ found }) => found.map(({ is }) => is)))];
	const matrix: ViewRow[] = confusion.rows.map(({ truth, records, found, right, hop }) => ({
		cells: {
			truth: textCell(words(truth)),
			records: countCell(records),
			...Object.fromEntries(
				kinds.map((kind) => [`found-${kind}`, countCell(found.find(({ is }) => is === kind)?.count ?? 0)]),
			),
			right: shareCell(right),
			hop: hop ? shareCell(hop) : unscoredCell("it breaks no hop"),
		},
	}));
	const summary = [
		{ what: "Faults that struck", share: confusion.struck },
		{ what: "Nothing injected, nothing broken", share: confusion.nothing },
		{ what: "All records", share: confusion.all },
	].map(({ what, share }) => ({
		cells: { what: textCell(what), records: countCell(share.of), right: shareCell(share) },
	}));
	return [
		{
			...{ ...plain, name: `${name}-right`, title: `Right diagnoses, ${scope}`, notes: [] },
			describe: "How often the diagnosis names first what really happened, with 95 % intervals.",
			columns: [text("what", "Records"), number("records", "n"), percent("right", "Right")],
			rows: summary,
		},
		{
			...{ ...plain, name: `${name}-matrix`, title: `Injected against found, ${scope}` },
			describe:
				"Rows: what really happened, by the injector's log. Columns: what the diagnosis names first. Hop: the first broken hop is the very one that was struck.",
			columns: [
				text("truth", "Injected"),
				number("records", "n"),
				...kinds.map((kind) => ({ ...number(`found-${kind}`, words(kind)), group: "Found" })),
				percent("right", "Right"),
				percent("hop", "Hop"),
			],
			rows: matrix,
			notes: confusion.rows.some(({ truth }) => truth === "natural-miss")
				? [
						"natural miss: no fault struck before it, and the evidence of the hop really did not come back; retrieval miss is then right.",
					]
				: [],
		},
		...(confusion.mistakes.length === 0
			? []
			: [
					{
						...{ ...plain, name: `${name}-mistakes`, title: `Every kind of mistake, ${scope}`, notes: [] },
						describe: "With one task of each, and what the injector did there.",
						columns: [
							text("truth", "Injected"),
							text("found", "Found"),
							number("count", "Records"),
							text("task", "Task"),
							text("did", "Done"),
						],
						rows: confusion.mistakes.map(({ truth, found, count, example }) => ({
							cells: {
								truth: textCell(words(truth)),
								found: textCell(words(found)),
								count: countCell(count),
								task: textCell(example.task),
								did: textCell(clip(example.did, 160)),
							},
						})),
					},
				]),
	];
}

/** Where error budgets put the failures of runs with faults injected, and where they were injected. */
export function injectedBudgetViews(
	runs: readonly BudgetedRun[],
	{ name, scope }: { name: string; scope: string },
): View[] {
	const rows = runs.flatMap(({ agent, budget }): ViewRow[] =>
		budget.parts
			.filter(({ injected, found }) => injected.count + found.count > 0)
			.map(({ part, injected, found, difference }) => ({
				kind: "intervention",
				cells: {
					agent: textCell(agent),
					failures: countCell(budget.failures),
					part: textCell(part),
					injected: shareCell(injected),
					found: shareCell(found),
					difference: difference === null ? unscoredCell("no failures") : textCell(pointsOf(difference)),
				},
			})),
	);
	const mistakes = runs.flatMap(({ agent, budget }) =>
		budget.mistakes.map(
			({ truth, found, count, example }): ViewRow => ({
				kind: "intervention",
				cells: {
					agent: textCell(agent),
					truth: textCell(words(truth)),
					found: textCell(found),
					count: countCell(count),
					task: textCell(example.task),
					did: textCell(clip(example.did, 160)),
				},
			}),
		),
	);
	return [
		{
			...{ ...plain, name: `${name}-budget`, title: `Error budget against what was injected, ${scope}` },
			describe:
				"From interventions: shares of the failures by the part that lost them, where they were injected and where the budget puts them; the difference in points.",
			columns: [
				text("agent", "Agent"),
				number("failures", "Failures"),
				text("part", "Part"),
				percent("injected", "Injected"),
				percent("found", "Found"),
				text("difference", "Points"),
			],
			rows,
			notes: runs.flatMap(({ agent, budget: { left } }) =>
				left > 0 ? [`${agent}: ${left} failures are left out, their cause or a re-run's end being unknown.`] : [],
			),
		},
		...(mistakes.length === 0
			? []
			: [
					{
						...{
							...plain,
							name: `${name}-budget-mistakes`,
							title: `Failures given to another part, ${scope}`,
							notes: [],
						},
						describe: "With one task of each, and what the injector did there.",
						columns: [
							text("agent", "Agent"),
							text("truth", "Injected"),
							text("found", "Given to"),
							number("count", "Failures"),
							text("task", "Task"),
							text("did", "Done"),
						],
						rows: mistakes,
					},
				]),
	];
}

const pointsOf = (difference: number) => `${difference > 0 ? "+" : ""}${(100 * difference).toFixed(1)}`;
