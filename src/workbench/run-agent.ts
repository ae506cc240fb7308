import { counted, errorKind, noUsage, type Usage } from "#domain";
import { isSummarised, type ReportRun } from "#reports";
import { type ExecuteOptions, executeRun, openRun, type RunEvent, readManifest, scoreRun, scoringOf } from "#runs";
import type { Scorer } from "#scoring";
import { keepScores } from "./keep-scores.ts";
import { matchFound } from "./match-searched.ts";
import { reportRun } from "./open.ts";
import { recordedIn } from "./recorded-in.ts";
import { countFigures, countRun } from "./run-counts.ts";
import type { SummarisedHere } from "./summarised-run.ts";
import { type Money, usageLine } from "./usage-line.ts";
import type { Bench, Progress, RunEnded } from "./work.ts";

/** What is told of a run while it goes. */
export interface Watching {
	/** What holds the calls back, if anything does. */
	pace?: () => string;
	money?: Money;
	/** Scorers beside the registered ones. */
	scorers?: readonly Scorer[];
	/** What its progress is called. */
	work?: string;
}

export interface RunShown {
	ended: RunEnded;
	/** For its report. */
	shown: ReportRun | SummarisedHere;
	/** With its records. */
	whole(): Promise<ReportRun>;
}

/** Drives one run to its end or its interruption, tells how far it is, and scores what it has. */
export async function runAgent(
	run: ExecuteOptions,
	bench: Bench,
	{ pace, money, scorers = [], work: called }: Watching = {},
): Promise<RunShown> {
	const { manifest, benchmark } = run;
	const work = called ?? `${manifest.benchmark.name} · ${manifest.agent.name}`;
	let progress: Progress | undefined;
	const failures = new Map<string, { message: string; count: number }>();
	let end: Extract<RunEvent, { event: "run-end" }> | undefined;
	let used: Usage = noUsage;
	let done = 0;
	let total = 0;
	let failed = 0;
	let overflown = 0;
	const tell = (options?: { live: boolean }) => {
		const errors = failed > 0 ? counted(failed, "error") : "";
		progress?.update(done, total, [errors, usageLine(used, money), pace?.()].filter(Boolean).join(", "), options);
	};
	// somebody who sees it change is told of a wait while it lasts
	const clock = setInterval(() => tell({ live: true }), 1000);
	try {
		for await (const event of executeRun({ recorded: () => recordedIn(run.dir), ...run, signal: bench.signal })) {
			switch (event.event) {
				case "run-start":
					for (const warning of event.warnings) bench.say(warning);
					({ done, total, used } = event);
					progress = bench.progress(work, { already: done });
					tell();
					break;
				case "task-start":
					break;
				case "task-end":
					done += 1;
					if (event.stop === "error") failed += 1;
					if (event.stop === "context-limit") overflown += 1;
					if (event.error) note(failures, event.error);
					({ used } = event);
					tell();
					break;
				case "run-end":
					end = event;
					break;
			}
		}
	} finally {
		clearInterval(clock);
	}
	progress?.end();
	await matchFound(run, bench);
	const shown = (scorers.length === 0 && (await figuresOf(run, bench))) || (await scoredWhole(run, { scorers }, bench));
	const [commonest] = [...failures.values()].sort((a, b) => b.count - a.count);
	const ended: RunEnded = {
		run: manifest.id,
		overflown,
		...(end ?? { done, errors: failed, used, reason: "interrupted" }),
		...(commonest ? { commonest } : {}),
	};
	bench.emit({ event: "run-end", ended });
	return {
		ended,
		shown,
		async whole() {
			if (!isSummarised(shown)) return shown;
			const { records } = await openRun(run.dir);
			const rows = shown.items.flatMap(({ row }) => row ?? []);
			return reportRun({ manifest: shown.manifest, records }, { rows, benchmark, knowledge: run.knowledge });
		},
	};
}

/** The figures of what is recorded, scored and diagnosed; undefined where lines of it cannot be read. */
async function figuresOf(
	{ dir, benchmark, knowledge }: ExecuteOptions,
	bench: Bench,
): Promise<SummarisedHere | undefined> {
	const read = await readManifest(dir);
	const manifest = { ...read, scoring: scoringOf(read, benchmark) };
	const evidence = (id: string) => knowledge.evidence(id);
	const shown = await keepScores({ dir, manifest, benchmark, evidence }, bench);
	if (shown) await countFigures(shown, bench.workspace);
	return shown;
}

/** As `figuresOf`, with scorers of the user's own, which may read all of a record. */
async function scoredWhole(
	{ dir, benchmark, knowledge }: ExecuteOptions,
	{ scorers }: { scorers: readonly Scorer[] },
	{ say, workspace }: Bench,
): Promise<ReportRun> {
	const recorded = await openRun(dir);
	for (const warning of recorded.warnings) say(warning);
	const rows = await scoreRun(recorded, benchmark, { scorers, evidence: (id) => knowledge.evidence(id) });
	await countRun(recorded, workspace);
	return reportRun(recorded, { rows, benchmark, knowledge, scorers });
}

/** Counts a failure among those that differ from it in nothing but ids and hashes. */
function note(failures: Map<string, { message: string; count: number }>, message: string): void {
	const kind = errorKind(message);
	const known = failures.get(kind);
	if (known) known.count += 1;
	else failures.set(kind, { message, count: 1 });
}
