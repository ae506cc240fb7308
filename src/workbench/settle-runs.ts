import { isSpec } from "#agents";
import { askedOf, canBeSettled, planSettling, type Rerun, type SettlingOptions, settlingSize } from "#diagnosis";
import { addUsage, type Diagnosis, evenly, type FindingKind, noUsage, type Usage } from "#domain";
import type { ReportRun } from "#reports";
import { openRun, reachedEnd, scoreRecords } from "#runs";
import type { Workspace } from "#store";
import { withKnown, writeFindings } from "./findings-file.ts";
import { carryOut, itemsOf, type PlannedRerun, planReruns, type Reopened, type Session } from "./intervene-runs.ts";
import { reportRun } from "./open.ts";
import { withKnownReadings } from "./reading-file.ts";
import type { Watching } from "./run-agent.ts";
import { type Bounds, boundsLeft } from "./run-options.ts";
import type { Bench, RunEnded } from "./work.ts";

/** What settling a run works with. */
export interface SettleInput {
	opened: Reopened;
	workspace: Workspace;
	/** The run itself, scored. */
	shown: ReportRun;
	/** Of all its records, by the rules alone. */
	diagnoses: readonly Diagnosis[];
	/** How often each question is asked; without it 3 times where the agent samples, once where it does not. */
	repeats?: number | undefined;
	/** Only the records of at most so many tasks, evenly spread. */
	most?: number | undefined;
}

/** Repeats of a question to an agent that samples. */
const usualRepeats = 3;

interface Asking extends Pick<SettlingOptions, "control" | "paired"> {
	repeats: number;
}

/**
 * An agent by rules says the same again: it needs no control, and each repeat speaks for its own record. What asks a model,
 * or may, is asked again without a change first, and several times unless its temperature is 0.
 */
function askingOf({ opened: { agent, model, base }, repeats: said }: SettleInput): Asking {
	const control = model !== undefined || isSpec(agent.name);
	const samples = control && base.manifest.setting.temperature !== 0;
	const repeats = said ?? (samples ? usualRepeats : 1);
	return repeats > 1 ? { control, paired: false, repeats } : { control, paired: true, repeats: base.manifest.repeats };
}

/** The records that are to be settled. */
function chosen({ shown, diagnoses, most = Number.POSITIVE_INFINITY }: SettleInput): Diagnosis[] {
	const able = diagnoses.filter(canBeSettled);
	const named = new Set(able.map(({ task }) => task));
	const wanted = new Set(
		evenly(
			shown.manifest.tasks.filter((id) => named.has(id)),
			most,
		),
	);
	return able.filter(({ task }) => wanted.has(task));
}

/** Asks round after round, since every prefix depends on what the last one said, until `ask` ends it or nothing is left. */
async function inRounds(
	input: SettleInput,
	ask: (round: readonly PlannedRerun[]) => Promise<{ shown: readonly ReportRun[]; ended: boolean }>,
): Promise<Rerun[]> {
	const { repeats, ...asking } = askingOf(input);
	const { opened, workspace, shown } = input;
	const diagnoses = chosen(input);
	const reruns: Rerun[] = [];
	const seen = new Set<string>();
	for (;;) {
		const plans = planSettling(diagnoses, { ...asking, tasks: shown.tasks, reruns });
		const round = (await planReruns(plans, { ...opened, workspace, repeats })).filter(
			({ manifest }) => !seen.has(manifest.id),
		);
		if (round.length === 0) return reruns;
		for (const { manifest } of round) seen.add(manifest.id);
		const made = await ask(round);
		for (const run of made.shown) {
			const { intervention } = run.manifest;
			if (intervention) reruns.push({ what: intervention.what, items: itemsOf(run) });
		}
		if (made.ended) return reruns;
	}
}

/** What settling still takes; what earlier calls asked is counted off. */
export interface SettlePlan {
	run: string;
	/** Failed records with hops whose reading nothing shows. */
	failures: number;
	/** Of them, those of which every question is answered. */
	done: number;
	/** Prefixes to be asked, at most and where each of a record's hops is equally likely to have broken. */
	reruns: { most: number; expected: number };
	/** Records to be asked again without a change. */
	control: number;
	/** How often each is asked. */
	repeats: number;
	answers: { most: number; expected: number };
	/** Of the model; expected as the run's own answers to these tasks took. Null where that is not known. */
	calls: { most: number | null; expected: number } | null;
	cost: { currency: string; expected: number } | null;
}

