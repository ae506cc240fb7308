import type { Task } from "#domain";
import { countTables } from "./counts.ts";
import { type EvidenceFact, taskFacts } from "./facts.ts";
import { overviewTable } from "./overview.ts";
import { type KnowledgeCounts, paperTables } from "./papers.ts";
import type { StatisticsTable } from "./table.ts";

/**
 * The statistics of a benchmark as tables: our own overview and counts, and, of the papers named, their own tables with
 * this benchmark's numbers. `evidence` looks up the gold evidence; without it documents and pages are not counted.
 * `counts` are those of the whole knowledge base.
 */
export async function benchmarkStatistics(
	tasks: Iterable<Task> | AsyncIterable<Task>,
	{
		papers = [],
		evidence,
		counts,
	}: {
		papers?: readonly string[] | undefined;
		evidence?: ((id: string) => Promise<EvidenceFact | undefined>) | undefined;
		counts?: KnowledgeCounts | undefined;
	} = {},
): Promise<StatisticsTable[]> {
	const facts = await taskFacts(tasks, evidence);
	const named = paperTables.filter(({ paper }) => papers.includes(paper));
	return [overviewTable(facts), ...countTables(facts), ...named.map((table) => table.of(facts, counts))];
}
