/** What cards, the inspector and the legend say of steps, in one place. */
import type { TaskStep } from "../../../../src/studio/pages.ts";

/** What may be odd about a step. */
export const stepTags = {
	stray: { name: "stray", meaning: "a search for no hop of the chain; it brought no hop's evidence" },
	repeated: { name: "repeated", meaning: "the same search as an earlier step" },
};

const marks: Record<NonNullable<TaskStep["read"]>["is"], string> = {
	...{ gold: "✓", "other-hop": "◇", wrong: "✕", "made-up": "✕", unsaid: "" },
};

/** What was read in a step: "read ✓", "read ◇ … (hop 2)"; a value that stands nowhere was not read, but used. */
export const readWords = ({ is, hop }: NonNullable<TaskStep["read"]>) => ({
	verb: is === "made-up" ? "used" : "read",
	mark: marks[is],
	after: hop === null ? "" : ` (hop ${hop})`,
});

/** Whose words stand above what came back. */
export const ownWords = "The agent's own words before this search";
