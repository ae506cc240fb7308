import { addUsage, isSearch, type Message, noUsage, type Step, type Usage } from "#domain";
import { sha256 } from "#store";
import {
	argumentsOf,
	askedOf,
	documentsOf,
	type LoggedAnswer,
	type LoggedDocument,
	type LoggedRun,
	modelOf,
	scoresOf,
	spanOf,
	type Turn,
	textOf,
	turnsOf,
	verdictsOf,
} from "../logged-run.ts";

/** A value of an attribute; whole numbers are integers, `double` are numbers with a fraction. */
export type Value = string | number | boolean | { double: number } | readonly string[];
type Attributes = Record<string, Value | undefined>;

/** One span of a trace. Times in milliseconds since 1970. */
export interface Span {
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	/** 1: within the agent; 3: a call to something else. */
	kind: 1 | 3;
	start: number;
	end: number;
	attributes: Attributes;
	/** At the end of the span. */
	events?: { name: string; attributes: Attributes }[];
	/** Why it failed. */
	error?: string;
}

/** No text is longer than this many characters; what is cut was seldom read. */
const mostCharacters = 50_000;

/**
 * One answer as a trace: `invoke_agent` for the whole, under it a `chat` for each reply of a model and a `retrieval` or
 * `execute_tool` for each call, in their order. Attributes by the semantic conventions for generative AI and by
 * OpenInference, what neither has under `hopscope.`; scores and hop verdicts are `gen_ai.evaluation.result` events. Ids
 * follow from run, task, repeat and attempt, so that what is sent twice is there once. A step's time is the model's
 * where it replied, else the tool's: a record has one figure for both.
 */
export async function spansOf(answer: LoggedAnswer, run: LoggedRun): Promise<Span[]> {
	const { record } = answer;
	const { trajectory } = record;
	const traceId = sha256(JSON.stringify([run.manifest.id, record.task, record.repeat, record.attempt])).slice(0, 32);
	const idOf = (place: string) => sha256(`${traceId} ${place}`).slice(0, 16);
	const root = rootOf(answer, run, { traceId, spanId: idOf("root") });
	const spans: Span[] = [root];
	let at = root.start;
	/** Places a span behind the one before, never beyond the end of the whole. */
	const under = (place: string, ms: number, span: Omit<Span, "traceId" | "spanId" | "start" | "end">) => {
		const start = at;
		at = Math.min(root.end, at + ms);
		spans.push({ traceId, spanId: idOf(place), parentSpanId: root.spanId, start, end: at, ...span });
	};
	const turns = turnsOf(trajectory);
	for (const [number, turn] of turns.entries()) {
		const usage = usageOf(turn.steps);
		const replied = turn.said !== undefined || usage.calls > 0;
		if (replied) under(`chat ${number}`, msOf(turn.steps), chatOf(turn, { usage, answer, run }));
		for (const step of turn.steps) {
			if (!step.call) continue;
			under(`step ${step.index}`, replied ? 0 : step.ms, callOf(step, await documentsOf(step, run), run));
		}
	}
	if (!spans.some(({ attributes }) => attributes["gen_ai.operation.name"] === "chat"))
		Object.assign(root.attributes, usageAttributes(trajectory.usage));
	return spans;
}

const usageOf = (steps: readonly Step[]) => steps.reduce((sum, { usage = noUsage }) => addUsage(sum, usage), noUsage);
const msOf = (steps: readonly Step[]) => steps.reduce((sum, { ms }) => sum + ms, 0);

