/** What re-runs show of a run, as its page has it: the numbers are the interventions' report's own. */
import { budgetParts, type ErrorBudget, type Share } from "#diagnosis";
import { clip, type Diagnosis, recordKey, type Task, interventionName as whatOf } from "#domain";
import { budgetWords, decisiveByLength, type interventionsReport, type ReportRun } from "#reports";
import type { BudgetPage, BudgetTask, Estimate } from "./pages.ts";

export interface BudgetShown {
	run: ReportRun;
	/** With how many answers each planned. */
	reruns: readonly ReportRun[];
	report: ReturnType<typeof interventionsReport>;
	/** Failures that re-runs can settle, or did. */
	settling: readonly Diagnosis[];
	diagnoses: readonly Diagnosis[];
}

/** Tasks that a list of the page holds; counts are of all. */
const mostTasks = 300;

export function budgetPage({
	run,
	reruns,
	report,
	settling,
	diagnoses,
}: BudgetShown): Omit<BudgetPage, "of" | "commands" | "cannot" | "tables"> {
	const { budget } = report;
	const taskOf = tasksOf(run, { reruns, diagnoses });
	const tasks = (wanted: (failure: ErrorBudget["failures"][number]) => boolean): BudgetTask[] =>
		budget.failures.filter(wanted).slice(0, mostTasks).map(taskOf);
	const { expected, right, failed, brokenOff, missing, withoutChain, settled } = budget;
	return {
		run: run.manifest.id,
		reruns: report.reruns.map((rerun) => ({ ...rerun, total: plannedOf(reruns, rerun.run) })).sort(byWhat),
		...{ expected, right, failed, brokenOff, missing, withoutChain, settled },
		parts: budgetParts.map((part) => ({
			part,
			...budgetWords[part],
			share: estimate(budget.parts[part]),
			count: budget.parts[part].count,
			tasks: tasks((failure) => failure.part === part),
		})),
		unsettled: {
			count: failed - withoutChain - settled,
			reasons: Object.entries(budget.unsettled).map(([reason, count]) => ({ reason, count })),
			tasks: tasks((failure) => failure.part === null),
		},
		recoveries: budget.recoveries.map(({ name, share, unknown, notHeld }) => ({
			...{ name, share: estimate(share), count: share.count, unknown },
			held: share.of - Object.values(notHeld).reduce((sum, count) => sum + count, 0),
			runs: report.reruns.filter(({ what }) => what === name || isAllGiven(what, name)).map((rerun) => rerun.run),
		})),
		decisive: decisiveByLength(report.decisive, run).map(({ length, places }) => ({
			hops: length,
			places: places.map(({ place, share }) => ({
				place: place === "without" ? ("none" as const) : place,
				share: estimate(share),
				count: share.count,
			})),
			unsure: report.decisive.filter(({ is, of }) => is === "unsure" && of === length).length,
		})),
		settling: settlingOf(settling, taskOf),
	};
}

/** What is made perfect in the order in which a failure is given to it, then by name and number. */
const byWhat = (a: { what: string }, b: { what: string }): number => {
	const places = [a, b].map(({ what }) => ["oracle-plan", "oracle-retrieval", "oracle-reading"].indexOf(what));
	const [first = 0, second = 0] = places.map((place) => (place < 0 ? 3 : place));
	return first - second || a.what.localeCompare(b.what, "en", { numeric: true });
};

const isAllGiven = (what: string, name: string) => name === "all hops given" && what.startsWith("gold-prefix");

const estimate = ({ value, low, high, of, reason }: Share): Estimate => ({
	...{ value, low, high, n: of },
	...(reason === undefined ? {} : { reason }),
});

const plannedOf = (reruns: readonly ReportRun[], id: string): number => {
	const manifest = reruns.find((one) => one.manifest.id === id)?.manifest;
	return manifest ? manifest.tasks.length * manifest.repeats : 0;
};

type Failed = { task: string; repeat: number; reason?: string | undefined };

/** Tells of a failure what its re-runs made of it. */
function tasksOf(run: ReportRun, { reruns, diagnoses }: Pick<BudgetShown, "reruns" | "diagnoses">) {
	const byId = new Map<string, Task>(run.tasks.map((task) => [task.id, task]));
	const primaries = new Map(diagnoses.map((one) => [recordKey(one), one.primary]));
	const outcomes = reruns.map(({ manifest, rows }) => ({
		run: manifest.id,
		what: manifest.intervention ? whatOf(manifest.intervention.what) : "",
		of: new Map(rows.map((row) => [recordKey(row), row.outcome])),
	}));
	return ({ task, repeat, reason = "" }: Failed): BudgetTask => ({
		...{ task, repeat, reason },
		question: clip(byId.get(task)?.question ?? "", 160),
		primary: primaries.get(recordKey({ task, repeat })) ?? null,
		reruns: outcomes
			.flatMap(({ of, ...rerun }) => {
				const outcome = of.get(recordKey({ task, repeat }));
				return outcome === undefined ? [] : [{ ...rerun, outcome }];
			})
			.sort(byWhat),
	});
}

function settlingOf(settling: readonly Diagnosis[], taskOf: (failed: Failed) => BudgetTask): BudgetPage["settling"] {
	if (settling.length === 0) return null;
	const settled = settling.filter((one) => one.settling?.is === "settled");
	const byItself = settling.filter((one) => one.settling?.is === "by-itself").length;
	const kinds = [...new Set(settled.flatMap(({ primary }) => (primary === null ? [] : [primary])))];
	return {
		failures: settling.length,
		settled: settled.length,
		byItself,
		open: settling.length - settled.length - byItself,
		named: kinds
			.map((finding) => {
				const own = settled.filter(({ primary }) => primary === finding);
				return {
					finding,
					count: own.length,
					tasks: own.slice(0, mostTasks).map(({ task, repeat }) => taskOf({ task, repeat })),
				};
			})
			.sort((a, b) => b.count - a.count),
	};
}
