import { openWorkspace } from "#store";
import type { Bench } from "#workbench";
import type { CommonOptions, Context } from "./context.ts";
import { createProgress, createStages } from "./progress.ts";

/** What the application's functions work with, on a command line. */
export function benchOf({ output, signal }: Context, { workspace }: Pick<CommonOptions, "workspace">): Bench {
	return {
		workspace: openWorkspace(workspace),
		environment: process.env,
		signal,
		emit: () => undefined,
		say: output.say,
		progress: (work, options) => createProgress(output, work, options),
		stages: (work) => createStages(output, work),
	};
}
