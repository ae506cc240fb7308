/** What the numbers mean, and what the verdicts say, at the page's end. */
import { FindingKind, HopVerdict } from "#domain";
import { boundsNote, findingWords, verdictWords } from "./diagnosis/diagnosis-words.ts";
import type { RunReport } from "./report-data.ts";
import { html, type Markup } from "./template.ts";
import { metricsIn, modalityName, wordsOf } from "./wording.ts";

export function glossary(runs: readonly RunReport[]): Markup {
	const diagnosed = runs.some((run) => run.diagnosis !== null);
	const shown = [...metricsIn("page", runs), ...metricsIn("behaviour", runs), "modality-coverage"];
	const terms: [string, string][] = [
		...new Map(
			shown.flatMap((name) => wordsOf(name, runs) ?? []).map(({ heading, meaning }) => [heading, meaning] as const),
		),
		[
			"Interval",
			"Where the true value would lie in 95 of 100 such benchmarks; tasks that share an image, a document or a ladder share their luck.",
		],
		[
			"Outcome",
			"How an answer ended. Abstentions count 0 in accuracy; errors and missing answers are unscored, and shown.",
		],
		[
			"Hop",
			`One sub-question of the gold chain. ${modalityName("compute")} hops need no retrieval and are not counted.`,
		],
	];
	return html`<section><h2 id="glossary">What the numbers mean</h2><dl class="glossary">${terms.map(
		([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`,
	)}</dl>${diagnosed && verdicts()}</section>`;
}

/** Hop verdicts first, then what is said of whole records; each can be linked to. */
function verdicts(): Markup {
	const hops = HopVerdict.options.map((verdict) => ({ id: verdict, ...verdictWords[verdict] }));
	const others = FindingKind.options
		.filter((kind) => !Object.hasOwn(verdictWords, kind))
		.map((kind) => ({ id: kind, ...findingWords[kind] }));
	const list = (words: { id: string; name: string; meaning: string }[]) =>
		html`<dl class="glossary">${words.map(
			({ id, name, meaning }) => html`<div id="says-${id}"><dt>${name}</dt><dd>${meaning}</dd></div>`,
		)}</dl>`;
	const shares = [
		[
			"Reading seen",
			"Of the hops whose evidence came back, and that did not break before they could be read, those that show how they were read. Rates of reading are of these alone; runs that show it at different shares of hops are not ranked by them.",
		],
		[
			"Shares of failures",
			`${boundsNote} Where nothing is named and nothing ruled out they are not observable, which is not 0 %.`,
		],
		["Or before", "An earlier hop that was not observed may be the one that broke first."],
	].map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`);
	return html`<h3 id="verdicts">What the diagnosis says of a hop</h3><p class="note">One verdict a hop: the first that fits, cause before effect, in the order of this list.</p>${list(hops)}
<h3 id="findings">What it says of a record</h3>${list(others)}
<h3 id="not-observed">What cannot be seen</h3><dl class="glossary">${shares}</dl>`;
}
