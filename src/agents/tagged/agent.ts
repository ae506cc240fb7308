import { noUsage, type Step, type Trajectory, type Usage } from "#domain";
import { type ChatMessage, type ChatReply, ModelError } from "#models";
import type { Agent, AgentContext } from "../agent.ts";
import { questionImages } from "../images.ts";
import { createRecorder, describe, isUnknown, type Recorder, ToolFailure } from "../recorder.ts";
import type { Observation } from "../tools.ts";
import type { ValidAction } from "./action.ts";
import { type ImageFinding, renderImages, renderPassages } from "./observation.ts";
import { type ParsedReply, parseReply } from "./parse.ts";
import { emptyReply, invalidFeedback, lastTurnNotice, promptHash, questionMessage, systemPrompt } from "./prompt.ts";
import { mmhopsTags, searchR1Tags, stopStrings, type TagSet } from "./tag-set.ts";

/** T of the paper: turns that get an observation, invalid ones included. Then one more reply may only answer. */
const defaultLimit = 4;
/** Passages of an image's article are looked for among this many. */
const articleSearch = 5;

/** MMhops-R1. The prompt, the penalty's words and the last answer-only reply are not in the paper and are ours. */
export const tagged = createTaggedAgent(mmhopsTags, {
	name: "tagged",
	summary: "A model that thinks, searches text or by image, and answers, in tags (MMhops-R1).",
	paper: "MMhops-R1: Rollout with Multi-Step Retrieval",
});

export const searchR1 = createTaggedAgent(searchR1Tags, {
	name: "search-r1",
	summary: "The tagged protocol with Search-R1's tags: text search only.",
	paper: "Search-R1",
});

function createTaggedAgent(tags: TagSet, about: Pick<Agent, "name" | "summary" | "paper">): Agent {
	return {
		...about,
		version: "1",
		needs: { model: "required", gold: false },
		promptHash: promptHash(tags),
		answer: (view, context) => converse(tags, view, context),
	};
}

type Conversation = Pick<Trajectory, "usage"> & { messages: ChatMessage[] };

async function converse(
	tags: TagSet,
	view: Parameters<Agent["answer"]>[0],
	context: AgentContext,
): Promise<Trajectory> {
	const { signal, setting } = context;
	const limit = setting.limit ?? defaultLimit;
	const recorder = createRecorder(context.tools, { signal });
	const conversation: Conversation = { usage: noUsage, messages: [] };
	const finish = (end: Pick<Trajectory, "answer" | "stop"> & { abstained: boolean; error?: Trajectory["error"] }) =>
		recorder.finish({ ...end, usage: conversation.usage, messages: conversation.messages });
	try {
		signal.throwIfAborted();
		const say = (role: ChatMessage["role"], text: string) =>
			conversation.messages.push({ role, content: [{ type: "text", text }] });
		say("system", systemPrompt(tags, { limit }));
		const images = await questionImages(view, context.imagePath);
		conversation.messages.push(questionMessage(view.question, images));

		for (let turn = 0; ; turn += 1) {
			const last = turn === limit;
			const reply = await ask(tags, conversation, context);
			const parsed = parseReply(reply.text, tags, { images: view.images.length, finish: reply.finish });
			say("assistant", parsed.text || emptyReply);
			const { action } = parsed;
			if (action.is === "answer") {
				const abstained = isUnknown(action.text);
				recorder.note(stepOf(parsed, reply));
				return finish({ answer: abstained ? null : action.text, abstained, stop: "answered" });
			}
			if (last || action.is === "invalid") recorder.note({ ...stepOf(parsed, reply), ...refusal(parsed) });
			if (last) return finish({ answer: null, abstained: false, stop: "turn-limit" });
			const observation =
				action.is === "invalid"
					? invalidFeedback(tags)
					: await carryOut(action, { parsed, reply, recorder, tags, context });
			say("user", turn + 1 === limit ? `${observation}\n\n${lastTurnNotice(tags)}` : observation);
		}
	} catch (error) {
		signal.throwIfAborted();
		const boundary = error instanceof ModelError ? "model" : error instanceof ToolFailure ? "tool" : "agent";
		return finish({ answer: null, abstained: false, stop: "error", error: { boundary, message: describe(error) } });
	}
}

