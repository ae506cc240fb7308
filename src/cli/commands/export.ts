import { join } from "node:path";
import { formats } from "#benchmarks";
import { counted, exitCodes, HopscopeError } from "#domain";
import type { ExportOptions } from "#workbench";
import { type AddCommand, type CommonOptions, withWorkspace } from "../context.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";
import { addExportCheck } from "./export-check.ts";
import { addExportInspect } from "./export-inspect.ts";
import { addExportOtlp } from "./export-otlp.ts";
import { addExportPreference } from "./export-preference.ts";
import { addExportRetriever } from "./export-retriever.ts";
import { addExportRl } from "./export-rl.ts";
import { addExportSft } from "./export-sft.ts";

/** Conversion warnings told one by one; all stand in export.json. */
const mostWarnings = 10;
const marker = "export.json";

export const addExport: AddCommand = (command, context, exit) => {
	addExportBenchmark(command, context, exit);
	addExportCheck(command, context, exit);
	addExportSft(command, context, exit);
	addExportPreference(command, context, exit);
	addExportRetriever(command, context, exit);
	addExportRl(command, context, exit);
	addExportOtlp(command, context, exit);
	addExportInspect(command, context, exit);
	return command;
};

/** What a command with commands behind it does by itself; its options are theirs to require, so it looks for its own. */
const addExportBenchmark: AddCommand = (command, context, exit) =>
	withTaskChoice(withWorkspace(command))
		.argument("<benchmark>", "name in the workspace, or its folder")
		.option("-f, --format <name>", `one of: ${names().join(", ")}`)
		.option("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.option("-n, --knowledge <name>", "where its evidence is (default: the benchmark's own)")
		.addHelpText(
			"after",
			`
What the format has no place for is told, and stands in ${marker} beside the files. A benchmark that was imported from the same
format is given back as it was, but for what docs/formats.md says of the format.

Examples:
  $ hopscope export atlas --format beir --to atlas-beir
  $ hopscope export morehopqa -f verl -t train
  $ hopscope export atlas -f label-studio -t review`,
		)
		.action(async (name: string, options: Partial<ExportOptions> & CommonOptions) => {
			const { output } = context;
			const { format, to, knowledge } = options;
			if (format === undefined || to === undefined)
				throw new HopscopeError(
					"usage",
					`required option '${format === undefined ? "-f, --format <name>" : "-t, --to <dir>"}' not specified`,
					"hopscope export --help shows examples.",
					{ exitCode: exitCodes.usage },
				);
			const asked = { format, to, knowledge };
			const made = await watch(context, options, (bench) => bench.exportBenchmark(name, asked));
			const { benchmark, files, tasks, rows, losses } = made;
			if (rows === 0) exit(exitCodes.failed);
			for (const warning of losses.slice(0, mostWarnings)) output.say(warning);
			if (losses.length > mostWarnings) output.say(`and ${losses.length - mostWarnings} more, in ${marker}`);
			if (options.json) {
				const told = { benchmark, format: made.format.name, to: made.to, files, rows, losses: losses.length };
				return output.write(JSON.stringify(told));
			}
			output.write(
				`${benchmark}: ${counted(tasks, "task")} as ${counted(rows, "row")} of ${made.format.title}; ${counted(losses.length, "conversion warning")} (in ${marker})`,
			);
			for (const file of files) output.write(join(made.to, file));
		});

const names = () => [
	...Object.values(formats)
		.filter(({ write }) => write !== undefined)
		.map(({ name }) => name),
	"label-studio",
];
