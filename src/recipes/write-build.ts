import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keepReviews, writeBenchmark } from "#benchmarks";
import { type BenchmarkManifest, HopscopeError, type Item, type Task, taskOf } from "#domain";
import { fileInside, replaceFolder } from "#store";
import { type CardFacts, cardOf, countItem, noCounts } from "./build-card.ts";
import { buildItems, openBuild } from "./engine/build-folder.ts";
import type { RecipeInputs } from "./engine/recipe.ts";
import { stampBenchmark, stampCorpus } from "./refresh/evidence-stamps.ts";
import { openReviewFolder } from "./review/review-folder.ts";
import { reviewInWords, reviewStanding } from "./review/review-standing.ts";

/**
 * Writes the accepted items of a finished build as the benchmark in `dir`: tasks with their series, clusters and tags,
 * question images, and the data card. What stood in `dir` is replaced at once or not at all, but for what people
 * decided in `dir/reviews`: that stays, and the card tells of it.
 */
export async function writeBuild(
	build: string,
	dir: string,
	options: Pick<CardFacts, "recipe" | "limits" | "date" | "currency"> & {
		benchmark: Pick<BenchmarkManifest, "name" | "title" | "description" | "licence" | "sources" | "knowledge">;
		/** What it was made of: the contents are written down, so that `--refresh` knows what changed. */
		inputs?: RecipeInputs;
	},
): Promise<{ manifest: BenchmarkManifest; card: string }> {
	const { benchmark, recipe, inputs } = options;
	const { manifest, funnel } = await openBuild(build);
	const counts = noCounts();
	const kinds = new Map(funnel.rows.map(({ stage, kind }) => [stage, kind]));
	const tasks: Task[] = [];
	for await (const item of buildItems(build)) {
		countItem(counts, item, kinds);
		tasks.push(taskOf(item));
	}
	const remarks = await recipe.remarks?.(buildItems(build));
	const review = await reviewOf(build, dir);
	const card = cardOf({ ...options, build: manifest, funnel, counts, remarks, review });
	const { name, version, scoring } = recipe;
	if (inputs) await stampCorpus(build, inputs.evidence());
	const written = await replaceFolder(dir, "benchmark.json", async (folder) => {
		await keepReviews(dir, folder);
		for (const { file } of tasks.flatMap(({ images }) => images)) await copyImage(build, folder, file);
		if (inputs) await stampBenchmark(folder, tasks, inputs.knowledge);
		return writeBenchmark(folder, {
			manifest: {
				...benchmark,
				...(scoring === undefined ? {} : { scoring }),
				recipe: { name, version, seed: manifest.seed },
			},
			tasks,
			card,
		});
	});
	return { manifest: written, card };
}

/** What people said of the items that stand in the benchmark already, by their ids. */
async function reviewOf(build: string, dir: string): Promise<string[]> {
	const folder = openReviewFolder(dir);
	if ((await folder.reviews()).reviews.length === 0) return [];
	const items: Item[] = [];
	for await (const item of buildItems(build)) items.push(item);
	return reviewInWords(await reviewStanding(folder, items));
}

async function copyImage(build: string, folder: string, file: string): Promise<void> {
	const from = fileInside(build, file);
	if (!from)
		throw new HopscopeError(
			"missing-image",
			`${join(build, file)} is missing, and an item shows it`,
			"Run the recipe again: images are made anew where they can be.",
		);
	const to = join(folder, file);
	await mkdir(dirname(to), { recursive: true });
	await copyFile(from, to);
}
