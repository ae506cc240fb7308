import { usageError } from "#domain";
import { scorersCalled } from "#reports";
import { type RaceFile, readSuite, type Suite, suiteOf } from "#runs";
import { looksOver, type RaceRules } from "#scoring";
import { canonicalJson, sha256 } from "#store";
import type { SuiteRun } from "../plan-suite.ts";
import type { PlannedRun } from "../planned-run.ts";
import { type SuiteOptions, withPlanned } from "../run-suite.ts";
import { scorersOf } from "../scorer-files.ts";
import type { Bench } from "../work.ts";
import { type ChunkedSuite, chunkedSuite, type Rechunked } from "./rechunked.ts";

/** Settings by lists that multiply, as an entry of a suite file has them. */
export interface SweepLists {
	/** What the sweep is called; by its benchmark and what it sweeps where nothing is said. */
	name?: string | undefined;
	/** As fields of a suite's entry. */
	entry: Record<string, unknown>;
}

/** How a sweep goes; what a file says is said over by these. */
export interface SweepOptions extends Omit<SuiteOptions, "queue" | "queueCredentials" | "queueLease">, RaceFile {}

export interface SweepPlan {
	sweep: string;
	benchmark: string;
	settings: PlannedRun[];
	/** Words of the passages of each setting, where they are cut anew. */
	chunks: (number | "own" | undefined)[];
	/** That each setting answers at most, and after how many it is looked who is surely worse. */
	tasks: number;
	looks: number[];
	metric: string;
	alpha: number;
	/** In the metric's unit: points of shares. */
	margin: number;
	seed: number;
	rechunked: Rechunked[];
	/** Why answers alone are scored. */
	answersOnly?: string;
}

/** A sweep as it was asked for: settings that answer the same tasks, and the rules of their race. */
export interface AskedSweep {
	chunked: ChunkedSuite;
	rules: Omit<RaceRules, "settings" | "tasks">;
	/** As people write it. */
	margin: number;
	seed: number;
}

/** Says what a sweep would be; nothing is run or made. */
export async function planSweep(asked: string | SweepLists, options: SweepOptions, bench: Bench): Promise<SweepPlan> {
	const sweep = await askedSweep(asked, options, { make: false }, bench);
	const { chunked, rules, margin, seed } = sweep;
	return withPlanned(chunked.suite, options, bench, async ({ runs }) => {
		mustRace(runs, sweep);
		const tasks = runs[0]?.manifest.tasks.length ?? 0;
		return {
			...{ sweep: chunked.suite.name, benchmark: runs[0]?.manifest.benchmark.name ?? "", settings: runs },
			...{ chunks: runs.map(({ chunk }) => chunk), tasks, looks: looksOver(tasks) },
			...{ metric: rules.metric.name, alpha: rules.alpha, margin, seed, rechunked: chunked.rechunked },
			...(chunked.answersOnly === undefined ? {} : { answersOnly: chunked.answersOnly }),
		};
	});
}

/** Reads what was asked for; with `make`, what its passages are cut into is made. */
export async function askedSweep(
	asked: string | SweepLists,
	options: SweepOptions,
	{ make }: { make: boolean },
	bench: Bench,
): Promise<AskedSweep> {
	const suite = typeof asked === "string" ? await readSuite(asked) : suiteOfLists(asked, options);
	mustShareTasks(suite);
	const race = { ...suite.race, ...given(options) };
	const { alpha = 0.05, seed = 0 } = race;
	const [metric] = scorersCalled([race.metric ?? "accuracy"], await scorersOf(options));
	if (!metric || metric.direction === "neither")
		throw usageError(
			"no-direction",
			`of ${race.metric} neither more nor less is better`,
			"Sweep by a metric that has a better side, such as accuracy or hps.",
		);
	const inPoints = metric.aggregation !== "mean";
	if (!inPoints && race.margin === undefined)
		throw usageError(
			"no-margin",
			`nobody said how much worse ${metric.name} may be, in its own unit`,
			"Add --margin NUMBER.",
		);
	const { margin = 2 } = race;
	const chunked = await chunkedSuite(suite, { make }, bench);
	if (chunked.answersOnly !== undefined && metric.needs.includes("chain"))
		throw usageError(
			"no-gold",
			`${metric.name} is measured by gold evidence, and ${chunked.answersOnly}`,
			"Sweep by accuracy, or leave out chunk.",
		);
	return { chunked, rules: { metric, alpha, margin: inPoints ? margin / 100 : margin }, margin, seed };
}

function suiteOfLists({ name, entry }: SweepLists, options: SweepOptions): Suite {
	const hash = sha256(canonicalJson([entry, given(options)])).slice(0, 8);
	const benchmark = [entry.benchmark].flat()[0];
	const made = `${String(benchmark ?? "no").replace(/[^\p{L}\p{N}._@+-]+/gu, "-")}-sweep-${hash}`;
	return suiteOf(entry, { name: name ?? made });
}

/** The rules that options say. */
function given({ metric, alpha, margin, seed }: RaceFile): RaceFile {
	return Object.fromEntries(
		Object.entries({ metric, alpha, margin, seed }).filter(([, value]) => value !== undefined),
	) as RaceFile;
}

const shared = ["benchmark", "split", "taskList", "tasks", "repeats", "seed", "scoring"] as const;

/** Settings are compared task by task: what decides the tasks is the same of all. */
function mustShareTasks({ lines, name }: Suite): void {
	const apart = shared.find((field) => new Set(lines.map((line) => JSON.stringify(line[field]))).size > 1);
	if (apart === undefined) return;
	throw usageError(
		"not-one-sweep",
		`the settings of "${name}" differ in ${apart}, and a sweep compares settings on the same tasks`,
		`Give ${apart} one value, or run them as a suite: hopscope run FILE.`,
	);
}

/** At least two settings, none of which is told what is not scored. */
export function mustRace(runs: readonly SuiteRun[], { chunked }: AskedSweep): void {
	if (runs.length < 2)
		throw usageError(
			"one-setting",
			"there is one setting, and nothing to compare it with",
			"Name several values, parted by commas; agents that ask no model are one setting, whatever the models.",
		);
	const told = chunked.answersOnly === undefined ? undefined : runs.find(({ agent }) => agent.needs.gold);
	if (told)
		throw usageError(
			"no-gold",
			`the agent ${told.agent.name} is handed gold evidence, and ${chunked.answersOnly}`,
			"Leave it out, or leave out chunk.",
		);
}
