import type { ReviewKind } from "../../../../src/studio/review-pages.ts";
import type { KeyBinding } from "../../parts/keys.ts";

const walk: KeyBinding[] = [
	{ keys: ["Enter"], says: "after a decision: the next open item" },
	{ keys: ["z"], says: "take back the decision; again: the one before" },
	{ keys: ["s"], says: "skip: the item stays open" },
	{ keys: ["j", "k"], says: "next and previous item" },
	{ keys: ["?"], says: "this help" },
];

/** What the keys of a queue do, as its help has it. */
export const helpOf = (kind: ReviewKind): KeyBinding[] =>
	kind === "items"
		? [
				{ keys: ["1"], shown: "1–9", says: "go to a hop" },
				{ keys: ["y", "n", "u"], says: "the hop is right, is wrong, cannot be told; then the next hop" },
				{ keys: ["Y"], says: "all hops without a mark are right" },
				{ keys: ["r"], says: "keep the item" },
				{ keys: ["d"], says: "drop it: then reasons by their digits, 0 for all of them, Enter" },
				{ keys: ["e"], says: "edit it: another wording, other accepted answers; Ctrl+Enter keeps it" },
				{ keys: ["U"], says: "unsure: counts as a review, and decides nothing" },
				{ keys: ["b"], says: "point at something in a picture, again: in the next one; Enter begins a box" },
				{ keys: ["c"], says: "write a comment" },
				...walk,
			]
		: [
				{ keys: ["y", "n", "u"], shown: "1–9 y n u", says: "an answer to what is asked, by the key beside it" },
				{ keys: ["N"], says: "no to all that is not answered" },
				{ keys: ["ArrowDown", "ArrowUp"], says: "go to another question" },
				{ keys: ["ArrowRight", "ArrowLeft"], says: "next and previous step, with what came back in it" },
				{ keys: ["Enter"], says: "keep the answers" },
				...walk,
			];
