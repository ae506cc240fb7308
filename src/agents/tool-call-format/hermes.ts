/**
 * Calls in text, as Hermes models and Qwen's write them: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. Nothing
 * within a thought is a call; a result that the model made up ends what is read. Nothing here throws.
 */
import type { ToolDeclaration } from "#models";
import { type SpokenCall, tolerantJson, unwrapped } from "./read-calls.ts";

/** What a reply in text does, in order. */
export type Act = { end: number; restored: string } & (
	| { is: "call"; call: SpokenCall }
	| { is: "answer"; text: string; cut: boolean }
);

export interface HermesReply {
	/** The reply as far as it is read. */
	text: string;
	thought: string;
	/** The last thought was never closed. */
	inThought: boolean;
	acts: Act[];
	/** The text outside thoughts and acts. */
	plain: string;
}

/** A reply is read up to here, in characters. */
const maxLength = 100_000;
const maxThoughtLength = 20_000;
const maxBareCall = 10_000;

const tags = /<(\/?)(think|thinking|tool_call|answer|tool_response)>/g;

export function parseHermes(reply: string, { cut }: { cut: boolean }): HermesReply {
	const all = reply.slice(0, maxLength);
	let thoughts: string[] = [];
	let plain: string[] = [];
	let acts: Act[] = [];
	let inside: string | undefined;
	let from = 0;
	let text = all;
	for (const match of all.matchAll(tags)) {
		const closes = match[1] === "/";
		const name = match[2] ?? "";
		const after = match.index + match[0].length;
		const content = all.slice(from, match.index);
		const thinking = name === "think" || name === "thinking";
		if (inside !== undefined) {
			if (name !== inside || !closes) continue;
			if (thinking) thoughts.push(content);
			else acts.push(actOf(inside, content, { end: after, restored: "", cut: false }));
			inside = undefined;
		} else if (closes && !thinking) {
			continue;
		} else if (closes) {
			// The chat template opened the thought: all that stood before belongs to it.
			thoughts = [all.slice(0, match.index)];
			plain = [];
			acts = [];
		} else {
			plain.push(content);
			if (name === "tool_response") {
				text = all.slice(0, match.index);
				from = match.index;
				break;
			}
			inside = name;
		}
		from = after;
	}
	const rest = text.slice(from);
	const inThought = inside === "think" || inside === "thinking";
	if (inThought) thoughts.push(rest);
	else if (inside !== undefined)
		acts.push(actOf(inside, rest, { end: text.length, restored: cut ? "" : `</${inside}>`, cut }));
	else plain.push(rest);
	const said = plain.join("\n").trim();
	if (acts.length === 0 && !inThought && said.length <= maxBareCall && bareCall.test(said)) {
		const call = spoken(said);
		if (call.name !== "") return { ...read(), acts: [{ is: "call", call, end: text.length, restored: "" }], plain: "" };
	}
	return read();

	function read(): HermesReply {
		return { text, thought: thoughts.join("\n").trim().slice(0, maxThoughtLength), inThought, acts, plain: said };
	}
}

/** A call without its tags, as small models write it. */
const bareCall = /^(?:```(?:json)?\s*)?\{\s*"name"\s*:[\s\S]*"(?:arguments|parameters)"[\s\S]*\}\s*(?:```)?$/;

function actOf(name: string, content: string, { cut, ...place }: { end: number; restored: string; cut: boolean }): Act {
	if (name === "answer") return { is: "answer", text: content.trim(), cut, ...place };
	return { is: "call", call: { ...spoken(content), ...(cut ? { cut } : {}) }, ...place };
}

function spoken(content: string): SpokenCall {
	const written = content.trim().slice(-300);
	const value = tolerantJson(content);
	if (typeof value !== "object" || value === null || Array.isArray(value))
		return { name: nameIn(content), arguments: undefined, written };
	const { name, arguments: given, parameters } = value as Record<string, unknown>;
	const args = given ?? parameters;
	return {
		name: typeof name === "string" ? name.trim() : "",
		arguments: args === undefined ? {} : unwrapped(args),
		written,
	};
}

/** The name of a call whose JSON is broken. */
const nameIn = (content: string) => /["']name["']\s*:\s*["']([\w.-]{1,100})["']/.exec(content)?.[1] ?? "";

/** A call as a model should write it. */
export const writeCall = (name: string, args: object): string =>
	`<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

/** What a system prompt says of tools that are called in text; empty without any. */
export function toolsSection(declarations: ToolDeclaration[]): string {
	if (declarations.length === 0) return "";
	return [
		"# Tools",
		"",
		"You can call functions. Each is described on a line of its own, as JSON, between <tools> and </tools>:",
		"<tools>",
		...declarations.map((declaration) => JSON.stringify({ type: "function", function: declaration })),
		"</tools>",
		"",
		"Call one by a JSON object with its name and its arguments between <tool_call> and </tool_call>:",
		"<tool_call>",
		'{"name": <name of the function>, "arguments": <object of its arguments>}',
		"</tool_call>",
	].join("\n");
}
