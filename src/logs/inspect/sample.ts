import type { Message, Step, StopReason, ToolCall, Usage } from "#domain";
import { sha256 } from "#store";
import {
	argumentsOf,
	documentsOf,
	headline,
	type LoggedAnswer,
	type LoggedRun,
	modelOf,
	scoresOf,
	spanOf,
	type Turn,
	textOf,
	turnsOf,
	verdictsOf,
} from "../logged-run.ts";

/** Inspect's word for no model. */
const noModel = "none/none";

/** `provider/name`, as Inspect writes a model. */
export function inspectModel(manifest: LoggedRun["manifest"]): string {
	const model = modelOf(manifest);
	return model === null ? noModel : `${model.provider}/${model.name}`;
}

/**
 * An answer as a sample of an Inspect log. Its `messages` are the steps as calls of tools with their results, in whatever
 * form the agent wrote them; what went over the wire, where the record tells it by reply, is in the events of the model.
 */
export async function sampleOf(answer: LoggedAnswer, run: LoggedRun) {
	const { task, record } = answer;
	const { trajectory, repeat } = record;
	const { start, end } = spanOf(answer);
	const uuid = sha256(JSON.stringify([run.manifest.id, task.id, repeat, record.attempt])).slice(0, 22);
	const model = inspectModel(run.manifest);
	const idOf = (place: string) => sha256(`${uuid} ${place}`).slice(0, 22);
	const results = new Map<Step, string>();
	for (const step of trajectory.steps) if (step.call) results.set(step, JSON.stringify(await documentsOf(step, run)));
	const { accepted } = task.answer;
	const [only = ""] = accepted;
	const messages = messagesOf(answer, { results, model, idOf });
	const last = messages.at(-1);
	const scores = scoresIn(answer);
	const usage = trajectory.usage.calls > 0 ? { [model]: usageOf(trajectory.usage) } : {};
	return {
		...{ id: task.id, epoch: repeat + 1, input: task.question, target: accepted.length === 1 ? only : accepted },
		messages,
		output: {
			...{ model, completion: trajectory.answer ?? "" },
			choices: last?.role === "assistant" ? [{ message: last, stop_reason: stopReasons[trajectory.stop] }] : [],
			...(trajectory.usage.calls > 0 ? { usage: usageOf(trajectory.usage) } : {}),
			time: trajectory.ms / 1000,
		},
		scores,
		metadata: {
			...{ language: task.tags.language, outcome: answer.row?.outcome, stop: trajectory.stop },
			...{ attempt: record.attempt, abstained: trajectory.abstained, chain: task.chain },
		},
		store: {},
		events: eventsOf(answer, { results, model, idOf, scores }),
		...{ model_usage: usage, role_usage: {} },
		...{ started_at: time(start), completed_at: time(end) },
		...{ total_time: trajectory.ms / 1000, working_time: trajectory.ms / 1000, uuid },
		...(trajectory.error
			? { error: { message: trajectory.error.message, traceback: trajectory.error.boundary, traceback_ansi: "" } }
			: {}),
		...{ error_retries: [], attachments: {}, turn_count: turnsOf(trajectory).length },
		...limitOf(trajectory.stop, run),
	};
}
export type InspectSample = Awaited<ReturnType<typeof sampleOf>>;

/** Why Inspect says that a reply ended. */
const stopReasons: Record<StopReason, string> = {
	...{ answered: "stop", "turn-limit": "unknown", "no-call-limit": "unknown" },
	...{ "context-limit": "model_length", budget: "unknown", error: "unknown" },
};

const limits: Partial<Record<StopReason, string>> = {
	...{ "turn-limit": "turn", "no-call-limit": "custom", "context-limit": "context", budget: "custom" },
};

function limitOf(stop: StopReason, { manifest }: LoggedRun) {
	const type = limits[stop];
	return type === undefined ? {} : { limit: { type, limit: manifest.setting.limit ?? 0, reason: stop } };
}

