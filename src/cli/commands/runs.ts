import type { Command } from "commander";
import { counted, plainLine, usageError } from "#domain";
import type { RunFilter, RunSummary } from "#workbench";
import { type AddCommand, type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { percent, textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope runs`: the runs of a workspace; behind it what removes and tags them. */
export const addRuns: AddCommand = (command, context) => {
	withWorkspace(command)
		.option("-b, --benchmark <name>", "only runs over this benchmark")
		.option("-a, --agent <name>", "only runs of this agent")
		.option("--tag <tag>", "only runs with this tag")
		.option("--all", "re-runs with an intervention too: their scores are none of the agent's")
		.addHelpText(
			"after",
			`
Those begun last come first. Wherever a run is named, the beginning of its id does where only one begins so, and @last is
the one begun last.

Examples:
  $ hopscope runs
  $ hopscope runs --benchmark atlas --tag paper --json
  $ hopscope runs tag @last paper
  $ hopscope runs rm atlas-extractive-20261121-143012-ab12`,
		)
		.action(async (options: RunFilter & CommonOptions) => {
			const { output } = context;
			const { runs, hidden } = await watch(context, options, (bench) => bench.runs(options));
			if (options.json) return output.write(JSON.stringify({ runs }));
			if (runs.length > 0) output.write(listed(runs, output.columns ?? usualWidth).join("\n"));
			else output.say("there is no such run");
			if (hidden > 0) output.say(`${counted(hidden, "re-run")} with an intervention: --all lists them too`);
			sayNext(context, runs.length > 0 ? `report ${runs[0]?.id}` : "run --benchmark NAME --agent NAME", options);
		})
		.enablePositionalOptions();
	addRemove(command, context);
	addTags(command, context, "tag");
	addTags(command, context, "untag");
	return command;
};

function addRemove(runs: Command, context: Context): void {
	withWorkspace(runs.command("rm"))
		.description("Remove runs with their re-runs and all that was scored, judged, diagnosed and shown of them")
		.argument("<runs...>", "whole ids; the beginning of one does not do")
		.option("-y, --yes", "remove several")
		.addHelpText(
			"after",
			`
Its re-runs with an intervention go with it, and its own pages in reports/; pages of several runs stay. A run that a
process is writing is refused.

Example:
  $ hopscope runs rm atlas-extractive-20261121-143012-ab12`,
		)
		.action(async (ids: string[], options: CommonOptions & { yes?: boolean }) => {
			if (ids.length > 1 && !options.yes)
				throw usageError("usage", `${ids.length} runs are to be removed`, "Add --yes if all of them are meant.");
			const made = await watch(context, options, (bench) => bench.removeRuns(ids));
			context.output.write(options.json ? JSON.stringify(made) : made.removed.map((id) => `removed ${id}`).join("\n"));
		});
}

function addTags(runs: Command, context: Context, verb: "tag" | "untag"): void {
	withWorkspace(runs.command(verb))
		.description(verb === "tag" ? "Give a run tags, to find it by" : "Take tags from a run")
		.argument("<run>", "a run: its name in the workspace or its folder")
		.argument("<tags...>", "words of letters, digits, dots, dashes and colons")
		.addHelpText("after", `\nExample:\n  $ hopscope runs ${verb} @last paper baseline`)
		.action(async (name: string, tags: string[], options: CommonOptions) => {
			const change = verb === "tag" ? { add: tags } : { remove: tags };
			const tagged = await watch(context, options, (bench) => bench.tagRun(name, change));
			context.output.write(
				options.json ? JSON.stringify(tagged) : `${tagged.run}: ${tagged.tags.join(", ") || "no tags"}`,
			);
		});
}

const usualWidth = 100;

/** One line a run where ids leave room for the rest, else its id on a line of its own. */
function listed(runs: readonly RunSummary[], width: number): string[] {
	const head = ["run", "begun", "agent", "model", "benchmark", "done", "accuracy", "cost", "tags"];
	const rows = runs.map((run) => [
		run.id,
		plainLine(run.at.slice(0, 16).replace("T", " ")),
		plainLine(run.intervention ? `${run.agent}, ${run.intervention.what}` : run.agent),
		plainLine(run.model ?? ""),
		plainLine(run.benchmark),
		`${run.done}/${run.total}${run.errors > 0 ? `, ${counted(run.errors, "error")}` : ""}`,
		run.accuracy === null ? "–" : percent(run.accuracy),
		costOf(run),
		run.tags.join(" "),
	]);
	const used = head.flatMap((_, column) => (rows.some((row) => row[column] !== "") ? [column] : []));
	const table = [head, ...rows].map((row) => used.map((column) => row[column] ?? ""));
	const left = used.flatMap((column, place) => ([0, 1, 2, 3, 4, 8].includes(column) ? [place] : []));
	const lines = textTable(table, { left, whole: [0, 1], width });
	if (lines.every((line) => line.length <= width)) return lines;
	const rest = textTable(
		table.map((row) => row.slice(1)),
		{ left: left.slice(1).map((column) => column - 1), whole: [0], width: width - 2 },
	);
	return table.flatMap(([id = ""], at) => [id, `  ${rest[at]}`]);
}

/** Money, or tokens where no price is written down; nothing where no model was asked. */
function costOf({ usage, currency }: RunSummary): string {
	const { cost, inputTokens, outputTokens } = usage;
	if (cost !== undefined) return `${cost.toFixed(cost < 1 ? 4 : 2)} ${currency ?? ""}`.trim();
	const tokens = inputTokens + outputTokens;
	return tokens > 0 ? `${tokens} tokens` : "";
}
