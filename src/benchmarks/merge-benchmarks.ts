import { type BenchmarkManifest, plainLine, type Task } from "#domain";
import { replaceFolder } from "#store";
import { copyImages } from "./derive-benchmark.ts";
import { keepReviews } from "./keep-reviews.ts";
import type { Benchmark } from "./open-benchmark.ts";
import { writeBenchmark } from "./write-benchmark.ts";

/**
 * Writes one benchmark of the tasks of several over one knowledge base, each task tagged with the part that it comes from.
 * Of tasks with one id, the same question made twice, the first stays. Where the parts score answers in different ways, all
 * are scored in the default one.
 */
export async function mergeBenchmarks(
	parts: readonly { part: string; benchmark: Benchmark }[],
	dir: string,
	{
		beside,
		...about
	}: Pick<BenchmarkManifest, "name" | "title" | "description" | "knowledge"> & {
		/** Writes what else belongs into the folder, before it takes its place. */
		beside?: (folder: string, tasks: readonly Task[]) => Promise<void>;
	},
): Promise<BenchmarkManifest> {
	const tasks = new Map<string, Task>();
	for (const { part, benchmark } of parts)
		for (const task of benchmark.tasks)
			if (!tasks.has(task.id)) tasks.set(task.id, { ...task, tags: { ...task.tags, recipe: part } });
	const manifests = parts.map(({ benchmark }) => benchmark.manifest);
	const modes = new Set(manifests.map(({ scoring }) => scoring));
	const [scoring] = modes.size === 1 ? modes : [];
	const licences = [...new Set(manifests.map(({ licence }) => licence))];
	const sources = new Map(manifests.flatMap((manifest) => manifest.sources.map((source) => [source.name, source])));
	return replaceFolder(dir, "benchmark.json", async (folder) => {
		await keepReviews(dir, folder);
		for (const { benchmark } of parts) await copyImages(benchmark.dir, folder, benchmark.tasks);
		await beside?.(folder, [...tasks.values()]);
		return writeBenchmark(folder, {
			manifest: {
				...about,
				...(scoring === undefined ? {} : { scoring }),
				licence: licences.join("; "),
				sources: [...sources.values()],
			},
			tasks: [...tasks.values()],
			card: [
				`# ${plainLine(about.title)}`,
				plainLine(about.description),
				manifests
					.map(({ name, tasks: count }) => `- \`${name}\`: ${count} tasks; its card says how they were made`)
					.join("\n"),
			].join("\n\n"),
		});
	});
}
