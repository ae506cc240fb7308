import type { PublishedTable, ReportRun } from "#reports";
import type { Workspace } from "#store";
import { type CommonOptions, next } from "./context.ts";

/** What stands between a table and our own rows in it, in words; empty where there are any and nothing is missing. */
export interface Missing {
	/** What tasks are needed, and which benchmarks the workspace has. */
	benchmark?: { needs: string; there: string[] };
	model?: string;
	/** The rubric that no judge has judged by. */
	judge?: string;
	/** What would be typed. */
	commands: string[];
}

export async function missingFor(
	table: PublishedTable,
	{ runs, workspace }: { runs: readonly ReportRun[]; workspace: Workspace },
): Promise<Missing> {
	const { needs, rubric, statistics } = table;
	if (runs.length > 0) {
		const unjudged = runs.every(({ verdicts = [] }) => verdicts.every(({ judge }) => judge.rubric !== rubric));
		if (rubric === undefined || !unjudged) return { commands: [] };
		const ids = runs.map(({ manifest }) => manifest.id);
		return { judge: rubric, commands: [`reproduce ${table.name} --runs ${ids.join(" ")} --judge openai:NAME`] };
	}
	const there = await workspace.list("benchmarks");
	const [first = "NAME"] = there;
	if (statistics !== undefined)
		return {
			benchmark: { needs: needs.benchmark, there },
			commands: [`reproduce ${table.name} --benchmark ${first}`],
		};
	const judge = rubric === undefined ? "" : " --judge openai:OTHER";
	return {
		benchmark: { needs: needs.benchmark, there },
		model: needs.model,
		...(rubric === undefined ? {} : { judge: rubric }),
		commands: [
			`reproduce ${table.name} --benchmark ${first} --model openai:NAME${judge}`,
			`reproduce ${table.name} --benchmark ${first} --agent extractive`,
			`reproduce ${table.name} --runs RUN…`,
		],
	};
}

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
