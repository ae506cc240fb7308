import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Cell, createTools, drawnTasks, inject, injectedVersion, type Observation, type Tools } from "#agents";
import type { Benchmark } from "#benchmarks";
import { InjectedFault, Observability, QueryStyle, RunRecord, type Task, TruthLine, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { canonicalJson, readAllJsonl, readJson, sha256, type Workspace, writeJson, writeJsonl } from "#store";
import type { Bench } from "./work.ts";

/** What became of the tasks that a cell drew. */
const CellCount = z.object({
	fault: InjectedFault,
	observability: Observability,
	style: QueryStyle,
	struck: z.number(),
	missed: z.number(),
	/** Tasks of a shape that the fault cannot strike. */
	unable: z.number(),
});
export type CellCount = z.infer<typeof CellCount>;

export interface MadeRecords {
	records: RunRecord[];
	/** In the order of the records. */
	truths: TruthLine[];
	cells: CellCount[];
}

export interface Wanted {
	cells: readonly Cell[];
	/** Records of each, where there are tasks enough. */
	count: number;
	seed: number;
}

interface Parts {
	workspace: Workspace;
	benchmark: Benchmark;
	knowledge: KnowledgeBase;
	bench: Bench;
}

/** Injected records, made or read again: they depend on nothing but what is asked for, the benchmark and its knowledge. */
export async function keptInjected(wanted: Wanted, { workspace, ...parts }: Parts): Promise<MadeRecords> {
	const { benchmark, knowledge } = parts;
	const of = {
		...wanted,
		version: injectedVersion,
		tasks: benchmark.manifest.hash,
		knowledge: knowledge.manifest.hash,
	};
	const dir = join(workspace.cache("injected"), `${benchmark.manifest.name}-${sha256(canonicalJson(of)).slice(0, 12)}`);
	const [records, truth, cells] = [join(dir, "records.jsonl"), join(dir, "truth.jsonl"), join(dir, "cells.json")];
	if (existsSync(cells))
		return {
			records: await readAllJsonl(records, RunRecord),
			truths: await readAllJsonl(truth, TruthLine),
			cells: await readJson(cells, z.array(CellCount)),
		};
	const made = await injectRecords(wanted, parts);
	await writeJsonl(records, made.records);
	await writeJsonl(truth, made.truths);
	// what is written last says that all is there
	await writeJson(cells, made.cells);
	return made;
}

/**
 * Walks tasks until every cell has `count` records in which its fault struck, or no tasks are left. The same inputs give
 * the same records, whatever other cells are asked for.
 */
async function injectRecords(
	{ cells, count, seed }: Wanted,
	{ benchmark, knowledge, bench }: Omit<Parts, "workspace">,
): Promise<MadeRecords> {
	const { tasks, dir } = benchmark;
	const { signal } = bench;
	const kept = new Map<string, Promise<Observation>>();
	const tools = (task: Task) =>
		remembering(
			createTools(knowledge, viewOf(task), (file) => join(dir, file), { signal }),
			task,
			kept,
		);
	const made: MadeRecords = { records: [], truths: [], cells: [] };
	const progress = bench.progress(`${benchmark.manifest.name}, cells`, { already: 0 });
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
