import { type ExecuteOptions, executeRun, type RunEvent } from "#runs";
import type { Context } from "./context.ts";
import { plain } from "./output.ts";
import { createProgress, type Progress } from "./progress.ts";

type Ending = Pick<Extract<RunEvent, { event: "run-end" }>, "errors" | "interrupted" | "reason">;

/** Drives one run to its end or its interruption, drawing its events as a progress line. */
export async function runAgent(run: ExecuteOptions, { output, signal }: Context): Promise<Ending> {
	const label = `${run.manifest.benchmark.name} · ${run.manifest.agent.name}`;
	let progress: Progress | undefined;
	let ending: Ending = { errors: 0, interrupted: false, reason: "interrupted" };
	let tokens = 0;
	let done = 0;
	let total = 0;
	for await (const event of executeRun({ ...run, signal })) {
		switch (event.event) {
			case "run-start":
				for (const warning of event.warnings) output.say(plain(warning));
				({ done, total } = event);
				progress = createProgress(output, label, { already: done });
				progress.update(done, total);
				break;
			case "task-start":
				break;
			case "task-end":
				done += 1;
				tokens += event.usage.inputTokens + event.usage.outputTokens;
				progress?.update(done, total, tokens > 0 ? `${tokens} tokens` : "");
				break;
			case "run-end":
				ending = event;
				break;
		}
	}
	progress?.end();
	return ending;
}
