import type { PublishedTable } from "#reports";
import type { Missing } from "#workbench";
import { type CommonOptions, next } from "./context.ts";

/** The same for a person, a line each. */
export function missingWords(table: PublishedTable, missing: Missing, options: CommonOptions): string[] {
	const { benchmark, model, judge, commands } = missing;
	if (commands.length === 0) return [];
	const there = benchmark?.there.slice(0, 10).join(", ") || "none; hopscope make atlas makes the sample";
	return [
		benchmark ? `${table.name} has no rows of ours yet. For them it takes` : "What is missing:",
		...(benchmark ? [`- ${benchmark.needs}; in the workspace: ${there}`] : []),
		...(model ? [`- ${model}`] : []),
		...(judge ? [`- a judge by the rubric ${judge}; without it those cells stay unscored`] : []),
		"Type one of:",
		...commands.map((command) => `$ ${next(command, options)}`),
	];
}
