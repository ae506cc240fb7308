import { diagnoseRecords } from "#diagnosis";
import { didYouMean, usageError } from "#domain";
import {
	buildViews,
	type Embedder,
	type ReportRun,
	type View,
	type ViewBuilder,
	type ViewRun,
	viewBuilders,
	viewNamed,
} from "#reports";

/** The builders named, separated by commas, or all of them. */
export function chosenViews(names: string): readonly ViewBuilder[] {
	const wanted = names
		.split(",")
		.map((name) => name.trim())
		.filter((name) => name !== "");
	if (wanted.includes("all") || wanted.length === 0) return viewBuilders;
	return [...new Set(wanted)].map((name) => {
		const builder = viewNamed(name);
		if (builder) return builder;
		throw usageError(
			"unknown-view",
			`there is no view "${name.slice(0, 80)}"`,
			`${didYouMean(
				name,
				viewBuilders.map((one) => one.name),
			)}hopscope report --list-views has them all.`,
		);
	});
}

/** The views of some runs, which are diagnosed for it; `empty` are those that had nothing to show, with the reason. */
export async function viewsOf(
	runs: readonly ReportRun[],
	{
		builders,
		by,
		embedder,
		signal,
	}: {
		builders: readonly ViewBuilder[];
		by?: string | undefined;
		embedder?: Embedder | undefined;
		signal?: AbortSignal;
	},
): Promise<{ views: View[]; empty: View[] }> {
	const diagnosed: ViewRun[] = [];
	for (const run of runs) {
		const diagnoses = run.diagnoses ?? (await diagnoseRecords(run, { signal })).map(({ diagnosis }) => diagnosis);
		diagnosed.push({ ...run, diagnoses });
	}
	const built = await buildViews(diagnosed, { builders, by, embedder });
	return { views: built.filter(({ rows }) => rows.length > 0), empty: built.filter(({ rows }) => rows.length === 0) };
}
