import type { Answer } from "#domain";
import { type NumberAnswer, numberAnswer } from "./answers.ts";
import { dayNumber } from "./cells/date-cell.ts";
import type { Language, Operation } from "./graph.ts";
import { numberText, timeText, unitText } from "./written.ts";

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

/** The answer with its value as the language writes it. Forms of every language stay accepted. */
export function spokenIn(answer: Answer, language: Language): Answer {
	if (language === "en") return answer;
	if (answer.type === "number") {
		const { value: number, unit } = answer.number;
		const value = numberText(number, language) + unitText(unit, language);
		return { ...answer, value, accepted: [...new Set([value, ...answer.accepted])] };
	}
	if (answer.type !== "time") return answer;
	const value = timeText(answer.time.iso, language);
	return answer.accepted.includes(value) ? { ...answer, value } : answer;
}

/** The year of a time answer, negative before our era; undefined for other answers. */
export function yearOf(answer: Answer): number | undefined {
	if (answer.type !== "time") return undefined;
	const sign = answer.time.iso.startsWith("-") ? -1 : 1;
	return sign * Number.parseInt(answer.time.iso.replace(/^-/, ""), 10);
}

/**
 * Which of two answers is greater (later): its index; undefined when they are of different kinds or too close. Times are
 * told apart as far as both are known: a day from a day, within a year nothing from the year alone.
 */
export function greaterOf(a: Answer, b: Answer): 0 | 1 | undefined {
	if (a.type === "time" && b.type === "time") {
		const [first, second] = [yearOf(a) ?? 0, yearOf(b) ?? 0];
		if (first !== second) return first > second ? 0 : 1;
		const known = Math.min(a.time.iso.length, b.time.iso.length);
		const [one, other] = [a.time.iso.slice(0, known), b.time.iso.slice(0, known)];
		return one === other ? undefined : one > other ? 0 : 1;
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
export function calculate(
	op: Operation,
	operands: Answer[],
	language: Language,
	/** Of a difference of times: "days" between days, "years" between years; without it whole years of any times. */
	unitOfTime?: string,
): NumberAnswer | undefined {
	if (op === "difference" && unitOfTime === "days") {
		const [from, to] = operands.map((operand) => (operand.type === "time" ? dayNumber(operand.time.iso) : undefined));
		if (from === undefined || to === undefined || Math.abs(from - to) < 2) return undefined;
		return numberAnswer(Math.abs(from - to), { languages: [language], unit: "days" });
	}
	const years = operands.map(yearOf);
	const whole = unitOfTime !== "years" || operands.every((one) => one.type === "time" && one.time.precision === "year");
	if (op === "difference" && whole && years.length === 2 && years.every((year) => year !== undefined)) {
		const value = Math.abs((years[0] ?? 0) - (years[1] ?? 0));
		return value < 2 ? undefined : numberAnswer(value, { languages: [language], unit: "years" });
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
		languages: [options.language],
		range: [tidy(low), tidy(high)],
		unit: options.unit,
		// what exact numbers without a unit come to is exact
		kind: whole && options.unit === undefined ? "count" : undefined,
	});
}

/** Six significant digits: no more than the sources have, and no binary dust. */
function tidy(value: number): number {
	return Number.isInteger(value) ? value : Number(value.toPrecision(6));
}
