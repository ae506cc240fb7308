import type { LabelledItem } from "#domain";
import { spearman } from "../../agreement/spearman.ts";
import { mean } from "../../statistics/moments.ts";
import { type Measured, measureOverPairs, type RaterPair } from "./rater-pairs.ts";

/**
 * Whether a judge favours longer answers beyond what people do: the partial rank correlation of what the judge says with
 * the log length ratio, given what a person says,
 *
 *     (r_jl - r_jh r_lh) / sqrt((1 - r_jh^2) (1 - r_lh^2)),  r Spearman's.
 *
 * 0 for a judge that is only noisy, or stricter: such a judge follows length as far as it follows people. Above 0: longer
 * answers fare better with the judge than with people. `humans` is the same figure of one person given another: people
 * who judge alike still differ by chance, and a person's label is an imperfect control, so the judge's figure is to be
 * read beside theirs. The length ratio is other over submitted for pairs, submitted over reference (their mean) for
 * single answers, in characters. Intervals by jackknife over clusters. Undefined without variation.
 */
export function lengthBias(
	items: readonly LabelledItem[],
	{
		judge,
		humans,
		clusterOf,
	}: { judge: readonly RaterPair[]; humans: readonly RaterPair[]; clusterOf(item: string): string },
): { judge: Measured; humans: Measured } {
	const lengths = new Map(items.map((item) => [item.id, lengthRatio(item)]));
	const partial = ({ a, b, items: rated }: RaterPair) =>
		partialRank(
			a,
			rated.map((id) => lengths.get(id) ?? 0),
			b,
		);
	// either of two people may stand where the judge does
	const turned = humans.flatMap((pair) => [pair, { a: pair.b, b: pair.a, items: pair.items }]);
	const over = (pairs: readonly RaterPair[]) => measureOverPairs(pairs, { measures: { partial }, clusterOf }).partial;
	return { judge: over(judge), humans: over(turned) };
}

/** Natural logarithm; a character more on both sides, so that an empty answer has a length. */
export function lengthRatio({ submitted, other, reference }: LabelledItem): number {
	const long = (text: string | null | undefined) => (text ?? "").length + 1;
	if (other !== undefined) return Math.log(long(other) / long(submitted));
	const references = reference.map(long);
	return Math.log(long(submitted) / (references.length === 0 ? 1 : mean(references)));
}

/** Partial rank correlation of x and y given z; null where one of the three does not vary, or z says all of one. */
export function partialRank(x: readonly number[], y: readonly number[], z: readonly number[]): number | null {
	const [xy, xz, yz] = [spearman(x, y).value, spearman(x, z).value, spearman(y, z).value];
	if (xy === null || xz === null || yz === null) return null;
	const rest = (1 - xz * xz) * (1 - yz * yz);
	return rest < 1e-12 ? null : Math.min(1, Math.max(-1, (xy - xz * yz) / Math.sqrt(rest)));
}
