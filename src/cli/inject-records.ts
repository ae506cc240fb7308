import { join } from "node:path";
import { type Cell, createTools, drawnTasks, inject, type Observation, type Tools } from "#agents";
import type { Benchmark } from "#benchmarks";
import { type RunRecord, type Task, type TruthLine, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { Context } from "./context.ts";
import { createProgress } from "./progress.ts";

/** What became of the tasks that a cell drew. */
export interface CellCount extends Cell {
	struck: number;
	missed: number;
	/** Tasks of a shape that the fault cannot strike. */
	unable: number;
}

export interface InjectedRecords {
	records: RunRecord[];
	/** In the order of the records. */
	truths: TruthLine[];
	cells: CellCount[];
}

/**
 * Walks tasks until every cell has `count` records in which its fault struck, or no tasks are left. The same inputs give
 * the same records, whatever other cells are asked for.
 */
export async function injectRecords(
	{ benchmark, knowledge }: { benchmark: Benchmark; knowledge: KnowledgeBase },
	{ cells, count, seed }: { cells: readonly Cell[]; count: number; seed: number },
	{ output, signal }: Context,
): Promise<InjectedRecords> {
	const { tasks, dir } = benchmark;
	const kept = new Map<string, Promise<Observation>>();
	const tools = (task: Task) =>
		remembering(
			createTools(knowledge, viewOf(task), (file) => join(dir, file), { signal }),
			task,
			kept,
		);
	const made: InjectedRecords = { records: [], truths: [], cells: [] };
	const progress = createProgress(output, `${benchmark.manifest.name}, records`, { already: 0 });
	for (const [place, cell] of cells.entries()) {
		const counts = { ...cell, struck: 0, missed: 0, unable: 0 };
		for (const task of drawnTasks(tasks, cell, seed)) {
			if (counts.struck === count) break;
			signal.throwIfAborted();
			const injected = await inject(task, cell, { tasks, tools, seed, signal });
			if (injected.is === "struck") {
				counts.struck += 1;
				made.records.push(injected.record);
				made.truths.push(injected.truth);
			} else if (injected.is === "missed-its-mark") counts.missed += 1;
			else counts.unable += 1;
		}
		made.cells.push(counts);
		progress.update(place + 1, cells.length);
	}
	progress.end();
	return made;
}

const mostKept = 20_000;

/** Tools that remember what a search brought: the same sound steps are walked again in every cell. */
function remembering(tools: Tools, task: Task, kept: Map<string, Promise<Observation>>): Tools {
	const remembered = (name: "text_search" | "page_search" | "image_search_by_text" | "image_search_by_image") => {
		const search = tools[name] as (call: object) => Promise<Observation>;
		return (call: object) => {
			const image = "image" in call ? task.images[Number(call.image)]?.file : undefined;
			const key = JSON.stringify([name, call, image]);
			const known = kept.get(key);
			if (known) return known;
			if (kept.size >= mostKept) kept.clear();
			const found = search(call);
			kept.set(key, found);
			return found;
		};
	};
	return {
		...tools,
		text_search: remembered("text_search"),
		page_search: remembered("page_search"),
		image_search_by_text: remembered("image_search_by_text"),
		image_search_by_image: remembered("image_search_by_image"),
	};
}
