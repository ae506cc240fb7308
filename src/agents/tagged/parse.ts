/**
 * Reads a model's reply. The text is walked once, tag by tag, and the first complete action outside a thought counts:
 * so a server that ignores stop strings and one that obeys them lead to the same action, and a phrase inside a thought
 * never searches. What a server cut off with the stop string is put back. Nothing here throws.
 */
import type { Action, InvalidCode } from "./action.ts";
import { type ActionName, actionTags, type TagSet } from "./tag-set.ts";

export interface ParsedReply {
	action: Action;
	thought?: string;
	/** What enters the history: the reply up to and with its first complete action, the stop string restored. */
	text: string;
	/** Characters behind that, which do not enter it. */
	dropped: number;
}

/** A reply is read up to here, in characters; no protocol needs as much. */
const maxLength = 100_000;
const maxQueryLength = 2000;
const maxThoughtLength = 20_000;

export function parseReply(
	reply: string,
	tags: TagSet,
	options: {
		/** How many images the question has. */
		images: number;
		finish: "stop" | "length" | "other";
	},
): ParsedReply {
	const text = reply.slice(0, maxLength);
	const finish = reply.length > maxLength ? "length" : options.finish;
	const found = walk(text, tags);
	const open = found.opened.at(-1);
	// An action without its end: cut by the token limit, or at a stop string that the server kept to itself.
	const restored = open && !found.closed && finish !== "length" ? (tags.actions[open.name]?.close ?? "") : "";
	const kept = text.slice(0, found.end) + restored;
	const action = judge();
	const thought = (found.thought || text.slice(0, found.opened[0]?.start ?? 0)).trim().slice(0, maxThoughtLength);
	return { action, ...(thought && { thought }), text: kept, dropped: reply.slice(found.end).trim().length };

	function judge(): Action {
		const [first, second] = found.opened;
		if (!first) {
			if (finish === "length") return invalid("truncated", "the reply was cut before any action");
			if (found.inThought) return invalid("unclosed-thought", "the thought never ended");
			const unknown = unknownTag(found.outside);
			if (unknown !== undefined) return invalid("unknown-tool", `there is no action "${unknown}"`, unknown);
			return invalid("no-action", "the reply holds no action");
		}
		if (!found.closed && restored === "") return invalid("truncated", "the reply was cut within an action", first.name);
		if (second) return invalid("two-actions", "an action began within another", first.name);
		if (found.nested) return invalid("nested-tags", "a tag stood within an action", first.name);
		if (found.closed && found.closed !== first.name)
			return invalid("mismatched-tags", "the action ended with the tag of another", first.name);
		return actionOf(first.name, text.slice(first.content, found.contentEnd).trim(), options.images);
	}
}

interface Walk {
	thought: string;
	/** The last thought was never closed. */
	inThought: boolean;
	/** Opening action tags met up to the end: more than one means that they are nested. */
	opened: { name: ActionName; start: number; content: number }[];
	/** Another tag of the protocol stood within the action. */
	nested: boolean;
	/** Which closing action tag ended the walk. */
	closed?: ActionName;
	/** Where the content of the action ends, and where the walk did. */
	contentEnd: number;
	end: number;
	/** The text outside thoughts, information and actions. */
	outside: string;
}

function walk(text: string, tags: TagSet): Walk {
	const meanings = new Map<string, { name: "think" | "information" | ActionName; closes: boolean }>();
	const all = [["think", tags.think] as const, ["information", tags.information] as const, ...actionTags(tags)];
	for (const [name, { open, close }] of all) {
		meanings.set(open, { name, closes: false });
		meanings.set(close, { name, closes: true });
	}
	const pattern = new RegExp([...meanings.keys()].map(escaped).join("|"), "g");
	const found: Walk = {
		thought: "",
		inThought: false,
		opened: [],
		nested: false,
		contentEnd: text.length,
		end: text.length,
		outside: "",
	};
	const thoughts: string[] = [];
	const outside: string[] = [];
	/** Inside a thought or quoted information nothing counts but its end. */
	let inside: "think" | "information" | undefined;
	let from = 0;
	for (const match of text.matchAll(pattern)) {
		const meaning = meanings.get(match[0]);
		if (!meaning) continue;
		const { name, closes } = meaning;
		const after = match.index + match[0].length;
		if (inside) {
			if (name !== inside || !closes) continue;
			if (inside === "think") thoughts.push(text.slice(from, match.index));
			inside = undefined;
			from = after;
		} else if (name === "think" || name === "information") {
			if (found.opened.length > 0) {
				found.nested = true;
			} else if (!closes) {
				outside.push(text.slice(from, match.index));
				inside = name;
				from = after;
			} else if (name === "think") {
				// Chat templates that open the thought themselves leave only its end in the reply.
				thoughts.push(text.slice(from, match.index));
				from = after;
			}
		} else if (!closes) {
			if (found.opened.length === 0) outside.push(text.slice(from, match.index));
			found.opened.push({ name, start: match.index, content: after });
		} else if (found.opened.length > 0) {
			found.closed = name;
			found.contentEnd = match.index;
			found.end = after;
			break;
		}
	}
	if (inside === "think") thoughts.push(text.slice(from));
	else if (inside === undefined && found.opened.length === 0) outside.push(text.slice(from));
	found.inThought = inside === "think";
	found.thought = thoughts.join("\n").trim();
	found.outside = outside.join("\n");
	return found;
}

function actionOf(name: ActionName, content: string, images: number): Action {
	if (name === "answer")
		return content === ""
			? invalid("empty-answer", "the answer is empty", name)
			: { is: "answer", text: content.slice(0, maxQueryLength) };
	if (name === "text_search") {
		if (content === "") return invalid("empty-query", "the query is empty", name);
		if (content.length > maxQueryLength)
			return invalid("query-too-long", `the query is longer than ${maxQueryLength} characters`, name);
		return { is: "tool", tool: name, query: content };
	}
	if (images === 0) return invalid("bad-index", "the question has no image", name);
	const words = content
		.replace(/^\[(.*)\]$/s, "$1")
		.split(/[\s,;]+/)
		.filter((word) => word !== "");
	const indices = words.map((word) => (/^\d{1,4}$/.test(word) ? Number(word) : 0));
	if (indices.length === 0 || indices.some((index) => index < 1 || index > images))
		return invalid("bad-index", `images are numbered from 1 to ${images}`, name);
	return { is: "tool", tool: name, images: [...new Set(indices)].map((index) => index - 1) };
}

const escaped = (tag: string) => tag.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A pair of tags that is none of the protocol's: a tool that the model made up. */
function unknownTag(outside: string): string | undefined {
	let tried = 0;
	for (const match of outside.matchAll(/<([A-Za-z][\w-]{0,63})>/g)) {
		const name = match[1] ?? "";
		if (outside.includes(`</${name}>`, match.index)) return name;
		tried += 1;
		if (tried === 20) return undefined;
	}
	return undefined;
}

const invalid = (code: InvalidCode, detail: string, tool = "none"): Action => ({ is: "invalid", code, detail, tool });
