/** What re-runs under interventions say of the run that they are of. */
import {
	type DecisiveHop,
	decisiveHops,
	type ErrorBudget,
	errorBudget,
	type PrefixCurve,
	prefixCurve,
	type Rerun,
	type Share,
	shareOf,
	type Trust,
	trustOf,
} from "#diagnosis";
import { interventionName } from "#domain";
import type { ViewRun } from "../views/view.ts";
import { viewItems } from "../views/view-items.ts";

/** As plain JSON; every number in it is of interventions, none is a score of the agent. */
export interface InterventionsReport {
	run: string;
	reruns: { run: string; what: string; tasks: number; records: number }[];
	budget: ErrorBudget;
	decisive: DecisiveHop[];
	curve: PrefixCurve;
	trust: Trust;
}

/** Several views are built of the same runs, and tests of differences take their time. */
const made = new WeakMap<readonly ViewRun[], Map<string, InterventionsReport>>();

/** Of a run and those of `runs` that are interventions of it. */
export function interventionsReport(run: ViewRun, runs: readonly ViewRun[]): InterventionsReport {
	const known = made.get(runs) ?? new Map<string, InterventionsReport>();
	made.set(runs, known);
	const report = known.get(run.manifest.id) ?? reportOf(run, runs);
	known.set(run.manifest.id, report);
	return report;
}

function reportOf(run: ViewRun, runs: readonly ViewRun[]): InterventionsReport {
	const own = rerunsOf(run, runs);
	const base = viewItems(run);
	const reruns = own.map(({ what, rerun }): Rerun => ({ what, items: viewItems(rerun) }));
	return {
		run: run.manifest.id,
		reruns: own.map(({ what, rerun }) => ({
			...{ run: rerun.manifest.id, what: interventionName(what) },
			...{ tasks: rerun.manifest.tasks.length, records: rerun.records.length },
		})),
		budget: errorBudget(base, reruns, { seed: run.manifest.seed }),
		decisive: decisiveHops(base, reruns),
		curve: prefixCurve(base, reruns),
		trust: trustOf(reruns),
	};
}

const rerunsOf = (run: ViewRun, runs: readonly ViewRun[]) =>
	runs.flatMap((rerun) => {
		const { intervention } = rerun.manifest;
		return intervention?.of === run.manifest.id ? [{ what: intervention.what, rerun }] : [];
	});

/** Where the decisive hop is: its place from 1, that none is needed, or that not even all suffice. */
export type DecisivePlace = number | "without" | "never";

/** How often each place is decisive, by length of chain; records of which it cannot be told are in none. */
export function decisiveByLength(
	decisive: readonly DecisiveHop[],
	{ tasks }: Pick<ViewRun, "tasks">,
): { length: number; places: { place: DecisivePlace; share: Share }[] }[] {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const sure = decisive.flatMap((one) => {
		const task = byId.get(one.task);
		if (!task || one.is === "unsure") return [];
		return [{ task, of: one.of, place: one.is === "decisive" ? one.prefix : one.is }];
	});
	const lengths = [...new Set(sure.map(({ of }) => of))].sort((a, b) => a - b);
	return lengths.map((length) => {
		const own = sure.filter(({ of }) => of === length);
		const hops = Array.from({ length }, (_, index) => index + 1);
		const places: DecisivePlace[] = ["without", ...hops, "never"];
		return {
			length,
			places: places.map((place) => ({
				place,
				share: shareOf(own.map((one) => ({ task: one.task, is: one.place === place }))),
			})),
		};
	});
}

/** The plain runs among some, each with what its re-runs say; without re-runs a run is named in a note. */
export function intervenedRuns(
	runs: readonly ViewRun[],
	{ label }: { label(run: ViewRun): string },
): { members: { run: ViewRun; report: InterventionsReport }[]; notes: string[] } {
	const plain = runs.filter(({ manifest }) => !manifest.intervention);
	const without = plain.filter((run) => rerunsOf(run, runs).length === 0);
	return {
		members: plain
			.filter((run) => !without.includes(run))
			.map((run) => ({ run, report: interventionsReport(run, runs) })),
		notes: without.map((run) => `${label(run)} has no re-run among these runs: hopscope intervene RUN.`),
	};
}
