import { type Evidence, type Item, questionOf } from "#domain";
import { readQuantities } from "#scoring";
import { namesUnit } from "../rules/question-wording.ts";

/** Characters around a number in which its unit stands. */
const around = 40;

/**
 * The unit of a measure that neither answer nor question says, where the evidence gives the number with one and only one;
 * undefined where nothing is missing. Counts have none.
 */
export function unitMissing(item: Item, evidence: readonly Evidence[]): string | undefined {
	const { answer } = item;
	const questions = [questionOf(item), item.chain.hops.find(({ id }) => id === item.chain.sink)?.question ?? ""];
	const isSaid = (unit: string) => [answer.value, ...questions].some((text) => namesUnit(text, unit));
	if (answer.type === "number" && answer.number.unit !== undefined) {
		const { unit } = answer.number;
		// in any language, what stands behind the digits is the unit
		const written = /\p{Nd}[\p{Nd}.,\s]*[^\p{Nd}.,\s]/u.test(answer.value) || /^[^\p{Nd}]*[$€£¥]/u.test(answer.value);
		return unit === "" || written || isSaid(unit) ? undefined : unit;
	}
	if (answer.type !== "number" && answer.type !== "string") return undefined;
	if (!/^[-+−]?\p{Nd}[\p{Nd}.,\s]*$/u.test(answer.value)) return undefined;
	const units = new Set<string>();
	for (const one of evidence) {
		const text = "text" in one ? one.text : "";
		for (let at = text.indexOf(answer.value); at >= 0; at = text.indexOf(answer.value, at + 1)) {
			if (/[\p{Nd}.,]/u.test(text[at - 1] ?? " ") && /\p{Nd}/u.test(text.slice(Math.max(0, at - 2), at))) continue;
			if (/^[.,]?\p{Nd}/u.test(text.slice(at + answer.value.length))) continue;
			const [found] = readQuantities(text.slice(Math.max(0, at - 2), at + answer.value.length + around).trim(), {
				kelvin: true,
			});
			units.add(found?.unitName ?? "");
			if (units.size > 1) return undefined;
		}
	}
	const [unit] = units;
	return unit === undefined || unit === "" || isSaid(unit) ? undefined : unit;
}
