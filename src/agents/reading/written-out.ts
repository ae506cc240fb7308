/** A computation as somebody writes it down. */
import type { Hop } from "#domain";
import { calculate, readValue } from "./values.ts";

const sums = {
	add: ["sum", " + "],
	multiply: ["product", " × "],
	subtract: ["difference", " − "],
	difference: ["difference", " − "],
	divide: ["ratio", " / "],
	mean: ["mean", " + "],
} as const;

/**
 * The operation of a computing hop with its operands, as "1,240,192 km² − 147,181 km² = 1,093,011 km²"; undefined where it is
 * none of these, or where what it gives is not the hop's answer.
 */
export function writtenOut(
	{ compute, answer }: Pick<Hop, "compute" | "answer">,
	operands: readonly string[],
	{ language }: { language: string },
): string | undefined {
	if (!compute || !(compute.op in sums)) return undefined;
	const [name, sign] = sums[compute.op as keyof typeof sums];
	const values = operands.map((text) => readValue(text, { language }));
	// a difference is told without a sign: the larger stands first
	if (compute.op === "difference") values.sort((a, b) => sizeOf(b) - sizeOf(a));
	const result = calculate(name, values)?.number;
	const stated = readValue(answer.value, { language }).number;
	if (result === undefined || stated === undefined) return undefined;
	const decimals = /[.,](\d+)(?!.*\d)/.exec(answer.value)?.[1]?.length ?? 0;
	const isNear = Math.abs(result - Math.abs(stated)) <= 0.5 * 10 ** -Math.min(decimals, 6) + 1e-9 * Math.abs(result);
	if (!isNear) return undefined;
	const joined = values.map(({ text }) => text).join(sign);
	return `${compute.op === "mean" ? `(${joined}) / ${values.length}` : joined} = ${answer.value}`;
}

const sizeOf = ({ number, date }: ReturnType<typeof readValue>) => number ?? date?.year ?? 0;
