import { z } from "zod";
import { freeRecord } from "#domain";
import { defineMetric, type MetricResult } from "../metric.ts";
import type { Judged, Rubric, Shown } from "./rubric.ts";
import { rubrics } from "./rubrics.ts";

const names = Object.keys(rubrics);
const unseen: Shown = { question: "", reference: [], submitted: null, first: "reference", evidence: [] };

export const judgedMetric = defineMetric({
	name: "judged",
	group: "answers",
	describe: "What a judge's reply, or its one score, comes to by a published rubric: a value in [0, 1] and a grade.",
	formula:
		"vistahop: equivalent; tracer: 1 if answer_score >= 1; double-bench: 1 if score >= 7 (partly right above 3); mc-search: mean of the four scores / 5",
	range: "0 to 1",
	edges:
		"A reply that does not fit the rubric's shape, or a score off its scale, is unscored, never 0. Rubrics of labels have no value: null with the labels beside it. MC-Search publishes no limits, so no grade.",
	source:
		"VistaHop 4; AgenticRAGTracer Figure 23; Double-Bench 3 and Figure 26; MC-Search Appendix P, RQ5; VistaHop Table 9",
	example: { rubric: "double-bench", score: 7 },
	input: z
		.strictObject({
			rubric: z.string().refine((name) => names.includes(name), { message: `must be one of ${names.join(", ")}` }),
			reply: freeRecord(z.unknown()).optional(),
			score: z.number().optional(),
		})
		.refine(({ reply, score }) => (reply === undefined) !== (score === undefined), {
			message: "give either a reply or a score",
			path: ["reply"],
		}),
	compute({ rubric: name, reply, score }) {
		const rubric = rubrics[name];
		if (!rubric) return { value: null, reason: `no rubric is called ${name}` };
		return score === undefined ? ofReply(rubric, reply) : ofScore(rubric, score);
	},
	record: {
		heading: "Judge",
		meaning: "What a judge's verdicts on an answer come to by its rubric, averaged over the judge's runs.",
		needs: ["answer", "judge"],
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: [],
	},
});

/** The score that a judge's verdicts add to a row; records have it only where there are any. */
export const judgedScore = judgedMetric.name;

function ofScore({ name, scale }: Rubric, score: number): MetricResult {
	if (!scale) return { value: null, reason: `score: ${name} gives labels, no score`, rubric: name };
	const { least, most, whole } = scale;
	if (score < least || score > most || (whole && !Number.isInteger(score)))
		return {
			value: null,
			reason: `score: must be a ${whole ? "whole " : ""}number from ${least} to ${most}`,
			rubric: name,
		};
	return graded(name, { ...scale.of(score), scores: {}, labels: [] });
}

function ofReply(rubric: Rubric, reply: unknown): MetricResult {
	const parsed = rubric.reply.safeParse(reply);
	if (parsed.success) return graded(rubric.name, rubric.read(parsed.data, unseen));
	const [issue] = parsed.error.issues;
	const where = ["reply", ...(issue?.path ?? [])].map(String).join(".");
	return { value: null, reason: `${where}: ${issue?.message ?? "does not fit"}`, rubric: rubric.name };
}

function graded(
	rubric: string,
	{ value, grade, scores, labels }: Pick<Judged, "value" | "grade" | "scores" | "labels">,
): MetricResult {
	const beside = {
		rubric,
		grade,
		...(Object.keys(scores).length > 0 ? { scores } : {}),
	};
	return value === null
		? { value, reason: "the rubric gives labels, no value", ...beside, labels }
		: { value, ...beside };
}
