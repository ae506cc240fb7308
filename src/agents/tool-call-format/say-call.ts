import type { Intention, PolicyMove, Speech } from "../driver/speech.ts";
import { writeCall } from "./hermes.ts";
import type { OfferedTool } from "./offered-tools.ts";

/** How a form of calls writes its turns. */
export interface CallWriting {
	/** Calls in the provider's form, or in text. */
	form: "declared" | "told";
	tools: readonly OfferedTool[];
	/** A thought as it stands before what is done. */
	think(thought: string): string;
	/** A line that ends the task. */
	answer(text: string): string;
}

/** The turns of a form of calls as a model should make them, one call each. */
export function callSpeech(writing: CallWriting): Speech {
	let said = 0;
	return {
		subQuestions: false,
		say(intention) {
			said += 1;
			return sayCall(intention, { ...writing, id: `call-${said}` });
		},
	};
}

/** One turn; undefined where no tool that is offered makes such a search. `id` names the call. */
function sayCall(
	{ thought, act }: Omit<Intention, "subAnswer">,
	{ form, tools, think, answer, id }: CallWriting & { id: string },
): PolicyMove | undefined {
	const text = think(thought);
	if (act.is === "answer") return { is: "says", text: `${text}\n${answer(act.text)}` };
	const tool = tools.find((one) => one.tool === act.tool);
	const given = tool?.write?.(act);
	if (!tool || !given) return undefined;
	const { name } = tool.declaration;
	return form === "told"
		? { is: "says", text: `${text}\n${writeCall(name, given)}` }
		: { is: "calls", text, calls: [{ name, arguments: given, id }] };
}
