import type { ChatReply } from "#models";
import type { Reading } from "../driver/protocol.ts";
import { isUnknown } from "../driver/recorder.ts";
import { type Call, invalidCall } from "../tools/tool-call.ts";
import { formatFaults } from "./format.ts";
import { type ParsedReply, parseReply } from "./parse.ts";
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
	const finish = reply.finish === "calls" ? "stop" : reply.finish;
	const parsed = parseReply(reply.text, tags, { images, finish });
	const { action, thought, evidence, text, dropped } = parsed;
	const apart = reply.thought !== undefined && reply.thought.trim() !== "";
	const malformed = action.is === "invalid" ? [] : formatFaults(text, tags, { first, thought: apart });
	return {
		move: moveOf(parsed, { tags, k }),
		said: { role: "assistant", content: text === "" ? [] : [{ type: "text", text }] },
		...(thought === undefined ? {} : { thought }),
		...(evidence === undefined ? {} : { subAnswer: evidence }),
		dropped,
		...(malformed.length === 0 ? {} : { malformed }),
	};
}

/** An action over several images is one invocation, looked up image by image: a gold hop is about one. */
function moveOf({ action, text }: ParsedReply, { tags, k }: { tags: TagSet; k: { text: number; image: number } }) {
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