/** The next reply; the conversation only ever grows at its end. */
async function ask(tags: TagSet, conversation: Conversation, context: AgentContext): Promise<ChatReply> {
	const { model, setting, signal, repeat } = context;
	if (!model) throw new Error("this agent needs a model, and the run names none");
	const reply = await model.complete(
		{
			messages: conversation.messages,
			stop: stopStrings(tags),
			seed: repeat,
			...(setting.temperature !== undefined && { temperature: setting.temperature }),
			...(setting.maxTokens !== undefined && { maxTokens: setting.maxTokens }),
		},
		{ signal },
	);
	conversation.usage = sum(conversation.usage, reply.usage);
	return reply;
}

/**
 * Searches, records and gives the observation. An action over several images is one turn but a search each: every
 * image searched is a step of its own, since a gold hop is about one image.
 */
async function carryOut(
	action: Extract<ValidAction, { is: "tool" }>,
	work: { parsed: ParsedReply; reply: ChatReply; recorder: Recorder; tags: TagSet; context: AgentContext },
): Promise<string> {
	const { parsed, reply, recorder, tags, context } = work;
	const about = parsed.thought === undefined ? {} : { thought: parsed.thought };
	const first = recorder.steps.length;
	try {
		if (action.tool === "text_search") {
			const call = { query: action.query, k: context.setting.k };
			const { observation } = await recorder.search("text_search", call, about);
			return renderPassages(observation.results, tags);
		}
		const findings: ImageFinding[] = [];
		for (const image of action.images) {
			const { observation, step } = await recorder.search("image_search_by_image", { image, k: 1 }, about);
			const match = observation.results[0];
			const article = match && (await articleOf(match, context));
			// Shown to the model, therefore retrieved: it ranks behind the image.
			if (article) step.results.push({ id: article.id, score: article.score, rank: 2 });
			findings.push({ image, match, article });
		}
		return renderImages(findings, tags);
	} finally {
		const step = recorder.steps[first];
		if (step) {
			const { usage, ms, dropped } = stepOf(parsed, reply);
			Object.assign(step, { usage, ms: step.ms + ms }, dropped === undefined ? {} : { dropped });
		}
	}
}

/** The passage of the image's own document that a search for its title ranks first, if any. */
async function articleOf(match: Observation["results"][number], context: AgentContext) {
	if (match.title.trim() === "") return undefined;
	try {
		const found = await context.tools.text_search({ query: match.title, k: articleSearch });
		return found.results.find((result) => result.document === match.document);
	} catch (error) {
		context.signal.throwIfAborted();
		throw new ToolFailure(`text_search: ${describe(error)}`, { cause: error });
	}
}

function stepOf({ thought, dropped }: ParsedReply, { usage, ms }: ChatReply) {
	return { ...(thought !== undefined && { thought }), usage, ms, ...(dropped > 0 && { dropped }) };
}

/** How a turn that could not be carried out is recorded: invalid, with what was wrong and what the model wrote. */
function refusal({ action, text }: ParsedReply): Pick<Step, "call" | "error"> {
	const written = text.slice(-300);
	if (action.is === "invalid")
		return {
			call: { tool: action.tool, arguments: { written }, valid: false },
			error: `${action.code}: ${action.detail}`,
		};
	const tool = action.is === "tool" ? action.tool : "none";
	return {
		call: { tool, arguments: { written }, valid: false },
		error: "no-search-left: the last turn may only answer",
	};
}

function sum(a: Usage, b: Usage): Usage {
	const cached = add(a.cachedTokens, b.cachedTokens);
	const reasoning = add(a.reasoningTokens, b.reasoningTokens);
	return {
		calls: a.calls + b.calls,
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		...(cached !== undefined && { cachedTokens: cached }),
		...(reasoning !== undefined && { reasoningTokens: reasoning }),
	};
}

const add = (a: number | undefined, b: number | undefined) =>
	a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
