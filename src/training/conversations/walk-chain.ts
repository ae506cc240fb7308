import { type Speech, unknownAnswer } from "#agents";
import { type Task, type Trajectory, usageError } from "#domain";
import type { Environment, RewardedEpisode } from "../environment/environment.ts";
import { type Fact, formsOf } from "./answer-leak.ts";
import type { ChainPlan, ChainStep } from "./chain-steps.ts";
import type { HandedKnowledge } from "./handed-knowledge.ts";
import { planWords } from "./plan-words.ts";
import { quoteFor } from "./quote.ts";
import { type Places, thoughtOfRetry } from "./template-thoughts.ts";

/** Agents whose episodes have a speech. */
export const spokenProtocols = [
	"stepwise",
	"tagged",
	"search-r1",
	"research",
	"r1-searcher",
	"mmsearch-r1",
	"r-search",
	"function-calling",
	"hermes",
	"react",
	"self-ask",
	"planner",
	"arena",
	"arena-mars",
	"arena-qwen",
];

/** Settings of those whose own choice cannot be walked, since there a model of its own reads what is found. */
export const walkedSettings: Readonly<Record<string, string>> = { "self-ask": "evidence" };

/** What a walk over the environment needs. */
export interface WalkOptions {
	/** Over the knowledge base of `handed`. */
	environment: Environment;
	handed: HandedKnowledge;
	/** `gold`: a search brings the hop's evidence and nothing else; `retrieved`: what it really finds. */
	evidence: "gold" | "retrieved";
	/** One for each step of the plan, and one for the answer. */
	thoughts(places: Places): readonly string[];
}

/** A walk that came to its end, as it was recorded. */
export interface Completed {
	is: "walked";
	trajectory: Trajectory;
	tools: RewardedEpisode["tools"];
	/** What its protocol has places for. */
	places: Places;
	facts: Fact[];
	/** Of every turn. */
	thoughts: readonly string[];
	/** Which of the thoughts that were asked for each turn has; none for one that searches again. */
	thoughtOf: readonly (number | undefined)[];
}

/** A walk, or where it ended. */
export type Walked = Completed | { is: "ended"; what: string; detail: string };

/**
 * Plays a gold chain in the environment, in the words of its protocol: searches for every hop that needs one, until its
 * evidence came back, then the gold answer. It ends where the protocol has no action for a hop, its budget is too short, a hop's evidence does not come
 * back, or the environment does not reward the walk as right and well-formed.
 */
export async function walkChain(task: Task, plan: ChainPlan, options: WalkOptions): Promise<Walked> {
	const { environment, handed } = options;
	const episode = await environment.open(task.id);
	const { speech } = episode;
	if (!speech) throw unspoken(environment.agent.name);
	const { language } = task.tags;
	const places: Places = { subQuestions: speech.subQuestions, thoughts: speech.thoughtless !== true };
	const given = options.thoughts(places);
	const thoughts: string[] = [];
	const thoughtOf: (number | undefined)[] = [];
	const think = (thought: string, of?: number) => {
		thoughts.push(thought);
		thoughtOf.push(of);
		return thought;
	};
	const quotes: string[] = [];
	/** Of each step: the turns in which it was first searched for, and in which it was found. */
	const spans: { from: number; found: number }[] = [];
	try {
		if (speech.thoughtless && isWorkedOut(plan))
			return ended("no-action", `${environment.agent.name} has no place to work out what the chain computes`);
		if (speech.plan) {
			const steps = planWords(plan, { language });
			think(steps.join("\n"));
			await episode.take(speech.plan(steps));
		}
		for (const [at, step] of plan.steps.entries()) {
			const from = thoughts.length;
			const queries = queriesOf(step, { ...options, speech });
			for (const [tried, query] of queries.entries()) {
				const isSurest = tried === queries.length - 1;
				const thought =
					tried === 0
						? think(given[at] ?? "", at)
						: think(thoughtOfRetry(step.hop.question, { language, key: task.id, places }));
				const former = tried === 0 ? plan.steps[at - 1]?.hop.answer.value : undefined;
				const spoken = spokenFor(step, { speech, thought, former, query });
				if (!spoken)
					return ended("no-action", `${environment.agent.name} has no action that could find ${step.hop.id}`);
				if (options.evidence === "gold" && (isSurest || !spoken.isTyped)) handed.hand(spoken.evidence);
				const turn = await episode.take(spoken.move);
				handed.hand(undefined);
				if (!turn.valid) return ended("refused", `the search for ${step.hop.id} is not carried out`);
				const found = episode.trajectory().steps.at(-1)?.results ?? [];
				const isFound = found.some(({ id }) => step.hop.evidence.includes(id));
				if (!isFound && isSurest)
					return ended("hop-missed", `the search for ${step.hop.id} does not bring its evidence`);
				if (turn.over || (turn.last && (!isFound || at + 1 < plan.steps.length)))
					return ended("over-budget", `the protocol's budget ends with search ${at + 1} of ${plan.steps.length}`);
				if (isFound && speech.quotes) quotes.push(...(await quotesOfFound(step, found, handed)));
				if (isFound) break;
			}
			spans.push({ from, found: thoughts.length });
		}
		const answer = task.answer.type === "none" ? unknownAnswer : task.answer.value;
		const thought = think(given[plan.steps.length] ?? "", plan.steps.length);
		const move = speech.say({
			thought,
			subAnswer: plan.steps.at(-1)?.hop.answer.value,
			act: { is: "answer", text: answer, quotes },
		});
		if (!move) return ended("no-action", `${environment.agent.name} has no words for an answer`);
		const turn = await episode.take(move);
		const paid = turn.over ? await episode.reward() : undefined;
		if (paid?.outcome !== 1 || paid.format !== 1)
			return ended("not-right", "the environment does not take the walk's answer as right and well-formed");
		return {
			is: "walked",
			trajectory: episode.trajectory(),
			tools: episode.tools,
			thoughts,
			thoughtOf,
			places,
			facts: factsOfWalk(plan, spans),
		};
	} finally {
		handed.hand(undefined);
		episode.abort();
	}
}

