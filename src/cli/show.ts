import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { htmlReport, type ReportData, type ReportRun, reportData, terminalReport, viewBuilders } from "#reports";
import { openWorkspace, writeWhole } from "#store";
import type { CommonOptions } from "./context.ts";
import type { Output } from "./output.ts";
import { viewsOf } from "./report-views.ts";

export interface ShowOptions extends CommonOptions {
	format: "text" | "html";
	out?: string;
}

/** The options of commands that show runs. */
export function withFormat(command: Command): Command {
	const format = new Option("-f, --format <format>", "a table, or also a self-contained page");
	return command
		.addOption(format.choices(["text", "html"]).default("text"))
		.option("-o, --out <file>", "where the page goes (default: reports/NAME/index.html in the workspace)");
}

/** Shows runs as a table or as JSON, and where asked as a page; `name` is the page's; `json`, what the JSON line says. */
export async function show(
	runs: ReportRun[],
	{
		name,
		options,
		output,
		json = (data, report) => ({ ...data, ...(report ? { report } : {}) }),
	}: { name: string; options: ShowOptions; output: Output; json?: (data: ReportData, report?: string) => object },
): Promise<void> {
	const data = await reportData(runs);
	let report: string | undefined;
	if (options.format === "html") {
		report = resolve(options.out ?? join(openWorkspace(options.workspace).report(name), "index.html"));
		const { views } = await viewsOf(runs, { builders: viewBuilders.filter(({ slow }) => !slow) });
		await writeWhole(report, await htmlReport(runs, { data, views }));
	}
	if (options.json) return output.write(JSON.stringify(json(data, report)));
	output.write(terminalReport(data, { colour: output.colour === true }));
	if (report) output.write(`report: ${report}`);
}
