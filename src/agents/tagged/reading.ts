import { escapeRegExp } from "#domain";
import type { ChatReply } from "#models";
import type { Reading } from "../driver/protocol.ts";
import { isUnknown } from "../driver/recorder.ts";
import { textFinish, textReading } from "../driver/text-turns.ts";
import { type Call, invalidCall } from "../tools/tool-call.ts";
import { formatFaults } from "./format.ts";
import { type ParsedReply, parseReply } from "./parse.ts";
import { invalidFeedback, lastTurnNotice } from "./prompt.ts";
import { givesUp, type TagSet } from "./tag-set.ts";

/**
 * A reply as a move. `k`: how many results a text search and an image search bring back. `first`: nothing was said before,
 * which matters where one thought runs through all replies.
 */
export function readReply(
	reply: Pick<ChatReply, "text" | "finish" | "thought">,
	{
		tags,
		images,
		k,
		first = false,
	}: { tags: TagSet; images: number; k: { text: number; image: number }; first?: boolean },
): Reading {
	const parsed = parseReply(reply.text, tags, { images, finish: textFinish(reply) });
	const { action, thought, evidence: subAnswer, text, dropped } = parsed;
	const apart = reply.thought !== undefined && reply.thought.trim() !== "";
	const malformed = action.is === "invalid" ? [] : formatFaults(text, tags, { first, thought: apart });
	const reading = textReading(moveOf(parsed, tags, k), { text, dropped, thought, subAnswer });
	return malformed.length === 0 ? reading : { ...reading, malformed };
}

/** An action over several images is one invocation, looked up image by image: a gold hop is about one. */
function moveOf({ action, text }: ParsedReply, tags: TagSet, k: { text: number; image: number }) {
	if (action.is === "answer") return { ...action, abstains: isUnknown(action.text) || givesUp(action.text, tags) };
	const calls: Call[] =
		action.is === "invalid"
			? [invalidCall(action.code, action.detail, { tool: action.tool, written: text.slice(-300) })]
			: action.tool === "text_search"
				? [{ is: "call", tool: action.tool, arguments: { query: action.query, k: k.text } }]
				: action.images.map((image, at) => ({
						...({ is: "call", tool: action.tool, arguments: { image, k: k.image } } as const),
						...(at === 0 ? {} : { joined: true }),
					}));
	return { is: "calls" as const, calls };
}

/** A response is read up to here, in characters. */
const maxLength = 1_000_000;

/**
 * The replies of a whole response in which observations stand between them, as trainers hand it to a reward: parted at
 * what the environment says, which is what stands between the information tags and its two fixed sentences. The names of
 * roles that are left beside them where special tokens were skipped belong to neither.
 */
export function repliesIn(response: string, tags: TagSet): string[] {
	const text = response.slice(0, maxLength);
	const { open, close } = tags.information;
	const marks = new RegExp([open, invalidFeedback(tags), lastTurnNotice(tags)].map(escapeRegExp).join("|"), "g");
	const replies: string[] = [];
	let from = 0;
	for (const match of text.matchAll(marks)) {
		if (match.index < from) continue;
		replies.push(text.slice(from, match.index));
		const closing = match[0] === open ? text.indexOf(close, match.index) : match.index;
		if (closing === -1) return spoken(replies);
		from = closing + (match[0] === open ? close : match[0]).length;
	}
	return spoken([...replies, text.slice(from)]);
}

const spoken = (pieces: string[]) =>
	pieces
		.map((piece) =>
			piece
				.replace(/^\s*assistant\n/, "")
				.replace(/\nuser\s*$/, "")
				.trim(),
		)
		.filter((piece) => piece !== "" && piece !== "user" && piece !== "assistant");
