import type { TaskView, Trajectory } from "#domain";
import type { Agent } from "../agent.ts";
import type { AgentContext } from "../agent-context.ts";
import { createConversation } from "./conversation.ts";
import type { Begin } from "./protocol.ts";
import { withSession } from "./session.ts";

/** An agent that is nothing but a protocol and a model: somebody else may speak in the model's place. */
export function protocolAgent(about: Omit<Agent, "answer" | "begin">, begin: Begin): Agent & { begin: Begin } {
	return { ...about, begin, answer: (view, context) => converse(view, context, begin) };
}

/** Holds the conversation of one task: asks, carries out what was asked for, answers back, until an answer or a bound. */
export function converse(view: TaskView, context: AgentContext, begin: Begin): Promise<Trajectory> {
	return withSession(view, context, async (session) => {
		const conversation = createConversation(session, await begin(session, view));
		for (;;) {
			const turn = await conversation.take(await session.ask(conversation.request()));
			if (turn.over) return session.finish(turn.end);
		}
	});
}
