import type { Step, TaskView, Trajectory } from "#domain";
import type { ChatMessage, ChatReply, ChatRequest } from "#models";
import type { Agent } from "../agent.ts";
import type { AgentContext } from "../agent-context.ts";
import type { Outcome } from "../tools/outcome.ts";
import { type InvalidCall, invalidCall, written } from "../tools/tool-call.ts";
import { type Begin, type Budget, type Dialogue, emptyReply, mostReplies, type Reading } from "./protocol.ts";
import { type Ending, type Session, withSession } from "./session.ts";

/** What became of one reply. */
export type Turn =
	| { over: true; reading: Reading; end: Ending }
	/** `observation`: what the model reads next; `last`: its next reply may only answer. */
	| { over: false; reading: Reading; outcomes: Outcome[]; observation: ChatMessage[]; last: boolean };

/** The talk of one task, whoever speaks for the model: it takes replies, carries out what they ask for, answers back. */
export interface Conversation {
	/** What the model is sent for its next reply. */
	request(): ChatRequest;
	/** Takes the next reply. Once it was over it takes none. */
	take(reply: ChatReply): Promise<Turn>;
	/** Takes a final answer given otherwise than in the protocol's words, as by a tool named `answer`. */
	answer(text: string, about: { abstains: boolean }): Turn;
	/** How it ends where nothing more is said. */
	broken(stop: Ending["stop"]): Ending;
}

export function createConversation(session: Session, dialogue: Dialogue): Conversation {
	const history = createHistory(dialogue, session.context.setting.form ?? "turns");
	const spent = { observations: 0, calls: 0, silence: 0 };
	let plan: string | undefined;
	let replies = 0;
	let last = false;

	function finish(reading: Reading, end: Pick<Ending, "stop">, answer?: Answered): Turn {
		return {
			over: true,
			reading,
			end: {
				answer: answer && !answer.abstains ? answer.text : null,
				abstained: answer?.abstains ?? false,
				...end,
				...(plan === undefined ? {} : { plan }),
				...(answer?.cited ? { cited: answer.cited } : {}),
			},
		};
	}

	async function follow(reading: Reading, reply: ChatReply): Promise<Turn> {
		const { move, subAnswer } = reading;
		const about = { ...stepOf(reading, reply), round: replies };
		replies += 1;
		plan ??= reading.plan;
		session.keep(history.said(reading.said));
		if (subAnswer !== undefined) answerLast(session, subAnswer);
		if (move.is === "answer") {
			session.recorder.note(about);
			return finish(reading, { stop: "answered" }, move);
		}
		if (last) {
			await refuseAll(session, reading, about);
			return finish(reading, { stop: "turn-limit" });
		}
		const outcomes = await carryOutAll(session, reading, about);
		spent.observations += 1;
		spent.calls += outcomes.length;
		spent.silence = move.is === "silent" ? spent.silence + 1 : 0;
		if (dialogue.budget.silence !== undefined && spent.silence >= dialogue.budget.silence)
			return finish(reading, { stop: "no-call-limit" });
		if (isSpent(dialogue.budget, { ...spent, replies })) {
			if (!dialogue.budget.lastAnswer) return finish(reading, { stop: "turn-limit" });
			last = true;
		}
		const observation = await dialogue.respond({ move, outcomes, last, replies });
		history.add(observation);
		return { over: false, reading, outcomes, observation, last };
	}

	/** Whether the budget ends with the next reply: anything but an answer would leave the task without one. */
	function isLastChance(): boolean {
		const { counts, limit, lastAnswer } = dialogue.budget;
		return !lastAnswer && { ...spent, replies }[counts] >= limit - 1;
	}

	return {
		request: () => {
			const request = history.request(replies);
			const { constrain } = session.context.setting;
			return constrain && dialogue.grammar
				? { ...request, grammar: dialogue.grammar({ first: replies === 0, last: last || isLastChance() }) }
				: request;
		},
		take: (reply) => follow(dialogue.read(reply), reply),
		answer(text, { abstains }) {
			const said: ChatMessage = { role: "assistant", content: [{ type: "text", text }] };
			const move = { is: "answer", text, abstains } as const;
			const reading: Reading = { move, said };
			session.keep(history.said(said));
			session.recorder.note({});
			return finish(reading, { stop: "answered" }, move);
		},
		broken: (stop) => ({ answer: null, abstained: false, stop, ...(plan === undefined ? {} : { plan }) }),
	};
}

