import type { SearchTool } from "#domain";

/** What a policy does with one turn. */
export type PolicyMove =
	/** A reply in the protocol's own words; `cut`: the policy's length ended it. */
	| { is: "says"; text: string; thought?: string; cut?: boolean }
	/** Calls in the provider's form, for protocols that declare tools. */
	| { is: "calls"; text?: string; calls: { name: string; arguments: unknown; id?: string }[] }
	/** A final answer that needs no reading. */
	| { is: "answers"; text: string };

/** What one turn is meant to do, in no protocol's words yet. */
export interface Intention {
	thought: string;
	/** The answer to the sub-question before this turn. */
	subAnswer?: string | undefined;
	act:
		| {
				is: "search";
				tool: SearchTool;
				/** What is looked for. */
				query: string;
				/** What it is to settle; the query itself where nothing is said. */
				subQuestion?: string | undefined;
				/** 0-based question image, for a search by image. */
				image?: number | undefined;
		  }
		/** `unknown` says that there is no answer; `quotes` are the words of what was found that it rests on. */
		| { is: "answer"; text: string; quotes?: readonly string[] | undefined };
}

/** How a protocol writes its turns, as a competent model should. */
export interface Speech {
	/** Whether a turn has a place of its own for the next sub-question: a thought need not say it then. */
	subQuestions: boolean;
	/** Turns have no place for a thought. */
	thoughtless?: true;
	/** What is looked up is the sub-question itself, in its own words. */
	asksQuestions?: true;
	/** A fact is searched for once: no search is made again in other words. */
	searchesOnce?: true;
	/** An answer comes behind the words of what it rests on. */
	quotes?: true;
	/** The turn that comes before all others, of protocols that begin with a plan: its steps, one search each. */
	plan?(steps: readonly string[]): PolicyMove;
	/** The next turn; undefined where the protocol, as it is set, has no such action. */
	say(intention: Intention): PolicyMove | undefined;
}

/** The text that stands for not knowing, in protocols without words of their own for it. */
export const unknownAnswer = "unknown";
