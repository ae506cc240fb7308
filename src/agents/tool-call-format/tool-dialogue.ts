/**
 * A conversation with calls, in the provider's own form or in text. Both are read whichever was offered: a server
 * without a parser for calls leaves them in the text. Every call gets an answer, in the form in which it came.
 */
import type { ChatMessage, ChatPart, ChatReply } from "#models";
import { type Budget, type Dialogue, type Reading, textMessage } from "../driver/protocol.ts";
import { isUnknown } from "../driver/recorder.ts";
import { type Session, saidBy } from "../driver/session.ts";
import type { Outcome } from "../tools/outcome.ts";
import { type InvalidCode, invalidCall, written } from "../tools/tool-call.ts";
import { finalAnswer, saidBefore } from "./final-answer.ts";
import type { Gallery } from "./gallery.ts";
import { type HermesReply, parseHermes } from "./hermes.ts";
import type { OfferedTool } from "./offered-tools.ts";
import { outcomeParts, text } from "./outcome-parts.ts";
import { argumentsOf, heardCalls, readCalls, type SpokenCall } from "./read-calls.ts";

export interface ToolTalk {
	opening: ChatMessage[];
	/** `declared`: in the provider's form. `told`: the opening describes them, and calls come in text. */
	form: "declared" | "told";
	tools: OfferedTool[];
	gallery: Gallery;
	budget: Budget;
	/** Calls of one reply that are carried out; the others get an error. */
	atOnce: number;
	/** What a reply without a call or an answer gets back. */
	nothingSaid: string;
	/** Joins the last results: only an answer may follow. */
	lastTurn: string;
	/** Instead of the usual words for results. */
	render?(outcome: Outcome, session: Session): Promise<ChatPart[]>;
}

/** Calls in the text of one reply that are heard at all. */
const mostHeard = 16;

export function toolDialogue(session: Session, talk: ToolTalk): Dialogue {
	const { opening, form, tools, gallery, budget, atOnce, render = outcomeParts } = talk;
	let made = 0;
	let isLast = false;
	const declarations = tools.map(({ declaration }) => declaration);
	return {
		opening,
		budget,
		...(form === "told" ? { stop: ["<tool_response>"] } : {}),
		...(form === "declared" && declarations.length > 0
			? { tools: declarations, toolChoice: () => (isLast ? ("none" as const) : ("auto" as const)) }
			: {}),
		read(reply) {
			const left = budget.counts === "calls" ? budget.limit - made : Number.POSITIVE_INFINITY;
			const heard = hear(reply, atOnce);
			if (heard.spoken.length === 0) return heard.reading;
			const calls = readCalls(heard.spoken, tools, { atOnce, left });
			return { ...heard.reading, move: { is: "calls", calls } };
		},
		async respond({ outcomes, last }) {
			made += outcomes.length;
			isLast = last;
			const answers: ChatMessage[] = [];
			const parts: ChatPart[] = [];
			for (const outcome of outcomes) {
				if (outcome.is === "cropped") gallery.add(outcome);
				const shown = isNothing(outcome) ? [text(talk.nothingSaid)] : await render(outcome, session);
				const { id } = outcome.call;
				if (id !== undefined) answers.push({ role: "tool", callId: id, content: shown });
				else parts.push(...(isNothing(outcome) ? shown : framed(shown)));
			}
			if (last) parts.push(text(talk.lastTurn));
			return parts.length > 0 ? [...answers, { role: "user", content: parts }] : answers;
		},
	};
}

/** A reply that was no call at all. */
const isNothing = ({ call }: Outcome) =>
	call.is === "invalid" && call.tool === "none" && call.id === undefined && nothings.has(call.code);
const nothings = new Set<InvalidCode>(["no-action", "unclosed-thought", "truncated"]);

/** One result of a call in text. */
function framed(parts: ChatPart[]): ChatPart[] {
	const [first, ...rest] = parts;
	const last = rest.at(-1);
	const opened = first?.type === "text" ? text(`<tool_response>\n${first.text}`) : text("<tool_response>\n");
	if (first?.type === "text" && rest.length === 0) return [text(`<tool_response>\n${first.text}\n</tool_response>`)];
	const body = [opened, ...(first && first.type !== "text" ? [first] : []), ...rest];
	return last?.type === "text"
		? [...body.slice(0, -1), text(`${last.text}\n</tool_response>`)]
		: [...body, text("\n</tool_response>")];
}

/** What a reply says, in whichever form; `reading` is complete unless it calls. */
function hear(reply: ChatReply, atOnce: number): { spoken: SpokenCall[]; reading: Reading } {
	if (reply.calls && reply.calls.length > 0) {
		const { heard: calls, dropped } = heardCalls(reply.calls);
		const spoken = calls.map(({ id, name, arguments: given }) => ({
			id,
			name,
			arguments: argumentsOf(given),
			written: written(given),
		}));
		const { thought } = parseHermes(reply.text, { cut: false });
		const thinking = thought || reply.text.trim();
		const said = { ...saidBy(reply), calls };
		return { spoken, reading: { move: { is: "silent" }, said, ...(thinking && { thought: thinking }), dropped } };
	}
	const parsed = parseHermes(reply.text, { cut: reply.finish === "length" });
	const answered = parsed.acts.findIndex(({ is }) => is === "answer");
	const spoken = parsed.acts
		.slice(0, answered === -1 ? undefined : answered)
		.flatMap((act) => (act.is === "call" ? [act.call] : []))
		.slice(0, mostHeard);
	return { spoken, reading: readText(reply, parsed, spoken.length, atOnce) };
}

/** Text enters the history up to its last call that counts, or its answer. */
function readText(
	reply: ChatReply,
	{ text: all, thought, inThought, acts, plain }: HermesReply,
	calls: number,
	atOnce: number,
): Reading {
	const lastAct = acts[calls > 0 ? Math.min(calls, atOnce) - 1 : 0];
	const end = lastAct?.end ?? all.length;
	const kept = all.slice(0, end) + (lastAct?.restored ?? "");
	// what leads to an answer is read off the last results, and stands nowhere else
	const thinking = thought || (lastAct ? plain : saidBefore(plain));
	const shared = {
		said: kept === "" ? { role: "assistant" as const, content: [] } : textMessage("assistant", kept),
		...(thinking && { thought: thinking.slice(0, 20_000) }),
		dropped: reply.text.slice(end).trim().length,
	};
	if (calls > 0) return { move: { is: "silent" }, ...shared };
	const answer = lastAct?.is === "answer" ? lastAct.text : finalAnswer(plain);
	const isCut = lastAct?.is === "answer" ? lastAct.cut : reply.finish === "length" && !/answer[*_\s]*:/i.test(plain);
	if (answer !== "" && !isCut && (!inThought || plain !== ""))
		return { move: { is: "answer", text: answer, abstains: isUnknown(answer) }, ...shared };
	const [code, detail] = isCut
		? (["truncated", "the reply was cut before its end"] as const)
		: inThought
			? (["unclosed-thought", "the thought never ended"] as const)
			: (["no-action", "the reply neither calls nor answers"] as const);
	return {
		move: { is: "calls", calls: [invalidCall(code, detail, { written: written(reply.text) })] },
		...shared,
	};
}
