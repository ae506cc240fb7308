import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import { Item, itemOf } from "#domain";
import { readJsonl, type Workspace } from "#store";

/**
 * The items that a benchmark's tasks were: with their checks where the build that made them stands in the workspace, else
 * the tasks themselves, unchecked.
 */
export async function itemsBehind(workspace: Workspace, { manifest, tasks }: Benchmark): Promise<Item[]> {
	const file = join(workspace.build(manifest.name), "items.jsonl");
	const built = new Map<string, Item>();
	if (existsSync(file)) for await (const item of readJsonl(file, Item)) built.set(item.id, item);
	return tasks.map((task) => {
		const item = built.get(task.id);
		return item && item.questions.at(-1)?.text === task.question ? item : itemOf(task);
	});
}
