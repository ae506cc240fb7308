import { z } from "zod";
import { grouped, type LabelledItem, type Rating, usageError } from "#domain";
import { preferenceNames } from "./preference.ts";

const degree = z.number().int().min(-2).max(2);
const answer = z.object({ model_name: z.string().max(200), response: z.string().max(1_000_000) });

const Row = z.object({
	instance_id: z.union([z.number(), z.string()]),
	dataset: z.string().max(200),
	query_id: z.union([z.number(), z.string()]),
	query: z.string().max(1_000_000),
	gt_answer: z.string().max(1_000_000),
	model1: answer,
	model2: answer,
	correctness_label: degree,
	completeness_label: degree,
	overall_label: degree,
});
type Row = z.infer<typeof Row>;

/**
 * RAGChecker's human preferences (`human_labeled_data.json`): two answers to a question, compared by two annotators.
 *
 * A row is one annotator's; rows of one `instance_id` are one pair, the first of them annotator 1, as in the project's own
 * `meta_eval.py`. That script compares the labels with "score of model2 minus score of model1": above 0, model2 is better,
 * and the token overlap of the answers agrees (F1 of model2 minus that of model1 correlates with the overall label at
 * about 0.5). So `model1` is the submitted answer here and `model2` the other one, and no sign changes.
 */
export function ragcheckerItems(json: unknown): LabelledItem[] {
	const parsed = z.array(Row).max(1_000_000).safeParse(json);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw usageError(
			"bad-labels",
			`this is not RAGChecker's file: at ${issue?.path.join(".") || "the top"}: ${issue?.message}`,
			"Give it human_labeled_data.json of the project's meta evaluation.",
		);
	}
	const byPair = grouped(parsed.data, ({ instance_id }) => String(instance_id));
	return [...byPair].map(([id, rows]) => itemOf(id, rows));
}

function itemOf(id: string, rows: Row[]): LabelledItem {
	const [first] = rows;
	if (!first) throw new RangeError("a pair without rows");
	for (const row of rows)
		if (row.model1.response !== first.model1.response || row.model2.response !== first.model2.response)
			throw usageError(
				"bad-labels",
				`instance ${id}: its rows do not show the same two answers`,
				"Mend or remove these rows.",
			);
	return {
		version: 1,
		id: `ragchecker-${id}`.slice(0, 200),
		question: first.query,
		reference: [first.gt_answer],
		submitted: first.model1.response,
		other: first.model2.response,
		evidence: [],
		system: first.model1.model_name,
		otherSystem: first.model2.model_name,
		cluster: `${first.dataset} ${first.query_id}`,
		tags: { dataset: first.dataset },
		labels: rows.flatMap((row, index) => labelsOf(row, `annotator ${index + 1}`)),
	};
}

function labelsOf(row: Row, rater: string): Rating[] {
	return preferenceNames.map((name) => ({
		rater,
		kind: "human",
		label: { is: "preference", name, value: row[`${name}_label`] },
	}));
}
