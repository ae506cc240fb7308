import type { BenchmarkManifest } from "#domain";
import type { FunnelRow } from "../engine/funnel.ts";
import type { Refreshed } from "./refreshed.ts";

/** The card of a refreshed benchmark, Markdown: what changed since the version before, and the funnels of both looks. */
export function changesText(
	about: {
		title: string;
		name: string;
		release: NonNullable<BenchmarkManifest["release"]>;
		/** Of the new build, and of the second look at the earlier items. */
		funnel: readonly FunnelRow[];
		again: readonly FunnelRow[];
	},
	{ evidence, kept, changed, added, removed, waiting }: Omit<Refreshed, "manifest">,
): string {
	const { title, name, release, funnel, again } = about;
	const reasons = new Map<string, number>();
	for (const { reason } of removed) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	const why = [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => `${reason} ${count}`);
	return `# ${title}

Version ${release.version} of ${release.date} (${name}), made from the version with hash ${release.previous}.

| tasks | count |
| --- | --- |
| kept as they were | ${kept.length} |
| changed | ${changed.length} |
| added from new or changed documents | ${added.length} |
| removed${why.length > 0 ? ` (${why.join(", ")})` : ""} | ${removed.length} |
| waiting: could not be looked at | ${waiting.length} |

Of the evidence that the earlier tasks rest on, ${evidence.same} is unchanged, ${evidence.changed} changed and ${evidence.gone} gone.
Rules looked at every earlier task; what asks models looked at those whose evidence changed. changes.json names each task.

## Second look at earlier tasks

${rows(again)}

## New build

${rows(funnel)}
`;
}

const rows = (funnel: readonly FunnelRow[]) =>
	[
		"| stage | in | out | dropped | skipped | faults |",
		"| --- | --- | --- | --- | --- | --- |",
		...funnel.map(({ stage, in: came, out, dropped, skipped, faults }) => {
			const why = Object.entries(dropped).map(([reason, count]) => `${reason} ${count}`);
			return `| ${stage} | ${came} | ${out} | ${why.join(", ") || 0} | ${skipped} | ${faults} |`;
		}),
	].join("\n");
