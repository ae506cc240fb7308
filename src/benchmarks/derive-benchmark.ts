import { existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BenchmarkManifest, plainLine, type Task, usageError } from "#domain";
import { fileInside, replaceFolder } from "#store";
import { keepReviews } from "./keep-reviews.ts";
import type { Benchmark } from "./open-benchmark.ts";
import { waitingPictures } from "./waiting-pictures.ts";
import { writeBenchmark } from "./write-benchmark.ts";

/**
 * Writes another benchmark made of one that is there: its tasks changed, fewer or split, over the same knowledge base
 * unless `manifest` names another. The images that the tasks show are copied. `how` goes into description and card. A
 * benchmark that stands in `dir` is replaced with `force` and otherwise refused (exit 2).
 */
export async function deriveBenchmark(
	from: Benchmark,
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
		tasks: readonly Task[];
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
	const pictures = new Set(tasks.flatMap(({ pending }) => pending?.pictures ?? []));
	const made = `Made from ${before} (${hash.slice(0, 12)}): ${how}`;
	const sources = kept.sources.map(
		({ name: source, licence, attribution }) => `- ${plainLine(`${source} (${licence}): ${attribution}`)}`,
	);
	return replaceFolder(dir, "benchmark.json", async (filling) => {
		await copyImages(from.dir, filling, tasks);
		await keepReviews(dir, filling);
		return writeBenchmark(filling, {
			manifest: { ...kept, ...manifest, name, description: `${kept.description} ${made}` },
			tasks: [...tasks],
			waiting: (await waitingPictures(from.dir)).filter(({ id }) => pictures.has(id)),
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
	for (const file of new Set(tasks.flatMap((task) => task.images.map((image) => image.file)))) {
		const found = fileInside(from, file);
		if (found === undefined)
			throw usageError("missing-image", `${join(from, file)} is missing`, "Restore it, or drop its tasks.", {
				facts: { file },
			});
		await mkdir(dirname(join(to, file)), { recursive: true });
		await copyFile(found, join(to, file));
	}
}
