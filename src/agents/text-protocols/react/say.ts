import type { Intention } from "../../driver/speech.ts";
import { renderAction } from "./action.ts";

/** A step as a model should write it; undefined where it is no search of passages. `number` counts steps from 1. */
export function sayReact({ thought, act }: Omit<Intention, "subAnswer">, number: number): string | undefined {
	if (act.is === "search" && act.tool !== "text_search") return undefined;
	const action = act.is === "answer" ? ({ is: "finish", answer: act.text } as const) : act;
	const line = renderAction(action.is === "search" ? { is: "search", query: action.query } : action);
	// a thought is one line: the next line is the action's
	return `Thought ${number}: ${thought.replace(/\s*\n\s*/g, " ")}\nAction ${number}: ${line}`;
}
