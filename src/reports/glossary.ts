/** What the numbers mean, and what the verdicts say, at the page's end. */
import { FindingKind, HopVerdict } from "#domain";
import { boundsNote, findingWords, verdictWords } from "./diagnosis/diagnosis-words.ts";
import { html, type Markup } from "./template.ts";
import { behaviourMetrics, behaviourWords, metricWords, modalityName, tableMetrics } from "./wording.ts";

export function glossary({ diagnosed }: { diagnosed: boolean }): Markup {
	const terms: [string, string][] = [
		...tableMetrics.map((name): [string, string] => [metricWords[name].heading, metricWords[name].meaning]),
		...behaviourMetrics.map((name): [string, string] => [behaviourWords[name].heading, behaviourWords[name].meaning]),
		[
			"Modality coverage",
			"Steps that searched a modality against gold hops that live in it, never more than the hops, summed over tasks. Its interval: Wilson on the effective number of hops, which allows for groups of tasks that share their luck.",
		],
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