type Answered = Extract<Reading["move"], { is: "answer" }>;

function isSpent(budget: Budget, spent: Record<Budget["counts"], number>): boolean {
	return spent[budget.counts] >= budget.limit || spent.replies >= mostReplies;
}

/** What has been said so far, ready to be sent: it only grows at its end. */
function createHistory(dialogue: Dialogue, form: "turns" | "continued") {
	const messages: ChatMessage[] = [...dialogue.opening];
	let continues = false;
	const text = ({ content }: ChatMessage) =>
		content.map((part) => (part.type === "text" ? part.text : `[${part.file}]`)).join("\n");
	function join(more: string) {
		const before = continues ? messages.pop() : undefined;
		messages.push({ role: "assistant", content: [{ type: "text", text: (before ? text(before) : "") + more }] });
		continues = true;
	}
	return {
		request(replies: number) {
			const choice = dialogue.toolChoice?.(replies);
			return {
				messages: [...messages],
				...(dialogue.stop ? { stop: dialogue.stop } : {}),
				...(dialogue.tools ? { tools: dialogue.tools } : {}),
				...(choice === undefined ? {} : { toolChoice: choice }),
				...(continues ? { continues } : {}),
			};
		},
		said(message: ChatMessage) {
			const silent = message.content.length === 0 && !message.calls;
			if (form === "continued") join(text(message));
			else messages.push(silent ? { ...message, content: [{ type: "text", text: emptyReply }] } : message);
			return [...messages];
		},
		add(more: ChatMessage[]) {
			if (form === "continued") join(more.map((message) => `\n\n${text(message)}\n\n`).join(""));
			else messages.push(...more);
		},
	};
}

/** The calls of one reply, one after another; what the reply cost stands on the first step. */
async function carryOutAll(session: Session, { move }: Reading, about: About): Promise<Outcome[]> {
	if (move.is !== "calls") {
		session.recorder.note(about);
		return [];
	}
	const outcomes: Outcome[] = [];
	for (const [index, call] of move.calls.entries())
		outcomes.push(await session.carryOut(call, index === 0 ? about : sharedBy(about)));
	return outcomes;
}

/** The reply that could only answer and did not: recorded as invalid, nothing is carried out. */
async function refuseAll(session: Session, { move, said }: Reading, about: About): Promise<void> {
	const calls: (InvalidCall | { tool: string })[] = move.is === "calls" ? move.calls : [{ tool: "none" }];
	const [first] = calls;
	const refused =
		first && "code" in first
			? first
			: invalidCall("no-search-left", "the last turn may only answer", {
					tool: first?.tool ?? "none",
					written: written(said.content.map((part) => (part.type === "text" ? part.text : "")).join(" ")),
				});
	await session.carryOut(refused, about);
}

/** What the steps of a reply say of it. */
type About = ReturnType<typeof stepOf> & Pick<Step, "round">;

function stepOf({ thought, subQuestion, dropped = 0, malformed }: Reading, { usage, ms, thought: apart }: ChatReply) {
	// what a provider returned apart, and what the reply says besides: either may be where a value was read
	const thinking = [apart, thought].filter(Boolean).join("\n\n");
	return {
		...(thinking === "" ? {} : { thought: thinking }),
		...(subQuestion === undefined ? {} : { subQuestion }),
		usage,
		ms,
		...(dropped > 0 ? { dropped } : {}),
		...(malformed ? { malformed } : {}),
	};
}

function sharedBy({ thought, subQuestion, round }: About): Partial<Step> {
	return {
		...(round === undefined ? {} : { round }),
		...(thought === undefined ? {} : { thought }),
		...(subQuestion === undefined ? {} : { subQuestion }),
	};
}

/** An answer to a sub-question comes a turn later than what was done for it, which may have been no search. */
function answerLast(session: Session, subAnswer: string): void {
	const step = session.recorder.steps.findLast((one) => (one.call ? one.call.valid : one.subQuestion !== undefined));
	if (step && step.subAnswer === undefined) step.subAnswer = subAnswer;
}

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
