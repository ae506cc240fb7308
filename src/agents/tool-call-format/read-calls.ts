import { parseJson } from "#domain";
import type { ToolRequest } from "#models";
import { type Call, type InvalidCode, invalidCall } from "../tools/tool-call.ts";
import type { OfferedTool } from "./offered-tools.ts";

/**
 * JSON as models write it: what `JSON.parse` takes, and otherwise with line breaks in strings, single quotes, trailing
 * commas, line comments and Python's or JavaScript's words for nothing. Undefined when it is no JSON even then.
 */
export function tolerantJson(text: string): unknown {
	const trimmed = text.trim();
	const exact = parsed(trimmed);
	if (exact !== undefined || trimmed.length > maxMended) return exact;
	const bare = withoutFence(trimmed);
	return parsed(bare) ?? parsed(bare.replace(tokens, mended));
}

const parsed = (text: string) => parseJson(text) ?? undefined;

const withoutFence = (text: string) => text.replace(/^```(?:json)?\s*/i, "").replace(/\s*```$/, "");

/** Longer texts are not mended, in characters: ends that never come are searched for again and again. */
const maxMended = 10_000;

/** Strings first, so that nothing within them is taken for anything else. */
const tokens =
	/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|,(?=\s*[}\]])|\b(?:True|False|None|undefined|NaN)\b/g;

const words: Record<string, string> = { True: "true", False: "false", None: "null", undefined: "null", NaN: "null" };

function mended(token: string): string {
	if (token.startsWith('"')) return oneLine(token);
	if (token.startsWith("'")) {
		const inner = token.slice(1, -1).replace(/\\'/g, "'");
		return oneLine(`"${inner.replace(/\\[\s\S]|"/g, (found) => (found === '"' ? '\\"' : found))}"`);
	}
	return words[token] ?? "";
}

const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const oneLine = (text: string) => text.replace(/[\n\r\t]/g, (found) => escapes[found] ?? "");

/** A call as a model made it, in the provider's form or in text. */
export interface SpokenCall {
	name: string;
	/** What stood for the arguments, parsed; undefined when it was no JSON. */
	arguments: unknown;
	/** The end of what it wrote. */
	written: string;
	/** Of a call in the provider's form. */
	id?: string;
	/** Cut before its end. */
	cut?: boolean;
}

/** How many calls of one reply count, and why the others do not. */
export interface Allowance {
	/** Carried out of one reply. */
	atOnce: number;
	/** Left of the task's budget. */
	left: number;
}

/** The calls of one reply, in order; those above the allowance are invalid. */
export function readCalls(spoken: SpokenCall[], tools: OfferedTool[], { atOnce, left }: Allowance): Call[] {
	return spoken.map((call, index) => {
		if (index >= atOnce)
			return refused(call, "two-actions", atOnce === 1 ? "only one call a turn" : `only ${atOnce} calls a turn`);
		if (index >= left) return refused(call, "no-search-left", "no call is left");
		return readCall(call, tools);
	});
}

function readCall(spoken: SpokenCall, tools: OfferedTool[]): Call {
	if (spoken.cut) return refused(spoken, "truncated", "the call was cut before its end");
	if (spoken.name === "") return refused(spoken, "bad-json", "the call is no JSON object with a name and arguments");
	const tool = tools.find(({ declaration }) => declaration.name === spoken.name);
	if (!tool) {
		const names = tools.map(({ declaration }) => declaration.name).join(", ");
		return refused(spoken, "unknown-tool", `there is no such tool; there are: ${names || "none"}`);
	}
	const args = spoken.arguments;
	if (typeof args !== "object" || args === null || Array.isArray(args))
		return refused(spoken, "bad-json", "the arguments are no JSON object");
	const { written, id } = spoken;
	return tool.read(args as Record<string, unknown>, { written, ...(id === undefined ? {} : { id }) });
}

const refused = ({ name, written, id }: SpokenCall, code: InvalidCode, detail: string) =>
	invalidCall(code, detail, { tool: name || "none", written, ...(id === undefined ? {} : { id }) });

/** Calls of one reply that are heard at all, and characters of one's arguments: longer ones count as none. */
const mostHeard = 16;
const longestArguments = 20_000;

/** The calls of a reply as they are read and enter the history, and how many characters of their arguments do not. */
export function heardCalls(calls: ToolRequest[]): { heard: ToolRequest[]; dropped: number } {
	const heard = calls
		.slice(0, mostHeard)
		.map((call) => (call.arguments.length > longestArguments ? { ...call, arguments: "{}" } : call));
	return { heard, dropped: written(calls) - written(heard) };
}

const written = (calls: ToolRequest[]) => calls.reduce((sum, call) => sum + call.arguments.length, 0);

/** Arguments that came as text: an object, nothing at all for none, or undefined when it is no JSON. */
export function argumentsOf(text: string): unknown {
	return text.trim() === "" ? {} : unwrapped(tolerantJson(text));
}

/** Some models write their arguments as JSON within a JSON string. */
export const unwrapped = (value: unknown): unknown => (typeof value === "string" ? tolerantJson(value) : value);
