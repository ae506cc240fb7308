/**
 * How the losses of a batch's tokens become one number. `token-mean`: over all of them (DAPO as verl has it).
 * `group-token-mean`: over each group's, then over groups (DAPO and MMhops-R1 as printed: the same only where groups have
 * equally many). `seq-mean-token-mean`: over each response's, then over responses (GRPO). `seq-mean-token-sum`: summed in
 * each response, the mean over responses. `seq-mean-token-sum-norm`: that over a fixed number of tokens (Dr. GRPO).
 */
export const aggregations = [
	"token-mean",
	"group-token-mean",
	"seq-mean-token-mean",
	"seq-mean-token-sum",
	"seq-mean-token-sum-norm",
] as const;
export type Aggregation = (typeof aggregations)[number];

/** A response by its tokens: all of them, and those that carry loss. */
export interface Counted {
	length: number;
	trained: number;
	group: number | string | undefined;
}

/** What one token of each response weighs in the loss; a response without a token that carries loss is none. */
export function weigh(
	responses: readonly Counted[],
	{ aggregation, scale }: { aggregation: Aggregation; scale?: number | undefined },
): number[] {
	const some = responses.filter(({ trained }) => trained > 0);
	switch (aggregation) {
		case "token-mean": {
			const all = some.reduce((sum, { trained }) => sum + trained, 0);
			return responses.map(() => 1 / all);
		}
		case "group-token-mean": {
			const groups = new Map<Counted["group"], number>();
			for (const { group, trained } of some) {
				if (group === undefined) throw new RangeError("group-token-mean needs the group of each response");
				groups.set(group, (groups.get(group) ?? 0) + trained);
			}
			return responses.map(({ group }) => 1 / (groups.size * (groups.get(group) ?? Number.POSITIVE_INFINITY)));
		}
		case "seq-mean-token-mean":
			return responses.map(({ trained }) => 1 / (some.length * Math.max(1, trained)));
		case "seq-mean-token-sum":
			return responses.map(() => 1 / some.length);
		case "seq-mean-token-sum-norm": {
			const tokens = scale ?? responses.reduce((longest, { length }) => Math.max(longest, length), 1);
			return responses.map(() => 1 / (some.length * tokens));
		}
	}
}
