import type { ReportRun } from "#reports";
import { type ExecuteOptions, executeRun, openRun, type RunEvent, scoreRun } from "#runs";
import type { Context } from "./context.ts";
import { reportRun } from "./open.ts";
import { createProgress, type Progress } from "./progress.ts";

type End = Extract<RunEvent, { event: "run-end" }>;

export interface Ending extends Pick<End, "done" | "errors" | "interrupted" | "reason"> {
	/** The most frequent error, with how often it struck. */
	commonest?: { message: string; count: number };
	/** The run so far, scored. */
	shown: ReportRun;
}

/** Drives one run to its end or its interruption and scores what it has, drawing its events as a progress line. */
export async function runAgent(run: ExecuteOptions, { output, signal }: Context): Promise<Ending> {
	const label = `${run.manifest.benchmark.name} · ${run.manifest.agent.name}`;
	let progress: Progress | undefined;
	const failures = new Map<string, number>();
	let ending: Pick<End, "done" | "errors" | "interrupted" | "reason"> = {
		done: 0,
		errors: 0,
		interrupted: false,
		reason: "interrupted",
	};
	let tokens = 0;
	let done = 0;
	let total = 0;
	for await (const event of executeRun({ ...run, signal })) {
		switch (event.event) {
			case "run-start":
				for (const warning of event.warnings) output.say(warning);
				({ done, total } = event);
				progress = createProgress(output, label, { already: done });
				progress.update(done, total);
				break;
			case "task-start":
				break;
			case "task-end":
				done += 1;
				if (event.error) failures.set(event.error, (failures.get(event.error) ?? 0) + 1);
				tokens += event.usage.inputTokens + event.usage.outputTokens;
				progress?.update(done, total, tokens > 0 ? `${tokens} tokens` : "");
				break;
			case "run-end":
				ending = event;
				break;
		}
	}
	progress?.end();
	const { benchmark, knowledge } = run;
	const recorded = await openRun(run.dir);
	for (const warning of recorded.warnings) output.say(warning);
	const shown = reportRun(recorded, { rows: await scoreRun(recorded, benchmark), benchmark, knowledge });
	const [worst] = [...failures].sort(([, a], [, b]) => b - a);
	return { ...ending, shown, ...(worst ? { commonest: { message: worst[0], count: worst[1] } } : {}) };
}
