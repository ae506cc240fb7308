import { existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BenchmarkManifest, plainLine, type Task, usageError } from "#domain";
import { fileInside, replaceFolder } from "#store";
import { keepReviews } from "./keep-reviews.ts";
import type { Benchmark } from "./open-benchmark.ts";
import { waitingPictures } from "./waiting-pictures.ts";
import { inOrder, writeBenchmark } from "./write-benchmark.ts";

/**
 * Writes another benchmark made of one that is there: its tasks changed, fewer or split, over the same knowledge base
 * unless `manifest` names another. The images that the tasks show are copied. `how` goes into description and card. A
 * benchmark that stands in `dir` is replaced with `force` and otherwise refused (exit 2).
 */
export async function deriveBenchmark(
	from: Pick<Benchmark, "dir" | "manifest">,
	dir: string,
	{
		name,
		tasks,
		how,
		manifest = {},
		review = [],
		force = false,
	}: {
		name: string;
		/** In any order; of tasks that are not held, in order of id. */
		tasks: readonly Task[] | AsyncIterable<Task>;
		how: string;
		manifest?: Partial<BenchmarkManifest>;
		/** What people found, a line each, for the card. */
		review?: readonly string[];
		force?: boolean;
	},
): Promise<BenchmarkManifest> {
	if (!force && existsSync(join(dir, "benchmark.json")))
		throw usageError(
			"benchmark-exists",
			`another benchmark is called ${name}`,
			"Choose another name, or replace it with --force.",
			{ facts: { dir } },
		);
	const { version: _version, tasks: _tasks, hash, name: before, earlier: _earlier, ...kept } = from.manifest;
	const made = `Made from ${before} (${hash.slice(0, 12)}): ${how}`;
	const sources = kept.sources.map(
		({ name: source, licence, attribution }) => `- ${plainLine(`${source} (${licence}): ${attribution}`)}`,
	);
	return replaceFolder(dir, "benchmark.json", async (filling) => {
		const pictures = new Set<string>();
		const copied = new Set<string>();
		async function* brought() {
			for await (const task of inOrder(tasks)) {
				for (const picture of task.pending?.pictures ?? []) pictures.add(picture);
				for (const { file } of task.images) {
					if (!copied.has(file)) await copyImage(from.dir, filling, file);
					copied.add(file);
				}
				yield task;
			}
		}
		await keepReviews(dir, filling);
		const waiting = await waitingPictures(from.dir);
		return writeBenchmark(filling, {
			manifest: { ...kept, ...manifest, name, description: `${kept.description} ${made}` },
			tasks: brought(),
			waiting: () => waiting.filter(({ id }) => pictures.has(id)),
			card: [
				`# ${plainLine(kept.title)}`,
				...[kept.description, made, `Licence: ${kept.licence}.`].map((line) => plainLine(line)),
				sources.join("\n"),
				...(review.length > 0 ? ["## Review", review.map((line) => `- ${line}`).join("\n")] : []),
			]
				.filter(Boolean)
				.join("\n\n"),
		});
	});
}

/** Copies the images that tasks show from one benchmark's folder to another's. */
export async function copyImages(from: string, to: string, tasks: readonly Task[]): Promise<void> {
	for (const file of new Set(tasks.flatMap((task) => task.images.map((image) => image.file))))
		await copyImage(from, to, file);
}

async function copyImage(from: string, to: string, file: string): Promise<void> {
	const found = fileInside(from, file);
	if (found === undefined)
		throw usageError("missing-image", `${join(from, file)} is missing`, "Restore it, or drop its tasks.", {
			facts: { file },
		});
	await mkdir(dirname(join(to, file)), { recursive: true });
	await copyFile(found, join(to, file));
}
