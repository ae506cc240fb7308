import { evenly, type Intervention } from "#domain";
import type { ScoredItem } from "#scoring";
import { chainLength, recorded, standingOf } from "./reruns.ts";

/** One re-run of an agent: what is changed, and the tasks it is asked again. */
export interface InterventionPlan {
	what: Intervention;
	/** Ids, in the order of the items. */
	tasks: string[];
}

export interface PlanChoices {
	/** Kinds of the error budget and of trust to be run; without it those of the budget. */
	only?: readonly Intervention["is"][] | undefined;
	/** Every prefix of the chain rather than the whole one: for the decisive hop and the curve. */
	prefix?: boolean | undefined;
	/** Asks again without a change; what recovers then does so by chance. */
	again?: boolean | undefined;
	distractors?: number | undefined;
	without?: readonly Extract<Intervention, { is: "without" }>["modality"][] | undefined;
	/** Conflicting and poisoned evidence, on all tasks: what an agent trusts shows where it is right, too. */
	trust?: boolean | undefined;
	/** All tasks rather than those that failed. */
	allTasks?: boolean | undefined;
	/** At most so many tasks of each re-run, evenly spread. */
	most?: number | undefined;
}

/** Interventions that need no number or kind to be named. */
export const budgetKinds = ["oracle-plan", "oracle-retrieval", "oracle-reading", "gold-prefix"] as const;
export const trustKinds = ["conflicting-evidence", "poisoned-evidence"] as const;

/** Which re-runs a diagnosis takes, as data: those of the error budget on the tasks that failed, and what else is asked for. */
export function planInterventions(base: readonly ScoredItem[], choices: PlanChoices = {}): InterventionPlan[] {
	const { only = budgetKinds, prefix, again, distractors, without = [], trust, allTasks, most = Infinity } = choices;
	const failed = new Set(recorded(base).flatMap((item) => (standingOf(item) === "failed" ? [item.task.id] : [])));
	const all = [...new Map(base.map(({ task }) => [task.id, task])).values()];
	const among = evenly(allTasks ? all : all.filter(({ id }) => failed.has(id)), most);
	const chained = among.filter((task) => task.chain);
	const everywhere = evenly(all, most);
	const wanted = new Set<Intervention["is"]>([...only, ...(prefix ? ["gold-prefix" as const] : [])]);
	const longest = Math.max(0, ...chained.map(chainLength));
	const prefixes = Array.from({ length: longest }, (_, index) => index + 1).map((hops) => ({
		what: { is: "gold-prefix", hops } as const,
		among: chained.filter((task) => (prefix ? chainLength(task) >= hops : chainLength(task) === hops)),
	}));
	const plans = [
		...(["oracle-plan", "oracle-retrieval", "oracle-reading"] as const).flatMap((is) =>
			wanted.has(is) ? [{ what: { is }, among: chained }] : [],
		),
		...(wanted.has("gold-prefix") ? prefixes : []),
		...(again || wanted.has("again") ? [{ what: { is: "again" } as const, among }] : []),
		...(distractors === undefined ? [] : [{ what: { is: "distractors", count: distractors } as const, among }]),
		...without.map((modality) => ({ what: { is: "without", modality } as const, among })),
		...trustKinds.flatMap((is) => {
			if (!trust && !wanted.has(is)) return [];
			const able = is === "conflicting-evidence" ? everywhere.filter((task) => task.chain) : everywhere;
			return [{ what: { is }, among: able }];
		}),
	];
	return plans.flatMap(({ what, among: tasks }) =>
		tasks.length > 0 ? [{ what, tasks: tasks.map(({ id }) => id) }] : [],
	);
}
