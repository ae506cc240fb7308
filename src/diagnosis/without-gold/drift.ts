import { z } from "zod";
import { GoldFreeFlag, grouped } from "#domain";
import { interval, type SharesDifference, sharesDifference } from "#scoring";

/** What is kept of a trace that is watched: how many of its places have each flag, of those in which it could be told. */
export const WatchedTrace = z.object({
	version: z.literal(1),
	/** Names the trace, in whatever file it stands. */
	trace: z.string(),
	/** Its day, UTC: `2026-01-31`. */
	day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
	counts: z.array(
		z.object({
			flag: z.union([GoldFreeFlag, z.literal("unreadable-action")]),
			count: z.number().int().min(0),
			of: z.number().int().min(0),
		}),
	),
});
export type WatchedTrace = z.infer<typeof WatchedTrace>;
export type WatchedFlag = WatchedTrace["counts"][number]["flag"];

/** A flag's share on one day or on several, with its 95 % interval, clustered by trace. */
export interface FlagDay {
	flag: WatchedFlag;
	count: number;
	of: number;
	value: number | null;
	low: number | null;
	high: number | null;
}

/** A flag on the last days against the days before. */
export interface Drift extends SharesDifference {
	flag: WatchedFlag;
	before: FlagDay;
	now: FlagDay;
	/** `rose`: certainly, by more than is allowed; `steady`: certainly not; `open`: neither can be told. */
	verdict: "rose" | "steady" | "open";
}

export interface DriftReport {
	days: { day: string; traces: number; flags: FlagDay[] }[];
	/** The days that later ones are held against, and those that are; null where there are not both yet. */
	compared: { before: string[]; now: string[]; look: number; miss: number; drifts: Drift[] } | null;
	verdict: "steady" | "drifted" | "open";
	reason?: string;
}

export interface DriftOptions {
	/** Today, UTC. It is shown, and not compared: it is not over. */
	today: string;
	/** Days with traces that the others are held against. */
	baseline?: number | undefined;
	/** They are the last ones before, not the first of all. */
	rolling?: boolean | undefined;
	/** Last days with traces that are put together. */
	window?: number | undefined;
	/** The greatest rise that is allowed, as a share; without it any certain rise is a drift, and none is enough to be steady. */
	allowed?: number | undefined;
}

/** The chance of one false alarm or more, over all days and flags. */
const wholeMiss = 0.05;

/**
 * Whether flags rose on the last days against the days before. Two samples, clustered by trace (`sharesDifference`). Whoever
 * looks every day must be surer each time: of look t, over F flags, each interval misses with 0.05 / (t (t + 1) F), which is
 * 0.05 at most over all looks and flags together. A look is a day with traces behind the first baseline.
 */
export function driftOf(
	traces: readonly WatchedTrace[],
	{ today, baseline = 7, rolling = false, window = 1, allowed }: DriftOptions,
): DriftReport {
	const byDay = new Map([...grouped(traces, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1)));
	const days = [...byDay].map(([day, some]) => ({ day, traces: some.length, flags: flagsOf(some) }));
	const over = [...byDay.keys()].filter((day) => day < today);
	const now = over.slice(baseline).slice(-window);
	const first = over.length - now.length;
	const before = rolling ? over.slice(Math.max(0, first - baseline), first) : over.slice(0, baseline);
	if (now.length === 0)
		return {
			...{ days, compared: null, verdict: "open" },
			reason: `${over.length} of ${baseline + 1} days with traces are over: ${baseline} to compare with, and one to compare`,
		};
	const [then, lately] = [before, now].map((some) => some.flatMap((day) => byDay.get(day) ?? [])) as [
		WatchedTrace[],
		WatchedTrace[],
	];
	const look = over.length - baseline;
	const miss = wholeMiss / (look * (look + 1) * watchedFlags.length);
	const drifts = watchedFlags.map((flag): Drift => {
		const difference = sharesDifference(sharesOf(lately, flag), sharesOf(then, flag), { miss });
		const found = { flag, before: flagDay(then, flag), now: flagDay(lately, flag), ...difference };
		return { ...found, verdict: verdictOf(difference, allowed) };
	});
	const rose = drifts.some(({ verdict }) => verdict === "rose");
	const open = drifts.filter(({ verdict }) => verdict === "open");
	return {
		...{ days, compared: { before, now, look, miss, drifts } },
		verdict: rose ? "drifted" : open.length > 0 ? "open" : "steady",
		...(rose || open.length === 0 ? {} : { reason: "a rise by more than is allowed is neither seen nor ruled out" }),
	};
}

export const watchedFlags: readonly WatchedFlag[] = [
	...GoldFreeFlag.options.filter((flag) => flag !== "not-answered" && flag !== "does-not-follow"),
	"unreadable-action",
];

function verdictOf({ low, high }: SharesDifference, allowed: number | undefined): Drift["verdict"] {
	// of a flag that could be told nowhere there is nothing to fear and nothing to say
	if (low === null || high === null) return allowed === undefined ? "steady" : "open";
	if (low > (allowed ?? 0)) return "rose";
	return allowed === undefined || high <= allowed ? "steady" : "open";
}

const flagsOf = (some: readonly WatchedTrace[]): FlagDay[] => watchedFlags.map((flag) => flagDay(some, flag));

function countsIn(some: readonly WatchedTrace[], flag: WatchedFlag) {
	return some.flatMap(({ trace, counts }) =>
		counts.flatMap((one) => (one.flag === flag && one.of > 0 ? [{ trace, ...one }] : [])),
	);
}

function sharesOf(some: readonly WatchedTrace[], flag: WatchedFlag) {
	const found = countsIn(some, flag);
	const sums = Float64Array.from(found, ({ count }) => count);
	return { sizes: Float64Array.from(found, ({ of }) => of), sums, squares: sums.reduce((sum, each) => sum + each, 0) };
}

function flagDay(some: readonly WatchedTrace[], flag: WatchedFlag): FlagDay {
	const found = countsIn(some, flag);
	const outcomes = found.flatMap(({ count, of }) => Array.from({ length: of }, (_, at) => (at < count ? 1 : 0)));
	const clusters = found.flatMap(({ trace, of }) => Array.from({ length: of }, () => trace));
	const { value, low, high } = interval(outcomes, { clusters });
	return { flag, count: outcomes.reduce((sum: number, each) => sum + each, 0), of: outcomes.length, value, low, high };
}