export const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Inspect's tokens of the input are those that were not cached. */
export const usageOf = ({ inputTokens, outputTokens, cachedTokens, reasoningTokens, cost }: Usage) => ({
	...{ input_tokens: Math.max(0, inputTokens - (cachedTokens ?? 0)), output_tokens: outputTokens },
	total_tokens: inputTokens + outputTokens,
	...(cachedTokens === undefined ? {} : { input_tokens_cache_read: cachedTokens }),
	...(reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens }),
	...(cost === undefined ? {} : { total_cost: cost }),
});

interface Making {
	results: ReadonlyMap<Step, string>;
	model: string;
	/** An id of Inspect's form for a place in the sample. */
	idOf(place: string): string;
}

export interface InspectMessage {
	id: string;
	role: Message["role"];
	[field: string]: unknown;
}

const callId = ({ index }: Step) => `call_${index}`;
const errorOf = ({ call, error }: Step) =>
	error === undefined && call?.valid !== false
		? undefined
		: { type: call?.valid === false ? "parsing" : "unknown", message: error ?? "not carried out as written" };

/** The question, each round as one assistant's message with its calls and their results behind it, and the answer. */
function messagesOf(
	{ task, record: { trajectory } }: LoggedAnswer,
	{ results, model, idOf }: Making,
): InspectMessage[] {
	const said = (content: unknown[], place: string, more: object = {}): InspectMessage => ({
		...{ id: idOf(`said ${place}`), role: "assistant", source: "generate", model, content, ...more },
	});
	const asked: InspectMessage = { id: idOf("question"), role: "user", source: "input", content: task.question };
	const { answer } = trajectory;
	const turns = turnsOf(trajectory);
	const ends = turns.length > 0 && (turns.at(-1)?.steps ?? []).every(({ call }) => !call);
	const rounds = turns.flatMap(({ steps }, round) => {
		const thoughts = steps.flatMap(({ thought }) => (thought === undefined ? [] : [thought]));
		const isLast = ends && round === turns.length - 1;
		const calls = steps.flatMap((step) => (step.call ? [callIn(step, step.call)] : []));
		const content = [
			...(thoughts.length > 0 ? [{ type: "reasoning", reasoning: thoughts.join("\n") }] : []),
			// what a search told is known when it has come back
			...partOf([...subAnswers(turns[round - 1]), ...subQuestions(steps)]),
			...(isLast && answer !== null ? [{ type: "text", text: answer }] : []),
		];
		return [
			said(content, String(round), calls.length > 0 ? { tool_calls: calls } : {}),
			...steps.flatMap((step) => (step.call ? [resultIn(step, step.call, { results, idOf })] : [])),
		];
	});
	const told = partOf(subAnswers(turns.at(-1)));
	const apart = ends || answer === null ? [] : [said([...told, { type: "text", text: answer }], "answer")];
	return [asked, ...rounds, ...apart];
}

const subAnswers = (turn: Turn | undefined) =>
	(turn?.steps ?? []).flatMap(({ subAnswer }) => (subAnswer === undefined ? [] : [`Sub-answer: ${subAnswer}`]));
const subQuestions = (steps: readonly Step[]) =>
	steps.flatMap(({ subQuestion }) => (subQuestion === undefined ? [] : [`Sub-question: ${subQuestion}`]));
/** Lines as one part, with an empty one behind it: parts are shown without anything between them. */
const partOf = (lines: readonly string[]) =>
	lines.length === 0 ? [] : [{ type: "text", text: `${lines.join("\n\n")}\n\n` }];

const callIn = (step: Step, { tool, arguments: given, valid }: ToolCall) => ({
	...{ id: callId(step), function: tool, arguments: given, type: "function" },
	...(valid ? {} : { parse_error: step.error ?? "not carried out as written" }),
});

function resultIn(step: Step, { tool }: ToolCall, { results, idOf }: Omit<Making, "model">): InspectMessage {
	const error = errorOf(step);
	return {
		...{ id: idOf(`result ${step.index}`), role: "tool", tool_call_id: callId(step), function: tool },
		...(error ? { content: error.message, error } : { content: results.get(step) ?? "" }),
	};
}

