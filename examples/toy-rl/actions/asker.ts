import type { Action, Asked } from "./moves.ts";
import type { Place } from "./place.ts";
import type { ToyTask } from "./toy-task.ts";

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
