import {
	addUsage,
	HopscopeError,
	type Message,
	noUsage,
	type Step,
	type TaskView,
	type Trajectory,
	type Usage,
} from "#domain";
import { type ChatMessage, type ChatPart, type ChatReply, type ChatRequest, ModelError } from "#models";
import type { AgentContext } from "../agent-context.ts";
import { harmless } from "../tools/harmless.ts";
import { numbered, questionImages, rememberedPart } from "../tools/images.ts";
import type { Outcome } from "../tools/outcome.ts";
import type { Call } from "../tools/tool-call.ts";
import type { ImagePart, Tools } from "../tools/tools.ts";
import { createRecorder, describe, type Recorder, ToolFailure } from "./recorder.ts";

/** One task in the hands of an agent that asks a model: what is said, searched and used, all of it recorded. */
export interface Session {
	readonly view: TaskView;
	readonly context: AgentContext;
	readonly recorder: Recorder;
	/** Question images as the model is shown them, read once. */
	images(): Promise<ImagePart[]>;
	/** An evidence as a picture, where the knowledge base has one that can be read; its words stand alone otherwise. */
	picture(id: string): Promise<ImagePart | undefined>;
	/**
	 * The model's next reply, sampled as the setting says. What is said is recorded under the conversation's name, the
	 * main one without; a conversation only grows at its end, or has a name of its own.
	 */
	ask(request: ChatRequest, options?: { conversation?: string }): Promise<ChatReply>;
	/** Replaces what is recorded of a conversation, where a reply entered its history otherwise than it came. */
	keep(messages: ChatMessage[], options?: { conversation?: string }): void;
	/** Carries out one call and records it as a step; a call that was wrong is a step and an outcome too. */
	carryOut(call: Call, about?: Partial<Step>): Promise<Outcome>;
	finish(end: Ending): Trajectory;
}

export type Ending = Pick<Trajectory, "answer" | "stop"> &
	Partial<Pick<Trajectory, "abstained" | "error" | "plan" | "cited" | "searchOnly">>;

/**
 * Lets `body` work on a task. An abort is thrown on; a failing model or tool, or a fault of the agent's own, ends the
 * trajectory with `stop: "error"` and all that was said and done before.
 */
export async function withSession(
	view: TaskView,
	context: AgentContext,
	body: (session: Session) => Promise<Trajectory>,
): Promise<Trajectory> {
	const { signal } = context;
	const session = createSession(view, context);
	try {
		signal.throwIfAborted();
		return await body(session);
	} catch (error) {
		signal.throwIfAborted();
		return session.finish(endingOf(error));
	}
}

/** How a task ends that something broke, or whose conversation outgrew the model's context. */
export function endingOf(error: unknown): Ending {
	if (error instanceof ModelError && error.overflow)
		return {
			...{ answer: null, abstained: false, stop: "context-limit" },
			error: { boundary: "model", message: describe(error) },
		};
	const boundary = error instanceof ModelError ? "model" : error instanceof ToolFailure ? "tool" : "agent";
	return { answer: null, abstained: false, stop: "error", error: { boundary, message: describe(error) } };
}

/** A session without an end of its own: whoever opens it sees to failures and to its trajectory. */
export function createSession(view: TaskView, context: AgentContext): Session {
	const { setting, signal, repeat, knowledge, tools } = context;
	const recorder = createRecorder(tools, { signal });
	const conversations = new Map<string, ChatMessage[]>();
	let usage = noUsage;
	let images: Promise<ImagePart[]> | undefined;

	async function ask(request: ChatRequest, { conversation = "" }: { conversation?: string } = {}): Promise<ChatReply> {
		const { model } = context;
		if (!model) throw new Error("this agent needs a model, and the run names none");
		conversations.set(conversation, request.messages);
		const { temperature, topP, maxTokens, request: extra } = setting;
		const sampling = {
			...(temperature === undefined ? {} : { temperature }),
			...(topP === undefined ? {} : { topP }),
			...(maxTokens === undefined ? {} : { maxTokens }),
			...(extra === undefined ? {} : { extra }),
		};
		const reply = oneCall(await model.complete({ seed: repeat, ...sampling, ...request }, { signal }), extra);
		usage = addUsage(usage, reply.usage);
		conversations.set(conversation, [...request.messages, saidBy(reply)]);
		return reply;
	}

	return {
		view,
		context,
		recorder,
		images() {
			images ??= questionImages(view, context.imagePath);
			return images;
		},
		async picture(id) {
			const evidence = await knowledge.evidence(id);
			const file = evidence && (await knowledge.file(evidence, "picture"));
			// one broken file of a corpus must not end every task that finds it
			return file === undefined ? undefined : rememberedPart(file, id).catch(() => undefined);
		},
		ask,
		keep: (messages, { conversation = "" } = {}) => void conversations.set(conversation, messages),
		async carryOut(call, about = {}) {
			const { used, ...outcome } = await carryOut(call, { about, recorder, tools, signal });
			if (used) usage = addUsage(usage, used);
			return outcome;
		},
		finish(end) {
			const messages = [...conversations].flatMap(([name, said]) =>
				said.map((message) => ({ ...byReference(message), ...(name === "" ? {} : { conversation: name }) })),
			);
			return { ...recorder.finish({ ...end, usage }), ...extras(end), messages };
		},
	};
}

