import { z } from "zod";
import type { LabelledItem } from "#domain";

/** A line of R1-Searcher's evaluation output. `gpt4o_output` is what GPT-4o said of the answer: a model's word. */
export const R1SearcherLine = z.object({
	question: z.string().max(1_000_000),
	answer: z.union([z.string(), z.array(z.string()).min(1)]),
	pred_ans: z.string().max(1_000_000).nullable(),
	gpt4o_output: z.string().max(100_000),
});

/**
 * R1-Searcher's answers with the verdict that its evaluation recorded. The rater is a model: what is compared with it is
 * compared with a second judge, not with people. A recorded reply that is neither True nor False gives no label.
 */
export function r1SearcherItem(line: z.infer<typeof R1SearcherLine>, index: number): LabelledItem {
	const grade = gradeSaid(line.gpt4o_output);
	const submitted = line.pred_ans === null || line.pred_ans.trim() === "" ? null : line.pred_ans.trim();
	return {
		version: 1,
		id: `r1-searcher-${index}`,
		question: line.question,
		reference: [line.answer].flat(),
		submitted,
		evidence: [],
		system: "R1-Searcher",
		tags: {},
		labels: grade === undefined ? [] : [{ rater: "gpt-4o", kind: "model", label: { is: "grade", grade } }],
	};
}

/** What a reply of that evaluation's judge says: it begins with True or False, or says nothing. */
export function gradeSaid(reply: string): "right" | "wrong" | undefined {
	const said = /^\s*(true|false)\b/i.exec(reply)?.[1]?.toLowerCase();
	return said === undefined ? undefined : said === "true" ? "right" : "wrong";
}
