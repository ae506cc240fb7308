import { z } from "zod";
import { defineMetric, text } from "../metric.ts";

export const writers = ["policy", "observation", "penalty", "prompt"] as const;
/** Who wrote a part of a trajectory's text: only what the policy sampled carries loss. */
export type Writer = (typeof writers)[number];

export interface LossMask {
	/** Share of characters that carry loss; null when there are none. */
	value: number | null;
	/** [start, end) of each run of the policy's characters, in Unicode code points, ascending and apart. */
	spans: [start: number, end: number][];
	/** Characters that carry loss, and all. */
	trained: number;
	characters: number;
}

/**
 * Where a text made of `segments`, joined without anything between, carries loss: 1 on what the policy wrote (its stop
 * strings and end marks among it), 0 on observations, penalties (feedback on malformed turns) and prompts (what a template
 * puts between turns too).
 *
 * Positions count Unicode code points, since trainers are Python programs whose tokenizers give offsets of that kind, so
 * that a mask over tokens follows from theirs. Runs that touch are one. Text cut before it entered the history must not be
 * in a segment. Source: MMhops-R1 and Search-R1 (retrieved text is masked).
 */
export function lossMask(segments: readonly { text: string; by: Writer }[]): LossMask {
	const spans: LossMask["spans"] = [];
	let trained = 0;
	let characters = 0;
	for (const { text: part, by } of segments) {
		const length = codePoints(part);
		const start = characters;
		characters += length;
		if (by !== "policy" || length === 0) continue;
		trained += length;
		const last = spans.at(-1);
		if (last?.[1] === start) last[1] = characters;
		else spans.push([start, characters]);
	}
	return { value: characters === 0 ? null : trained / characters, spans, trained, characters };
}

function codePoints(part: string): number {
	let count = 0;
	for (const _ of part) count += 1;
	return count;
}

export const lossMaskMetric = defineMetric({
	name: "loss-mask",
	group: "training",
	describe: "Share of a trajectory's characters that carry loss, with the spans that the policy wrote.",
	formula: "characters of segments by policy / characters; spans are [start, end) in Unicode code points",
	range: "0 to 1",
	edges: "Observations, penalties and prompts carry none. Runs that touch are one span. No text: unscored.",
	source: "MMhops-R1; Search-R1 (masking of retrieved text)",
	example: {
		segments: [
			{ text: "Who wrote it?", by: "prompt" },
			{ text: "<search>author</search>", by: "policy" },
			{ text: "Ibsen, 1867", by: "observation" },
			{ text: "<answer>Ibsen</answer>", by: "policy" },
		],
	},
	input: z.strictObject({
		segments: z.array(z.strictObject({ text, by: z.enum(writers) })).max(100_000),
	}),
	compute: ({ segments }) => {
		const { value, ...beside } = lossMask(segments);
		return value === null ? { value, reason: "no text", ...beside } : { value, ...beside };
	},
});
