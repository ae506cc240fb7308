import { grouped, interventionName, tally } from "#domain";
import type { ScoredItem } from "#scoring";
import { type Share, sharesBy } from "../shares.ts";
import { type Recovery, recoveryOf } from "./recovery.ts";
import { type BaseItem, chainLength, findItems, givesPrefix, type Rerun, recorded, standingOf } from "./reruns.ts";

/**
 * What a failure cost, cause before effect: the first of planning, retrieval and reading that, made perfect, recovers it;
 * `combined` where only all hops together do, so that more than one part failed; else `composition`.
 */
export const budgetParts = ["planning", "retrieval", "reading", "combined", "composition"] as const;
export type BudgetPart = (typeof budgetParts)[number];

/** Where the failures of a run are lost. */
export interface ErrorBudget {
	/** Records expected; of them right, failed, ended by an error or a spent budget, and not there. */
	expected: number;
	right: number;
	failed: number;
	brokenOff: number;
	missing: number;
	/** Failures of tasks without a gold chain: nothing can be made perfect there. */
	withoutChain: number;
	/** Failures whose re-runs suffice to give them to a part. */
	settled: number;
	/** The others with a chain, by reason. */
	unsettled: Record<string, number>;
	/** Of the settled; they sum to 1. */
	parts: Record<BudgetPart, Share>;
	/** Of those given to composition: failures in which only the plan could be made perfect, since no search aimed at a hop. */
	untouched: number;
	/** What each intervention recovered by itself; these overlap. */
	recoveries: Recovery[];
	/** Settled failures by all that recovers them, most first. */
	overlaps: { by: string[]; count: number }[];
	/** Failures that were right when the agent was only asked again; null where it was not. */
	chance: Share | null;
	failures: { task: string; repeat: number; part: BudgetPart | null; reason?: string }[];
}

/** Which intervention makes which part perfect, in the order in which a failure is given to them. */
const perfected = [
	{ part: "planning", name: "oracle-plan" },
	{ part: "retrieval", name: "oracle-retrieval" },
	{ part: "reading", name: "oracle-reading" },
] as const;

const allGiven = "all hops given";

/**
 * Where the failures of a run are lost, from re-runs of the same agent, paired by task and repeat. `seed` is that of the
 * tests of differences.
 */
export function errorBudget(
	base: readonly ScoredItem[],
	reruns: readonly Rerun[],
	options: { seed?: number | undefined } = {},
): ErrorBudget {
	const items = recorded(base);
	const failures = items.filter((item) => standingOf(item) === "failed");
	const chained = failures.filter(({ task }) => task.chain);
	const sources = [
		...perfected.map(({ part, name }) => ({ part, name, found: findItems(reruns, ({ is }) => is === name) })),
		{
			...{ part: "combined" as const, name: allGiven },
			found: findItems(reruns, (what, task) => {
				const of = chainLength(task);
				return of > 0 && givesPrefix(what, { hops: of, of });
			}),
		},
	];
	const judged = chained.map((item) => ({ item, ...partOf(item, sources) }));
	const settled = judged.filter(({ part }) => part !== null);
	const besides = otherNames(reruns).map((name) => ({
		name,
		found: findItems(reruns, (what) => interventionName(what) === name),
	}));
	const again = besides.find(({ name }) => name === "again");
	const standings = items.map(standingOf);
	const count = (standing: string) => standings.filter((one) => one === standing).length;
	return {
		expected: base.length,
		right: count("right"),
		failed: failures.length,
		brokenOff: count("unknown"),
		missing: base.length - items.length,
		withoutChain: failures.length - chained.length,
		settled: settled.length,
		unsettled: tally(judged.flatMap(({ reason }) => reason ?? [])),
		parts: sharesBy(
			settled.map(({ item, part }) => ({ task: item.task, kind: part })),
			budgetParts,
		),
		untouched: settled.filter(
			({ item, part }) =>
				part === "composition" &&
				sources
					.filter(({ part: made }) => made !== "planning")
					.every(({ found }) => found.of(item)?.record?.trajectory.intervened?.held === false),
		).length,
		recoveries: [...sources, ...besides]
			.filter(({ found }) => found.size > 0)
			.map((one) => recoveryOf(one, { items, ...options })),
		overlaps: overlapsOf(settled),
		chance: again ? recoveryOf(again, { items }).share : null,
		failures: judged.map(({ item: { task, row }, part, reason }) => ({
			...{ task: task.id, repeat: row.repeat, part },
			...(reason === undefined ? {} : { reason }),
		})),
	};
}

interface Source {
	part: BudgetPart;
	name: string;
	found: ReturnType<typeof findItems>;
}

/** The part that a failure is given to; null with a reason where a re-run that it takes has no known end. */
function partOf(
	item: BaseItem,
	sources: readonly Source[],
): { part: BudgetPart | null; reason?: string; by: string[] } {
	const ends = sources.map(({ part, name, found }) => {
		const rerun = found.of(item);
		return { part, name, end: standingOf(rerun), ran: rerun !== undefined };
	});
	const by = ends.flatMap(({ name, end }) => (end === "right" ? [name] : []));
	for (const { part, name, end, ran } of ends) {
		if (end === "right") return { part, by };
		if (end === "unknown")
			return { part: null, by, reason: ran ? `ended by an error, ${name}` : `not re-run, ${name}` };
	}
	return { part: "composition", by };
}

/** The interventions beside those that the budget rests on, each once. */
function otherNames(reruns: readonly Rerun[]): string[] {
	const own = new Set<string>([...perfected.map(({ name }) => name), "gold-prefix"]);
	return [...new Set(reruns.filter(({ what }) => !own.has(what.is)).map(({ what }) => interventionName(what)))];
}

function overlapsOf(settled: readonly { by: string[] }[]): ErrorBudget["overlaps"] {
	const alike = [...grouped(settled, ({ by }) => JSON.stringify(by)).values()];
	return alike
		.flatMap((own) => own.slice(0, 1).map(({ by }) => ({ by, count: own.length })))
		.sort((a, b) => b.count - a.count);
}
