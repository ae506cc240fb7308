import type { PublishedTable, ReportRun } from "#reports";
import type { Workspace } from "#store";

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
