import { noUsage, plainLine, type Usage } from "#domain";
import type { ReportRun } from "#reports";
import { type ExecuteOptions, executeRun, openRun, type RunEnding, type RunEvent, scoreRun } from "#runs";
import { type Context, counted } from "./context.ts";
import { reportRun } from "./open.ts";
import { createProgress, type Progress } from "./progress.ts";

type End = Extract<RunEvent, { event: "run-end" }>;

export type Ending = Pick<End, "done" | "errors" | "used"> &
	RunEnding & {
		/** Attempts whose conversation outgrew the model's context. */
		overflown: number;
		/** The most frequent error, with how often it struck. */
		commonest?: { message: string; count: number };
		/** The run so far, scored. */
		shown: ReportRun;
	};

/** How a run is shown while it goes. */
export interface Watching {
	/** What holds the calls back, if anything does. */
	pace?: () => string;
	money?: Money;
}

/** What sums of money are shown in. Where nothing is known of the price, nothing is said of money. */
export interface Money {
	currency: string | undefined;
	/** The price of what is asked is written down. */
	priced: boolean;
}

/** Drives one run to its end or its interruption and scores what it has, drawing its events as a progress line. */
export async function runAgent(
	run: ExecuteOptions,
	{ output, signal }: Context,
	{ pace, money }: Watching = {},
): Promise<Ending> {
	const label = `${run.manifest.benchmark.name} · ${run.manifest.agent.name}`;
	let progress: Progress | undefined;
	const failures = new Map<string, { message: string; count: number }>();
	let end: End | undefined;
	let used = noUsage;
	let done = 0;
	let total = 0;
	let failed = 0;
	let overflown = 0;
	const errors = () => (failed > 0 ? counted(failed, "error") : "");
	const draw = () =>
		progress?.update(done, total, [errors(), usageLine(used, money), pace?.()].filter(Boolean).join(", "));
	// a terminal shows a wait while it lasts; elsewhere a line that says nothing new is noise
	const clock = output.overwrite ? setInterval(draw, 1000) : undefined;
	for await (const event of watched(executeRun({ ...run, signal }), () => clearInterval(clock))) {
		switch (event.event) {
			case "run-start":
				for (const warning of event.warnings) output.say(warning);
				({ done, total, used } = event);
				progress = createProgress(output, label, { already: done });
				draw();
				break;
			case "task-start":
				break;
			case "task-end":
				done += 1;
				if (event.stop === "error") failed += 1;
				if (event.stop === "context-limit") overflown += 1;
				if (event.error) note(failures, event.error);
				({ used } = event);
				draw();
				break;
			case "run-end":
				end = event;
				break;
		}
	}
	progress?.end();
	const { benchmark, knowledge } = run;
	const recorded = await openRun(run.dir);
	for (const warning of recorded.warnings) output.say(warning);
	const shown = reportRun(recorded, { rows: await scoreRun(recorded, benchmark), benchmark, knowledge });
	const [commonest] = [...failures.values()].sort((a, b) => b.count - a.count);
	return {
		...(end ?? { done, errors: failed, used: recorded.used, reason: "interrupted" }),
		shown,
		overflown,
		...(commonest ? { commonest } : {}),
	};
}

/** Counts a failure among those that differ from it in nothing but a hash. */
function note(failures: Map<string, { message: string; count: number }>, message: string): void {
	const kind = message.replace(/\b[0-9a-f]{32,}\b/g, "…");
	const known = failures.get(kind);
	if (known) known.count += 1;
	else failures.set(kind, { message, count: 1 });
}

/** Passes events on and does something when there are no more, whatever the reason. */
async function* watched<T>(events: AsyncIterable<T>, ended: () => void): AsyncGenerator<T> {
	try {
		yield* events;
	} finally {
		ended();
	}
}

/** `12345 tokens, 0.4200 USD, 30 of 40 calls from kept replies`; empty where no model was asked. */
export function usageLine(
	{ calls, inputTokens, outputTokens, cost = 0, kept = 0 }: Usage,
	{ currency, priced }: Money = { currency: undefined, priced: false },
): string {
	const tokens = inputTokens + outputTokens;
	const money = tokens > 0 && currency !== undefined && (priced || cost > 0);
	return [
		tokens > 0 ? `${tokens} tokens` : calls > kept ? `${counted(calls - kept, "call")}, tokens unknown` : "",
		money ? plainLine(`${cost.toFixed(cost < 1 ? 4 : 2)} ${currency}`) : "",
		kept > 0 ? `${kept} of ${calls} calls from kept replies` : "",
	]
		.filter(Boolean)
		.join(", ");
}
