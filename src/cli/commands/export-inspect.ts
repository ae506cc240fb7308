import { counted } from "#domain";
import { type AddCommand, type CommonOptions, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

/** `hopscope export inspect RUN`: a run as a log that Inspect View opens. */
export const addExportInspect: AddCommand = (exporting, context) =>
	withWorkspace(exporting.command("inspect"))
		.description("A run as a log of Inspect: each answer a sample with its calls, its scores and its diagnosis")
		.argument("<run>", "name in the workspace, or its folder; @last is the latest")
		.requiredOption("-o, --out <file>", "the log to write: .eval, or .json")
		.addHelpText(
			"after",
			`
Repeats are epochs. A sample's messages are its steps as calls of tools with what came back; its events hold what went over the
wire. Scores keep their names; the score "diagnosis" says what one would name first, with the verdict of each hop.

Examples:
  $ hopscope export inspect @last -o logs/run.eval
  $ inspect view --log-dir logs`,
		)
		.action(async (run: string, options: { out: string } & CommonOptions) => {
			const made = await watch(context, options, (bench) => bench.exportInspect(run, { output: options.out }));
			const { output } = context;
			if (options.json) return output.write(JSON.stringify(made));
			const scores = Object.keys(made.scores).length;
			output.write(`${made.run}: ${counted(made.samples, "sample")}, ${counted(scores, "score")}\n${made.to}`);
		});
