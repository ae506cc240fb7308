import { declines } from "../answers/declines.ts";
import { exactMatch } from "../answers/exact-match.ts";
import { normalise } from "../answers/normalise.ts";

const yes = new Set(["yes", "true", "sí", "si", "verdadero", "cierto", "correct"]);
const no = new Set(["no", "false", "falso", "incorrect"]);
const undecided =
	/^(?:yes|no|sí|si) (?:and|or|y|o) (?:yes|no|sí|si)(?: |$)|^no (?:answer|idea|information|lo sé|sé|se sabe)(?: |$)/;

/**
 * Whether a prediction gives the gold yes or no, 1 or 0: an exact match with an accepted form, else the first word
 * decides ("Yes, both are"). Both at once or neither is wrong.
 */
export function booleanAccuracy(prediction: string, gold: { value: "yes" | "no"; accepted: readonly string[] }): 0 | 1 {
	if (exactMatch(prediction, gold.accepted) === 1) return 1;
	const text = normalise(prediction, { unicodePunctuation: true, nfkc: true });
	if (undecided.test(text) || declines(prediction)) return 0;
	const [first = ""] = text.split(" ");
	return (gold.value === "yes" ? yes : no).has(first) ? 1 : 0;
}
