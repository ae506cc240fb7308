import { isSearch, type Step } from "#domain";
import type { Agent } from "../agent.ts";
import { type Session, withSession } from "../driver/session.ts";
import type { Observation, ToolName } from "../tools/tools.ts";

/** One search of a fixed pipeline, recorded as a step; none once the setting's limit of searches is reached. */
export async function search(
	session: Session,
	tool: ToolName,
	{ args, about = {} }: { args: Record<string, unknown>; about?: Partial<Step> },
): Promise<Observation["results"]> {
	const { limit = Number.POSITIVE_INFINITY } = session.context.setting;
	if (session.recorder.searches >= limit) return [];
	const outcome = await session.carryOut({ is: "call", tool, arguments: args }, about);
	return outcome.is === "found" ? outcome.results : [];
}

/**
 * One search with the question and nothing else: any index on any benchmark, for hit@k. What it searches is the setting's
 * first tool; by image it looks for the first question image. It gives no answer and abstains from none, and its trajectories
 * say so: a 0 would blame it for what it does not try, and an abstention would count as right where there is no answer.
 */
export const retrieve: Agent = {
	name: "retrieve",
	version: "2",
	summary: "Searches once with the question and answers nothing: measures a search by hit@k, without a model.",
	paper: "Double-Bench: retrieval, hit@k",
	reference: "searches once and answers nothing: measures the search",
	needs: { model: "none", gold: false },
	settings: {
		text: { k: 10, tools: ["text_search"] },
		pages: { k: 10, tools: ["page_search"] },
		images: { k: 10, tools: ["image_search_by_text"] },
		image: { k: 10, tools: ["image_search_by_image"] },
	},
	card: {
		messages: "none",
		budget: "one search",
		reports: "hit@k by language, modality, hops and any tag of the tasks; its answers are not scored",
		mostCalls: () => 0,
	},
	answer: (view, context) =>
		withSession(view, context, async (session) => {
			const { k, tools: [tool = "text_search"] = [] } = context.setting;
			if (!isSearch(tool)) throw new Error(`${tool} does not search`);
			const byImage = tool === "image_search_by_image" || tool === "web_image_search";
			await search(session, tool, { args: byImage ? { image: 0, k } : { query: view.question, k } });
			return session.finish({ answer: null, abstained: false, stop: "answered", searchOnly: true });
		}),
};
