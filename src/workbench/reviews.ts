import { openBenchmark } from "#benchmarks";
import { counted, type Review } from "#domain";
import { openReviewFolder, type ReviewStanding, readReviewFile, reviewStanding } from "#recipes";
import { itemsBehind } from "./items-behind.ts";
import { locate } from "./locate.ts";
import type { Bench } from "./work.ts";

export interface ReviewImportOptions {
	/** Who decided, where the file does not say. */
	reviewer?: string | undefined;
	/** 1, 2, … or adjudication; 1 where nothing is said. */
	round?: Review["round"] | undefined;
	/** The reviewers had seen what models said. */
	seen?: boolean | undefined;
}

/** Takes in what reviewers decided. The same decision is taken in once, however often a file is given. */
export async function importReviews(
	name: string,
	files: readonly string[],
	{ reviewer, round = 1, seen = false }: ReviewImportOptions,
	{ workspace }: Bench,
): Promise<{ read: number; added: number; problems: string[] }> {
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const folder = openReviewFolder(benchmark.dir);
	const known = new Set([...benchmark.tasks, ...(await folder.traps())].map(({ id }) => id));
	const taken: Review[] = [];
	const problems: string[] = [];
	for (const file of files) {
		const read = await readReviewFile(file, { reviewer, round, blind: !seen });
		problems.push(...read.problems.map((problem) => `${file}: ${problem}`));
		for (const one of read.reviews)
			if (known.has(one.item)) taken.push(one);
			else problems.push(`${file}: the benchmark has no task ${one.item}`);
	}
	return { read: taken.length, added: await folder.add(taken), problems };
}

/** Where the review of a benchmark stands. */
export interface ReviewStatus extends Omit<ReviewStanding, "damaged"> {
	benchmark: string;
}

/** How far the review is, how far reviewers agree, and how the checks of models stand up to them. */
export async function reviewStatus(name: string, { workspace, say }: Bench): Promise<ReviewStatus> {
	const benchmark = await openBenchmark(await locate(workspace, "benchmarks", name));
	const folder = openReviewFolder(benchmark.dir);
	const { damaged, ...standing } = await reviewStanding(folder, await itemsBehind(workspace, benchmark));
	if (damaged > 0) say(`${counted(damaged, "line")} of ${folder.dir}/reviews.jsonl cannot be read`);
	return { benchmark: benchmark.manifest.name, ...standing };
}
