import { type Answer, type Hop, shownAs, type Task } from "#domain";
import { readQuantities } from "#scoring";
import { type CameBack, numbersIn } from "./came-back.ts";
import type { ChainReading } from "./chain-reading.ts";

/** The operand of a computing sink that was misread, told by the wrong result alone. */
export interface MisreadOperand {
	hop: Hop;
	/** What was read for it. */
	value: string;
	/** Evidence in which that stands. */
	cited: string[];
}

const operations: readonly ((numbers: readonly number[]) => number)[] = [
	(numbers) => numbers.reduce((sum, each) => sum + each, 0),
	([first = Number.NaN, ...rest]) => Math.abs(rest.reduce((left, each) => left - each, first)),
	(numbers) => numbers.reduce((product, each) => product * each, 1),
	([first = Number.NaN, ...rest]) => rest.reduce((left, each) => left / each, first),
	(numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length,
];

const mostNumbers = 500;
const closeness = 1e-6;
const isNear = (one: number, other: number) => Math.abs(one - other) <= closeness * Math.max(1, Math.abs(other));

/** With fewer digits a result comes about by chance. */
const leastDigits = 4;

/** Half of the last digit that a number is written with; undefined where it has too few. */
function precisionOf(written: string): number | undefined {
	const [number = ""] = written.match(/\d[\d.,\s'’]*/) ?? [];
	const digits = number.replace(/\D/g, "").replace(/^0+/, "");
	if (digits.length < leastDigits) return undefined;
	const decimals = number.match(/[.,](\d{1,2}|\d{4,})\s*$/)?.[1]?.length ?? 0;
	return 0.5001 * 10 ** -decimals;
}

/**
 * Of a numeric sink that computes with numbers or years: tries the operation by which the right operands give the right
 * answer on every number that came back with an operand's own searches. Where only one operand has such a number, that was
 * misread. Undefined where the right operands do not give the right answer, or several would do.
 */
export function misreadOperand(
	{
		task,
		chain,
		answer,
		texts,
	}: { task: Task; chain: ChainReading; answer: string | undefined; texts: CameBack | undefined },
	isOpen: readonly boolean[],
): MisreadOperand | undefined {
	const { gold } = chain;
	const sink = task.chain && gold.byId.get(task.chain.sink);
	const [said] = answer === undefined ? [] : readQuantities(answer.slice(0, 200));
	if (!sink || sink.evidence.length > 0 || sink.answer.type !== "number" || !said || !texts || sink.needs.length < 2)
		return;
	const operands = sink.needs.flatMap((need) => gold.byId.get(need.hop) ?? []);
	const right = operands.map(({ answer }) => numberOf(answer));
	const numbers = right.flatMap((one) => one ?? []);
	if (numbers.length < right.length) return undefined;
	const result = sink.answer.number.value;
	const fitting = operations.filter((operation) => isNear(operation(numbers), result));
	if (fitting.length === 0) return undefined;
	const precision = precisionOf(answer ?? "");
	if (precision === undefined) return undefined;
	const came = texts.all();
	const found: MisreadOperand[] = [];
	for (const [at, hop] of operands.entries()) {
		const place = chain.hops.findIndex((reading) => reading.hop === hop);
		if (!isOpen[place]) continue;
		const brought = new Set(chain.hops[place]?.own.flatMap(({ step }) => step.results.map(shownAs)));
		const own = came.filter(({ id }) => brought.has(id));
		for (const value of new Set(own.flatMap((one) => [...numbersIn(one)].slice(0, mostNumbers)))) {
			if (isNear(value, numbers[at] ?? Number.NaN)) continue;
			const tried = numbers.map((number, index) => (index === at ? value : number));
			if (!fitting.some((operation) => Math.abs(operation(tried) - said.low) <= precision)) continue;
			const cited = own.filter((one) => numbersIn(one).has(value)).map(({ id }) => id);
			found.push({ hop, value: String(value), cited });
			break;
		}
	}
	return found.length === 1 ? found[0] : undefined;
}

function numberOf(answer: Answer): number | undefined {
	if (answer.type === "number") return answer.number.value;
	return answer.type === "time" ? Number(answer.time.iso.match(/^-?\d+/)?.[0]) : undefined;
}
