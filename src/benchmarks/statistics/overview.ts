import { waitingIn } from "#domain";
import type { TaskFacts } from "./facts.ts";
import { listTable, meanCell, medianCell, outOf, type StatisticsCell, type StatisticsTable } from "./table.ts";

/** Everything that can be counted of any benchmark. */
export function overviewTable(facts: readonly TaskFacts[]): StatisticsTable {
	const tasks = facts.length;
	const withChain = facts.filter(({ hops }) => hops !== undefined);
	const hops = withChain.flatMap((fact) => fact.hops ?? []);
	const images = new Set(facts.flatMap(({ task }) => task.images.map(({ sha256 }) => sha256)));
	const series = new Map<string, number>();
	for (const { task } of facts)
		if (task.ladder) series.set(task.ladder.id, Math.max(series.get(task.ladder.id) ?? 0, task.ladder.level));
	const clusters = new Set(facts.map(({ task }) => task.cluster ?? task.ladder?.id ?? `task ${task.id}`));
	const noKnowledge: StatisticsCell = { none: "needs the knowledge base" };
	const known = facts.every(({ documents }) => documents !== undefined);
	const union = (part: "documents" | "pages") => new Set(facts.flatMap((fact) => [...(fact[part] ?? [])])).size;
	const withPages = facts.flatMap(({ pages }) => (pages && pages.length > 0 ? [pages.length] : []));
	const lengths = (of: "questionWords" | "answerWords") => facts.map((fact) => fact[of]);
	return listTable(
		{
			name: "overview",
			title: "Overview",
			describe:
				"Hops are those that retrieve. Pages are counted of tasks that have any. Words stand between spaces; of scripts without spaces characters are counted.",
			source: "our own",
		},
		[
			["tasks", tasks],
			["different questions", new Set(facts.map(({ task }) => task.question)).size],
			["tasks with a chain", outOf(withChain.length, tasks)],
			["hops, mean", meanCell(hops, "chain")],
			["hops, most", hops.length > 0 ? hops.reduce((most, one) => Math.max(most, one), 0) : { none: "no chain" }],
			["question length in words, mean", meanCell(lengths("questionWords"), "task")],
			["question length in words, median", medianCell(lengths("questionWords"), "task")],
			["answer length in words, mean", meanCell(lengths("answerWords"), "task")],
			["answer length in words, median", medianCell(lengths("answerWords"), "task")],
			["tasks with images", outOf(facts.filter(({ task }) => task.images.length > 0).length, tasks)],
			["different question images", images.size],
			...waitingRows(facts),
			["different answers, hops' included", entitiesOf(facts).size],
			["gold evidence", new Set(facts.flatMap(({ evidence }) => [...evidence])).size],
			["gold documents", known ? union("documents") : noKnowledge],
			["gold pages", known ? union("pages") : noKnowledge],
			["evidence pages a task, mean", known ? meanCell(withPages, "task with pages") : noKnowledge],
			["nested question series", series.size],
			["levels of a nested question series, mean", meanCell([...series.values()], "series")],
			["clusters", clusters.size],
			["unanswerable tasks", outOf(facts.filter(({ task }) => task.answer.type === "none").length, tasks)],
			["answers with a date (asOf)", outOf(facts.filter(({ task }) => task.answer.asOf !== undefined).length, tasks)],
		],
	);
}

/** What is still to be attached, where anything is. */
function waitingRows(facts: readonly TaskFacts[]): [string, StatisticsCell][] {
	const { tasks, images, pages, passages } = waitingIn(facts.map(({ task }) => task));
	if (tasks === 0) return [];
	return [
		["tasks waiting for evidence", outOf(tasks, facts.length)],
		["images waited for", images],
		["texts waited for", pages + passages],
	];
}

/** Names that hops and tasks answer with: what the papers call the entities involved, as far as records tell. */
export function entitiesOf(facts: readonly TaskFacts[]): Set<string> {
	return new Set(facts.flatMap(({ names }) => names));
}
