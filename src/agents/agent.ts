import type { EvidenceKind, Setting, TaskView, Trajectory } from "#domain";
import type { AgentContext } from "./agent-context.ts";
import type { Begin } from "./driver/protocol.ts";

/** What answers tasks. A family of siblings of this one shape; the registry holds them all. */
export interface Agent {
	name: string;
	/** Raised whenever the same inputs may give another trajectory: a run records it. */
	version: string;
	/** One sentence for listings. */
	summary: string;
	/** Where the protocol is published. */
	paper?: string;
	/** Only for an agent that others are measured against rather than compared with: what it is for, in a few words. */
	reference?: string;
	needs: {
		/** `optional`: works by rules alone and asks the model when there is one. */
		model: "none" | "optional" | "required";
		/** Only such an agent is shown the task's answer and chain. */
		gold: boolean;
		/** Kinds of evidence without which it can do nothing. */
		evidence?: EvidenceKind[];
		/** Whether it looks at pages: where they are kept as text alone, it is another agent. */
		pagePictures?: true;
		/** Whether its calls go in the provider's own form, which not every server takes. */
		calls?: true;
	};
	/** May ask models of its own, out of sight: what it uses is what it reports. */
	reportsUsage?: true;
	/** Its replies can be held to a grammar, by servers that take one. */
	grammar?: true;
	/** Marks between which its turns repeat, word for word, what was found. */
	quotesBetween?: { open: string; close: string };
	/** Its settings by name, the first is its own choice; what a preset leaves open is the same for all agents. */
	settings?: Record<string, Preset>;
	/** For the reference page, in a few words each. */
	card?: AgentCard;
	/** SHA-256 of the prompts, for agents that have any. */
	promptHash?: string;
	/**
	 * Answers one task. A bad reply or a failing tool ends up in the trajectory (`stop: "error"` with the boundary
	 * that failed, or a step's `error`); only an abort is thrown on.
	 */
	answer(view: TaskView, context: AgentContext): Promise<Trajectory>;
	/** Present where the agent is only a protocol: episodes can be played, with a policy in its model's place. */
	begin?: Begin;
	/**
	 * The replies of a whole response in which observations stand between them, as trainers keep it; absent where the
	 * protocol's words do not tell them apart. It cannot tell an observation from one that the policy made up.
	 */
	repliesIn?(response: string): string[];
}

export type Preset = Omit<Setting, "name" | "k"> & { k?: number };

export interface AgentCard {
	/** How the model and the harness speak: e.g. `tags; observations as user messages`. */
	messages: string;
	/** What counts, how much of it there is, and what happens then. */
	budget: string;
	/** What is reported of it beside accuracy and cost. */
	reports: string;
	/** Most calls of the agent's model that one task can take; a model that condenses web pages for it comes on top. */
	mostCalls(setting: Setting): number;
}
