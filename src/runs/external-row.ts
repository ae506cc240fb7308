import { z } from "zod";
import { EvidenceId, freeRecord, mostRepeats, noUsage, StopReason, type Trajectory, Usage } from "#domain";
import type { ExternalDocument } from "./matching/external-document.ts";

/*
 * Answers made elsewhere come in many shapes. This file says which are understood and turns them into trajectories;
 * what they do not say (usage, scores of results) stays empty.
 */

/** What came back, by its id or by what is told of it: unknown fields are left out, a text that is none is none. */
const Result = z.union([
	z.string().min(1).max(512),
	z
		.object({
			id: z.union([z.string().min(1).max(512), z.number().int().transform(String)]).optional(),
			title: z.string().max(2000).nullish(),
			text: z.string().nullish(),
			address: z.string().min(1).max(2000).nullish(),
			document: z.string().min(1).max(480).nullish(),
			page: z.number().int().min(0).max(999_999).nullish(),
			score: z.number().optional(),
			rank: z.number().int().positive().optional(),
		})
		.refine(({ id, text, address, document }) => id ?? text ?? address ?? document, {
			message: "a result needs an id, a text, an address or a document",
		}),
]);

const ExternalStep = z.object({
	thought: z.string().optional(),
	subQuestion: z.string().optional(),
	tool: z.string().optional(),
	/** With `tool`: what it was called with, and whether the call was carried out. */
	arguments: freeRecord(z.unknown()).optional(),
	query: z.string().optional(),
	valid: z.boolean().optional(),
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

/** A name where it is one: other files use the word for other things. */
const Name = z.string().trim().min(1).max(200).optional().catch(undefined);

const Row = z.object({
	task: Id.optional(),
	id: Id.optional(),
	_id: Id.optional(),
	/** Stands for an id where there is none. */
	question: z.string().optional().catch(undefined),
	agent: Name,
	model: Name,
	repeat: z
		.number()
		.int()
		.min(0)
		.max(mostRepeats - 1)
		.optional(),
	answer: Value.optional(),
	prediction: Value.optional(),
	predicted_answer: Value.optional(),
	abstained: z.boolean().default(false),
	plan: z.string().optional(),
	/** What is only text is what the agent thought before the step behind it. */
	steps: z
		.array(z.union([z.string(), ExternalStep]))
		.max(10_000)
		.optional(),
	stop: StopReason.optional(),
	/** Why there is no answer, where the attempt failed. */
	error: z.string().min(1).optional().catch(undefined),
	cited: z.array(EvidenceId).max(1000).optional(),
	usage: Usage.optional(),
	ms: z.number().min(0).default(0),
});

export interface ExternalAnswer {
	/** The id, or the question of a row without one. */
	asked: { task: string } | { question: string };
	/** Undefined where the row does not say which it is. */
	repeat: number | undefined;
	agent: string | undefined;
	model: string | undefined;
	/** None where the file holds no answer: a missing prediction, which is no wrong one. */
	trajectory: Trajectory | undefined;
	/** Steps with results that do not say which tool brought them. */
	assumedTools: number;
}

/**
 * One answer: a row with `task`, `id`, `_id` or `question` and `prediction`, `predicted_answer` or `answer`, perhaps
 * `steps`. Results have the names that `nameOf` gives them.
 */
export function externalAnswer(
	json: unknown,
	nameOf: (document: ExternalDocument) => string,
): ExternalAnswer | { problem: string } {
	const parsed = Row.safeParse(json);
	if (!parsed.success) return { problem: issueOf(parsed.error) };
	const row = parsed.data;
	const task = row.task ?? row.id ?? row._id;
	if (task === undefined && row.question === undefined) return { problem: "no task, id, _id or question" };
	// a file of predictions often repeats the gold answer as `answer`: what is called a prediction goes first
	const answers = [row.prediction, row.predicted_answer, row.answer].filter((value) => value !== undefined);
	const [answer] = answers;
	const failed = row.error !== undefined && (answer ?? null) === null;
	if (answer === undefined && !row.abstained && !failed)
		return { problem: "no prediction, predicted_answer or answer" };
	// beside a question `answer` is what the questions' own files call the accepted one
	if (task === undefined && row.prediction === undefined && row.predicted_answer === undefined && answer !== undefined)
		return {
			problem: "no task, id or _id, and beside a question `answer` may be the accepted one: call it prediction",
		};
	const asked = task === undefined ? { question: row.question ?? "" } : { task };
	const given = { asked, repeat: row.repeat, agent: row.agent, model: row.model };
	const stop = row.stop ?? (failed ? "error" : "answered");
	if ((answer ?? null) === null && !row.abstained && stop === "answered")
		return { ...given, trajectory: undefined, assumedTools: 0 };
	const { steps, assumedTools } = stepsOf(row.steps ?? [], nameOf);
	const trajectory: Trajectory = {
		...(row.plan === undefined ? {} : { plan: row.plan }),
		steps,
		answer: answer ?? null,
		abstained: row.abstained,
		stop,
		...(stop === "error" ? { error: { boundary: "agent" as const, message: row.error ?? "not said" } } : {}),
		usage: row.usage ?? noUsage,
		ms: row.ms,
		messages: [],
		...(row.cited ? { cited: row.cited } : {}),
		...(row.steps ? {} : { answerOnly: true }),
	};
	return { ...given, trajectory, assumedTools };
}

/** Where a row does not fit and what was expected there; of alternatives, by the one that fits further in. */
function issueOf(error: z.ZodError): string {
	let [issue] = error.issues;
	const path = [...(issue?.path ?? [])];
	while (issue?.code === "invalid_union") {
		const deeper = issue.errors.flat().find((one) => one.path.length > 0);
		if (!deeper) break;
		path.push(...deeper.path);
		issue = deeper;
	}
	return `${path.length > 0 ? `at ${path.join(".")}: ` : ""}${issue?.message}`;
}

/** Steps as we keep them. Text between steps is the thought of the step behind it, a step of its own where none is. */
function stepsOf(
	given: readonly (string | z.infer<typeof ExternalStep>)[],
	nameOf: (document: ExternalDocument) => string,
): {
	steps: Trajectory["steps"];
	assumedTools: number;
} {
	let assumedTools = 0;
	let said: string[] = [];
	const steps: Omit<Trajectory["steps"][number], "index">[] = [];
	for (const one of given) {
		if (typeof one === "string") {
			if (one.trim() !== "") said.push(one.trim());
			continue;
		}
		const { tool, call, results, thought, arguments: named, query, valid = true, ...step } = one;
		if (results.length > 0 && !tool && !call) assumedTools += 1;
		const called = tool ?? (results.length > 0 || query !== undefined ? "text_search" : undefined);
		const asked = { ...(query === undefined ? {} : { query }), ...named };
		const made = call ?? (called === undefined ? undefined : { tool: called, arguments: asked, valid });
		const thoughts = [...said, ...(thought === undefined ? [] : [thought])];
		said = [];
		steps.push({
			...(thoughts.length > 0 ? { thought: thoughts.join("\n") } : {}),
			...step,
			...(made ? { call: made } : {}),
			results: results.map((result, position) => {
				const { score = 0, rank = position + 1, ...document } = typeof result === "string" ? { id: result } : result;
				return { id: nameOf(documentOf(document)), score, rank };
			}),
		});
	}
	if (said.length > 0) steps.push({ thought: said.join("\n"), results: [], ms: 0 });
	return { steps: steps.map((step, index) => ({ index, ...step })), assumedTools };
}

function documentOf(told: Record<string, string | number | null | undefined>): ExternalDocument {
	return Object.fromEntries(
		Object.entries(told).filter(([, value]) => value !== null && value !== ""),
	) as ExternalDocument;
}
