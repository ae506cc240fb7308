import { resolve } from "node:path";
import { exitCodes, HopscopeError } from "#domain";
import { htmlReport, reportData, terminalReport } from "#reports";
import { openWorkspace, writeWhole } from "#store";
import { type AddCommand, type CommonOptions, withWorkspace } from "../context.ts";
import { openForReport } from "../open.ts";

export const addReport: AddCommand = (program, { output }) =>
	withWorkspace(program.command("report"))
		.description("Show one or several runs: a table in the terminal, or a page that opens without a server")
		.argument("[runs...]", "runs to show; without any, those that exist are listed")
		.option("--html <file>", "write a self-contained page to this file")
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope report
  $ hopscope report RUN-A RUN-B --html report.html`,
		)
		.action(async (names: string[], options: CommonOptions & { html?: string }) => {
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
				const data = await reportData(runs);
				if (options.html) {
					await writeWhole(options.html, await htmlReport(runs, { data }));
					output.say(`report: ${resolve(options.html)}`);
				}
				output.write(
					options.json
						? JSON.stringify({ ...data, ...(options.html ? { report: resolve(options.html) } : {}) })
						: terminalReport(data),
				);
			} finally {
				for (const run of runs) run.close();
			}
		});
