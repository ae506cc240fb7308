import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import { Item, itemOf, type Task } from "#domain";
import { aboutOf } from "#recipes";
import { readAllJsonl, type Workspace } from "#store";

/**
 * The items that a benchmark's tasks were: with their checks where the build that made them stands in the workspace, else
 * the tasks themselves, unchecked. A split or another selection of a benchmark has no build of its own: its tasks are found
 * in the one that they were made in, as long as nothing in them was changed.
 */
export async function itemsBehind(workspace: Workspace, { manifest, tasks }: Benchmark): Promise<Item[]> {
	const found = new Map<string, Item>();
	const own = await itemsIn(workspace, manifest.name);
	for (const { id, question } of tasks) {
		const item = own.get(id);
		if (item && item.questions.at(-1)?.text === question) found.set(id, item);
	}
	for (const name of await workspace.list("builds")) {
		if (found.size === tasks.length) break;
		if (name === manifest.name) continue;
		const others = await itemsIn(workspace, name);
		for (const task of tasks) {
			const item = found.has(task.id) ? undefined : others.get(task.id);
			if (item && isUnchanged(task, item)) found.set(task.id, item);
		}
	}
	return tasks.map((task) => found.get(task.id) ?? itemOf(task));
}

async function itemsIn(workspace: Workspace, build: string): Promise<Map<string, Item>> {
	const items = await readAllJsonl(join(workspace.build(build), "items.jsonl"), Item, { ifThere: true });
	return new Map(items.map((item) => [item.id, item]));
}

const isUnchanged = (task: Task, item: Item) => aboutOf(itemOf(task)) === aboutOf(item);
