/**
 * Reads a model's reply. The text is walked once, tag by tag, and the first complete action outside a thought counts:
 * so a server that ignores stop strings and one that obeys them lead to the same action, and a phrase inside a thought
 * never searches. What a server cut off with the stop string is put back. Nothing here throws.
 */
import { escapeRegExp } from "#domain";
import type { InvalidCode } from "../tools/tool-call.ts";
import type { Action } from "./action.ts";
import { type ActionName, actionTags, boxedIn, givesUp, type TagSet } from "./tag-set.ts";

export interface ParsedReply {
	action: Action;
	thought?: string;
	/** What the model quoted before its action, where the set has a place for it. */
	evidence?: string;
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
	const thought = (found.thought || (found.opened[0] ? found.outside : "")).trim().slice(0, maxThoughtLength);
	const evidence = found.evidence.slice(0, maxThoughtLength);
	return {
		action,
		...(thought && { thought }),
		...(evidence && { evidence }),
		text: kept,
		dropped: reply.slice(found.end).trim().length,
	};

	function judge(): Action {
		const [first, second] = found.opened;
		if (!first) {
			if (finish === "length") return invalid("truncated", "the reply was cut before any action");
			if (found.inThought) return invalid("unclosed-thought", "the thought never ended");
			if (tags.givesUp !== undefined && givesUp(found.outside, tags)) return { is: "answer", text: tags.givesUp };
			const unknown = unknownTag(found.outside);
			if (unknown !== undefined) return invalid("unknown-tool", `there is no action "${unknown}"`, unknown);
			return invalid("no-action", "the reply holds no action");
		}
		if (!found.closed && restored === "") return invalid("truncated", "the reply was cut within an action", first.name);
		if (second) return invalid("two-actions", "an action began within another", first.name);
		if (found.nested) return invalid("nested-tags", "a tag stood within an action", first.name);
		if (found.closed && found.closed !== first.name)
			return invalid("mismatched-tags", "the action ended with the tag of another", first.name);
		return actionOf(first.name, text.slice(first.content, found.contentEnd).trim());
	}

	function actionOf(name: ActionName, content: string): Action {
		if (name === "answer") return answerOf(content, tags);
		if (name === "text_search") {
			if (content === "") return invalid("empty-query", "the query is empty", name);
			if (content.length > maxQueryLength)
				return invalid("query-too-long", `the query is longer than ${maxQueryLength} characters`, name);
			return { is: "tool", tool: name, query: content };
		}
		return imagesOf(content, options.images, tags.imageMark);
	}
}

/** A model that forgot the box has answered all the same. */
function answerOf(content: string, tags: TagSet): Action {
	const text = (tags.boxed ? boxedIn(content) : undefined) ?? content;
	return text === ""
		? invalid("empty-answer", "the answer is empty", "answer")
		: { is: "answer", text: text.slice(0, maxQueryLength) };
}

function imagesOf(content: string, count: number, mark: string | undefined): Action {
	const name = "image_search_by_image";
	if (count === 0) return invalid("bad-index", "the question has no image", name);
	if (mark !== undefined)
		return content === mark
			? { is: "tool", tool: name, images: [0] }
			: invalid("bad-index", `only ${mark} may stand in an image search`, name);
	const words = content
		.replace(/^\[(.*)\]$/s, "$1")
		.split(/[\s,;]+/)
		.filter((word) => word !== "");
	const indices = words.map((word) => (/^\d{1,4}$/.test(word) ? Number(word) : 0));
	if (indices.length === 0 || indices.some((index) => index < 1 || index > count))
		return invalid("bad-index", `images are numbered from 1 to ${count}`, name);
	return { is: "tool", tool: name, images: [...new Set(indices)].map((index) => index - 1) };
}

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

/** What one walk over a reply met, tag by tag, up to the end of the first action outside a thought. */
export interface Walk {
	thought: string;
	/** The last thought was never closed. */
	inThought: boolean;
	/** What the model quoted before its action. */
	evidence: string;
	/** Opening action tags met up to the end: more than one means that they are nested. */
	opened: { name: ActionName; start: number; content: number }[];
	/** Another tag of the protocol stood within the action. */
	nested: boolean;
	/** Which closing action tag ended the walk. */
	closed?: ActionName;
	/** Where the content of the action ends, and where the walk did. */
	contentEnd: number;
	end: number;
	/** The text outside thoughts, information, evidence and actions. */
	outside: string;
}

type Region = "think" | "information" | "evidence";
const isRegion = (name: Region | ActionName): name is Region =>
	name === "think" || name === "information" || name === "evidence";

export function walk(text: string, tags: TagSet): Walk {
	const meanings = new Map<string, { name: Region | ActionName; closes: boolean }>();
	const regions = [["think", tags.think] as const, ["information", tags.information] as const];
	const quoted = tags.evidence ? [["evidence", tags.evidence] as const] : [];
	for (const [name, { open, close }] of [...regions, ...quoted, ...actionTags(tags)]) {
		meanings.set(open, { name, closes: false });
		meanings.set(close, { name, closes: true });
	}
	const pattern = new RegExp([...meanings.keys()].map(escapeRegExp).join("|"), "g");
	const found: Walk = {
		thought: "",
		inThought: false,
		evidence: "",
		opened: [],
		nested: false,
		contentEnd: text.length,
		end: text.length,
		outside: "",
	};
	const texts: Record<Region | "outside", string[]> = { think: [], information: [], evidence: [], outside: [] };
	/** Inside a region nothing counts but its end. */
	let inside: Region | undefined;
	let from = 0;
	for (const match of text.matchAll(pattern)) {
		const meaning = meanings.get(match[0]);
		if (!meaning) continue;
		const { name, closes } = meaning;
		const after = match.index + match[0].length;
		if (inside) {
			if (name !== inside || !closes) continue;
			texts[inside].push(text.slice(from, match.index));
			inside = undefined;
			from = after;
		} else if (isRegion(name)) {
			if (found.opened.length > 0) {
				found.nested = true;
			} else if (!closes) {
				texts.outside.push(text.slice(from, match.index));
				if (name !== "think" || tags.thinking !== "searching") inside = name;
				from = after;
			} else if (name === "think") {
				// Chat templates that open the thought themselves leave only its end in the reply.
				texts.think.push(text.slice(from, match.index));
				from = after;
			}
		} else if (!closes) {
			if (found.opened.length === 0) texts.outside.push(text.slice(from, match.index));
			found.opened.push({ name, start: match.index, content: after });
		} else if (found.opened.length > 0) {
			found.closed = name;
			found.contentEnd = match.index;
			found.end = after;
			break;
		}
	}
	if (inside) texts[inside].push(text.slice(from));
	else if (found.opened.length === 0) texts.outside.push(text.slice(from));
	found.inThought = inside === "think";
	found.thought = texts.think.join("\n").trim();
	found.evidence = texts.evidence.join("\n").trim();
	found.outside = texts.outside.join("\n");
	return found;
}
