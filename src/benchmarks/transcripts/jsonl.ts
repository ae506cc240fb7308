import { z } from "zod";
import { noUsage, usageError } from "#domain";
import { FieldPath, valueAt } from "../field-path.ts";
import { type AgentCall, stepOfCall } from "./agent-turns.ts";
import { countIn, isFields, numberIn, wordIn } from "./traces/values.ts";
import {
	issueOf,
	type LineFormat,
	most,
	stopOf,
	type Transcript,
	type TranscriptDocument,
	type TranscriptStep,
	thoughtOf,
} from "./transcript.ts";

const Documents = z.strictObject({
	/** The list in a step. */
	in: FieldPath,
	...{ id: FieldPath.optional(), text: FieldPath.optional(), title: FieldPath.optional() },
	...{ address: FieldPath.optional(), score: FieldPath.optional(), page: FieldPath.optional() },
	/** The file or document that it is a part of. */
	source: FieldPath.optional(),
});

const Steps = z.strictObject({
	/** The list in a row. */
	in: FieldPath,
	...{ thought: FieldPath.optional(), subQuestion: FieldPath.optional(), subAnswer: FieldPath.optional() },
	/** The tool's name; where it is not mapped, a step with a query searched texts. */
	tool: FieldPath.optional(),
	...{ query: FieldPath.optional(), arguments: FieldPath.optional(), error: FieldPath.optional() },
	/** A list, or what holds one, in whatever form documents mostly have; or `{in, id, text, title, …}`. */
	documents: z.union([FieldPath, Documents]).optional(),
	/** Whether the call could be carried out. */
	valid: FieldPath.optional(),
	...{ ms: FieldPath.optional(), inputTokens: FieldPath.optional(), outputTokens: FieldPath.optional() },
	...{ role: FieldPath.optional(), round: FieldPath.optional() },
});

/** Our names to where they stand in a row. */
const Mapping = z.strictObject({
	question: FieldPath,
	answer: FieldPath.optional(),
	/** A text or a list of texts that all count as right. */
	accepted: FieldPath.optional(),
	/** Names the task: rows with the same one are its repeats. */
	task: FieldPath.optional(),
	/** Names the attempt. */
	trace: FieldPath.optional(),
	/** When it began: ISO 8601, or seconds or milliseconds since 1970. */
	time: FieldPath.optional(),
	...{
		ms: FieldPath.optional(),
		model: FieldPath.optional(),
		agent: FieldPath.optional(),
		error: FieldPath.optional(),
	},
	/** What a judge said of the answer: right or wrong, in whatever words. */
	grade: FieldPath.optional(),
	...{ inputTokens: FieldPath.optional(), outputTokens: FieldPath.optional() },
	/** Of the questions, BCP 47: the word itself, no path. */
	language: z.string().min(2).max(35).default("und"),
	steps: Steps.optional(),
});
type Mapping = z.infer<typeof Mapping>;

const names = "question, answer, accepted, task, trace, time, ms, model, agent, grade, error, language, steps";

/** JSON lines of any form, by a file that says where in a row what stands (`--mapping`). */
export const jsonlFormat = {
	name: "jsonl",
	source: {
		name: "Rows of a form of one's own",
		licence: "unknown",
		attribution: "whoever made the file; documents in it belong to their authors",
	},
	agent: "jsonl",
	language: "und",
	documents: { licence: "unknown", attribution: "the document's authors" },
	cautions: [],
	tried: "real transcripts of the two forms above, written as rows",
	// nothing tells a row of any form from one of another
	recognises: () => false,
	read: () => ({ problem: "it takes a mapping to read it" }),
	mapped(given: unknown): LineFormat {
		const parsed = Mapping.safeParse(given);
		if (parsed.success)
			return { ...jsonlFormat, language: parsed.data.language, read: (json) => transcriptOf(json, parsed.data) };
		throw usageError(
			"no-mapping",
			given === undefined ? "which field is which must be said" : `the mapping does not fit: ${issueOf(parsed.error)}`,
			`Give --mapping FILE, YAML or JSON, with our names (${names}) and where they stand in a row; docs/guides/import-and-export.md has an example.`,
		);
	},
} satisfies LineFormat & { mapped(mapping: unknown): LineFormat };

function transcriptOf(row: unknown, mapping: Mapping): Transcript | { problem: string } {
	const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(row, path));
	const question = wordIn(at(mapping.question))?.trim();
	if (question === undefined) return { problem: `no question at "${mapping.question}"` };
	const losses = new Set<string>();
	const listed = mapping.steps === undefined ? [] : at(mapping.steps.in);
	if (listed !== undefined && listed !== null && !Array.isArray(listed))
		return { problem: `no list of steps at "${mapping.steps?.in}"` };
	if (listed === undefined || listed === null) losses.add(`no steps at "${mapping.steps?.in}"`);
	const rows: unknown[] = listed ?? [];
	if (rows.length > most.steps) return { problem: `more than ${most.steps} steps` };
	const steps = mapping.steps === undefined ? [] : rows.map((one) => stepOf(one, mapping.steps as Steps, losses));
	const answer = wordIn(at(mapping.answer))?.trim().slice(0, most.answer) || null;
	const error = wordIn(at(mapping.error));
	const ended = error === undefined ? stopOf(answer) : { stop: "error" as const, losses: [] };
	const accepted = [at(mapping.accepted)].flat(2).flatMap((one) => wordIn(one)?.trim().slice(0, 10_000) ?? []);
	const [input, output] = [countIn(at(mapping.inputTokens)), countIn(at(mapping.outputTokens))];
	const model = wordIn(at(mapping.model));
	const agent = wordIn(at(mapping.agent));
	const [task, trace] = [wordIn(at(mapping.task)), wordIn(at(mapping.trace))];
	const ms = numberIn(at(mapping.ms));
	return {
		...(task === undefined ? {} : { task: task.slice(0, 180) }),
		...(trace === undefined ? {} : { id: trace.slice(0, 180) }),
		...{ question: question.slice(0, 100_000), accepted: [...new Set(accepted)].slice(0, 1000), tags: {} },
		...{ steps, answer, stop: ended.stop, messages: [] },
		...timeOf(at(mapping.time), losses),
		...(ms === undefined || ms < 0 ? {} : { ms }),
		...(input === undefined && output === undefined
			? { usage: steps.map((step) => step.usage ?? noUsage).reduce(sumOf, noUsage) }
			: { usage: { calls: 1, inputTokens: input ?? 0, outputTokens: output ?? 0 } }),
		...(error === undefined ? {} : { error: { boundary: "agent" as const, message: error.slice(0, 10_000) } }),
		...(model === undefined ? {} : { models: [model.slice(0, 500)] }),
		...(agent === undefined ? {} : { agent: agent.slice(0, 200) }),
		...gradeOf(at(mapping.grade), losses),
		losses: [...losses, ...ended.losses],
	};
}

