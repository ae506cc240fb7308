import type { Message, Step, Trajectory } from "#domain";

/** One reply of the policy, with the steps that it led to. */
export interface Turn {
	/** Place of the reply among the messages. */
	message: number;
	/** What it says in words. */
	text: string;
	steps: Step[];
}

/** A conversation with the policy's turns told apart, or why that cannot be done. */
export type ReadTurns = { turns: Turn[]; messages: Message[] } | { not: string };

/**
 * The turns of a recorded conversation. What a reply cost stands on the first of its steps, which is how steps are told
 * apart; a last reply may have cost nothing. Calls are numbered anew, since providers name them at random: two
 * conversations that say the same are then the same.
 */
export function turnsOf({ steps, messages, answerOnly }: Trajectory): ReadTurns {
	if (answerOnly || messages.length === 0) return { not: "nothing of the conversation is recorded" };
	if (messages.some(({ conversation }) => conversation !== undefined))
		return { not: "the agent holds several conversations" };
	const replies = [...messages.keys()].filter((at) => messages[at]?.role === "assistant");
	const groups: Step[][] = [];
	for (const step of steps) {
		if (step.role === "opening") continue;
		const begins = step.usage !== undefined || groups.length === 0 || (!step.call && !step.thought);
		if (begins) groups.push([step]);
		else groups.at(-1)?.push(step);
	}
	if (groups.length !== replies.length) return { not: "its replies cannot be told apart" };
	return {
		turns: replies.map((message, at) => ({ message, text: textOf(messages[message]), steps: groups[at] ?? [] })),
		messages: withNumberedCalls(messages),
	};
}

const textOf = (message: Message | undefined) =>
	(message?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");

function withNumberedCalls(messages: readonly Message[]): Message[] {
	const names = new Map<string, string>();
	let calls = 0;
	return messages.map((message) => {
		const made = message.calls?.map((call) => {
			calls += 1;
			names.set(call.id, `call-${calls}`);
			return { ...call, id: `call-${calls}` };
		});
		const answered = message.callId === undefined ? undefined : (names.get(message.callId) ?? message.callId);
		return {
			...message,
			...(made ? { calls: made } : {}),
			...(answered === undefined ? {} : { callId: answered }),
		};
	});
}