function rootOf(answer: LoggedAnswer, run: LoggedRun, ids: Pick<Span, "traceId" | "spanId">): Span {
	const { task, record, row, diagnosis } = answer;
	const { trajectory, repeat, attempt } = record;
	const { manifest } = run;
	const { agent, setting } = manifest;
	const said = trajectory.answer ?? "";
	const scores = scoresOf(answer);
	const verdicts = verdictsOf(answer);
	const model = modelAttributes(answer, run);
	const metadata = { run: manifest.id, task: task.id, repeat, attempt, benchmark: manifest.benchmark.name };
	return {
		...ids,
		...{ name: `invoke_agent ${agent.name}`, kind: 1, ...spanOf(answer) },
		attributes: {
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.agent.name": agent.name,
			"gen_ai.agent.version": agent.version,
			"gen_ai.conversation.id": JSON.stringify([manifest.id, task.id, repeat]),
			"gen_ai.data_source.id": manifest.knowledge.name,
			...model,
			"gen_ai.request.temperature": setting.temperature === undefined ? undefined : { double: setting.temperature },
			"gen_ai.input.messages": json([genAiMessage({ role: "user", content: [{ type: "text", text: task.question }] })]),
			"gen_ai.output.messages": json([
				genAiMessage({ role: "assistant", content: [{ type: "text", text: said }] }, trajectory.stop),
			]),
			"error.type": trajectory.error?.boundary,
			"openinference.span.kind": "AGENT",
			"agent.name": agent.name,
			"session.id": manifest.id,
			"input.value": long(task.question),
			"output.value": long(said),
			metadata: json(metadata),
			"hopscope.run.id": manifest.id,
			"hopscope.benchmark.name": manifest.benchmark.name,
			"hopscope.task.id": task.id,
			"hopscope.repeat": repeat,
			"hopscope.attempt": attempt,
			"hopscope.answer.accepted": task.answer.accepted,
			"hopscope.stop": trajectory.stop,
			"hopscope.outcome": row?.outcome,
			"hopscope.first_broken_hop": diagnosis?.firstBroken ?? undefined,
			"hopscope.findings": diagnosis?.findings.length ? diagnosis.findings.map(({ says }) => says) : undefined,
			...Object.fromEntries(scores.map(({ name, value }) => [`hopscope.score.${name}`, { double: value }])),
			...Object.fromEntries(verdicts.map(({ hop, verdict }) => [`hopscope.hop.${hop}.verdict`, verdict])),
			...evaluations([
				...scores.map(({ name, value }) => ({ name, score: { double: value } })),
				...verdicts.map(({ hop, verdict }) => ({ name: `hop ${hop}`, label: verdict })),
			]),
		},
		events: [
			...scores.map(({ name, value }) => evaluationEvent(name, { "gen_ai.evaluation.score.value": { double: value } })),
			...verdicts.map(({ hop, verdict }) =>
				evaluationEvent(`hop ${hop}`, { "gen_ai.evaluation.score.label": verdict }),
			),
		],
		...(trajectory.error ? { error: long(trajectory.error.message) } : {}),
	};
}

const evaluationEvent = (name: string, value: Attributes) => ({
	name: "gen_ai.evaluation.result",
	attributes: { "gen_ai.evaluation.name": name, ...value },
});

/** As OpenInference numbers them: what Phoenix shows as annotations. */
const evaluations = (made: readonly Record<string, Value>[]): Attributes =>
	Object.fromEntries(
		made.flatMap((one, place) =>
			Object.entries({ ...one, annotator_kind: "CODE" }).map(([field, value]) => [
				`evaluations.${place}.evaluation.${field}`,
				value,
			]),
		),
	);

function chatOf(
	{ steps, said }: Turn,
	{ usage, answer, run }: { usage: Usage; answer: LoggedAnswer; run: LoggedRun },
): Omit<Span, "traceId" | "spanId" | "start" | "end"> {
	const { name = "model" } = modelOf(run.manifest) ?? {};
	const reply = said?.reply ?? replyIn(steps);
	const before = said?.before ?? [];
	return {
		...{ name: `chat ${name}`, kind: 3 },
		attributes: {
			"gen_ai.operation.name": "chat",
			...modelAttributes(answer, run),
			...usageAttributes(usage),
			"gen_ai.input.messages": before.length > 0 ? json(before.map((one) => genAiMessage(one))) : undefined,
			"gen_ai.output.messages": json([genAiMessage(reply)]),
			"openinference.span.kind": "LLM",
			"llm.model_name": name,
			"llm.token_count.prompt": usage.calls > 0 ? usage.inputTokens : undefined,
			"llm.token_count.completion": usage.calls > 0 ? usage.outputTokens : undefined,
			"llm.token_count.total": usage.calls > 0 ? usage.inputTokens + usage.outputTokens : undefined,
			"input.value": before.length > 0 ? json(before.map((one) => genAiMessage(one))) : undefined,
			"input.mime_type": before.length > 0 ? "application/json" : undefined,
			"output.value": long([reply.thought, textOf(reply)].filter(Boolean).join("\n")),
		},
	};
}

/** A reply whose message is not told: what its steps hold of it. */
function replyIn(steps: readonly Step[]): Message {
	const thought = steps.flatMap((step) => step.thought ?? []).join("\n");
	const calls = steps.flatMap(({ call, index }) =>
		call ? [{ id: String(index), name: call.tool, arguments: JSON.stringify(call.arguments) }] : [],
	);
	return { role: "assistant", content: [], ...(thought === "" ? {} : { thought }), calls };
}

