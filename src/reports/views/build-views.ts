/** Views of some runs: every builder asked alike, and every row told apart from what is no plain score. */
import { interventionName } from "#domain";
import { labelsOf } from "../run-labels.ts";
import { scoringNote } from "../scored-by.ts";
import { matchedNotes } from "../wording.ts";
import type { View, ViewBuilder, ViewOptions, ViewRow, ViewRun } from "./view.ts";

/**
 * The views of `builders` in their order. One without rows has nothing to show of these runs; its notes say why. Rows of
 * interventions and of reference agents are marked as such by their run's manifest, whatever their builder knows of them.
 */
export async function buildViews(
	runs: readonly ViewRun[],
	{
		builders,
		by,
		embedder,
		between,
	}: {
		builders: readonly ViewBuilder[];
		/** Awaited after each view, with how many there are: many views of many records take seconds. */
		between?: ((done: number, of: number) => Promise<void>) | undefined;
	} & Pick<ViewOptions, "by" | "embedder">,
): Promise<View[]> {
	const distinct = [...new Map(runs.map((run) => [run.manifest.id, run])).values()];
	const label = viewLabels(distinct);
	const kinds = new Map(distinct.map(({ manifest }) => [manifest.id, kindOf(manifest)]));
	const views: View[] = [];
	const note = scoringNote(distinct, label);
	const matched = matchedNotes(
		distinct.map((run) => ({ label: label(run), evidence: run.manifest.imported?.evidence })),
	);
	for (const builder of builders) {
		const view = await viewOf(builder, distinct, { by, embedder, label });
		const rows = view.rows.map((row) => {
			const kind = row.kind ?? kinds.get(row.run ?? "");
			return kind === undefined ? row : { ...row, kind };
		});
		// what is shown says how it was scored; a view without rows only says why it has none
		const shown = rows.length > 0 ? view.columns : [];
		const notes = [
			...view.notes,
			...(shown.length > 0 && note !== "" ? [note] : []),
			...(shown.some(({ key }) => key === "hps") ? matched : []),
		];
		views.push({ ...view, rows, notes });
		await between?.(views.length, builders.length);
	}
	return views;
}

/** One view under its builder's name. */
export async function viewOf(builder: ViewBuilder, runs: readonly ViewRun[], options: ViewOptions): Promise<View> {
	const { name, title, describe, source } = builder;
	return { name, title, describe, source, ...(await builder.build(runs, options)) };
}

function kindOf({ intervention, agent }: ViewRun["manifest"]): ViewRow["kind"] {
	if (intervention) return "intervention";
	return agent.reference === undefined ? undefined : "reference";
}

/** Labels that also tell benchmarks apart where there are several, and name what was changed for a re-run. */
function viewLabels(runs: readonly ViewRun[]): (run: ViewRun) => string {
	const label = labelsOf(runs);
	const benchmarks = new Set(
		runs.map(({ manifest: { benchmark } }) => JSON.stringify([benchmark.name, benchmark.hash])),
	);
	return (run) => {
		const { intervention, benchmark } = run.manifest;
		const name = label(run);
		const changed = intervention && interventionName(intervention.what);
		return [
			name,
			...(changed === undefined || name.includes(changed) ? [] : [changed]),
			...(benchmarks.size > 1 ? [benchmark.name] : []),
		].join(" · ");
	};
}
