import { HopscopeError, noUsage, type TaskView, type Trajectory, usageError } from "#domain";
import type { ChatMessage, ChatReply, ToolDeclaration } from "#models";
import type { Agent } from "../agent.ts";
import type { AgentContext } from "../agent-context.ts";
import { createConversation, type Turn } from "./conversation.ts";
import type { Begin, Budget } from "./protocol.ts";
import { isUnknown } from "./recorder.ts";
import { createSession, type Ending, endingOf } from "./session.ts";
import type { PolicyMove, Speech } from "./speech.ts";

/** What one move led to. */
export interface EpisodeTurn {
	over: boolean;
	/** What the policy reads next; empty once it is over. */
	observation: ChatMessage[];
	/** The next move may only answer. */
	last: boolean;
	/** Whether the move could be carried out as it was made: every call valid, or a final answer. */
	valid: boolean;
	/** What of the move entered the history: what a trainer may put loss on. */
	said: ChatMessage;
	/** Characters of the move that did not. */
	dropped: number;
}

/** One task in the hands of a policy that is somewhere else: the agent's protocol without a model behind it. */
export interface Episode {
	/** What the policy is shown first. */
	readonly opening: ChatMessage[];
	/** Functions offered in the provider's form; none where calls are made in text. */
	readonly tools: ToolDeclaration[];
	/** Strings behind which the policy should stop. */
	readonly stop: string[];
	/** How far it goes. */
	readonly budget: Budget;
	/** How the protocol's own words are written; not every protocol says. */
	readonly speech: Speech | undefined;
	/** Takes one move; one at a time. A tool that breaks is thrown, and the episode cannot go on. */
	take(move: PolicyMove): Promise<EpisodeTurn>;
	/** All that was said and done. `turn-limit` stands for what was left off before its end, `error` for what broke. */
	trajectory(): Trajectory;
}

/** Whether episodes of an agent can be played: it is nothing but a protocol. */
export const playsEpisodes = (agent: Agent): boolean => agent.begin !== undefined;

/** How an agent's episodes begin. Throws (exit 2) where it is more than a protocol. */
export function beginningOf({ name, begin }: Agent): Begin {
	if (begin) return begin;
	throw usageError(
		"no-episodes",
		`"${name}" is no protocol that a policy could speak`,
		"Choose an agent that is only a protocol, e.g. tagged, search-r1, stepwise or function-calling.",
	);
}

/** Begins an episode of the agent's protocol. The same task, setting and moves give the same episode. */
export async function openEpisode(agent: Agent, view: TaskView, context: AgentContext): Promise<Episode> {
	const begin = beginningOf(agent);
	const session = createSession(view, context);
	const dialogue = await begin(session, view);
	const conversation = createConversation(session, dialogue);
	const looked = session.recorder.steps.length;
	let ended: Trajectory | undefined;
	let broken: Ending | undefined;

	async function take(move: PolicyMove): Promise<EpisodeTurn> {
		if (ended || broken)
			throw new HopscopeError("episode-over", "the episode is over", "Begin another one: it takes no more moves.");
		const before = session.recorder.steps.length;
		let turn: Turn;
		try {
			turn =
				move.is === "answers"
					? conversation.answer(move.text, { abstains: isUnknown(move.text) })
					: await conversation.take(replyOf(move));
		} catch (error) {
			broken = endingOf(error);
			throw error;
		}
		if (turn.over) ended = session.finish(turn.end);
		const made = session.recorder.steps.slice(before);
		return {
			over: turn.over,
			observation: turn.over ? [] : turn.observation,
			last: !turn.over && turn.last,
			valid: made.every(({ call }) => call?.valid !== false),
			said: turn.reading.said,
			dropped: turn.reading.dropped ?? 0,
		};
	}

	return {
		opening: dialogue.opening,
		tools: dialogue.tools ?? [],
		stop: dialogue.stop ?? [],
		speech: dialogue.speech,
		budget: dialogue.budget,
		take,
		trajectory() {
			const all = ended ?? session.finish(broken ?? conversation.broken("turn-limit"));
			// captions looked up for the opening are no doing of the policy's
			return { ...all, steps: all.steps.map((step, at) => (at < looked ? { ...step, role: "opening" } : step)) };
		},
	};
}

function replyOf(move: Exclude<PolicyMove, { is: "answers" }>): ChatReply {
	const about = { model: "policy", usage: noUsage, ms: 0 };
	if (move.is === "says") {
		const { text, thought, cut } = move;
		return { ...about, text, finish: cut ? "length" : "stop", ...(thought === undefined ? {} : { thought }) };
	}
	const calls = move.calls.map(({ name, arguments: given, id }, at) => ({
		id: id ?? `call-${at + 1}`,
		name,
		arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}),
	}));
	return { ...about, text: move.text ?? "", calls, finish: "calls" };
}
