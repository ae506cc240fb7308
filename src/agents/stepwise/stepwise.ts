import type { Setting } from "#domain";
import type { ChatPart } from "#models";
import type { Agent } from "../agent.ts";
import { protocolAgent } from "../driver/conversation.ts";
import { type Budget, type Dialogue, type Move, mostRepliesOf, textMessage } from "../driver/protocol.ts";
import { questionParts, type Session } from "../driver/session.ts";
import { invalidMove, questionMessage, textFinish, textReading, textSpeech } from "../driver/text-turns.ts";
import { askReader, charge } from "../text-protocols/reader.ts";
import { harmless } from "../tools/harmless.ts";
import type { Outcome } from "../tools/outcome.ts";
import { type Call, invalidCall, written } from "../tools/tool-call.ts";
import { type Action, type SearchAction, sayStepwise, stepwiseGrammar } from "./action.ts";
import { parseReply } from "./parse.ts";
import {
	condensedText,
	evidenceParts,
	invalidFeedback,
	lastTurn,
	noPicturesLeft,
	nothingRetrieved,
	promptHash,
	systemPrompt,
	type Wording,
} from "./prompt.ts";

/** What differs between MC-Search's agent and the OmniSearch that it descends from. */
interface Variant {
	/** Texts are read by a call of its own, which alone sees them. */
	condenses: boolean;
	/** Stored images that may be shown after one search, and in one task. */
	pictures: { step: number; task: number };
	budgetOf(setting: Setting): Budget;
}

const tools = ["text_search", "image_search_by_text", "image_search_by_image"];
const toolOf = {
	text: "text_search",
	"image-by-text": "image_search_by_text",
	"image-by-image": "image_search_by_image",
} as const satisfies Record<Exclude<SearchAction["is"], "none">, string>;

const stepwiseVariant: Variant = {
	condenses: false,
	pictures: { step: 5, task: 50 },
	// The paper enforces a limit of iterations and does not print it, nor what happens at it.
	budgetOf: ({ limit = 10, lastAnswer = true }) => ({ counts: "observations", limit, lastAnswer }),
};

const omnisearchVariant: Variant = {
	condenses: true,
	pictures: { step: 5, task: 9 },
	budgetOf: ({ limit = 5, lastAnswer = false }) => ({ counts: "replies", limit, lastAnswer }),
};

const base = { limit: 10, lastAnswer: true, tools };

export const stepwise: Agent = createAgent(stepwiseVariant, {
	name: "stepwise",
	version: "2",
	summary: "A model that asks one sub-question a turn and names one search for it (MC-Search).",
	paper: "MC-Search: 3.1, Appendix O",
	needs: { model: "required", gold: false },
	grammar: true,
	settings: {
		default: { k: 1, ...base },
		"top-3": { k: 3, ...base },
		"top-5": { k: 5, ...base },
		captions: { k: 1, ...base, images: "captions" },
	},
	card: {
		messages: "marked blocks in text; evidence comes as user messages, pictures with their captions",
		budget: "10 iterations, those without a search and invalid ones included, then one reply that may only answer",
		reports: "hops, sub-answers, rollout deviation, calls, invalid calls",
		mostCalls: (setting) => mostRepliesOf(stepwiseVariant.budgetOf(setting)),
	},
	promptHash: promptHash(wordingOf(stepwiseVariant, { name: "default", k: 1 })),
});

const omniBase = { k: 5, limit: 5, lastAnswer: false, tools };

export const omnisearch: Agent = createAgent(omnisearchVariant, {
	name: "omnisearch",
	version: "2",
	summary: "A planner that asks sub-questions; texts are read for it by a call of their own (OmniSearch).",
	paper: "OmniSearch; MMhops-R1: Table 3",
	needs: { model: "required", gold: false },
	grammar: true,
	settings: { default: omniBase, captions: { ...omniBase, images: "captions" } },
	card: {
		messages: "marked blocks in text; texts come back as a short answer, images as pictures, in user messages",
		budget: "5 replies, at most 5 pictures a step and 9 a task; no answer after that",
		reports: "hops, sub-answers, calls, invalid calls",
		mostCalls(setting) {
			const replies = mostRepliesOf(omnisearchVariant.budgetOf(setting));
			return 2 * replies - 1;
		},
	},
	promptHash: promptHash(wordingOf(omnisearchVariant, { name: "default", k: 1 })),
});

