import { benchmarkStatistics, openBenchmark, type StatisticsTable, streamBenchmark } from "#benchmarks";
import type { KnowledgeBase } from "#knowledge";
import type { CountedBenchmark, PublishedTable } from "#reports";
import type { Workspace } from "#store";
import { knowledgeOf } from "./knowledge-of.ts";
import { locate } from "./locate.ts";
import { statisticsCell } from "./words.ts";
import type { Bench } from "./work.ts";

/** What a table of statistics counts of benchmarks, their evidence looked up; whoever takes it closes it. */
export async function countedFor(
	{ statistics = "" }: PublishedTable,
	names: readonly string[],
	{ workspace, knowledge: wanted }: { workspace: Workspace; knowledge?: string | undefined },
): Promise<{ counted: CountedBenchmark[]; close(): Promise<void> }> {
	const opened: KnowledgeBase[] = [];
	const close = async () => {
		for (const one of opened) await one.close();
	};
	try {
		const counted: CountedBenchmark[] = [];
		for (const name of names) {
			const { dir, manifest, tasks } = await openBenchmark(await locate(workspace, "benchmarks", name));
			const knowledge = await knowledgeOf(workspace, { dir, name: manifest.knowledge, wanted });
			if (knowledge) opened.push(knowledge);
			const looked = knowledge && {
				evidence: (id: string) => knowledge.evidence(id),
				counts: countsOf(knowledge),
			};
			counted.push({
				...{ name: manifest.name, tasks },
				async count(some) {
					const tables = await benchmarkStatistics(some, { papers: [statistics], ...looked });
					const rows = tables.find((table) => table.name === statistics)?.rows ?? [];
					return new Map(rows.map(({ what, number }) => [String(what), statisticsCell(number ?? "")]));
				},
			});
		}
		return { counted, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** The statistics tables of a benchmark; `papers` adds those that papers print of their own. */
export async function benchmarkTables(
	name: string,
	{ knowledge: wanted, papers }: { knowledge?: string | undefined; papers?: string[] | undefined },
	{ workspace, say }: Bench,
): Promise<{ benchmark: { name: string; hash: string; tasks: number }; tables: StatisticsTable[] }> {
	const { dir, manifest, tasks } = await streamBenchmark(await locate(workspace, "benchmarks", name));
	const knowledge = await knowledgeOf(workspace, { dir, name: manifest.knowledge, wanted });
	if (!knowledge) say(`there is no knowledge base "${manifest.knowledge}": documents and pages are not counted`);
	try {
		const evidence = knowledge && ((id: string) => knowledge.evidence(id));
		const tables = await benchmarkStatistics(tasks, { papers, evidence, counts: knowledge && countsOf(knowledge) });
		return { benchmark: { name: manifest.name, hash: manifest.hash, tasks: manifest.tasks }, tables };
	} finally {
		await knowledge?.close();
	}
}

/** Where they are all known: a search engine elsewhere may not tell. */
function countsOf({ manifest: { counts } }: KnowledgeBase) {
	const { passage, page, image } = counts;
	return passage === undefined ? undefined : { passage, page, image };
}
