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

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) ?? undefined;
	} catch {
		return undefined;
	}
}

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