function createAgent(variant: Variant, about: Omit<Agent, "answer">): Agent {
	const { begin: play, ...agent } = protocolAgent(about, (session) => begin(variant, session));
	// where texts are condensed, a model of its own reads them: a policy alone cannot play
	return variant.condenses ? agent : { ...agent, begin: play };
}

function wordingOf({ condenses }: Variant, setting: Setting): Wording {
	const offered = setting.tools ?? tools;
	const searches = (["text", "image-by-image", "image-by-text"] as const).filter((one) =>
		offered.includes(toolOf[one]),
	);
	return { searches: [...searches, "none"], condensed: condenses };
}

async function begin(variant: Variant, session: Session): Promise<Dialogue> {
	const { view, context } = session;
	const { setting } = context;
	const wording = wordingOf(variant, setting);
	const images = await questionParts(session);
	let pictures = variant.pictures.task;
	let readings = 0;

	/** The call that an action stands for, or why it is none. */
	function callOf(action: Exclude<SearchAction, { is: "none" }>, text: string): Call {
		const tool = toolOf[action.is];
		const refused = (code: "unknown-tool" | "refused", detail: string) =>
			invalidCall(code, detail, { tool, written: written(text) });
		if (!wording.searches.includes(action.is)) return refused("unknown-tool", "this search is not offered here");
		if (action.is === "text") return { is: "call", tool, arguments: { query: action.query, k: setting.k } };
		if (pictures === 0) return refused("refused", "no more pictures can be shown in this task");
		const k = Math.min(setting.k, variant.pictures.step, pictures);
		const about = action.is === "image-by-text" ? { query: action.query } : { image: action.image };
		return { is: "call", tool, arguments: { ...about, k } };
	}

	function moveOf(action: Action, text: string): Move {
		if (action.is === "answer") return { is: "answer", text: action.text, abstains: action.abstains };
		if (action.is === "none") return { is: "silent" };
		if (action.is !== "invalid") return { is: "calls", calls: [callOf(action, text)] };
		return invalidMove(action, text);
	}

	async function observed(outcome: Outcome | undefined): Promise<ChatPart[]> {
		if (outcome === undefined) return [{ type: "text", text: nothingRetrieved }];
		if (outcome.call.is === "invalid" && outcome.call.code === "refused")
			return [{ type: "text", text: noPicturesLeft }];
		if (outcome.is !== "found") return [{ type: "text", text: invalidFeedback(wording) }];
		const { results, step } = outcome;
		if (step.call?.tool !== "text_search") pictures -= results.length;
		else if (variant.condenses && results.length > 0) {
			readings += 1;
			const question = step.subQuestion ?? view.question;
			const { answer = "unknown", reply } = await askReader(
				session,
				{ question, passages: results, images },
				{ conversation: `reader ${readings}` },
			);
			charge(step, reply);
			step.subAnswer = answer;
			return [{ type: "text", text: condensedText(harmless(answer)) }];
		}
		return evidenceParts(results, session);
	}

	return {
		opening: [textMessage("system", systemPrompt(wording)), questionMessage(view.question, images)],
		budget: variant.budgetOf(setting),
		grammar: (reply) => stepwiseGrammar(reply, { ...wording, images: view.images.length }),
		speech: textSpeech(true, (intention) => sayStepwise(intention, wording)),
		read(reply) {
			const { action, ...told } = parseReply(reply.text, {
				images: view.images.length,
				finish: textFinish(reply),
				thinksApart: reply.thought !== undefined,
			});
			return textReading(moveOf(action, told.text), told);
		},
		async respond({ outcomes, last }) {
			const content = await observed(outcomes[0]);
			if (last) content.push({ type: "text", text: lastTurn });
			return [{ role: "user", content }];
		},
	};
}
