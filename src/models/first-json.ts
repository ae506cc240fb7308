import { parseJson } from "#domain";

/** Text and starts beyond these are not searched: a reply is hostile input, and the search is quadratic. */
const mostCharacters = 1_000_000;
const mostStarts = 64;
const thoughtEnd = "</think>";

/**
 * The JSON objects that a reply holds, in order: the reply itself, or whatever stands balanced in a code fence or
 * between sentences. Thoughts that a server left in the text (`…</think>`) are passed over.
 */
export function* jsonObjects(reply: string): Generator<Record<string, unknown>> {
	const thought = reply.lastIndexOf(thoughtEnd);
	const text = reply.slice(thought === -1 ? 0 : thought + thoughtEnd.length).slice(0, mostCharacters);
	const whole = parseObject(text);
	if (whole) {
		yield whole;
		return;
	}
	let from = 0;
	for (let starts = 0; starts < mostStarts; starts += 1) {
		const start = text.indexOf("{", from);
		if (start === -1) return;
		const end = balancedEnd(text, start);
		const found = end === undefined ? undefined : parseObject(text.slice(start, end));
		if (found) yield found;
		from = found && end !== undefined ? end : start + 1;
	}
}

/** The place behind the brace that closes the one at `start`; braces inside of strings do not count. */
function balancedEnd(text: string, start: number): number | undefined {
	let depth = 0;
	let quoted = false;
	for (let at = start; at < text.length; at += 1) {
		const character = text[at];
		if (quoted) {
			if (character === "\\") at += 1;
			else if (character === '"') quoted = false;
		} else if (character === '"') quoted = true;
		else if (character === "{") depth += 1;
		else if (character === "}") {
			depth -= 1;
			if (depth === 0) return at + 1;
		}
	}
	return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
	const value = parseJson(text);
	return value !== null && typeof value === "object" && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: undefined;
}