/** Where one call a turn is asked for, the first counts: the template of such a model takes no turn of several. */
const oneCall = (reply: ChatReply, extra: Record<string, unknown> | undefined): ChatReply =>
	extra?.parallel_tool_calls === false && reply.calls ? { ...reply, calls: reply.calls.slice(0, 1) } : reply;

const extras = ({ plan, cited, searchOnly }: Ending) => ({
	...(searchOnly ? { searchOnly } : {}),
	...(plan === undefined ? {} : { plan }),
	...(cited === undefined || cited.length === 0 ? {} : { cited }),
});

/** A reply as the turn of the conversation that it is. */
export function saidBy({ text, calls, opaque }: ChatReply): ChatMessage {
	return {
		role: "assistant",
		content: text === "" ? [] : [{ type: "text", text }],
		...(calls && calls.length > 0 ? { calls } : {}),
		...(opaque === undefined ? {} : { opaque }),
	};
}

function byReference({ role, content, calls, callId }: ChatMessage): Message {
	return {
		role,
		content: content.map((part) => (part.type === "image" ? { type: "image", file: part.file } : part)),
		...(calls ? { calls } : {}),
		...(callId === undefined ? {} : { callId }),
	};
}

async function carryOut(
	call: Call,
	{ about, recorder, tools, signal }: { about: Partial<Step>; recorder: Recorder; tools: Tools; signal: AbortSignal },
): Promise<Outcome & { used?: Usage }> {
	if (call.is === "invalid") {
		const { tool, code, detail, written } = call;
		const made = { tool, arguments: { written }, valid: false };
		const step = recorder.note({ ...about, call: made, error: `${code}: ${detail}` });
		return { is: "refused", call, step, problem: detail };
	}
	const tool = tools[call.tool] as ((given: unknown) => Promise<unknown>) | undefined;
	const { suspect, asked, joined } = call;
	const made = {
		...{ tool: call.tool, arguments: call.arguments },
		...(joined ? { joined } : {}),
		...(asked === undefined ? {} : { asked }),
	};
	const step = recorder.note({ ...about, call: { ...made, valid: true } });
	const from = performance.now();
	try {
		signal.throwIfAborted();
		if (!tool) throw new HopscopeError("bad-call", `${call.tool} is not offered here`, "Use another tool.");
		const got = await tool(call.arguments);
		// a tool may ask a model itself: to condense a page
		const { usage: used } = got as { usage?: Usage };
		if (used) step.usage = addUsage(step.usage ?? noUsage, used);
		const cost = used ? { used } : {};
		if (call.tool === "image_crop") {
			const crop = got as Awaited<ReturnType<NonNullable<Tools["image_crop"]>>>;
			step.crop = { image: crop.of, box: crop.box, ...(suspect === undefined ? {} : { suspect }) };
			return { is: "cropped", call, step, ...crop, ...cost };
		}
		if (call.tool === "web_read") {
			const page = got as Awaited<ReturnType<NonNullable<Tools["web_read"]>>>;
			step.results = [{ id: page.address.slice(0, 512), score: 1, rank: 1 }];
			return { is: "read", call, step, ...page, ...cost };
		}
		const { results } = got as Awaited<ReturnType<Tools["text_search"]>>;
		step.results = results.map(({ id, score, rank }) => ({ id, score, rank }));
		recorder.searched();
		return { is: "found", call, step, results, ...cost };
	} catch (error) {
		signal.throwIfAborted();
		step.error = describe(error);
		if (!(error instanceof HopscopeError && error.code === "bad-call"))
			throw new ToolFailure(`${call.tool}: ${step.error}`, { cause: error });
		step.call = { ...made, valid: false };
		return { is: "refused", call, step, problem: step.error };
	} finally {
		step.ms = performance.now() - from + (about.ms ?? 0);
	}
}

/**
 * The images of a question as the model gets them, each after its number from 1: as pictures or, where the setting says
 * so, as the captions of the stored images most like them, for models without eyes. Such a look is a search like any
 * other and is recorded as a step.
 */
export async function questionParts(session: Session): Promise<ChatPart[]> {
	if (session.context.setting.images !== "captions") return numbered(await session.images());
	const parts: ChatPart[] = [];
	for (const image of session.view.images.keys()) {
		const call = { is: "call", tool: "image_search_by_image", arguments: { image, k: 1 } } as const;
		const outcome = await session.carryOut(call);
		const [match] = outcome.is === "found" ? outcome.results : [];
		const caption = match
			? `resembles the stored image "${harmless(match.title)}": ${harmless(match.text)}`
			: "unknown";
		parts.push({ type: "text", text: `Image ${image + 1}: ${caption}` });
	}
	return parts;
}
