import { exactMatch } from "../answers/exact-match.ts";
import { normalise } from "../answers/normalise.ts";

export interface ListVerdict {
	value: 0 | 1;
	/** Items of the gold that the prediction names, items it names, items of the gold. */
	common: number;
	predicted: number;
	gold: number;
}

/**
 * Whether a prediction names exactly the gold items, in any order and each once or more, 1 or 0.
 *
 * Items are compared after normalisation; the prediction is split at line ends, semicolons, bars, commas outside
 * numbers, and at "and", "&", "y", "e" unless the piece is itself a gold item ("Trinidad and Tobago"). An exact match with
 * an accepted form is right as a whole.
 */
export function listAccuracy(
	prediction: string,
	gold: { items: readonly string[]; accepted: readonly string[] },
): ListVerdict {
	const wanted = new Set(gold.items.map((item) => normalise(item)));
	const pieces = prediction
		.replace(/[^\S\n]+/g, " ")
		.split(/[\n;|]|,(?!\d{3}(?!\d))/)
		.flatMap((piece) => {
			const whole = piece.trim().replace(/^(?:(?:and|y|e|&) |[-*•] |\d{1,4}[.)] )+/i, "");
			return wanted.has(normalise(whole)) ? [whole] : whole.split(/ (?:and|y|e|&) /i);
		})
		.map((piece) => normalise(piece))
		.filter((piece) => piece !== "");
	const named = new Set(pieces);
	const common = [...wanted].filter((item) => named.has(item)).length;
	const exact = common === wanted.size && named.size === wanted.size;
	const value = exact || exactMatch(prediction, gold.accepted) === 1 ? 1 : 0;
	return { value, common, predicted: named.size, gold: wanted.size };
}
