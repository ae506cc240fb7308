import type { PolicyMove } from "#agents";

/**
 * What the policy chooses among. `look`: searches by the next image not looked at. `ask`: searches the frozen asker's next
 * sub-question. `repeat`: searches what was searched last. `stray`: searches something that has nothing to do with the task.
 * `answer`: what the frozen reader makes of what was found.
 */
export const actions = ["look", "ask", "repeat", "stray", "answer"] as const;
export type Action = (typeof actions)[number];

/**
 * How it is written. `clean`: as the protocol wants it. `trailing`: words stand behind the action; they are cut and it is
 * carried out, but the turn is not well-formed. `broken`: the action stands within the thought and is not carried out.
 */
export const forms = ["clean", "trailing", "broken"] as const;
export type Form = (typeof forms)[number];

/** What a search asks: words, or the index of a question image. */
export type Asked = string | number;

/** An action in the words of the `tagged` protocol. */
export function written(asked: Asked | undefined, form: Form, answer: string): PolicyMove {
	const action =
		asked === undefined
			? `<answer>${answer}</answer>`
			: typeof asked === "number"
				? `<image_search>${asked + 1}</image_search>`
				: `<text_search>${asked}</text_search>`;
	if (form === "broken") return { is: "says", text: `<think>${action}</think>` };
	return { is: "says", text: `<think>next</think>${action}${form === "trailing" ? " and so on" : ""}` };
}
