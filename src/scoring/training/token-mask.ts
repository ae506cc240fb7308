import { z } from "zod";
import { defineMetric } from "../metric.ts";

export interface TokenMask {
	/** Share of tokens that carry loss; null when there are none. */
	value: number | null;
	/** One for each token: 1 where it carries loss, else 0. */
	mask: (0 | 1)[];
	trained: number;
	/**
	 * Tokens partly within a span: a tokenizer joined what the policy wrote with what it did not. They carry no loss; any
	 * at all means that these are not the tokens that were sampled.
	 */
	straddling: number;
	tokens: number;
}

/**
 * Which tokens carry loss: those that lie wholly within a span of what the policy wrote (`lossMask`).
 *
 * `spans` and `offsets` are [start, end) in Unicode code points, as Python's tokenizers give them; spans ascend and are
 * apart. Tokens without characters (begin, end, padding) carry none. Over tokens that end where segments end, the sum of the
 * mask is the number of tokens that the policy sampled.
 */
export function tokenMask(
	spans: readonly (readonly [start: number, end: number])[],
	offsets: readonly (readonly [start: number, end: number])[],
): TokenMask {
	let straddling = 0;
	const mask = offsets.map(([start, end]) => {
		if (end <= start) return 0;
		const touched = spanBefore(spans, end);
		if (!touched || touched[1] <= start) return 0;
		if (touched[0] <= start && end <= touched[1]) return 1;
		straddling += 1;
		return 0;
	});
	const trained = mask.reduce((sum: number, one) => sum + one, 0);
	const tokens = mask.length;
	return { value: tokens === 0 ? null : trained / tokens, mask, trained, straddling, tokens };
}

/** The last span that begins before `end`. */
function spanBefore<Span extends readonly [number, number]>(spans: readonly Span[], end: number): Span | undefined {
	let low = 0;
	let high = spans.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((spans[middle]?.[0] ?? 0) < end) low = middle + 1;
		else high = middle;
	}
	return spans[low - 1];
}

const ranges = z
	.array(z.tuple([z.int().min(0), z.int().min(0)]))
	.max(1_000_000)
	.refine((pairs) => pairs.every(([start, end]) => start <= end), "an end stands before its start");

export const tokenMaskMetric = defineMetric({
	name: "token-mask",
	group: "training",
	describe: "Share of a trajectory's tokens that carry loss, with the mask over them.",
	formula: "tokens wholly within a span / tokens",
	range: "0 to 1",
	edges:
		"A token partly within a span carries none and is counted as straddling; one without characters carries none. No tokens: unscored.",
	source: "MMhops-R1; Search-R1 (masking of retrieved text)",
	example: {
		spans: [[2, 6]],
		offsets: [
			[0, 2],
			[2, 4],
			[4, 6],
			[6, 9],
		],
	},
	input: z.strictObject({
		spans: ranges.refine(
			(spans) => spans.every(([start], at) => at === 0 || start >= (spans[at - 1]?.[1] ?? 0)),
			"spans must ascend and be apart",
		),
		offsets: ranges,
	}),
	compute: ({ spans, offsets }) => {
		const { value, ...beside } = tokenMask(spans, offsets);
		return value === null ? { value, reason: "no tokens", ...beside } : { value, ...beside };
	},
});
