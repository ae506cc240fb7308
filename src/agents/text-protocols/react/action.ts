import type { InvalidCode } from "../../tools/tool-call.ts";

/** What a model chose to do. */
export type ReactAction =
	| { is: "search"; query: string }
	| { is: "lookup"; word: string }
	| { is: "finish"; answer: string };

/** The name of each action on the wire, and what stands between its brackets. */
export const actionNames = { search: "Search", lookup: "Lookup", finish: "Finish" } as const;

export type ParsedAction =
	| ReactAction
	/** `tool` is what the model named, as it wrote it, or "none". */
	| { is: "invalid"; code: InvalidCode; detail: string; tool: string };

/** An action as a model should write it, without its label. */
export function renderAction(action: ReactAction): string {
	const content = action.is === "search" ? action.query : action.is === "lookup" ? action.word : action.answer;
	return `${actionNames[action.is]}[${content}]`;
}
