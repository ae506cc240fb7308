/** The planned answers of a run with the scores that its columns hold, as statistics take them. */
import { type RunManifest, type ScoreRow, scored, type Task, unscored } from "#domain";
import type { ScoredItem } from "#scoring";
import type { RunTable } from "./run-table.ts";
import { valueAt } from "./table.ts";

/** `line` is its row in the table; undefined where it was not answered yet. */
export type Item = ScoredItem & { line: number | undefined };

/** Every planned answer. Of many scores `names` are those that are wanted: all by default. */
export function scoredItems(
	{ tasks: planned, repeats }: Pick<RunManifest, "tasks" | "repeats">,
	{ table, tasks }: { table: RunTable; tasks: ReadonlyMap<string, Task> },
	names: readonly string[] = [...table.numbers.keys()],
): Item[] {
	const outcome = table.categories.get("outcome");
	const columns = names.map((name) => [name, table.numbers.get(name)] as const);
	const scoresAt = (row: number): ScoreRow["scores"] =>
		Object.fromEntries(
			columns.map(([name, values]) => {
				const value = values?.[row] ?? Number.NaN;
				return [name, Number.isNaN(value) ? unscored("not scored") : scored(value)];
			}),
		);
	return planned.flatMap((id) => {
		const task = tasks.get(id);
		if (!task) return [];
		return Array.from({ length: repeats }, (_, repeat): Item => {
			const line = table.rowOf(id, repeat);
			const ended = line === undefined || !outcome ? null : valueAt(outcome, line);
			if (line === undefined || ended === null) return { task, line };
			const row = { version: 1, task: id, repeat, attempt: 0, scorer: "", outcome: ended, scores: scoresAt(line) };
			return { task, line, row: row as ScoreRow };
		});
	});
}
