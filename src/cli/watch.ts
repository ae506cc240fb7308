import { openWorkbench, type Work, type Workbench, type WorkEvent } from "#workbench";
import type { CommonOptions, Context } from "./context.ts";
import { createProgress, type Progress } from "./progress.ts";

/**
 * Does a verb in the workspace of a command line, draws what it tells while it works, and gives its result. How runs ended
 * is told behind their tables (`sayEndings`).
 */
export async function watch<Result>(
	{ output, signal }: Context,
	{ workspace }: Pick<CommonOptions, "workspace">,
	verb: (workbench: Workbench) => Work<Result>,
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
