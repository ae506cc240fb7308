/**
 * Text from models, documents and names as it may be shown: bounded, and without the characters that would act on the
 * reader's screen instead of being read (terminal escapes, other controls, bidirectional overrides and isolates).
 */

// C0 (but tab and newline), DEL, C1, bidirectional embeddings, overrides and isolates, interlinear annotation, BOM, tags
const acting =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** The text with acting characters made visible as the replacement character. */
export function plain(text: string): string {
	return text.replace(acting, "\ufffd");
}

/** Text from anywhere as one safe line of at most `length` UTF-16 units, with nothing that acts on the reader's screen. */
export function plainLine(text: string, length = 10_000): string {
	return plain(clip(text, length));
}

/** The text cut to at most `length` UTF-16 units, white space runs as one space, an ellipsis where something is missing. */
export function clip(text: string, length: number): string {
	// a bound before the regular expression: the text may be megabytes
	const start = text.length > length * 4 ? text.slice(0, length * 4) : text;
	const line = start.replace(/\s+/gu, " ").trim();
	if (line.length <= length && start === text) return line;
	return `${wholeCharacters(line.slice(0, length - 1)).trimEnd()}…`;
}

/** The text cut to at most `length` UTF-16 units, its lines as they are, an ellipsis where something is missing. */
export function cut(text: string, length: number): string {
	return text.length <= length ? text : `${wholeCharacters(text.slice(0, length - 1))}…`;
}

/** The part of a text around the first of `wanted` that it holds, cut as `clip` cuts; its beginning where it holds none. */
export function excerpt(text: string, wanted: string[], length: number): string {
	const scanned = text.slice(0, 200_000);
	if (scanned.length <= length) return clip(text, length);
	const lower = scanned.toLowerCase();
	const places = wanted.filter((word) => word.trim() !== "").map((word) => lower.indexOf(word.toLowerCase()));
	const at = Math.min(...places.filter((place) => place >= 0));
	if (!Number.isFinite(at) || at < length * 0.8) return clip(text, length);
	const space = scanned.indexOf(" ", at - Math.floor(length / 2));
	const from = space >= 0 && space < at ? space + 1 : Math.max(0, at - Math.floor(length / 2));
	return `…${clip(text.slice(from, from + length * 8), length - 1)}`;
}

/** Cuts half a surrogate pair off either end. */
function wholeCharacters(text: string): string {
	return text.replace(/[\ud800-\udbff]$/, "").replace(/^[\udc00-\udfff]/, "");
}

/** `1 passage`, `2 passages`. */
export function counted(count: number, word: string): string {
	return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** JSON, or undefined for what is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A text as a pattern that matches it and nothing else. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** By code units: the same order on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
