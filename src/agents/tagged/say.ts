import type { Intention } from "../driver/speech.ts";
import { renderAction, type ValidAction } from "./action.ts";
import type { TagSet } from "./tag-set.ts";

/**
 * A turn as a model should write it; undefined where the set has no such action. `first`: nothing was said before it.
 * Where one thought runs through all turns, it opens in the first and closes before the answer.
 */
export function sayTagged(
	{ thought, act }: Omit<Intention, "subAnswer">,
	tags: TagSet,
	{ first }: { first: boolean },
): string | undefined {
	const action = actionOf(act, tags);
	if (!action) return undefined;
	const { think, thinking } = tags;
	const opens = thinking === "tags" || (thinking === "searching" && first);
	const closes = thinking === "tags" || (thinking === "searching" && act.is === "answer");
	return `${opens ? think.open : ""}${thought}${closes ? think.close : ""}\n${renderAction(action, tags)}`;
}

function actionOf(act: Intention["act"], tags: TagSet): ValidAction | undefined {
	if (act.is === "answer") return { is: "answer", text: act.text };
	if (act.tool === "text_search") return { is: "tool", tool: act.tool, query: act.query };
	if (act.tool !== "image_search_by_image" || !tags.actions.image_search_by_image) return undefined;
	// a set with a mark looks for its first image only
	if (tags.imageMark !== undefined && act.image !== 0) return undefined;
	return { is: "tool", tool: act.tool, images: [act.image ?? 0] };
}
