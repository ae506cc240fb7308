import { z } from "zod";
import { EvidenceId, freeRecord, mostRepeats, noUsage, StopReason, type Trajectory, Usage } from "#domain";

/*
 * Answers made elsewhere come in many shapes. This file says which are understood and turns them into trajectories;
 * what they do not say (usage, scores of results) stays empty.
 */

const Result = z.union([
	z.string().min(1).max(512),
	z.object({
		id: z.string().min(1).max(512),
		score: z.number().optional(),
		rank: z.number().int().positive().optional(),
	}),
]);

const ExternalStep = z.object({
	thought: z.string().optional(),
	subQuestion: z.string().optional(),
	tool: z.string().optional(),
	call: z
		.object({
			tool: z.string(),
			arguments: freeRecord(z.unknown()).default({}),
			valid: z.boolean().default(true),
		})
		.optional(),
	results: z.array(Result).max(10_000).default([]),
	subAnswer: z.string().optional(),
	role: z.string().optional(),
	usage: Usage.optional(),
	ms: z.number().min(0).default(0),
	error: z.string().optional(),
});

const Id = z.union([z.string().min(1), z.number().int().transform(String)]);
const Value = z.union([
	z.string(),
	z.number().transform(String),
	z.boolean().transform((said) => (said ? "yes" : "no")),
	z.null(),
]);

const Row = z.object({
	task: Id.optional(),
	id: Id.optional(),
	_id: Id.optional(),
	repeat: z
		.number()
		.int()
		.min(0)
		.max(mostRepeats - 1)
		.default(0),
	answer: Value.optional(),
	prediction: Value.optional(),
	predicted_answer: Value.optional(),
	abstained: z.boolean().default(false),
	plan: z.string().optional(),
	steps: z.array(ExternalStep).max(10_000).optional(),
	stop: StopReason.optional(),
	cited: z.array(EvidenceId).max(1000).optional(),
	usage: Usage.optional(),
	ms: z.number().min(0).default(0),
});

export interface ExternalAnswer {
	task: string;
	repeat: number;
	/** None where the file holds no answer: a missing prediction, which is no wrong one. */
	trajectory: Trajectory | undefined;
	/** Steps with results that do not say which tool brought them. */
	assumedTools: number;
}

/** One answer: a row with `task`, `id` or `_id` and `prediction`, `predicted_answer` or `answer`, perhaps `steps`. */
export function externalAnswer(json: unknown): ExternalAnswer | { problem: string } {
	const parsed = Row.safeParse(json);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		return { problem: `${issue?.path.length ? `at ${issue.path.join(".")}: ` : ""}${issue?.message}` };
	}
	const row = parsed.data;
	const task = row.task ?? row.id ?? row._id;
	if (task === undefined) return { problem: "no task, id or _id" };
	// a file of predictions often repeats the gold answer as `answer`: what is called a prediction goes first
	const answers = [row.prediction, row.predicted_answer, row.answer].filter((value) => value !== undefined);
	const [answer] = answers;
	if (answer === undefined && !row.abstained) return { problem: "no prediction, predicted_answer or answer" };
	const given = { task, repeat: row.repeat };
	const stopped = row.stop !== undefined && row.stop !== "answered";
	if ((answer ?? null) === null && !row.abstained && !stopped)
		return { ...given, trajectory: undefined, assumedTools: 0 };
	let assumedTools = 0;
	const steps = (row.steps ?? []).map(({ tool, call, results, ...step }, index) => {
		if (results.length > 0 && !tool && !call) assumedTools += 1;
		const named = tool ?? (results.length > 0 ? "text_search" : undefined);
		const made = call ?? (named === undefined ? undefined : { tool: named, arguments: {}, valid: true });
		return {
			...step,
			index,
			...(made ? { call: made } : {}),
			results: results.map((result, position) => {
				const { id, score = 0, rank = position + 1 } = typeof result === "string" ? { id: result } : result;
				return { id, score, rank };
			}),
		};
	});
	const trajectory: Trajectory = {
		...(row.plan === undefined ? {} : { plan: row.plan }),
		steps,
		answer: answer ?? null,
		abstained: row.abstained,
		stop: row.stop ?? "answered",
		usage: row.usage ?? noUsage,
		ms: row.ms,
		messages: [],
		...(row.cited ? { cited: row.cited } : {}),
		...(row.steps ? {} : { answerOnly: true }),
	};
	return { ...given, trajectory, assumedTools };
}
