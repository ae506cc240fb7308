import type { PolicyMove } from "#agents";
import type { Place } from "./place.ts";
import type { ToyTask } from "./toy-task.ts";

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

/** The search that an action comes to where the episode stands; undefined for an answer. */
export function askedBy(action: Action, task: ToyTask, place: Place): Asked | undefined {
	switch (action) {
		case "look":
			return Math.min(place.looked, Math.max(0, task.images - 1));
		case "ask":
			return nextQuestion(task, place);
		case "repeat":
			return place.asked.at(-1) ?? task.question;
		case "stray":
			return task.irrelevant[place.strays % Math.max(1, task.irrelevant.length)] ?? "something else";
		case "answer":
			return undefined;
	}
}

/** The first sub-question that can be put and is not settled; the whole question where there is none. */
export function nextQuestion(task: ToyTask, { settled }: Pick<Place, "settled">): string {
	const open = task.hops.find(
		({ id, image, needs }) => image === undefined && !settled.has(id) && needs.every((needed) => settled.has(needed)),
	);
	return open?.question ?? task.question;
}

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
