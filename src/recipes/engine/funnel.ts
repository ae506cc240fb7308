import { z } from "zod";
import { noUsage, Reason, Usage } from "#domain";
import type { StageAbout } from "./stage.ts";

const count = z.number().int().min(0);

/**
 * What one stage did with the inputs whose outcome is known. Nothing is lost: of a check
 * `in = out + failed + skipped + notApplicable + faults`, of every other stage `in + spread = out + dropped + empty + faults`.
 */
export const FunnelRow = z.object({
	stage: z.string(),
	kind: z.string(),
	version: z.number(),
	/** Inputs that came. */
	in: count,
	/** Pieces that left it; of a check the inputs that passed. */
	out: count,
	/** Inputs judged away, by reason; of a check those of `failed` that this cost the item. */
	dropped: z.partialRecord(Reason, count),
	/** Of a check the inputs that failed; they may be dropped, rewritten or flagged. */
	failed: count.default(0),
	/** Checks that could not run for want of a model, an image or a log-probability: not passed. */
	skipped: count,
	/** Items that a check was not for, or in which it found nothing to look at: neither passed nor failed. */
	notApplicable: count.default(0),
	/** Inputs that gave nothing, without a reason. */
	empty: count.default(0),
	/** Outcomes beyond one an input: what fanned out. */
	spread: count.default(0),
	/** Inputs in quarantine. */
	faults: count,
	/** Inputs whose outcome was kept from before: nothing was asked. */
	reused: count,
	/** Of this process. */
	usage: Usage,
	/** Inputs whose outcome models were asked for, and what that took, whichever process asked. */
	asked: z.object({ inputs: count, usage: Usage }).optional(),
	published: z
		.object({
			rate: z.number(),
			of: z.string(),
			source: z.string(),
			share: z.enum(["out", "dropped", "other"]).optional(),
		})
		.optional(),
});
export type FunnelRow = z.infer<typeof FunnelRow>;

/** An empty row for each stage, in their order. */
export function emptyFunnel(stages: readonly StageAbout[]): Map<string, FunnelRow> {
	return new Map(
		stages.map(({ name, kind, version, published }) => [
			name,
			{
				stage: name,
				kind,
				version,
				in: 0,
				out: 0,
				dropped: {},
				failed: 0,
				skipped: 0,
				notApplicable: 0,
				empty: 0,
				spread: 0,
				faults: 0,
				reused: 0,
				usage: noUsage,
				...(published ? { published } : {}),
			},
		]),
	);
}

/** Two stages of one name are the recipe's mistake; one that stands in two places has one row. */
export function mustBeDistinct(stages: readonly StageAbout[], recipe: string): void {
	const named = new Map<string, StageAbout>();
	for (const stage of stages) {
		const before = named.get(stage.name);
		if (before && before !== stage) throw new RangeError(`the recipe ${recipe} has two stages called "${stage.name}"`);
		named.set(stage.name, stage);
	}
}

/** All that a stage dropped, whatever the reason. */
export const droppedBy = ({ dropped }: Pick<FunnelRow, "dropped">): number =>
	Object.values(dropped).reduce((sum, one) => sum + one, 0);

/** Our share beside a published one; undefined where nothing came or another thing was counted. */
export function shareOf(
	row: Pick<FunnelRow, "kind" | "in" | "out" | "failed" | "dropped" | "skipped" | "notApplicable" | "published">,
): number | undefined {
	const judged = row.in - row.skipped - row.notApplicable;
	const share = row.published?.share ?? "out";
	if (judged <= 0 || share === "other") return undefined;
	if (share === "out") return row.out / judged;
	// what a check fails may be rewritten rather than dropped
	return (row.kind === "check" || row.kind === "probe" ? row.failed : droppedBy(row)) / judged;
}
