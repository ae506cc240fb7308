/** The comparisons of an export: differences take long to work out and are written; lists of tasks are joined by the pages. */
import { type ExportedComparisons, exportFiles, setsCompared } from "#studio";
import type { Bench } from "../work.ts";
import type { Studio } from "./open-studio.ts";

/** `groups`: runs that can be compared with one another; `sample`: the most tasks that are listed, where not all are. */
export async function exportComparisons(
	groups: string[][],
	{
		studio,
		sample,
		put,
	}: { studio: Studio; sample: number | undefined; put(name: string, data: unknown): Promise<void> },
	bench: Bench,
): Promise<void> {
	const sets = setsCompared(groups);
	const progress = bench.progress("comparing the runs");
	for (const [place, runs] of sets.entries()) {
		bench.signal.throwIfAborted();
		const page = await studio.compare(runs);
		const cautions = sample === undefined ? page.cautions : [...page.cautions, onlySome(sample)];
		await put(exportFiles.comparison(place), { ...page, cautions });
		progress.update(place + 1, sets.length);
	}
	progress.end();
	await put(exportFiles.comparisons, { groups, sets } satisfies ExportedComparisons);
}

const onlySome = (sample: number): string =>
	`Of the tasks at most ${sample} are listed, evenly spread; the differences, and the counts of what flipped, are of all.`;
