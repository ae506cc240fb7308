/**
 * The answer of a reply without what is put around it: thoughts, tags, boxes, Markdown, LaTeX, JSON, quotes, citations and
 * announcements ("The answer is"). Every step looks at the text once, however long it is.
 */

import { rememberingTexts } from "#domain";

/** Of a longer reply the end is read: a conclusion stands there. */
const mostCharacters = 20_000;

export interface Unwrapped {
	text: string;
	/** What the first paragraph sets in bold, headings and notes left out. */
	bold: readonly string[];
	/** The last announcement of an answer, with what follows it. */
	announced?: string;
}

/** Short replies come again and again. */
export const unwrap: (reply: string) => Unwrapped = rememberingTexts(unwrapped);

function unwrapped(reply: string): Unwrapped {
	const settled = withoutFences(inBox(inTag(afterThoughts(composed(reply)))));
	const field = (answerField(settled) ?? settled).replace(/^\s*action\s?:[^\n]{0,60}\n+/i, "");
	const cited = withoutCitations(field);
	const bold = boldOf(cited);
	const text = trimQuotes(withoutMarkdown(cited));
	const announced = announcedIn(text);
	return {
		text: announced !== undefined && text.endsWith(announced) && isAnnounced(text, announced) ? announced : text,
		bold: bold.map((one) => trimQuotes(withoutMarkdown(one))),
		...(announced === undefined ? {} : { announced }),
	};
}

function composed(reply: string): string {
	const text = reply.length > 4 * mostCharacters ? reply.slice(-4 * mostCharacters) : reply;
	return text
		.normalize("NFC")
		.replace(/[\u200b-\u200d\u2060\ufeff]/g, "")
		.replace(/[\u00a0\u202f]/g, " ");
}

function afterThoughts(text: string): string {
	const at = Math.max(...["</think>", "</thinking>", "</reasoning>"].map((tag) => endOf(text, tag)));
	const rest = at < 0 ? text : text.slice(at);
	return rest.trim() === "" ? text : rest;
}

function endOf(text: string, tag: string): number {
	const at = text.toLowerCase().lastIndexOf(tag);
	return at < 0 ? -1 : at + tag.length;
}

/** What the last tag of an answer holds. */
function inTag(text: string): string {
	const lower = text.toLowerCase();
	for (const name of ["answer", "final_answer", "final answer"]) {
		const at = lower.lastIndexOf(`<${name}>`);
		if (at < 0) continue;
		const from = at + name.length + 2;
		const end = lower.indexOf(`</${name}>`, from);
		return text.slice(from, end < 0 ? undefined : end);
	}
	return text.slice(-mostCharacters);
}

/** What the last `\boxed{}` holds, its braces balanced. */
function inBox(text: string): string {
	const at = text.lastIndexOf("\\boxed{");
	if (at < 0) return text;
	const from = at + "\\boxed{".length;
	let depth = 1;
	for (let end = from; end < text.length; end += 1) {
		if (text[end] === "{") depth += 1;
		if (text[end] === "}") depth -= 1;
		if (depth === 0) return withoutLatex(text.slice(from, end));
	}
	return withoutLatex(text.slice(from));
}

