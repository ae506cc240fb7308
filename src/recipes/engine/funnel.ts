import { z } from "zod";
import { noUsage, Reason, Usage } from "#domain";
import type { StageAbout } from "./stage.ts";

const count = z.number().int().min(0);

/** What one stage did with what came to it. */
export const FunnelRow = z.object({
	stage: z.string(),
	kind: z.string(),
	version: z.number(),
	/** Inputs that came. */
	in: count,
	/** Pieces that left it; of a check the inputs that passed. */
	out: count,
	/** Inputs judged away, by reason. */
	dropped: z.partialRecord(Reason, count),
	/** Checks that could not run for want of a model, an image or a log-probability: not passed. */
	skipped: count,
	/** Inputs in quarantine. */
	faults: count,
	/** Inputs whose outcome was kept from before: nothing was asked. */
	reused: count,
	/** Of this process. */
	usage: Usage,
	published: z.object({ rate: z.number(), of: z.string(), source: z.string() }).optional(),
});
export type FunnelRow = z.infer<typeof FunnelRow>;

/** An empty row for each stage, in their order. */
export function emptyFunnel(stages: readonly StageAbout[]): Map<string, FunnelRow> {
	return new Map(
		stages.map(({ name, kind, version, published }) => [
			name,
			{
				...{ stage: name, kind, version, in: 0, out: 0, dropped: {}, skipped: 0, faults: 0, reused: 0, usage: noUsage },
				...(published ? { published } : {}),
			},
		]),
	);
}
