import { z } from "zod";
import { parseJson } from "#domain";

/** A longer reply is cut: no passage has so much to say. */
const longestReply = 1_000_000;
/** Items of one reply that are looked at. */
const mostItems = 2000;
/** A triple nests an object of types at most; what nests deeper is none. */
const deepestItem = 2;

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const optionalText = z.union([text, z.null()]).optional().catch(undefined);

/** One triple as models write it: the fields asked for, and the other names that they give them. */
const Item = z
	.looseObject({
		subject: text.optional(),
		head: text.optional(),
		relation: text.optional(),
		predicate: text.optional(),
		object: text.optional(),
		tail: text.optional(),
		quote: optionalText,
		evidence: optionalText,
		types: z
			.union([z.array(optionalText), z.looseObject({ subject: optionalText, object: optionalText })])
			.optional()
			.catch(undefined),
		subject_type: optionalText,
		object_type: optionalText,
	})
	.transform((item) => {
		const [subjectType, objectType] = Array.isArray(item.types)
			? item.types
			: [item.types?.subject ?? item.subject_type, item.types?.object ?? item.object_type];
		return {
			subject: item.subject ?? item.head ?? "",
			relation: item.relation ?? item.predicate ?? "",
			object: item.object ?? item.tail ?? "",
			quote: item.quote ?? item.evidence ?? "",
			subjectType: subjectType ?? undefined,
			objectType: objectType ?? undefined,
		};
	});
export type ReplyTriple = z.output<typeof Item>;

const Alias = z.object({ name: text, alias: text, quote: text });
export type ReplyAlias = z.infer<typeof Alias>;

export interface ReadReply {
	triples: ReplyTriple[];
	aliases: ReplyAlias[];
	/** Items that are neither, each with what is wrong with it. */
	refused: { item: string; problem: string }[];
	/** Why nothing, or not everything, could be read. */
	problem?: string;
}

/**
 * Reads what a model replied, whatever it is: JSON, JSON in a fenced block, behind thinking or between prose, cut in the
 * middle, or none at all. Never throws; time and memory grow with the reply's length only.
 */
export function readReply(reply: string): ReadReply {
	const cut = reply.length > longestReply;
	const spoken = withoutThinking(cut ? reply.slice(0, longestReply) : reply);
	const whole = wholeJson(spoken);
	const items = whole === undefined ? salvage(spoken) : itemsOf(whole);
	const read: ReadReply = { triples: [], aliases: [], refused: [] };
	for (const item of items.slice(0, mostItems)) sort(item, read);
	const problems = [
		...(cut ? [`longer than ${longestReply} characters, the rest is not read`] : []),
		...(items.length > mostItems ? [`${items.length} items, only ${mostItems} are read`] : []),
		...(whole === undefined ? [items.length > 0 ? "not whole JSON, its whole items are read" : "holds no JSON"] : []),
	];
	return problems.length > 0 ? { ...read, problem: problems.join("; ") } : read;
}

function sort(item: unknown, read: ReadReply): void {
	const alias = Alias.safeParse(item);
	if (alias.success) {
		read.aliases.push(alias.data);
		return;
	}
	const parsed = Item.safeParse(Array.isArray(item) ? listed(item) : item);
	if (parsed.success && (parsed.data.subject || parsed.data.object)) read.triples.push(parsed.data);
	else {
		const problem = parsed.error?.issues[0]?.message ?? "has neither subject nor object";
		read.refused.push({ item: shown(item), problem });
	}
}

/** `["Lima", "capital of", "Peru", "Lima is the capital"]` */
const listed = ([subject, relation, object, quote]: unknown[]) => ({ subject, relation, object, quote });

function shown(item: unknown): string {
	return (JSON.stringify(item) ?? String(item)).slice(0, 2000);
}

/** What reasoning models write before they answer; where nothing follows it, it may hold the answer. */
function withoutThinking(reply: string): string {
	const lower = reply.toLowerCase();
	const ends = ["</think>", "</thinking>", "</reasoning>"].map((mark) => {
		const at = lower.length === reply.length ? lower.lastIndexOf(mark) : reply.lastIndexOf(mark);
		return at === -1 ? 0 : at + mark.length;
	});
	const rest = reply.slice(Math.max(...ends));
	return rest.trim() === "" ? reply : rest;
}

/** The reply as one JSON value: as it stands, or in its last fenced block that is one. */
function wholeJson(reply: string): unknown {
	// between fences stand, by turns, prose and blocks; a block's first line may name its language
	const blocks = reply.split("```", 64).map((block) => block.replace(/^[a-z]{1,12}\n/i, ""));
	for (const candidate of [reply, ...blocks.slice(1).reverse()]) {
		const start = candidate.trimStart()[0];
		if (start !== "{" && start !== "[") continue;
		const value = parseJson(candidate);
		if (value !== undefined) return value;
	}
	return undefined;
}

/** The items of a value: those of its lists, or itself. */
function itemsOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.length > 0 && value.every((one) => typeof one === "string") ? [value] : value;
	if (value === null || typeof value !== "object") return [];
	const { triples, aliases, relations, relationships } = value as Record<string, unknown>;
	const lists = [triples, relations, relationships, aliases].filter((one) => Array.isArray(one));
	return lists.length > 0 ? lists.flat() : Object.keys(value).length > 0 ? [value] : [];
}

/**
 * The objects of a broken reply that are whole, outermost first found. A string cannot hold a line end in JSON, so a
 * line end closes one that was left open, and what follows is read again.
 */
function salvage(reply: string): unknown[] {
	const found: { from: number; to: number; value: unknown }[] = [];
	const open: { at: number; depth: number }[] = [];
	let inString = false;
	for (let at = 0; at < reply.length; at += 1) {
		const character = reply[at];
		if (inString) {
			if (character === "\\") at += 1;
			else if (character === '"' || character === "\n") inString = false;
			continue;
		}
		if (character === '"') inString = open.length > 0;
		else if (character === "{") open.push({ at, depth: 1 });
		else if (character === "}") {
			const start = open.pop();
			if (!start) continue;
			const parent = open.at(-1);
			if (parent) parent.depth = Math.max(parent.depth, start.depth + 1);
			if (start.depth > deepestItem) continue;
			const value = parseJson(reply.slice(start.at, at + 1));
			if (value === undefined || itemsOf(value)[0] !== value) continue;
			while ((found.at(-1)?.from ?? -1) > start.at) found.pop();
			found.push({ from: start.at, to: at, value });
		}
	}
	return found.map(({ value }) => value);
}