type Steps = z.infer<typeof Steps>;
const sumOf = (a: typeof noUsage, b: typeof noUsage) => ({
	calls: a.calls + b.calls,
	inputTokens: a.inputTokens + b.inputTokens,
	outputTokens: a.outputTokens + b.outputTokens,
});

/** A call of a tool, or a step of thought alone. */
function stepOf(row: unknown, fields: Steps, losses: Set<string>): TranscriptStep {
	const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(row, path));
	const word = (path: string | undefined) => wordIn(at(path));
	const query = at(fields.query);
	const given = at(fields.arguments);
	const own = isFields(given) ? given : given === undefined || given === null ? {} : { text: given };
	const tool = word(fields.tool) ?? (query === undefined ? undefined : "text_search");
	const [subQuestion, subAnswer, error] = [word(fields.subQuestion), word(fields.subAnswer), word(fields.error)];
	const [ms, role, round] = [numberIn(at(fields.ms)), word(fields.role), countIn(at(fields.round))];
	const [input, output] = [countIn(at(fields.inputTokens)), countIn(at(fields.outputTokens))];
	const call: AgentCall | undefined =
		tool === undefined
			? undefined
			: {
					...{ name: tool, arguments: query === undefined ? own : { ...own, query }, error },
					...{ result: resultOf(row, fields), invalid: at(fields.valid) === false },
				};
	return {
		...thoughtOf(word(fields.thought) ?? ""),
		...(call ? stepOfCall(call, losses) : { documents: [], ...(error === undefined ? {} : { error }) }),
		...(subQuestion === undefined ? {} : { subQuestion }),
		...(subAnswer === undefined ? {} : { subAnswer }),
		...(input === undefined && output === undefined
			? {}
			: { usage: { calls: 1, inputTokens: input ?? 0, outputTokens: output ?? 0 } }),
		...(ms === undefined || ms < 0 ? {} : { ms }),
		...(role === undefined ? {} : { role: role.slice(0, 200) }),
		...(round === undefined ? {} : { round }),
	};
}

/** What came back: the documents as the mapping tells them, in the form that `stepOfCall` reads; nothing mapped is nothing found. */
function resultOf(row: unknown, { documents }: Steps): unknown {
	if (documents === undefined) return [];
	if (typeof documents === "string") return valueAt(row, documents) ?? [];
	const listed = valueAt(row, documents.in);
	if (!Array.isArray(listed)) return listed === undefined || listed === null ? [] : listed;
	return listed.slice(0, most.documents).map((one): TranscriptDocument => {
		const word = (path: string | undefined) => (path === undefined ? undefined : wordIn(valueAt(one, path)));
		const told = {
			id: word(documents.id),
			url: word(documents.address),
			source: word(documents.source),
			page: word(documents.page),
		};
		const score = documents.score === undefined ? undefined : numberIn(valueAt(one, documents.score));
		const [title, text] = [word(documents.title) ?? "", word(documents.text) ?? (typeof one === "string" ? one : "")];
		return Object.fromEntries(
			Object.entries({ title, text, score, ...told }).filter(([, value]) => value !== undefined),
		) as unknown as TranscriptDocument;
	});
}

function timeOf(value: unknown, losses: Set<string>): Pick<Transcript, "at"> {
	if (value === undefined || value === null) return {};
	// seconds and milliseconds since 1970 are told apart by their size
	const number = numberIn(value);
	const time = number === undefined ? Date.parse(String(value)) : number < 1e11 ? number * 1000 : number;
	if (Number.isNaN(time) || Math.abs(time) > 8.64e15) losses.add("a time that cannot be read is left out");
	else return { at: new Date(time).toISOString() };
	return {};
}

const right = /^(?:true|yes|right|correct|pass(?:ed)?|c|1)\b/i;
const wrong = /^(?:false|no|wrong|incorrect|fail(?:ed)?|i|0)\b/i;

function gradeOf(value: unknown, losses: Set<string>): Pick<Transcript, "judged"> {
	const said = wordIn(value)?.trim();
	if (said === undefined) return {};
	if (right.test(said)) return { judged: { rater: "file", said: "True" } };
	if (wrong.test(said)) return { judged: { rater: "file", said: "False" } };
	losses.add("a grade that says neither right nor wrong is left out");
	return {};
}
