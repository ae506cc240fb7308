import type { Answer } from "#domain";
import type { Language, Operation } from "./graph.ts";

type NumberAnswer = Extract<Answer, { type: "number" }>;

/** Units not written as a space and their sign. `Answer.number.unit` always has the English sign. */
const unitWords: Record<Language, Record<string, string>> = { en: { "%": "%" }, es: { years: " años", ft: " pies" } };

/** What a stated measure may be off by when its source gives no range: rounding and differing sources. */
const measureTolerance = 0.01;
/** Two measures closer than this share of the larger are not compared, nor subtracted. */
const smallestGap = 0.05;

/**
 * The closed interval that counts as right: as stated; else ±1 % for a measure (a number with a unit), and the number
 * itself for a count.
 */
export function rangeOf(answer: NumberAnswer): [number, number] {
	const { value, range, unit } = answer.number;
	if (range) return range;
	if (unit === undefined) return [value, value];
	const slack = Math.abs(value) * measureTolerance;
	return [tidy(value - slack), tidy(value + slack)];
}

/** A number with its unit as a reader of the language would write it, and the other ways it is commonly written. */
export function numberAnswer(
	value: number,
	options: { language: Language; range: [number, number]; unit?: string },
): NumberAnswer {
	const unit = options.unit === undefined ? "" : (unitWords[options.language][options.unit] ?? ` ${options.unit}`);
	const plain = String(value);
	const english = grouped(plain, ",", ".");
	const spanish = plain.replace(".", ",");
	const forms =
		options.language === "en"
			? [english + unit, plain + unit]
			: [grouped(plain, ".", ",") + unit, spanish + unit, grouped(plain, "\u00a0", ",") + unit, plain + unit];
	return {
		type: "number",
		value: forms[0] ?? plain,
		accepted: [...new Set([...forms, plain])],
		number: { value, range: options.range, ...(options.unit === undefined ? {} : { unit: options.unit }) },
	};
}

/** Thousands in groups of three, without the host's locale, which differs between machines. */
function grouped(plain: string, separator: string, point: string): string {
	const [whole = "", fraction] = plain.split(".");
	const groups = whole.replace(/\B(?=(\d{3})+(?!\d))/g, separator);
	return fraction === undefined ? groups : `${groups}${point}${fraction}`;
}

/**
 * The answer with its value as the language writes it: the longest of the accepted forms that does. Forms of every
 * language stay accepted.
 */
export function spokenIn(answer: Answer, language: Language): Answer {
	if (language === "en" || (answer.type !== "number" && answer.type !== "time")) return answer;
	const written =
		answer.type === "number" ? grouped(String(answer.number.value), ".", ",").replace("-", "−") : / de \p{Ll}+ de /u;
	const forms = answer.accepted.filter((form) =>
		typeof written === "string" ? form.startsWith(written) : written.test(form),
	);
	const [longest] = forms.sort((a, b) => b.length - a.length);
	return longest === undefined ? answer : { ...answer, value: longest };
}

/** The year of a time answer, negative before our era; undefined for other answers. */
export function yearOf(answer: Answer): number | undefined {
	if (answer.type !== "time") return undefined;
	const sign = answer.time.iso.startsWith("-") ? -1 : 1;
	return sign * Number.parseInt(answer.time.iso.replace(/^-/, ""), 10);
}

/** Which of two answers is greater (later): its index; undefined when they are of different kinds or too close. */
export function greaterOf(a: Answer, b: Answer): 0 | 1 | undefined {
	if (a.type === "time" && b.type === "time") {
		const [first, second] = [yearOf(a) ?? 0, yearOf(b) ?? 0];
		return first === second ? undefined : first > second ? 0 : 1;
	}
	if (a.type !== "number" || b.type !== "number" || a.number.unit !== b.number.unit) return undefined;
	const [first, second] = [rangeOf(a), rangeOf(b)];
	const gap = Math.abs(a.number.value - b.number.value);
	const exact = first[0] === first[1] && second[0] === second[1];
	if (!exact && gap < smallestGap * Math.max(Math.abs(a.number.value), Math.abs(b.number.value))) return undefined;
	if (first[0] > second[1]) return 0;
	return second[0] > first[1] ? 1 : undefined;
}

/**
 * The number that arithmetic makes of the operands, with the range that follows from theirs and a half percent for
 * rounding. Undefined where it has no meaning (different units, division by zero) or says too little (a difference
 * of near equals).
 */
export function calculate(op: Operation, operands: Answer[], language: Language): NumberAnswer | undefined {
	const years = operands.map(yearOf);
	if (op === "difference" && years.length === 2 && years.every((year) => year !== undefined)) {
		const value = Math.abs((years[0] ?? 0) - (years[1] ?? 0));
		return value < 2 ? undefined : numberAnswer(value, { language, range: [value, value], unit: "years" });
	}
	const numbers: NumberAnswer[] = [];
	for (const operand of operands) if (operand.type === "number") numbers.push(operand);
	const [a, b] = numbers;
	if (!a || !b || numbers.length !== operands.length) return undefined;
	if (numbers.some((other) => other.number.unit !== a.number.unit)) return undefined;
	const values = numbers.map((answer) => answer.number.value);
	const ranges = numbers.map(rangeOf);
	const [rangeA, rangeB] = [rangeOf(a), rangeOf(b)];
	const total = (items: number[]) => items.reduce((sum, item) => sum + item, 0);
	const unit = a.number.unit;
	switch (op) {
		case "add":
		case "mean": {
			const share = op === "add" ? 1 : values.length;
			return about(
				total(values) / share,
				[total(ranges.map((range) => range[0])) / share, total(ranges.map((range) => range[1])) / share],
				{ language, unit },
			);
		}
		case "difference": {
			const greater = greaterOf(a, b);
			if (greater === undefined) return undefined;
			const [high, low] = greater === 0 ? [rangeA, rangeB] : [rangeB, rangeA];
			return about(Math.abs(a.number.value - b.number.value), [high[0] - low[1], high[1] - low[0]], {
				language,
				unit,
			});
		}
		case "divide":
			if (rangeA[0] <= 0 || rangeB[0] <= 0) return undefined;
			return about(a.number.value / b.number.value, [rangeA[0] / rangeB[1], rangeA[1] / rangeB[0]], {
				language,
				unit: undefined,
			});
		default:
			return undefined;
	}
}

function about(
	exact: number,
	range: [number, number],
	options: { language: Language; unit: string | undefined },
): NumberAnswer | undefined {
	const value = tidy(exact);
	const whole = Number.isInteger(range[0]) && range[0] === range[1];
	const slack = whole ? 0 : Math.abs(value) * 0.005;
	const low = Math.min(range[0], value) - slack;
	const high = Math.max(range[1], value) + slack;
	if (value === 0 || high - low > Math.abs(value) * 0.25) return undefined;
	return numberAnswer(value, {
		language: options.language,
		range: [tidy(low), tidy(high)],
		...(options.unit === undefined ? {} : { unit: options.unit }),
	});
}

/** Six significant digits: no more than the sources have, and no binary dust. */
function tidy(value: number): number {
	return Number.isInteger(value) ? value : Number(value.toPrecision(6));
}
