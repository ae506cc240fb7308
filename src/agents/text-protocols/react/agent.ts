import type { Setting } from "#domain";
import { protocolAgent } from "../../driver/driver.ts";
import { type Budget, type Dialogue, mostRepliesOf, textMessage } from "../../driver/protocol.ts";
import { questionParts } from "../../driver/question.ts";
import { isUnknown } from "../../driver/recorder.ts";
import type { Session } from "../../driver/session.ts";
import { invalidCall, written } from "../../tools/tool-call.ts";
import { renderPassages } from "../passages.ts";
import { textSettings } from "../settings.ts";
import type { ParsedAction } from "./action.ts";
import { createLookup } from "./lookup.ts";
import { parseReact } from "./parse.ts";
import { actionOnly, lastStep, observation, promptHash, questionMessage, systemPrompt } from "./prompt.ts";
import { sayReact } from "./say.ts";

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
				move: moveOf(action, { k: setting.k, text }),
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
function moveOf(action: ParsedAction, { k, text }: { k: number; text: string }) {
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
