import type { Setting, Step, TaskView, Trajectory } from "#domain";
import type { ChatMessage, ChatPart, ChatRequest } from "#models";
import type { Agent } from "../../agent.ts";
import type { AgentContext } from "../../agent-context.ts";
import { textMessage } from "../../driver/protocol.ts";
import { questionParts } from "../../driver/question.ts";
import { isUnknown } from "../../driver/recorder.ts";
import { type Session, withSession } from "../../driver/session.ts";
import type { Observation } from "../../tools/tools.ts";
import { askReader } from "../reader.ts";
import { textSettings } from "../settings.ts";
import { further, promptHash, question, systemPrompt } from "./prompt.ts";
import { concludes, readSentence } from "./sentence.ts";

/** Sentences at most, each behind a search: by the question before the first, by the former sentence before the others. */
const defaultLimit = 8;
/** Paragraphs that a search adds at most. */
const defaultK = 6;
/** Paragraphs held in all; what comes later is not shown. */
const mostParagraphs = 15;

/**
 * IRCoT: retrieval and reasoning take turns, then a reader answers from what was gathered. In the published form the
 * prompt is written anew for every sentence (`completion`); in `turns` the conversation only grows.
 */
export const ircot: Agent = {
	name: "ircot",
	version: "1",
	summary: "Searches with every sentence of its reasoning, then lets a reader answer from what was found (IRCoT).",
	paper: "IRCoT",
	needs: { model: "required", gold: false, evidence: ["passage"] },
	settings: textSettings({ k: defaultK, limit: defaultLimit, temperature: 0 }),
	card: {
		messages:
			"one sentence a turn, further paragraphs as user messages, or the prompt anew with all paragraphs (`completion`); then a reader's call of its own",
		budget: `${defaultLimit} sentences, ${mostParagraphs} paragraphs; the reader always answers`,
		reports: "hops, calls",
		mostCalls: ({ limit = defaultLimit }: Setting) => limit + 1,
	},
	promptHash,
	answer: (view, context) => withSession(view, context, (session) => reason(session, view, context)),
};

type Paragraph = Observation["results"][number];

async function reason(session: Session, view: TaskView, { setting }: AgentContext): Promise<Trajectory> {
	const { limit = defaultLimit } = setting;
	const images = await questionParts(session);
	const paragraphs: Paragraph[] = [];
	const prompter = createPrompter(view.question, images, setting.form ?? "turns");
	const search = async (query: string, about: Partial<Step> = {}) => {
		const call = { is: "call", tool: "text_search", arguments: { query, k: setting.k } } as const;
		const outcome = await session.carryOut(call, about);
		const known = new Set(paragraphs.map(({ id }) => id));
		const found = outcome.is === "found" ? outcome.results.filter(({ id }) => !known.has(id)) : [];
		paragraphs.push(...found.slice(0, mostParagraphs - paragraphs.length));
	};

	await search(view.question);
	for (let sentences = 1; ; sentences += 1) {
		const { request, conversation } = prompter.next(paragraphs);
		const reply = await session.ask(request, { conversation });
		const { sentence, dropped } = readSentence(reply.text);
		const { usage, ms } = reply;
		const about = {
			usage,
			ms,
			...(sentence === undefined ? {} : { thought: sentence }),
			...(dropped > 0 ? { dropped } : {}),
		};
		if (sentence !== undefined) session.keep(prompter.said(sentence), { conversation });
		if (sentence === undefined || concludes(sentence) || sentences >= limit) {
			session.recorder.note(about);
			break;
		}
		await search(sentence, about);
	}

	const reading = { question: view.question, passages: paragraphs, images };
	const { answer, reply } = await askReader(session, reading, { conversation: "reader" });
	session.recorder.note({ role: "reader", thought: reply.text.slice(0, 20_000), usage: reply.usage, ms: reply.ms });
	if (answer === undefined) return session.finish({ answer: null, stop: "turn-limit", abstained: false });
	const abstained = isUnknown(answer);
	return session.finish({ answer: abstained ? null : answer, stop: "answered", abstained });
}

/** What the reasoner is asked, in one of two forms that hold the same. */
function createPrompter(asked: string, images: ChatPart[], form: "turns" | "continued") {
	const sentences: string[] = [];
	const history: ChatMessage[] = [textMessage("system", systemPrompt)];
	let shown = 0;
	return {
		next(paragraphs: Paragraph[]): { request: ChatRequest; conversation: string } {
			if (form === "continued") {
				const messages = [textMessage("system", systemPrompt), question(asked, { images, passages: paragraphs })];
				const said = sentences.length > 0 ? [textMessage("assistant", `${sentences.join("\n")}\n`)] : [];
				const request = { messages: [...messages, ...said], stop: ["\n"], continues: said.length > 0 };
				history.splice(0, history.length, ...request.messages);
				return { request, conversation: `sentence ${sentences.length + 1}` };
			}
			const fresh = paragraphs.slice(shown);
			history.push(
				shown === 0 && sentences.length === 0
					? question(asked, { images, passages: fresh })
					: further(fresh, { first: shown + 1 }),
			);
			shown = paragraphs.length;
			return { request: { messages: [...history] }, conversation: "" };
		},
		/** The conversation with the sentence that a reply was cut to. */
		said(sentence: string): ChatMessage[] {
			sentences.push(sentence);
			history.push(textMessage("assistant", sentence));
			return [...history];
		},
	};
}