/** Where the real search has to bring the evidence, the question itself is tried behind other words. */
function queriesOf(
	{ queries, hop }: ChainStep,
	{ evidence, speech }: Pick<WalkOptions, "evidence"> & { speech: Speech },
): string[] {
	if (speech.asksQuestions) return [hop.question];
	if (speech.searchesOnce) return queries.slice(-1);
	return evidence === "retrieved" ? [...new Set([...queries, hop.question])] : queries;
}

function spokenFor(
	{ hop, ways }: ChainStep,
	{ speech, thought, former, query }: { speech: Speech; thought: string; former: string | undefined; query: string },
) {
	for (const { tool, image, evidence } of ways) {
		const act = { is: "search" as const, tool, query, subQuestion: hop.question, image };
		const move = speech.say({ thought, subAnswer: former, act });
		// a search by a picture has no words that could be poor
		if (move) return { move, evidence, isTyped: image === undefined };
	}
	return undefined;
}

/** The words of what was found that state the hop, of the first piece of its evidence where any do. */
async function quotesOfFound(
	{ hop }: ChainStep,
	found: readonly { id: string }[],
	{ knowledge }: HandedKnowledge,
): Promise<string[]> {
	for (const { id } of found.filter((one) => hop.evidence.includes(one.id))) {
		const evidence = await knowledge.evidence(id);
		const quotes = evidence ? quoteFor(hop, evidence) : [];
		if (quotes.length > 0) return quotes;
	}
	return [];
}

/** Whether the chain computes what somebody would work out on paper. */
const isWorkedOut = ({ steps, computed }: ChainPlan): boolean =>
	[...steps.flatMap((step) => step.computed), ...computed].some(
		({ compute, answer }) => compute !== undefined && answer.type === "number",
	);

/** What a turn found, and what is computed from it, may be said from the next turn on. */
function factsOfWalk({ steps, computed }: ChainPlan, spans: readonly { from: number; found: number }[]): Fact[] {
	const facts = steps.flatMap((step, at): Fact[] => [
		...step.computed.map((hop) => ({ hop: hop.id, forms: formsOf(hop.answer), from: spans[at]?.from ?? at })),
		{ hop: step.hop.id, forms: formsOf(step.hop.answer), from: spans[at]?.found ?? at + 1 },
	]);
	return [
		...facts,
		...computed.map((hop) => ({ hop: hop.id, forms: formsOf(hop.answer), from: spans.at(-1)?.found ?? steps.length })),
	];
}

const ended = (what: string, detail: string): Walked => ({ is: "ended", what, detail });

const unspoken = (agent: string) =>
	usageError(
		"no-speech",
		`how "${agent}" writes its turns is not written down, so no chain can be walked in it`,
		`Choose one with --agent: ${spokenProtocols.join(", ")}.`,
	);
