import { either, grammarOf, literal, type NextReply } from "../../driver/grammar.ts";
import type { Intention } from "../../driver/speech.ts";
import type { InvalidCode } from "../../tools/tool-call.ts";
import { afterThinking, bareThought } from "../passages.ts";

/** What a model chose to do. */
export type ReactAction =
	| { is: "search"; query: string }
	| { is: "lookup"; word: string }
	| { is: "finish"; answer: string };

/** The name of each action on the wire, and what stands between its brackets. */
export const actionNames = { search: "Search", lookup: "Lookup", finish: "Finish" } as const;

export type ParsedAction =
	| ReactAction
	/** `tool` is what the model named, as it wrote it, or "none". */
	| { is: "invalid"; code: InvalidCode; detail: string; tool: string };

/** An action as a model should write it, without its label. */
export function renderAction(action: ReactAction): string {
	const content = action.is === "search" ? action.query : action.is === "lookup" ? action.word : action.answer;
	return `${actionNames[action.is]}[${content}]`;
}

// Reads a ReAct reply: the first line labelled as an action counts, what stands before it is the thought, and whatever
// follows it (an observation of the model's own making, further steps) is cut. Nothing here throws.

export interface ParsedReact {
	action: ParsedAction;
	thought?: string;
	/** What enters the history. Without an action: the first line of the thought. */
	text: string;
	dropped: number;
}

const maxLength = 100_000;
const maxContentLength = 2000;
// Bounded everywhere: a reply is hostile, and overlapping repetitions take time with its square.
const label = /^[ \t>*_-]{0,20}action[ \t]{0,5}\d{0,4}[ \t*_]{0,10}:[ \t*_`]{0,10}/im;
const bareAction = /^[ \t>*_`-]{0,20}(?=(?:search|lookup|finish)[ \t]{0,5}\[)/im;

export function parseReact(
	reply: string,
	{
		finish,
		bare = false,
	}: {
		finish: "stop" | "length" | "other";
		/** The action alone was asked for: it needs no label. */
		bare?: boolean;
	},
): ParsedReact {
	const whole = reply.slice(0, maxLength);
	const from = afterThinking(whole);
	const body = whole.slice(from).split(/\n[ \t]*Observation\b/i, 1)[0] ?? "";
	const found = label.exec(body) ?? (bare ? bareAction.exec(body) : null);
	if (!found) return withoutAction();
	const start = found.index + found[0].length;
	const { action, length } = readAction(body.slice(start), finish);
	const thought = thoughtOf(whole.slice(0, from + found.index));
	const end = from + start + length;
	return { action, ...(thought && { thought }), text: whole.slice(0, end), dropped: reply.slice(end).trim().length };

	function withoutAction(): ParsedReact {
		const thought = thoughtOf(whole.slice(0, from) + body);
		const [line = ""] = body.trim().split("\n");
		const cut = finish === "length" || reply.length > maxLength;
		const [code, detail] = cut
			? (["truncated", "the reply was cut before any action"] as const)
			: (["no-action", "the reply holds no action"] as const);
		return {
			action: { is: "invalid", code, detail, tool: "none" },
			...(thought && { thought }),
			text: line.trim(),
			dropped: Math.max(0, reply.trim().length - line.trim().length),
		};
	}
}

/** An action at the beginning of a text, and how much of it is it: up to its bracket, or to the end of the line. */
function readAction(text: string, finish: string): { action: ParsedAction; length: number } {
	const line = text.split("\n", 1)[0] ?? "";
	const named = /^([\p{L}\p{N}_ -]{1,60}?)[ \t]*\[/u.exec(text);
	const invalid = (
		code: Extract<ParsedAction, { is: "invalid" }>["code"],
		detail: string,
		{ tool = "none", length = line.length } = {},
	) => ({ action: { is: "invalid", code, detail, tool } as const, length });
	if (!named) {
		if (finish === "length" && line.length === text.length)
			return invalid("truncated", "the reply was cut within an action");
		return invalid("no-action", "the action line names no action with brackets");
	}
	const [opened, written = ""] = named;
	const close = closingBracket(text, opened.length);
	if (close === undefined)
		return finish === "length"
			? invalid("truncated", "the reply was cut within an action", { tool: written })
			: invalid("bad-arguments", "the bracket is never closed", { tool: written });
	const length = close + 1;
	const content = text.slice(opened.length, close).trim();
	const name = Object.keys(actionNames).find((one) => one === written.toLowerCase()) as ReactAction["is"] | undefined;
	if (name === undefined) return invalid("unknown-tool", `there is no action "${written}"`, { tool: written, length });
	if (content === "")
		return name === "finish"
			? invalid("empty-answer", "the answer is empty", { tool: written, length })
			: invalid("empty-query", "the brackets are empty", { tool: written, length });
	if (name !== "finish" && content.length > maxContentLength)
		return invalid("query-too-long", `more than ${maxContentLength} characters`, { tool: written, length });
	return { action: actionOf(name, content), length };
}

function actionOf(name: ReactAction["is"], content: string): ReactAction {
	if (name === "search") return { is: name, query: content };
	if (name === "lookup") return { is: name, word: content };
	return { is: name, answer: content.slice(0, maxContentLength) };
}

/** The bracket that closes the one before `from`; where brackets do not match, the last one of the line. */
function closingBracket(text: string, from: number): number | undefined {
	let depth = 1;
	for (let at = from; at < text.length; at += 1) {
		if (text[at] === "[") depth += 1;
		else if (text[at] === "]") depth -= 1;
		if (depth === 0) return at;
	}
	const line = text.indexOf("\n", from);
	const last = text.lastIndexOf("]", line === -1 ? text.length : line);
	return last >= from ? last : undefined;
}

function thoughtOf(text: string): string {
	return bareThought(text).replace(/^[ \t>*_-]{0,20}thought[ \t]{0,5}\d{0,4}[ \t*_]{0,10}:[ \t*_]{0,10}/i, "");
}

/** What a step is held to, as `sayReact` writes it; the action alone where that was asked for. */
export function reactGrammar({ last }: NextReply, { number, bare }: { number: number; bare: boolean }): string {
	const { search, lookup, finish } = actionNames;
	const action = (name: string) => `${literal(`${name}[`)} inner ${literal("]")}`;
	const acts = last ? [finish] : [search, lookup, finish];
	const thought = bare ? [] : [literal(`Thought ${number}: `), "line", literal("\n")];
	return grammarOf([...thought, literal(`Action ${number}: `), either(...acts.map(action))].join(" "));
}

/** A step as a model should write it; undefined where it is no search of passages. `number` counts steps from 1. */
export function sayReact({ thought, act }: Omit<Intention, "subAnswer">, number: number): string | undefined {
	if (act.is === "search" && act.tool !== "text_search") return undefined;
	const action = act.is === "answer" ? ({ is: "finish", answer: act.text } as const) : act;
	const line = renderAction(action.is === "search" ? { is: "search", query: action.query } : action);
	// a thought is one line: the next line is the action's
	return `Thought ${number}: ${thought.replace(/\s*\n\s*/g, " ")}\nAction ${number}: ${line}`;
}
