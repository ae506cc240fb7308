/** Runs against one another, pair by pair. */
import { differenceCell, scrollBox } from "./cells.ts";
import { detectable, isSignificant, pairsToShow } from "./comparisons.ts";
import { aboutComparisons } from "./explanations.ts";
import type { Look } from "./look.ts";
import { showP } from "./number-format.ts";
import { nameOf } from "./plots.ts";
import type { BenchmarkReport, RunComparison, RunReport } from "./report-data.ts";

import { html, type Markup } from "./template.ts";
import { findingOf, plural } from "./wording.ts";

/** Pairwise differences of accuracy; nothing for a single run. */
export function comparisonTable(
	benchmark: BenchmarkReport,
	runs: readonly RunReport[],
	options: { look: (label: string) => Look },
): Markup | undefined {
	const { shown, against } = pairsToShow(benchmark.comparisons, runs);
	if (shown.length === 0) return undefined;
	const byId = new Map(runs.map((run) => [run.id, run]));
	const name = (id: string) => {
		const run = byId.get(id);
		return run && nameOf(run, options.look(run.label));
	};
	const rows = shown.map(
		(pair) => html`<tr><th scope="row" class="name">${name(pair.a)}</th><td class="left name">${name(pair.b)}</td>
${differenceCell(pair)}<td class="left">${finding(pair)}</td><td>${showP(pair.adjusted)}<span class="ci">alone ${showP(pair.p)}</span></td>
<td>${pair.wins} / ${pair.ties} / ${pair.losses}</td><td>${detectable(pair)}</td><td>${pair.n}<span class="ci">of ${pair.expected}</span></td></tr>`,
	);
	const caption = "Differences of accuracy between runs";
	const hidden = benchmark.comparisons.length - shown.length;
	return html`${scrollBox(
		caption,
		html`<table><caption>${caption}</caption><thead><tr><th scope="col" class="left">Run</th><th scope="col" class="left">less</th><th scope="col">Difference, points</th><th scope="col" class="left">Finding</th>
<th scope="col">p, Holm</th><th scope="col">Wins / ties / losses</th><th scope="col">Detectable, points</th><th scope="col">Tasks in both</th></tr></thead><tbody>${rows}</tbody></table>`,
	)}<p class="note">${aboutComparisons}${against !== undefined && html` Shown are the pairs with <bdi>${against.label}</bdi>; ${plural(hidden, "other pair")}, which the correction counts too, are in the JSON.`}</p>`;
}

function finding(pair: RunComparison): Markup {
	if (isSignificant(pair)) return html`<strong>${findingOf(pair)}</strong>`;
	const why = pair.better === "reversible" ? html`<span class="ci">significant, but for the unscored</span>` : "";
	return html`<span class="muted">${findingOf(pair)}</span>${why}`;
}
