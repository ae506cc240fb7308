import type { Answer, Hop, Item } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { calculate, greaterOf, rangeOf } from "../template/quantity.ts";
import { isYesOrNo } from "./comparison.ts";
import { rule } from "./rule.ts";

/**
 * What a hop computes is computed again from the answers that it needs, in their order: numbers must lie within the
 * recomputed range, years must agree, a choice must be what the greater (or lesser) operand belongs to. What cannot be
 * computed, for want of a number or of one unit, is wrong.
 */
export function computedRight(): RuleCheck {
	const concerns = ({ chain }: Item) => chain.hops.some(isChecked);
	return rule({ name: "computed-right", concerns }, (item) => {
		for (const hop of item.chain.hops.filter(isChecked)) {
			const problem = problemOf(hop, item.chain.hops);
			if (problem) return fail("arithmetic_wrong", problem, { on: { hop: hop.id } });
		}
		return pass();
	});
}

const checked = new Set(["add", "difference", "mean", "divide", "argmax", "argmin", "greater", "earlier", "equal"]);
const isChecked = ({ compute }: Hop) => compute !== undefined && checked.has(compute.op);

function problemOf(hop: Hop, hops: readonly Hop[]): string | undefined {
	const operands = hop.needs.flatMap((need) => hops.find(({ id }) => id === need.hop) ?? []);
	const answers = operands.map(({ answer }) => answer);
	const [a, b] = answers;
	const op = hop.compute?.op;
	if (op === undefined) return undefined;
	const said = hop.answer.value;
	const shown = answers.map(({ value }) => value).join(", ");
	// an operand that the question names has no hop of its own
	if (op === "equal")
		return a && b && yesOrNo(hop.answer) !== isOne(a, b) ? `${op} of ${shown} is not ${said}` : undefined;
	if (!a || !b) return `${op} needs two operands`;
	if (op === "argmax" || op === "argmin") {
		const greater = greaterOf(a, b);
		const chosen = greater === undefined ? undefined : operands[op === "argmax" ? greater : 1 - greater];
		const owner = hops.find(({ id }) => id === chosen?.needs[0]?.hop);
		if (greater === undefined) return `${shown} cannot be told apart`;
		return owner && !isOne(owner.answer, hop.answer)
			? `${op} of ${shown} is ${owner.answer.value}, not ${said}`
			: undefined;
	}
	if (op === "greater" || op === "earlier") {
		const greater = greaterOf(a, b);
		if (greater === undefined) return `${shown} cannot be told apart`;
		return yesOrNo(hop.answer) === (op === "greater" ? greater === 0 : greater === 1)
			? undefined
			: `${op} of ${shown} is not ${said}`;
	}
	const made = calculate(op, answers, "en", hop.compute?.unit);
	if (!made || hop.answer.type !== "number") return `${op} of ${shown} has no value`;
	const [low, high] = rangeOf(made);
	const { value } = hop.answer.number;
	return value >= low && value <= high ? undefined : `${op} of ${shown} is ${made.value}, not ${said}`;
}

const yesOrNo = (answer: Answer) => (isYesOrNo(answer) ? /^yes$/i.test(answer.value) : undefined);
const isOne = (a: Answer, b: Answer) => a.value === b.value || b.accepted.includes(a.value);
