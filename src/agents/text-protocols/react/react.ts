import type { Setting } from "#domain";
import { protocolAgent } from "../../driver/conversation.ts";
import { type Budget, type Dialogue, mostRepliesOf, textMessage } from "../../driver/protocol.ts";
import { isUnknown } from "../../driver/recorder.ts";
import { questionParts, type Session } from "../../driver/session.ts";
import { harmless } from "../../tools/harmless.ts";
import { invalidCall, written } from "../../tools/tool-call.ts";
import { type Passage, renderPassages, sentencesOf, textSettings } from "../passages.ts";
import { type ParsedAction, parseReact, sayReact } from "./parse.ts";
import { actionOnly, lastStep, observation, promptHash, questionMessage, systemPrompt } from "./prompt.ts";

/** Steps of the published code for questions of several hops. */
const defaultLimit = 7;

/**
 * ReAct. Searches passages in place of an encyclopedia's pages; a reply whose action cannot be read costs a step and is
 * asked for the action alone. The forced, empty finish of the published code is one more reply here.
 */
export const react = protocolAgent(
	{
		name: "react",
		version: "1",
		summary: "A model that takes turns at a thought and a search, look-up or finish (ReAct).",
		paper: "ReAct",
		needs: { model: "required", gold: false, evidence: ["passage"] },
		settings: textSettings({ limit: defaultLimit, lastAnswer: true, temperature: 0 }),
		card: {
			messages:
				"numbered lines of text; observations are user messages, or continue the assistant's own (`completion`)",
			budget: `${defaultLimit} steps, look-ups and invalid actions included, then one reply that may only finish`,
			reports: "hops, calls, invalid calls",
			mostCalls: (setting) => mostRepliesOf(budgetOf(setting)),
		},
		promptHash,
	},
	begin,
);

function budgetOf({ limit = defaultLimit, lastAnswer = true }: Setting): Budget {
	return { counts: "observations", limit, lastAnswer };
}

async function begin(session: Session): Promise<Dialogue> {
	const { setting } = session.context;
	const form = { continued: setting.form === "continued" };
	const lookup = createLookup();
	/** Of the step at work, from 1. */
	let number = 1;
	let bare = false;
	let sought: string | undefined;
	return {
		opening: [
			textMessage("system", systemPrompt),
			questionMessage(session.view.question, await questionParts(session)),
		],
		stop: ["\nObservation"],
		budget: budgetOf(setting),
		speech: {
			subQuestions: false,
			say(intention) {
				const text = sayReact(intention, number);
				return text === undefined ? undefined : { is: "says", text };
			},
		},
		read({ text: reply, finish }) {
			const { action, thought, text, dropped } = parseReact(reply, {
				finish: finish === "calls" ? "stop" : finish,
				bare,
			});
			sought = action.is === "lookup" ? action.word : undefined;
			return {
				move: moveOf(action, setting.k, text),
				said: { role: "assistant", content: text === "" ? [] : [{ type: "text", text }] },
				...(thought === undefined ? {} : { thought }),
				dropped,
			};
		},
		respond({ outcomes, last }) {
			const [outcome] = outcomes;
			const lines: string[] = [];
			if (outcome?.is === "found") {
				lookup.open(outcome.results);
				lines.push(observation(number, renderPassages(outcome.results, { flat: true })));
			} else if (sought !== undefined) {
				const step = session.recorder.steps.at(-1);
				if (step) step.call = { tool: "lookup", arguments: { word: sought }, valid: true };
				lines.push(observation(number, lookup.next(sought)));
			}
			bare = lines.length === 0 || last;
			if (lines.length > 0) number += 1;
			else if (!last) lines.push(actionOnly(number, form));
			if (last) lines.push(lastStep(number, form));
			return [textMessage("user", lines.join("\n\n"))];
		},
	};
}

/** A look-up is no search of the knowledge base: the driver is to carry nothing out. */
function moveOf(action: ParsedAction, k: number, text: string) {
	switch (action.is) {
		case "finish":
			return { is: "answer" as const, text: action.answer, abstains: isUnknown(action.answer) };
		case "lookup":
			return { is: "silent" as const };
		case "search": {
			const args = { query: action.query, k };
			return { is: "calls" as const, calls: [{ is: "call" as const, tool: "text_search" as const, arguments: args }] };
		}
		case "invalid": {
			const { code, detail, tool } = action;
			return { is: "calls" as const, calls: [invalidCall(code, detail, { tool, written: written(text) })] };
		}
	}
}

/** Finds a word in what was last found, sentence by sentence, as a reader does with a page open. */
export interface Lookup {
	/** Opens other passages, and begins anew. */
	open(passages: Passage[]): void;
	/** The next sentence that holds the words, whatever their case; the same words again go on behind it. */
	next(words: string): string;
}

/** Of one passage, in characters. */
const maxLength = 100_000;

export function createLookup(): Lookup {
	let sentences: string[] | undefined;
	let words = "";
	let at = 0;
	return {
		open(passages) {
			sentences = passages.flatMap(({ text }) => sentencesOf(text.slice(0, maxLength)));
			words = "";
		},
		next(wanted) {
			if (!sentences) return "Nothing is open to look in: search first.";
			const sought = wanted.toLowerCase();
			if (sought !== words) at = 0;
			words = sought;
			const holding = sentences.filter((sentence) => sentence.toLowerCase().includes(sought));
			const sentence = holding[at];
			if (sentence === undefined) return "No more sentences hold it.";
			at += 1;
			return `(${at} of ${holding.length}) ${harmless(sentence)}`;
		},
	};
}
