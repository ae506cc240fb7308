import type { PolicyMove } from "../driver/policy-move.ts";
import type { Intention } from "../driver/speech.ts";
import { writeCall } from "../tool-call-format/hermes.ts";

/** A turn as a model should make it; undefined where the tool is not offered. `id` names the call. */
export function sayCall(
	{ thought, act }: Omit<Intention, "subAnswer">,
	{ form, offers, id }: { form: "declared" | "told"; offers(tool: string): boolean; id?: string },
): PolicyMove | undefined {
	const thinks = form === "told" ? `<think>${thought}</think>` : thought;
	if (act.is === "answer") return { is: "says", text: `${thinks}\nAnswer: ${act.text}` };
	if (!offers(act.tool)) return undefined;
	const given = act.tool === "image_search_by_image" ? { image: (act.image ?? 0) + 1 } : { query: act.query };
	if (form === "told") return { is: "says", text: `${thinks}\n${writeCall(act.tool, given)}` };
	return {
		is: "calls",
		text: thinks,
		calls: [{ name: act.tool, arguments: given, ...(id === undefined ? {} : { id }) }],
	};
}
