import { openWorkbench, type RunEnded, type Work, type Workbench, type WorkEvent } from "#workbench";
import type { CommonOptions, Context } from "./context.ts";
import { endingLines } from "./ending-words.ts";
import { createProgress, type Progress } from "./progress.ts";

/**
 * Does a verb in the workspace of a command line, draws what it tells while it works, and gives its result. `again` is the
 * command that resumes a run that ended early; without it nothing is said of how runs ended.
 */
export async function watch<Result>(
	{ output, signal }: Context,
	{ workspace }: Pick<CommonOptions, "workspace">,
	verb: (workbench: Workbench) => Work<Result>,
	{ again }: { again?: (ended: RunEnded) => string } = {},
): Promise<Result> {
	const work = verb(openWorkbench(workspace, { environment: process.env, signal }));
	const bars = new Map<string, Progress>();
	const drawn = (event: WorkEvent) => {
		switch (event.event) {
			case "note":
				return output.say(event.message);
			case "progress": {
				// away from a terminal a line that says nothing new is noise
				if (event.live && !output.overwrite) return;
				const bar = bars.get(event.work) ?? createProgress(output, event.work, { already: event.already });
				bars.set(event.work, bar);
				return bar.update(event.done, event.total, event.detail);
			}
			case "progress-end":
				bars.get(event.work)?.end();
				bars.delete(event.work);
				return;
			case "run-end":
				if (again) for (const line of endingLines(event.ended, again(event.ended))) output.say(line);
				return;
		}
	};
	const drawing = (async () => {
		for await (const event of work) drawn(event);
	})();
	try {
		return await work;
	} finally {
		await drawing;
		for (const bar of bars.values()) bar.end();
	}
}
