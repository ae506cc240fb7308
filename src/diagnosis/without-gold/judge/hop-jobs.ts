import { countName, cut, type Evidence, type GoldFreeLine, type RunRecord, type Task } from "#domain";
import { drawnOrder, hashOf } from "#scoring";
import { actionsAfter, longest, resultsShown } from "../../reader/shown-hop.ts";
import type { ShownSearch } from "./hop-question.ts";
import { keyOfPlace } from "./with-judged.ts";

/** A record with its reading without gold. */
export interface ReadRecord {
	task: Task;
	record: RunRecord;
	line: GoldFreeLine;
}

/** One pseudo-hop to be asked about, as it is shown. */
export interface HopJob {
	/** Which: the record, and the first step. */
	place: Pick<GoldFreeLine, "task" | "repeat" | "attempt"> & { step: number };
	shown: ShownSearch;
	/** SHA-256 over what is shown. */
	hash: string;
}

/**
 * The pseudo-hops that a judge is asked about, in an order drawn by their names alone: those asked before a budget is spent
 * are a fair draw of all. `nothing` counts those with nothing to show, by reason.
 */
export async function hopJobs(
	read: readonly ReadRecord[],
	{ find }: { find(id: string): Promise<Evidence | undefined> },
): Promise<{ jobs: HopJob[]; nothing: Record<string, number> }> {
	const nothing: Record<string, number> = {};
	const jobs: HopJob[] = [];
	for (const { task, record, line } of read) {
		for (const hop of line.hops) {
			const steps = record.trajectory.steps.filter(({ index }) => hop.steps.includes(index));
			const [first] = steps;
			const ids = [...new Set(steps.flatMap(({ results }) => results.map(({ id }) => id)))];
			const results = await resultsShown(ids, find);
			if (!first || results.length === 0) {
				countName(nothing, ids.length === 0 ? "nothing came back" : "no text of what came back is at hand");
				continue;
			}
			const shown: ShownSearch = {
				task: cut(task.question, longest.question),
				question: cut(hop.subQuestion ?? hop.queries.join("\n"), longest.question),
				results: drawnOrder(results, { parts: [line.task], nameOf: ({ id }) => id }),
				actions: actionsAfter(first, record.trajectory),
			};
			const place = { task: line.task, repeat: line.repeat, attempt: line.attempt, step: first.index };
			jobs.push({ place, shown, hash: hashOf(shown) });
		}
	}
	return { jobs: drawnOrder(jobs, { parts: ["pseudo-hops"], nameOf: ({ place }) => keyOfPlace(place) }), nothing };
}
