import type { Agent } from "../agent.ts";
import { type Behaviour, type Walked, walk } from "./walk.ts";

/** Raised whenever the same inputs may give another trajectory. */
const version = "2";

interface Walker {
	name?: string;
	reference?: string;
	/** What its version says besides. */
	version?: string;
	/** How it walks a task, where not competently. */
	behaviour?(task: string, repeat: number): Behaviour;
	/** Told of each walk before its trajectory is handed back. */
	ended?(task: string, repeat: number, walked: Walked): Promise<void>;
}

/** A walker by the way it behaves; without one it is competent. */
export function createWalker({ behaviour, ended, version: besides, ...named }: Walker = {}): Agent {
	return {
		name: "walker",
		version: besides === undefined ? version : `${version} ${besides}`,
		summary:
			"Walks the gold chain with real searches and reads what came back: a competent agent to inject faults into.",
		reference: "walks the gold chain with real searches: what retrieval permits",
		needs: { model: "none", gold: true },
		settings: {
			default: { k: 10, tools: ["text_search", "page_search", "image_search_by_text", "image_search_by_image"] },
		},
		card: {
			messages: "none",
			budget: "up to four searches a gold hop: its own modality, then other wordings",
			reports:
				"what retrieval permits; faults are injected into it to check the error budget (`hopscope inject --budget`)",
			mostCalls: () => 0,
		},
		...named,
		answer: (view, context) =>
			walk(view, context, {
				behaviour: behaviour?.(view.id, context.repeat) ?? {},
				ended: ended && ((walked) => ended(view.id, context.repeat, walked)),
			}),
	};
}

/**
 * A competent agent that knows the gold chain and nothing else beforehand: it walks the hops in the order of dependency
 * with real searches, asks each sub-question with its own earlier answers in it, and knows a hop's answer only where its
 * evidence came back for the right question. What does not come back in any wording is given up, and then it abstains.
 */
export const walker: Agent = createWalker();
