import type { ScoringMode } from "#domain";
import { exactMatch } from "../answers/exact-match.ts";
import type { MatchOptions } from "../answers/normalise.ts";
import { type CalendarDate, readDates } from "./date-text.ts";

/**
 * Whether a prediction names the gold time, 1 or 0.
 *
 * Right by exact match with an accepted form; else by the date read in the text. Gold of a year: the year within one
 * (there is no year 0), however much more was written. Gold of a month or day: all that the gold states must agree;
 * mode `mmhops` also accepts the bare year and the same day (or month) in a neighbouring year. Mode `infoseek-2023`: exact
 * match only, since that protocol lists its neighbouring years among the accepted forms.
 * Source: MMhops-R1 (Evaluation Metrics); InfoSeek's released evaluation.
 */
export function timeAccuracy(
	prediction: string,
	gold: { accepted: readonly string[]; date: CalendarDate },
	options: { mode?: ScoringMode | undefined; matching?: MatchOptions } = {},
): 0 | 1 {
	if (options.mode === "infoseek-2023") return exactMatch(prediction, gold.accepted, { mode: "hotpot" });
	if (exactMatch(prediction, gold.accepted, options.matching) === 1) return 1;
	const lenient = options.mode === "mmhops";
	return readDates(prediction).some((date) => agrees(date, gold.date, lenient)) ? 1 : 0;
}

function agrees(date: CalendarDate, gold: CalendarDate, lenient: boolean): boolean {
	const apart = Math.abs(ordinalYear(date.year) - ordinalYear(gold.year));
	if (gold.month === undefined) return apart <= 1;
	if (date.month === undefined) return lenient && apart === 0;
	if (date.month !== gold.month || (gold.day !== undefined && date.day !== gold.day)) return false;
	return apart === 0 || (lenient && apart === 1);
}

/** Years counted through, with 1 BC before 1. */
function ordinalYear(year: number): number {
	return year < 0 ? year + 1 : year;
}