export async function planSettle(input: SettleInput): Promise<SettlePlan> {
	const { opened, shown } = input;
	const { agent, model, benchmark, knowledge, base } = opened;
	const asking = askingOf(input);
	const known = await inRounds(input, async (round) => ({
		shown: await Promise.all(
			round.map(async ({ manifest, dir, done }) => {
				const records = done > 0 ? (await openRun(dir)).records : [];
				const run = { manifest, records };
				return reportRun(run, { rows: scoreRecords(run, benchmark), benchmark, knowledge });
			}),
		),
		ended: false,
	}));
	const tasks = new Map(shown.tasks.map((task) => [task.id, task]));
	const usages = new Map(shown.records.map(({ task, repeat, trajectory }) => [`${repeat} ${task}`, trajectory.usage]));
	const sizes = chosen(input).flatMap((diagnosis) => {
		const task = tasks.get(diagnosis.task);
		if (!task) return [];
		const asked = askedOf(diagnosis, { ...asking, task, reruns: known });
		const { most, expected, control } = settlingSize(diagnosis, { ...asking, asked });
		const again = control ? 1 : 0;
		const usage = usages.get(`${diagnosis.repeat} ${diagnosis.task}`) ?? noUsage;
		return [{ most, expected, again, usage, answers: (expected + again) * asking.repeats }];
	});
	const sum = (of: (size: (typeof sizes)[number]) => number) => sizes.reduce((total, size) => total + of(size), 0);
	const most = sum((size) => size.most);
	const expected = sum((size) => size.expected);
	const control = sum((size) => size.again);
	const answers = { most: (most + control) * asking.repeats, expected: (expected + control) * asking.repeats };
	const callsEach = model ? agent.card?.mostCalls(base.manifest.setting) : undefined;
	const { price } = base.manifest;
	return {
		...{ run: base.manifest.id, failures: sizes.length, done: sizes.filter((size) => size.most === 0).length },
		...{ reruns: { most, expected }, control, repeats: asking.repeats, answers },
		calls: model
			? {
					most: callsEach === undefined ? null : callsEach * answers.most,
					expected: sum(({ usage, answers: given }) => usage.calls * given),
				}
			: null,
		cost: price ? { currency: price.currency, expected: sum((size) => (size.usage.cost ?? 0) * size.answers) } : null,
	};
}

/** What settling came to; as plain JSON. */
export interface Settled {
	run: string;
	failures: number;
	/** Of them: settled, right when only asked again, and neither. */
	settled: number;
	byItself: number;
	open: number;
	/** The settled, by what is named first of them now. */
	named: Partial<Record<FindingKind, number>>;
	/** Prefixes asked of a failure, on average. */
	perFailure: number;
	records: ({ task: string; repeat: number } & Pick<
		Diagnosis,
		"settling" | "primary" | "firstBroken" | "unobserved"
	>)[];
	reason: Session["reason"];
	used: Usage;
	findings: string;
}

/**
 * Settles what is unobserved in the failed records of a run, and keeps the outcome with its findings. Budgets are those of
 * all re-runs together; given again it asks nothing twice.
 */
export async function settleRun(
	input: SettleInput,
	{ bounds, watching }: { bounds: Bounds; watching: Watching },
	bench: Bench,
): Promise<{ told: Settled; ended: RunEnded[] }> {
	const ended: RunEnded[] = [];
	const { opened, shown, diagnoses } = input;
	const asking = askingOf(input);
	const started = performance.now();
	let [used, reason]: [Usage, Session["reason"]] = [noUsage, "complete"];
	const reruns = await inRounds(input, async (round) => {
		const left = boundsLeft(bounds, { elsewhere: used, ms: performance.now() - started });
		const session = await carryOut(round, { opened, bounds: left, watching }, bench);
		ended.push(...session.ended);
		used = addUsage(used, session.used);
		reason = session.reason;
		return { shown: session.shown, ended: !reachedEnd({ reason }) };
	});
	const wanted = new Set(chosen(input));
	const joined = await withKnown(opened.base.dir, diagnoses, {
		tasks: shown.tasks,
		asked: (diagnosis, task) => (wanted.has(diagnosis) ? askedOf(diagnosis, { ...asking, task, reruns }) : []),
	});
	const { say } = bench;
	const kept = await withKnownReadings(joined, { dir: opened.base.dir, tasks: shown.tasks, say });
	const findings = await writeFindings(opened.base.dir, kept.diagnoses);
	const records = joined.filter((_, at) => diagnoses[at] && wanted.has(diagnoses[at]));
	const settledSo = (is: NonNullable<Diagnosis["settling"]>["is"]) =>
		records.filter(({ settling }) => settling?.is === is).length;
	const named: Settled["named"] = {};
	for (const { settling, primary } of records)
		if (settling?.is === "settled" && primary !== null) named[primary] = (named[primary] ?? 0) + 1;
	const prefixes = records.flatMap(({ settling }) => settling?.asked.filter(({ upTo }) => upTo !== null) ?? []);
	const [settled, byItself] = [settledSo("settled"), settledSo("by-itself")];
	return {
		told: {
			run: opened.base.manifest.id,
			failures: records.length,
			settled,
			byItself,
			open: records.length - settled - byItself,
			named,
			perFailure: records.length === 0 ? 0 : prefixes.length / records.length,
			records: records.map(({ task, repeat, settling, primary, firstBroken, unobserved }) => {
				return { task, repeat, settling, primary, firstBroken, unobserved };
			}),
			reason,
			used,
			findings,
		},
		ended,
	};
}
