import { type Speech, unknownAnswer } from "#agents";
import { type Task, type Trajectory, usageError } from "#domain";
import type { Environment, RewardedEpisode } from "../environment/environment.ts";
import { type Fact, formsOf } from "./answer-leak.ts";
import type { ChainPlan, ChainStep } from "./chain-steps.ts";
import type { HandedKnowledge } from "./handed-knowledge.ts";
import type { Places } from "./template-thoughts.ts";

/** Agents whose episodes have a speech. */
export const spokenProtocols = [
	"stepwise",
	"tagged",
	"search-r1",
	"research",
	"r1-searcher",
	"mmsearch-r1",
	"function-calling",
	"hermes",
	"react",
];

/** What a walk over the environment needs. */
export interface WalkOptions {
	/** Over the knowledge base of `handed`. */
	environment: Environment;
	handed: HandedKnowledge;
	/** `gold`: a search brings the hop's evidence and nothing else; `retrieved`: what it really finds. */
	evidence: "gold" | "retrieved";
	/** One more than the plan has searches. */
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
	thoughts: readonly string[];
}

/** A walk, or where it ended. */
export type Walked = Completed | { is: "ended"; what: string; detail: string };

/**
 * Plays a gold chain in the environment, in the words of its protocol: a search for every hop that needs one, then the
 * gold answer. It ends where the protocol has no action for a hop, its budget is too short, a hop's evidence does not come
 * back, or the environment does not reward the walk as right and well-formed.
 */
export async function walkChain(task: Task, plan: ChainPlan, options: WalkOptions): Promise<Walked> {
	const { environment, handed } = options;
	const episode = await environment.open(task.id);
	const { speech } = episode;
	if (!speech) throw unspoken(environment.agent.name);
	const thoughts = options.thoughts(speech);
	try {
		for (const [at, step] of plan.steps.entries()) {
			const former = plan.steps[at - 1]?.hop.answer.value;
			const spoken = spokenFor(step, { speech, thought: thoughts[at] ?? "", former });
			if (!spoken) return ended("no-action", `${environment.agent.name} has no action that could find ${step.hop.id}`);
			if (options.evidence === "gold") handed.hand(spoken.evidence);
			const turn = await episode.take(spoken.move);
			handed.hand(undefined);
			if (!turn.valid) return ended("refused", `the search for ${step.hop.id} is not carried out`);
			const found = episode.trajectory().steps.at(-1)?.results ?? [];
			if (!found.some(({ id }) => step.hop.evidence.includes(id)))
				return ended("hop-missed", `the search for ${step.hop.id} does not bring its evidence`);
			if (turn.over || (turn.last && at + 1 < plan.steps.length))
				return ended("over-budget", `the protocol's budget ends with search ${at + 1} of ${plan.steps.length}`);
		}
		const answer = task.answer.type === "none" ? unknownAnswer : task.answer.value;
		const thought = thoughts[plan.steps.length] ?? "";
		const move = speech.say({
			thought,
			subAnswer: plan.steps.at(-1)?.hop.answer.value,
			act: { is: "answer", text: answer },
		});
		if (!move) return ended("no-action", `${environment.agent.name} has no words for an answer`);
		const turn = await episode.take(move);
		const paid = turn.over ? await episode.reward() : undefined;
		if (paid?.outcome !== 1 || paid.format !== 1)
			return ended("not-right", "the environment does not take the walk's answer as right and well-formed");
		const { subQuestions } = speech;
		return {
			is: "walked",
			trajectory: episode.trajectory(),
			tools: episode.tools,
			thoughts,
			places: { subQuestions },
			facts: factsOfWalk(plan),
		};
	} finally {
		handed.hand(undefined);
		episode.abort();
	}
}

function spokenFor(
	{ hop, ways }: ChainStep,
	{ speech, thought, former }: { speech: Speech; thought: string; former: string | undefined },
) {
	for (const { tool, image, evidence } of ways) {
		const act = { is: "search" as const, tool, query: hop.question, image };
		const move = speech.say({ thought, subAnswer: former, act });
		if (move) return { move, evidence };
	}
	return undefined;
}

/** What is found by search t, and computed from it, may be said from the turn after. */
function factsOfWalk({ steps, computed }: ChainPlan): Fact[] {
	const facts = steps.flatMap((step, at): Fact[] => [
		...step.computed.map((hop) => ({ hop: hop.id, forms: formsOf(hop.answer), from: at })),
		{ hop: step.hop.id, forms: formsOf(step.hop.answer), from: at + 1 },
	]);
	return [...facts, ...computed.map((hop) => ({ hop: hop.id, forms: formsOf(hop.answer), from: steps.length }))];
}

const ended = (what: string, detail: string): Walked => ({ is: "ended", what, detail });

const unspoken = (agent: string) =>
	usageError(
		"no-speech",
		`how "${agent}" writes its turns is not written down, so no chain can be walked in it`,
		`Choose one with --agent: ${spokenProtocols.join(", ")}.`,
	);
