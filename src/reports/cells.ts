/** What the page's tables are made of: a measured number, a difference, and the box around a table. */

import type { Interval } from "#scoring";
import { boundsBetween, isSignificant } from "./comparisons.ts";
import { aboutInterval, missingWords } from "./explanations.ts";
import { showDifference, showMeasured, showP, type Unit } from "./number-format.ts";
import type { Measured, RunComparison } from "./report-data.ts";
import { html, type Markup } from "./template.ts";
import { boundsOf } from "./wording.ts";

/**
 * A value with its interval; below it, where not everything was scored, how much was and the bounds. `beside` is a number
 * of the same row whose counts stand in a column of their own.
 */
export function measuredCell(
	measured: Measured | undefined,
	{ unit, strong = false, beside }: { unit: Unit; strong?: boolean; beside?: Measured },
): Markup {
	const { value, interval } = showMeasured(measured, unit);
	const lines: string[] = [];
	if (measured && measured.scored < measured.expected && !strong) {
		const told = beside?.scored === measured.scored && beside.expected === measured.expected;
		if (!told) lines.push(`${measured.scored}/${measured.expected}`);
		const bounds = boundsOf(measured);
		if (bounds !== undefined) lines.push(`in ${bounds}`);
	}
	const about = measured ? [aboutInterval(measured), missingWords(measured)].filter((part) => part !== "") : [];
	const title = about.join("; not scored ");
	return html`<td class="${strong ? "strong" : value === "–" && "zero"}"${title !== "" && html` title="${title}"`}>${value}${interval !== "" && html`<span class="ci">${interval}</span>`}${lines.map(
		(line) => html`<span class="ci">${line}</span>`,
	)}</td>`;
}

/** A share with its interval and the number of records it is over. */
export function rateCell(rate: Interval, { n = false }: { n?: boolean } = {}): Markup {
	const { value, interval } = showMeasured(rate, "percent");
	return html`<td class="${value === "–" && "zero"}">${value}${interval !== "" && html`<span class="ci">${interval}</span>`}${n && rate.n > 0 && html`<span class="ci">n ${rate.n}</span>`}</td>`;
}

/** A wide table scrolls in its own box, which the keyboard can reach. */
export function scrollBox(name: string, table: Markup): Markup {
	return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">${table}</div>`;
}

/** A difference in points with its interval, and where not everything was scored its bounds. */
export function differenceCell(pair: RunComparison, options: { mark?: boolean } = {}): Markup {
	const { value, interval } = showDifference(pair.difference);
	const bounds = pair.n < pair.expected ? boundsBetween(pair) : undefined;
	return html`<td class="${value === "–" && "zero"}"${options.mark === true && html` title="p ${showP(pair.p)}, corrected ${showP(pair.adjusted)}; n ${pair.n} of ${pair.expected}"`}>${value}${options.mark && pair.adjusted !== null && isSignificant(pair) && " *"}${
		interval !== "" && html`<span class="ci">${interval}</span>`
	}${bounds !== undefined && html`<span class="ci">in ${bounds}</span>`}</td>`;
}
