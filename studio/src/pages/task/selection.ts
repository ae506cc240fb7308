/** What of an answer the inspector shows. It stands in the address, so that it can be pointed at. */
import type { TaskPage } from "../../../../src/studio/pages.ts";

export type Selection = { is: "hop"; id: string } | { is: "step"; index: number } | { is: "answer" };

export const written = (selection: Selection): string =>
	selection.is === "hop" ? `hop:${selection.id}` : selection.is === "step" ? `step:${selection.index + 1}` : "answer";

/** How the board calls the card of what is selected. */
export const measuredName = (selection: Selection): string =>
	selection.is === "step" ? `step:${selection.index}` : selection.is === "hop" ? `hop:${selection.id}` : "";

/** What an address names, where the answer has it; else where it broke, or may have, or its first hop. */
export function selected({ hops, steps }: TaskPage, at: string | undefined): Selection {
	if (at === "answer") return { is: "answer" };
	const hop = hops.find(({ id }) => at === `hop:${id}`);
	if (hop) return { is: "hop", id: hop.id };
	const step = steps.find(({ index }) => at === `step:${index + 1}`);
	if (step) return { is: "step", index: step.index };
	const opened = hops.find(({ first }) => first) ?? hops.find(({ possible }) => possible);
	return opened ? { is: "hop", id: opened.id } : { is: "answer" };
}
