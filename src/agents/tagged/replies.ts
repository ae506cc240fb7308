import { invalidFeedback, lastTurnNotice } from "./prompt.ts";
import type { TagSet } from "./tag-set.ts";

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
	const marks = new RegExp([open, invalidFeedback(tags), lastTurnNotice(tags)].map(escaped).join("|"), "g");
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

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
