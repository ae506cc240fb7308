import { basename } from "node:path";
import { exitCodes, HopscopeError } from "#domain";
import { openWorkspace, sha256 } from "#store";
import { type AddCommand, withWorkspace } from "../context.ts";
import { openForReport } from "../open.ts";
import { type ShowOptions, show, withFormat } from "../show.ts";

export const addReport: AddCommand = (program, { output }) =>
	withFormat(withWorkspace(program.command("report")))
		.description("Show one or several runs: a table in the terminal, or a page that opens without a server")
		.argument("[runs...]", "runs to show; without any, those that exist are listed")
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope report
  $ hopscope report RUN-A RUN-B --format html --out report.html`,
		)
		.action(async (names: string[], options: ShowOptions) => {
			const workspace = openWorkspace(options.workspace);
			if (names.length === 0) {
				const runs = await workspace.list("runs");
				if (options.json) return output.write(JSON.stringify({ runs }));
				if (runs.length === 0)
					throw new HopscopeError("no-runs", `there are no runs in ${workspace.dir}`, "Make one: hopscope run …", {
						exitCode: exitCodes.usage,
					});
				return output.write(runs.join("\n"));
			}
			const runs = [];
			try {
				for (const name of names) runs.push(await openForReport(workspace, name, output.say));
				await show(runs, { name: pageName(names), options, output });
			} finally {
				for (const run of runs) run.close();
			}
		});

/** A folder name for the page of these runs: others of as many runs have another. */
function pageName(names: string[]): string {
	const [first = "runs", ...others] = names.map((name) => basename(name));
	return others.length === 0 ? first : `${first}+${others.length}-${sha256(others.join("\n")).slice(0, 6)}`;
}