/** What Inspect View's transcript shows: replies as they went over the wire, calls with what came back, scores. */
function eventsOf(
	answer: LoggedAnswer,
	{ results, model, idOf, scores }: Making & { scores: ReturnType<typeof scoresIn> },
) {
	const { task, record } = answer;
	const { start, end } = spanOf(answer);
	let at = start;
	const event = (place: string, fields: object) => ({
		...{ uuid: idOf(`event ${place}`), timestamp: time(at), working_start: (at - start) / 1000, ...fields },
	});
	const events: object[] = [
		event("begin", {
			event: "sample_init",
			sample: { id: task.id, input: task.question, target: task.answer.accepted },
		}),
	];
	for (const [number, { steps, said }] of turnsOf(record.trajectory).entries()) {
		if (said) {
			const usage = steps.find((step) => step.usage)?.usage;
			const message = wireMessage(said.reply, idOf(`wire ${number}`), model);
			events.push(
				event(`model ${number}`, {
					...{ event: "model", model, tools: [], tool_choice: "auto", config: {} },
					input: said.before.map((one, place) => wireMessage(one, idOf(`wire ${number} ${place}`), model)),
					output: {
						...{ model, completion: textOf(said.reply), choices: [{ message, stop_reason: "stop" }] },
						...(usage ? { usage: usageOf(usage) } : {}),
					},
				}),
			);
		}
		for (const step of steps) {
			at = Math.min(end, at + step.ms);
			if (!step.call) continue;
			const { tool, arguments: given } = step.call;
			events.push(
				event(`tool ${step.index}`, {
					...{ event: "tool", type: "function", id: callId(step), function: tool, arguments: given },
					...{ result: results.get(step) ?? "", error: errorOf(step), events: [], completed: time(at) },
				}),
			);
		}
	}
	at = end;
	const target = task.answer.accepted;
	for (const [name, score] of Object.entries(scores))
		events.push(event(`score ${name}`, { event: "score", score, target, scorer: name, intermediate: false }));
	return events;
}

function wireMessage(message: Message, id: string, model: string): InspectMessage {
	const { role, thought, calls = [], callId: answers } = message;
	const text = textOf(message);
	if (role === "tool") return { id, role, content: text, tool_call_id: answers };
	const reasoning = thought === undefined ? [] : [{ type: "reasoning", reasoning: thought }];
	const tools = calls.map(({ id: call, name, arguments: given }) => {
		const read = argumentsOf(given);
		const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
		return { id: call, function: name, arguments: isObject ? read : { text: given }, type: "function" };
	});
	return {
		...{ id, role, content: reasoning.length > 0 ? [...reasoning, { type: "text", text }] : text },
		...(role === "assistant" ? { model, source: "generate" } : {}),
		...(tools.length > 0 ? { tool_calls: tools } : {}),
	};
}

export interface InspectScore {
	value: number | string;
	answer?: string;
	explanation?: string;
	history: never[];
	[more: string]: unknown;
}

/** How right the answer is, what the diagnosis names first with the verdict of each hop, and all other scores. */
function scoresIn(answer: LoggedAnswer): Record<string, InspectScore> {
	const { record, diagnosis } = answer;
	const said = record.trajectory.answer;
	const scores = scoresOf(answer).map(({ name, value }): [string, InspectScore] => [
		name,
		{ value, ...(name === headline && said !== null ? { answer: said } : {}), history: [] },
	]);
	const found: [string, InspectScore][] = diagnosis
		? [
				[
					"diagnosis",
					{
						value: diagnosis.primary ?? "nothing found",
						explanation: diagnosis.findings.map(({ says }) => `- ${says}`).join("\n"),
						metadata: { hops: Object.fromEntries(verdictsOf(answer).map(({ hop, verdict }) => [hop, verdict])) },
						history: [],
					},
				],
			]
		: [];
	return Object.fromEntries([...scores.slice(0, 1), ...found, ...scores.slice(1)]);
}