function withoutLatex(text: string): string {
	return text
		.replace(/\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname|emph)\s?\{([^{}]*)\}/g, "$1")
		.replace(/\\d?frac\{([^{}]*)\}\{([^{}]*)\}/g, "$1/$2")
		.replace(/\\(?:times|cdot)/g, "×")
		.replace(/\\(?:approx|sim)/g, "≈")
		.replace(/\^\{([^{}]*)\}/g, "^$1")
		.replace(/\\[,;:! ]/g, " ")
		.replace(/\\([%$&#_])/g, "$1")
		.replace(/\\(?:circ)/g, "°");
}

function withoutFences(text: string): string {
	const fenced = /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(text);
	return fenced?.[1] ?? text;
}

/** The field of a reply in JSON that names the answer. */
function answerField(text: string): string | undefined {
	const trimmed = text.trim();
	if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return undefined;
	try {
		const read: unknown = JSON.parse(trimmed);
		if (typeof read !== "object" || read === null) return undefined;
		const fields = new Map(Object.entries(read).map(([name, value]) => [name.toLowerCase(), value]));
		for (const name of ["final_answer", "final answer", "answer", "result", "value"]) {
			const value: unknown = fields.get(name);
			if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
			if (Array.isArray(value)) return value.map(String).join("\n");
		}
		return undefined;
	} catch {
		// braces that are no JSON are the answer's own
		return undefined;
	}
}

function withoutCitations(text: string): string {
	return text
		.replace(
			/ ?(?:\[\^?\d{1,3}(?:[,;–-] ?\d{1,3}){0,9}\](?!\()|【[^】\n]{1,40}】|\[(?:citation needed|source)\]|<sup>[^<]{0,20}<\/sup>)/gi,
			"",
		)
		.replace(/ ?\((?:source|sources|ref|see|quelle|fuente|according to)s?:? [^()\n]{1,200}\)/gi, "")
		.replace(/\n+(?:sources?|references?|citations?|quellen?|fuentes?)\s?:[\s\S]*$/i, "");
}

function boldOf(text: string): string[] {
	const found = [...text.slice(0, 2000).matchAll(/\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__/g)]
		.map((match) => (match[1] ?? match[2] ?? "").trim())
		.filter(
			(one, index) => one !== "" && !/:$/.test(one) && !(index > 0 && /^(?:key|note|verification|evidence)/i.test(one)),
		);
	const end = text.trim().search(/\n/);
	const first = text.trim().slice(0, end < 0 ? undefined : end);
	return [...new Set(found.filter((one) => first.includes(one)))].slice(0, 10);
}

function withoutMarkdown(text: string): string {
	const plain = /\\[a-z([]/i.test(text) ? withoutLatex(text).replace(/\\[()[\]]/g, " ") : text;
	return plain
		.replace(/!?\[([^\][\n]{1,300})\]\((?:https?:|\/|#|mailto:)[^()\s]{0,500}\)/g, "$1")
		.replace(/<\/?(?:b|i|em|strong|p|br|span|u|code|mark)\s?\/?>/gi, " ")
		.replace(/<su[bp]>([^<]{0,20})<\/su[bp]>/gi, "$1")
		.replace(/^\s{0,3}(?:#{1,6}|>)\s+/gm, "")
		.replace(/(\*\*|__)(?=\S)([^*_\n]{1,400}?)\1/g, "$2")
		.replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,400})\*(?![\p{L}\p{N}*])/gu, "$1")
		.replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{1,400})_(?![\p{L}\p{N}_])/gu, "$1")
		.replace(/`{1,3}([^`\n]{1,400})`{1,3}/g, "$1")
		.replace(/\$(?=[^\s$])([^$\n]{1,200})\$(?!\d)/g, (all, inner: string) =>
			/^[\d.,\s]+(?:[a-z]+ )/i.test(inner) ? all : inner,
		)
		.trim();
}

const pairs: Readonly<Record<string, string>> = {
	'"': '"',
	"'": "'",
	"“": "”",
	"‘": "’",
	"«": "»",
	"„": "“",
	"「": "」",
	"『": "』",
	"《": "》",
	"(": ")",
	"[": "]",
	"`": "`",
};

/** Without quotes or brackets around the whole, and without the stop behind them. */
export function trimQuotes(text: string): string {
	let bare = text.trim();
	for (let turn = 0; turn < 4; turn += 1) {
		const stripped = bare.replace(/(?<=[\p{L}\p{N}\p{P}])\s*[.。]+$/u, "");
		const open = stripped[0] ?? "";
		const close = Object.hasOwn(pairs, open) ? pairs[open] : undefined;
		const inner = stripped.slice(1, -1);
		if (
			close === undefined ||
			!stripped.endsWith(close) ||
			stripped.length < 3 ||
			inner.includes(close) ||
			inner.includes(open)
		)
			return bare;
		bare = inner.trim();
	}
	return bare;
}

const announcement = new RegExp(
	[
		"(?:(?:so|thus|therefore|hence|in conclusion|in summary|overall|consequently|conclusion),? )?(?:my |the |our )?(?:(?:final|correct|short|direct|exact) )?(?:answer|result)(?: to (?:the|this|your) question)?(?:,? (?:then|therefore|thus))?(?: is| was|:| would be| =)(?: that)?(?: simply)?:? ",
		"(?:final )?answer ?[:：=] ?",
		"(?:por (?:lo )?tanto,? )?(?:la|mi) respuesta (?:final |correcta )?(?:es|:) ?:?",
		"respuesta(?: final)? ?: ?",
		"(?:donc,? )?(?:la|ma) réponse (?:finale |correcte )?(?:est|:) ?:?",
		"réponse(?: finale)? ?: ?",
		"(?:also |daher |somit )?(?:die|meine) (?:richtige |endgültige )?antwort (?:ist|lautet|:) ?:?",
		"(?:also |daher |somit )?(?:ist|lautet) die (?:richtige |endgültige )?antwort ?:?",
		"antwort ?: ?",
		"(?:因此|所以)?[，,]?(?:最终|正确)?(?:答案|回答)(?:是|为|為|：|:)[：:]?",
		"(?:答え|正解|回答)は",
	].join("|"),
	"giu",
);

/** What follows the last announcement of an answer, to the end of its paragraph. */
function announcedIn(text: string): string | undefined {
	let last: RegExpExecArray | undefined;
	for (const match of `${text} `.matchAll(announcement)) {
		const before = text[match.index - 1] ?? " ";
		if (/[\p{L}\p{N}]/u.test(before) && !/\p{Script=Han}|\p{Script=Hiragana}/u.test(before)) continue;
		last = match;
	}
	if (!last) return undefined;
	const rest = text.slice(last.index + last[0].length).replace(/^\s+/, "");
	const said = rest.split(/\n/)[0]?.trim() ?? "";
	return said === "" ? undefined : trimQuotes(said);
}

/** Whether the whole text is the announcement and what it announces. */
const isAnnounced = (text: string, announced: string) => text.length - announced.length < 60;