/** A call with what came back: of a search the documents, of another tool what it says. */
function callOf(
	step: Step,
	documents: readonly LoggedDocument[],
	{ manifest }: LoggedRun,
): Omit<Span, "traceId" | "spanId" | "start" | "end"> {
	const { call = { tool: "none", arguments: {}, valid: false }, error } = step;
	const search = isSearch(call.tool);
	const { k } = call.arguments;
	const failed = error ?? (call.valid ? undefined : "the call could not be carried out as written");
	return {
		...(search
			? { name: `retrieval ${manifest.knowledge.name}`, kind: 3 as const }
			: { name: `execute_tool ${call.tool}`, kind: 1 as const }),
		attributes: {
			"gen_ai.operation.name": search ? "retrieval" : "execute_tool",
			"gen_ai.tool.name": call.tool,
			"gen_ai.tool.type": search ? "datastore" : "function",
			"gen_ai.tool.call.id": String(step.index),
			"gen_ai.tool.call.arguments": json(call.arguments),
			"error.type": failed === undefined ? undefined : call.valid ? "tool" : "invalid-call",
			"openinference.span.kind": search ? "RETRIEVER" : "TOOL",
			"tool.name": call.tool,
			"input.value": long(askedOf(step)),
			"hopscope.step.index": step.index,
			"hopscope.step.thought": longOrNone(step.thought),
			"hopscope.step.sub_question": longOrNone(step.subQuestion),
			"hopscope.step.sub_answer": longOrNone(step.subAnswer),
			...(search
				? {
						"gen_ai.data_source.id": manifest.knowledge.name,
						"gen_ai.retrieval.query.text": long(askedOf(step)),
						"gen_ai.retrieval.documents": json(documents.map(({ id, score }) => ({ id, score }))),
						"gen_ai.request.top_k": typeof k === "number" ? { double: k } : undefined,
						...documentAttributes(documents),
					}
				: { "gen_ai.tool.call.result": json(documents), "output.value": json(documents) }),
		},
		...(failed === undefined ? {} : { error: long(failed) }),
	};
}

const documentAttributes = (documents: readonly LoggedDocument[]): Attributes =>
	Object.fromEntries(
		documents.flatMap(({ id, score, title, text, page, address }, place) =>
			Object.entries({
				id,
				score: { double: score },
				content: longOrNone(text),
				name: title,
				url: address,
				metadata: json({
					title,
					...(page === undefined ? {} : { page }),
					...(address === undefined ? {} : { address }),
				}),
			}).map(([field, value]) => [`retrieval.documents.${place}.document.${field}`, value]),
		),
	);

/** The names by which the conventions call providers of ours. */
const providers: Readonly<Record<string, string>> = { google: "gcp.gemini" };

function modelAttributes({ record }: LoggedAnswer, { manifest }: LoggedRun): Attributes {
	const model = modelOf(manifest);
	return {
		"gen_ai.provider.name": model ? (providers[model.provider] ?? model.provider) : "hopscope",
		"gen_ai.request.model": model?.name,
		"gen_ai.response.model": record.trajectory.served?.models[0],
	};
}

function usageAttributes({ calls, inputTokens, outputTokens, cachedTokens, reasoningTokens }: Usage): Attributes {
	if (calls === 0) return {};
	return {
		"gen_ai.usage.input_tokens": inputTokens,
		"gen_ai.usage.output_tokens": outputTokens,
		"gen_ai.usage.cache_read.input_tokens": cachedTokens,
		"gen_ai.usage.reasoning.output_tokens": reasoningTokens,
	};
}

/** A message in the parts of the semantic conventions; of an answer with why it ended. */
function genAiMessage({ role, content, thought, calls = [], callId }: Message, stop?: string): object {
	const said = content.map((part) =>
		part.type === "text"
			? { type: "text", content: long(part.text) }
			: { type: "uri", modality: "image", uri: part.file },
	);
	const parts =
		role === "tool"
			? [
					{
						type: "tool_call_response",
						...(callId === undefined ? {} : { id: callId }),
						response: long(textOf({ content })),
					},
				]
			: [
					...(thought === undefined ? [] : [{ type: "reasoning", content: long(thought) }]),
					...said,
					...calls.map((call) => ({
						...{ type: "tool_call", id: call.id, name: call.name },
						arguments: argumentsOf(call.arguments),
					})),
				];
	return { role, parts, ...(stop === undefined ? {} : { finish_reason: stop === "answered" ? "stop" : stop }) };
}

const json = (value: unknown): string => JSON.stringify(value);
const long = (text: string): string => text.slice(0, mostCharacters);
const longOrNone = (text: string | undefined): string | undefined => (text === undefined ? undefined : long(text));
