import { z } from "zod";
import { noUsage, ScoringMode, scored, Task, Trajectory } from "#domain";
import { defineMetric, type Metric, type MetricGroup } from "./metric.ts";
import { scoredRecord } from "./scored-record.ts";
import { type RecordScorer, scoreOf } from "./scorer.ts";

/** The record that every scorer's worked example is of: two hops, three searches, an answer in other words. */
export const workedRecord = {
	task: Task.parse({
		id: "worked",
		question: "Which university did the painter on this stamp attend?",
		answer: { type: "string", value: "University of Oslo", accepted: ["University of Oslo"] },
		chain: {
			hops: [
				hop("h1", "image", [], ["stamp"]),
				hop("h2", "text", [{ hop: "h1", role: "bridge" }], ["painter", "painter-2"]),
			],
			sink: "h2",
		},
	}),
	trajectory: Trajectory.parse({
		steps: [
			search("image_search_by_text", ["letter", "stamp"]),
			search("text_search", ["coin"]),
			search("text_search", ["brush", "painter"]),
			{ call: { tool: "text_search", arguments: {}, valid: false }, error: "bad-arguments: no query" },
		].map((step, index) => ({ index, round: index, ...step })),
		answer: "Oslo University",
		abstained: false,
		stop: "answered",
		usage: noUsage,
		ms: 1,
		messages: Array.from({ length: 5 }, () => ({ role: "assistant", content: [{ type: "text", text: "…" }] })),
	}),
	limit: 6,
};

function hop(id: string, modality: string, needs: object[], evidence: string[]) {
	return { id, question: "?", modality, needs, evidence, answer: { type: "string", value: "?", accepted: ["?"] } };
}

function search(tool: string, ids: string[]) {
	const results = ids.map((id, place) => ({ id, score: 1 - place / 10, rank: place + 1 }));
	return { call: { tool, arguments: { query: "…", k: 2 }, valid: true }, results };
}

const recordInput = z.strictObject({
	task: Task,
	trajectory: Trajectory,
	limit: z.int().positive().optional(),
	tools: z.array(z.string()).max(100).optional(),
	mode: ScoringMode.optional(),
});

/** A score of records that is nothing else: as a filter it reads records. */
export function defineScorer({
	group,
	formula,
	edges,
	...scorer
}: RecordScorer & { group: MetricGroup; formula: string; edges: string }): Metric {
	const { name, source, meaning, aggregation, ...rest } = scorer;
	return defineMetric({
		name,
		group,
		describe: meaning,
		formula,
		range: aggregation === "mean" ? "a number" : "0 to 1",
		edges,
		source,
		example: JSON.parse(JSON.stringify(workedRecord)),
		input: recordInput,
		compute({ task, trajectory, ...options }) {
			const score = scoreOf(scorer, scoredRecord(task, trajectory, options));
			if (score.is === "unscored") return { value: null, reason: score.reason };
			return { value: score.value, ...score.details };
		},
		record: { meaning, aggregation, ...rest },
	});
}

/** A score that some value gives, or why there is none. */
export const scoredOr = (value: number | null, reason: string, details?: Record<string, unknown>) =>
	value === null ? ({ is: "unscored", reason } as const) : scored(value, details);
