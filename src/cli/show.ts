import { type Command, Option } from "commander";
import { type ReportData, terminalReport } from "#reports";
import type { ShownRuns } from "#workbench";
import type { CommonOptions } from "./context.ts";
import { type Output, terminalOf } from "./output.ts";

export interface ShowOptions extends CommonOptions {
	format: "text" | "html";
	out?: string;
}

/** The options of commands that show runs. */
export function withFormat(command: Command): Command {
	const format = new Option("-f, --format <format>", "a table, or also the studio's pages as a folder");
	return command
		.addOption(format.choices(["text", "html"]).default("text"))
		.option("-o, --out <folder>", "where the pages go (default: reports/NAME in the workspace)");
}

/** Whether a page is asked for, and where it goes. */
export const pageOf = ({ format, out }: Pick<ShowOptions, "format" | "out">): boolean | string =>
	format === "html" && (out ?? true);

/** Shows runs as a table or as JSON, with the page that was written; `json` is what the JSON line says. */
export function show(
	{ data, report }: ShownRuns,
	{
		options,
		output,
		json = (shown, page) => ({ ...shown, ...(page ? { report: page } : {}) }),
	}: { options: Pick<CommonOptions, "json">; output: Output; json?: (data: ReportData, report?: string) => object },
): void {
	if (options.json) {
		output.write(JSON.stringify(json(data, report)));
		return;
	}
	output.write(terminalReport(data, terminalOf(output)));
	if (report) output.write(`report: ${report}`);
}
