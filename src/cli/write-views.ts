import { extname, join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { renderCsvAll, renderLatexAll, renderMarkdown, renderTerminalAll, type View, viewsPage } from "#reports";
import { type Workspace, writeWhole } from "#store";
import { type Output, terminalOf } from "./output.ts";

export const viewFormats = ["text", "html", "md", "csv", "latex"] as const;
export type ViewFormat = (typeof viewFormats)[number];

/** The options of commands that write tables. */
export const withTables = (command: Command): Command =>
	command
		.addOption(new Option("-f, --format <format>", "how the tables are written").choices(viewFormats).default("text"))
		.option(
			"-o, --out <path>",
			"where they go; without an ending, a folder (default: standard output; a page: reports/ in the workspace)",
		);

interface Written {
	colour: boolean;
	width: number | undefined;
	title: string;
}

const renderers: Record<ViewFormat, (views: readonly View[], options: Written) => string | Promise<string>> = {
	text: renderTerminalAll,
	md: (views) => views.map(renderMarkdown).join("\n"),
	csv: renderCsvAll,
	latex: renderLatexAll,
	html: viewsPage,
};

const endings: Record<ViewFormat, string> = { text: "txt", html: "html", md: "md", csv: "csv", latex: "tex" };

/**
 * Writes tables in a format: to standard output, a file, or as a page; with `json` also what they were made of. `out`
 * without an ending is a folder, with a file for each table.
 */
export async function writeViews(
	views: readonly View[],
	{
		data,
		name,
		workspace,
		options: { format, out, json },
		output,
	}: {
		data: object;
		/** Of the page. */
		name: string;
		workspace: Workspace;
		options: { format: ViewFormat; out?: string; json?: boolean };
		output: Output;
	},
): Promise<void> {
	const plain = { colour: false, width: undefined };
	const render = (some: readonly View[], look: Omit<Written, "title"> = plain) =>
		renderers[format](some, { ...look, title: name });
	const file = out ?? (format === "html" ? join(workspace.report(name), "index.html") : undefined);
	const files: string[] = [];
	const write = async (path: string, some: readonly View[]) => {
		await writeWhole(resolve(path), await render(some));
		files.push(resolve(path));
	};
	if (file !== undefined && extname(file) === "")
		for (const view of views) await write(join(file, `${view.name}.${endings[format]}`), [view]);
	else if (file !== undefined) await write(file, views);
	if (json) {
		const written = files.length === 0 ? {} : { file: files[0], ...(files.length > 1 ? { files } : {}) };
		return output.write(JSON.stringify({ ...data, views, ...written }));
	}
	if (file === undefined) return output.write(await render(views, terminalOf(output)));
	output.write(files.map((path) => `tables: ${path}`).join("\n"));
}
