/**
 * A model and a judge that say what a paper's fixture has them say, over HTTP and in each protocol's own words: so the
 * papers' tables are made by the agents, importers and metrics as they are, of replies that are known.
 */
import { inDependencyOrder, type Task } from "#domain";
import { type ReplyServer, replyServer, type ServedReply, type ServedRequest } from "#models";
import { players } from "../support/agents/scripted-models/index.ts";
import { asked } from "../support/agents/scripted-models/scripted-model.ts";

/** What the model says to a question. */
export interface Reply {
	answer: string;
	/** How many gold hops it searches for before it answers; all of them without it. */
	hops?: number;
	/** Searches that it makes beyond the gold hops, with the last hop's words. */
	more?: number;
	/** Results that it asks for in each search, where the protocol lets it choose. */
	k?: number;
	/** What the judge's rubric gives this answer. */
	judge: unknown;
}

/** By question: one reply, or one for each agent that is named, `*` for the rest. */
export type Replies = Record<string, Reply | Record<string, Reply>>;

/** A published form's rows and what is said to their questions. */
export interface Fixture {
	replies: Replies;
}

/** Writes a judge's reply of what a fixture has it give. */
export type JudgeWords = (given: unknown) => string;

/**
 * Serves the model of every agent, called like the agent, and the judge, called `judge`. A request belongs to the longest
 * question that stands in it: questions hold those that they grew from.
 */
export function playedServer(
	{ replies }: Fixture,
	{ tasks, judge }: { tasks: () => readonly Task[]; judge: JudgeWords },
): Promise<ReplyServer> {
	const questions = Object.keys(replies).sort((a, b) => b.length - a.length);
	const stands = (said: string) => (one: string) =>
		said.includes(one) || said.includes(JSON.stringify(one).slice(1, -1));
	return replyServer(({ body, model }): ServedReply => {
		const request = asked({} as Task, body);
		const said = request.said.map(({ text }) => text).join("\n");
		// a reader that an agent asks besides hears of one step only
		const ofStep = tasks().find(({ chain }) => chain?.hops.some((hop) => stands(said)(hop.question)))?.question;
		const question = questions.find(stands(said)) ?? ofStep;
		const task = tasks().find((one) => one.question === question);
		if (question === undefined || !task)
			return { is: "status", status: 400, message: `nobody knows that question: ${said.slice(-300)}` };
		const given = replies[question] ?? {};
		if (model.startsWith("judge")) return judge(judgedIn(said, given));
		const agent = agentIn(said, model);
		const player = players[agent];
		const reply = replyIn(given, agent, request.tools);
		if (!player || !reply)
			return { is: "status", status: 400, message: `nobody plays ${agent}, or it has no reply to ${question}` };
		return withK(player.competent(asked(played(task, reply), body as ServedRequest["body"])), reply);
	});
}

const isReply = (given: Reply | Record<string, Reply>): given is Reply => typeof given.answer === "string";
/** Who is asked: references are run with the model of the agent that they are read for, and their words tell them. */
function agentIn(said: string, model: string): string {
	if (said.startsWith("Answer the question from what you know")) return "closed-book";
	return said.startsWith("Answer the question from the evidence that follows") ? "oracle" : model;
}

/** The reply of an agent; of one whose settings differ in their tools, that of the setting. */
function replyIn(given: Reply | Record<string, Reply>, agent: string, tools: readonly string[]): Reply | undefined {
	if (isReply(given)) return given;
	const setting = tools.length === 0 ? "no-tool" : tools.includes("image_crop") ? "search+crop" : "search";
	return given[agent] ?? (agent === "arena" ? given[setting] : undefined) ?? given["*"];
}

/** What the judge gives the answer that it is shown. */
function judgedIn(said: string, given: Reply | Record<string, Reply>): unknown {
	const all = isReply(given) ? [given] : Object.values(given);
	const submitted = /"submitted": ("(?:[^"\\]|\\.)*"|null)/.exec(said)?.[1] ?? "null";
	const answer: unknown = JSON.parse(submitted);
	return all.find((one) => one.answer === answer)?.judge;
}

/** The task as the model has it in its head: the hops that it walks, and the answer that it gives. */
function played(task: Task, { answer, hops, more = 0 }: Reply): Task {
	const own: Task = { ...task, answer: { type: "string", value: answer, accepted: [answer] } };
	if (!task.chain) return own;
	const searching = inDependencyOrder(task.chain).filter(({ evidence }) => evidence.length > 0);
	const walked = searching.slice(0, hops ?? searching.length);
	const last = walked.at(-1);
	const again = last ? Array.from({ length: more }, (_, at) => ({ ...last, id: `${last.id}-again-${at}` })) : [];
	const known = new Set(walked.map(({ id }) => id));
	const chained = [...walked, ...again].map((hop) => ({
		...hop,
		needs: hop.needs.filter(({ hop: needed }) => known.has(needed)),
	}));
	return { ...own, chain: { hops: chained, sink: chained.at(-1)?.id ?? task.chain.sink } };
}

function withK(reply: ServedReply, { k }: Reply): ServedReply {
	if (k === undefined || typeof reply === "string" || reply.is !== "reply" || !reply.calls) return reply;
	const calls = reply.calls.map((call) => {
		if (typeof call.arguments !== "string") return call;
		const given = JSON.parse(call.arguments) as Record<string, unknown>;
		return "topk" in given ? { ...call, arguments: JSON.stringify({ ...given, topk: k }) } : call;
	});
	return { ...reply, calls };
}
