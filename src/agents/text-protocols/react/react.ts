import type { Setting } from "#domain";
import { protocolAgent } from "../../driver/conversation.ts";
import { type Budget, type Dialogue, type Move, mostRepliesOf, textMessage } from "../../driver/protocol.ts";
import type { Session } from "../../driver/session.ts";
import {
	answerMove,
	invalidMove,
	openingOf,
	searchMove,
	textFinish,
	textReading,
	textSpeech,
} from "../../driver/text-turns.ts";
import { harmless } from "../../tools/harmless.ts";
import { type Passage, renderPassages, sentencesOf, textSettings } from "../passages.ts";
import { type ParsedAction, parseReact, reactGrammar, sayReact } from "./parse.ts";
import { actionOnly, lastStep, observation, promptHash, systemPrompt } from "./prompt.ts";

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
		grammar: true,
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
		opening: await openingOf(session, systemPrompt),
		stop: ["\nObservation"],
		budget: budgetOf(setting),
		// continued, a reply begins in the middle of a line
		...(form.continued ? {} : { grammar: (reply) => reactGrammar(reply, { number, bare }) }),
		speech: textSpeech(false, (intention) => sayReact(intention, number)),
		read(reply) {
			const { action, thought, text, dropped } = parseReact(reply.text, { finish: textFinish(reply), bare });
			sought = action.is === "lookup" ? action.word : undefined;
			return textReading(moveOf(action, setting.k, text), { text, dropped, thought });
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
function moveOf(action: ParsedAction, k: number, text: string): Move {
	switch (action.is) {
		case "finish":
			return answerMove(action.answer);
		case "lookup":
			return { is: "silent" };
		case "search":
			return searchMove(action.query, k);
		case "invalid":
			return invalidMove(action, text);
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
