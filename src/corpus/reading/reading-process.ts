/**
 * A process that reads: what a hostile file brings down is this process and not the command. It is told what to read over
 * the channel to its parent, and ends when the parent does.
 */
import { type ReadingTask, run } from "./reading-task.ts";

process.on("message", (task: ReadingTask) => {
	process.send?.({ at: { file: 0 } });
	run(task, { begin: (at) => void process.send?.({ at }) }).then(
		(value) => process.send?.({ value }),
		(error: unknown) => process.send?.({ problem: error instanceof Error ? error.message : String(error) }),
	);
});
process.on("disconnect", () => process.exit());
