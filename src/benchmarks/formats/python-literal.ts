/*
 * Columns that hold Python values as text (`['Chart', "it's"]`, `[5, 6]`, `(1.5, None)`), as published tables have them
 * after a trip through pandas. Read as data, never run.
 */

export type PythonValue = null | boolean | number | string | PythonValue[] | { [key: string]: PythonValue };

/** Deeper and longer texts are refused rather than read. */
const deepest = 32;
const longest = 10_000_000;

/** The value a text stands for: None, True, False, numbers, strings, lists, tuples (as lists) and dicts with string keys. */
export function readPythonLiteral(text: string): { value: PythonValue } | { problem: string } {
	if (text.length > longest) return { problem: `a list as text of ${text.length} characters, more than ${longest}` };
	const at = { text, place: 0 };
	try {
		const value = readValue(at, 0);
		skipSpace(at);
		if (at.place < text.length) throw new SyntaxError("something follows the value");
		return { value };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return { problem: `not a Python list as text: ${error.message} at character ${at.place + 1}` };
	}
}

interface Cursor {
	text: string;
	place: number;
}

function readValue(at: Cursor, depth: number): PythonValue {
	if (depth > deepest) throw new SyntaxError(`more than ${deepest} levels`);
	skipSpace(at);
	const next = at.text[at.place];
	if (next === "[") return readItems(at, "]", depth).items;
	if (next === "(") {
		const { items, trailing } = readItems(at, ")", depth);
		const [only] = items;
		// brackets around one value only group it
		return items.length === 1 && only !== undefined && !trailing ? only : items;
	}
	if (next === "{") return readDict(at, depth);
	if (next === "'" || next === '"') return readString(at);
	return readWord(at);
}

function readItems(at: Cursor, end: string, depth: number): { items: PythonValue[]; trailing: boolean } {
	at.place += 1;
	const items: PythonValue[] = [];
	let trailing = false;
	for (;;) {
		skipSpace(at);
		if (at.text[at.place] === end) break;
		if (items.length > 0 && !trailing) throw new SyntaxError(`"," or "${end}" expected`);
		items.push(readValue(at, depth + 1));
		skipSpace(at);
		trailing = at.text[at.place] === ",";
		if (trailing) at.place += 1;
	}
	at.place += 1;
	return { items, trailing };
}

function readDict(at: Cursor, depth: number): PythonValue {
	at.place += 1;
	const entries: [string, PythonValue][] = [];
	let trailing = true;
	for (;;) {
		skipSpace(at);
		if (at.text[at.place] === "}") break;
		if (!trailing) throw new SyntaxError('"," or "}" expected');
		const key = readValue(at, depth + 1);
		if (typeof key !== "string") throw new SyntaxError("a key that is no string");
		skipSpace(at);
		if (at.text[at.place] !== ":") throw new SyntaxError('":" expected');
		at.place += 1;
		entries.push([key, readValue(at, depth + 1)]);
		skipSpace(at);
		trailing = at.text[at.place] === ",";
		if (trailing) at.place += 1;
	}
	at.place += 1;
	return Object.fromEntries(entries);
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\x07", "\n": "" };

function readString(at: Cursor): string {
	const quote = at.text[at.place];
	at.place += 1;
	let value = "";
	for (;;) {
		const next = at.text[at.place];
		if (next === undefined) throw new SyntaxError("a string that does not end");
		at.place += 1;
		if (next === quote) return value;
		value += next === "\\" ? readEscape(at) : next;
	}
}

function readEscape(at: Cursor): string {
	const coded = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(
		at.text.slice(at.place, at.place + 9),
	);
	if (coded) {
		const code = coded[4] === undefined ? Number.parseInt(coded[0].slice(1), 16) : Number.parseInt(coded[4], 8);
		if (code > 0x10ffff) throw new SyntaxError("a character that does not exist");
		at.place += coded[0].length;
		return String.fromCodePoint(code);
	}
	const next = at.text[at.place] ?? "";
	at.place += 1;
	// an escape that Python does not know stands for itself, backslash included
	return escapes[next] ?? (next === "\\" || next === "'" || next === '"' ? next : `\\${next}`);
}

const words: Record<string, PythonValue> = { None: null, True: true, False: false };

function readWord(at: Cursor): PythonValue {
	const word = /^[^\s,\]})[({:'"]+/.exec(at.text.slice(at.place, at.place + 400))?.[0] ?? "";
	if (Object.hasOwn(words, word)) {
		at.place += word.length;
		return words[word] ?? null;
	}
	if (!/^[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) throw new SyntaxError(`"${word.slice(0, 40)}"`);
	const value = Number(word.replaceAll("_", ""));
	if (!Number.isFinite(value)) throw new SyntaxError(`"${word.slice(0, 40)}" is too large a number`);
	at.place += word.length;
	return value;
}

function skipSpace(at: Cursor): void {
	while (/\s/.test(at.text[at.place] ?? "")) at.place += 1;
}
