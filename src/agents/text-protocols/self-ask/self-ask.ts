import type { Setting } from "#domain";
import { protocolAgent } from "../../driver/conversation.ts";
import { type Budget, type Dialogue, type Move, mostRepliesOf, textMessage } from "../../driver/protocol.ts";
import type { Session } from "../../driver/session.ts";
import type { Speech } from "../../driver/speech.ts";
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
import type { Outcome } from "../../tools/outcome.ts";
import { textSettings } from "../passages.ts";
import { askReader, charge } from "../reader.ts";
import { type ParsedSelfAsk, parseSelfAsk, saySelfAsk, selfAskGrammar } from "./parse.ts";
import {
	closing,
	evidence,
	intermediateAnswer,
	lastTurn,
	promptHash,
	readItOff,
	seeded,
	systemPrompt,
} from "./prompt.ts";

const defaultLimit = 5;
const base = { limit: defaultLimit, lastAnswer: true, temperature: 0 };

/**
 * Self-Ask, with a reader between search and intermediate answer as MMhops's baseline has it. The setting `evidence`
 * gives what was found itself back, as the first publication does with its search engine's result.
 */
export const selfAsk = protocolAgent(
	{
		name: "self-ask",
		version: "1",
		summary: "A model that asks itself follow-up questions, each looked up and answered, then concludes (Self-Ask).",
		paper: "Self-Ask",
		needs: { model: "required", gold: false, evidence: ["passage"] },
		grammar: true,
		settings: { ...textSettings(base), evidence: { ...base, fidelity: "paper", tools: ["text_search"] } },
		card: {
			messages:
				"lines of text; intermediate answers are user messages, or continue the assistant's own (`completion`); each is read from the passages by a call of its own, or by the model itself (`evidence`)",
			budget: `${defaultLimit} follow-up questions, turns without one included, then one reply that may only answer`,
			reports: "hops, sub-answers, calls, invalid calls",
			mostCalls: (setting) => {
				const replies = mostRepliesOf(budgetOf(setting));
				return setting.fidelity === "paper" ? replies : replies + budgetOf(setting).limit;
			},
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
	const reads = setting.fidelity !== "paper";
	let expects: "intermediate" | "final" | undefined;
	let readings = 0;

	async function answered(found: Extract<Outcome, { is: "found" }>): Promise<string> {
		readings += 1;
		const question = found.step.subQuestion ?? "";
		const { answer = "unknown", reply } = await askReader(
			session,
			{ question, passages: found.results },
			{ conversation: `reader ${readings}` },
		);
		charge(found.step, reply);
		found.step.subAnswer = answer;
		return intermediateAnswer(harmless(answer));
	}

	return {
		opening: await openingOf(session, systemPrompt, seeded(session.view.question)),
		stop: [reads ? "\nIntermediate answer:" : "\nContext:"],
		budget: budgetOf(setting),
		// continued, a reply begins in the middle of a line
		...(form.continued ? {} : { grammar: (reply) => selfAskGrammar(reply, { reads: expects === "intermediate" }) }),
		// where another reads, the policy's turns alone do not make the conversation
		...(reads ? {} : { speech: speechOf(() => expects === "intermediate") }),
		read(reply) {
			const { action, ...told } = parseSelfAsk(reply.text, { finish: textFinish(reply), expects });
			const subQuestion = action.is === "follow-up" ? action.question : undefined;
			return textReading(moveOf(action, setting.k, told.text), { ...told, subQuestion });
		},
		async respond({ outcomes, last }) {
			const [outcome] = outcomes;
			const found = outcome?.is === "found" ? outcome : undefined;
			const lines: string[] = [];
			if (found) lines.push(reads ? await answered(found) : evidence(found.results));
			if (last) lines.push(lastTurn(form));
			else if (!found) lines.push(closing(form));
			else if (!reads) lines.push(readItOff(form));
			// Where the text goes on behind the label, or only an answer is left to give, the label may be missing.
			const closes = last || (!found && form.continued);
			expects = closes ? "final" : found && !reads ? "intermediate" : undefined;
			return [textMessage("user", lines.join("\n\n"))];
		},
	};
}

/** `reads`: the next turn begins with what was found. */
const speechOf = (reads: () => boolean): Speech => ({
	...textSpeech(true, (intention) =>
		saySelfAsk({ ...intention, subAnswer: reads() ? intention.subAnswer : undefined }),
	),
	thoughtless: true,
	asksQuestions: true,
});

function moveOf(action: ParsedSelfAsk["action"], k: number, text: string): Move {
	switch (action.is) {
		case "final":
			return answerMove(action.answer);
		case "follow-up":
			return searchMove(action.question, k);
		case "invalid":
			return invalidMove(action, text);
	}
}
