import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { type CallCount, rubrics } from "#scoring";
import { createEnvironment, createSessions, type FormatForm, judgedOutcome, type Sessions } from "#training";
import { agentCalled } from "./agent-called.ts";
import { isSpent } from "./ask-within-budget.ts";
import { openJudge, rubricCalled } from "./judge-chosen.ts";
import { locate, theOnlyKnowledge } from "./locate.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { openForRun } from "./open.ts";
import { type SettingOptions, settingFrom } from "./run-options.ts";
import type { Bench } from "./work.ts";

/** What is served. All but `knowledge` is about episodes, which need a benchmark. */
export interface ServedOptions extends SettingOptions, ModelOptions {
	/** A name in the workspace or a folder; the benchmark's own, or the only one, where nothing is said. */
	knowledge?: string | undefined;
	/** Play and score episodes of its tasks too. */
	benchmark?: string | undefined;
	/** The protocol that the policies of its episodes speak; `tagged` where nothing is said. */
	agent?: string | undefined;
	/** Calls that earn reward. */
	rewardCalls?: CallCount | undefined;
	/** What earns the format's part. */
	rewardFormat?: FormatForm | undefined;
	/** Who decides whether an answer is right: a model, or `rule`; the typed metric where nobody is named. */
	judge?: string | undefined;
	/** By what the judge decides; `tracer` where nothing is said, which looks at question, reference and answer alone. */
	rubric?: string | undefined;
	/** Bounds on what the judge is asked; beyond them answers are not scored. */
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
	/** Weights of the outcome, the format and the action; 1, 1 and 0.25 where nothing is said. */
	alpha?: number | undefined;
	beta?: number | undefined;
	gamma?: number | undefined;
	/** Episodes held at once. */
	sessions?: number | undefined;
	/** Seconds until an episode that nobody asks about is ended. */
	idle?: number | undefined;
	/** Hears what a judge has to tell while it is served, when this verb is long done. */
	onProblem?: ((message: string) => void) | undefined;
}

/** What a server answers from. Whoever has it closes the knowledge base. */
export interface Served {
	knowledge: KnowledgeBase;
	/** Where a benchmark is named. */
	sessions?: Sessions;
	/** Names, hash and counts for whoever is told what is served. */
	facts: ServedKnowledge & Partial<ServedEpisodes>;
}

export interface ServedKnowledge {
	knowledge: string;
	hash: string;
	counts: KnowledgeBase["manifest"]["counts"];
}

export interface ServedEpisodes {
	benchmark: string;
	agent: string;
	setting: string;
	/** Who decides the outcome, and by which rubric; absent where the typed metric does. */
	judge?: { id: string; rubric: string };
}

/** Opens a knowledge base to be served and, of a benchmark, the episodes to be played over it. */
export async function openServed(options: ServedOptions, bench: Bench): Promise<Served> {
	const { workspace } = bench;
	if (options.benchmark === undefined) {
		const name = options.knowledge ?? (await theOnlyKnowledge(workspace));
		const knowledge = await openKnowledge(await locate(workspace, "knowledge", name, { named: true }));
		return { knowledge, facts: factsOf(knowledge) };
	}
	const { rewardCalls: calls, rewardFormat: format, alpha, beta, gamma, sessions: most = 4096, idle = 900 } = options;
	const agent = agentCalled(options.agent ?? "tagged");
	const setting = settingFrom(agent, options);
	const { benchmark, knowledge } = await openForRun(workspace, options.benchmark, { knowledge: options.knowledge });
	try {
		const { judge, isRight } = await outcomeBy(options, knowledge, bench);
		const reward = { calls, format, alpha, beta, gamma, ...(isRight ? { isRight } : {}) };
		const environment = createEnvironment({ benchmark, knowledge, agent, setting, reward });
		const sessions = createSessions(environment, { most, idle: idle * 1000 });
		const played = {
			benchmark: environment.name,
			agent: agent.name,
			setting: setting.name,
			...(judge ? { judge } : {}),
		};
		return { knowledge, sessions, facts: { ...factsOf(knowledge), ...played } };
	} catch (error) {
		await knowledge.close();
		throw error;
	}
}

/** The judge that decides the outcome, where one is named. */
async function outcomeBy(options: ServedOptions, knowledge: KnowledgeBase, bench: Bench) {
	if (options.judge === undefined) return {};
	const { signal } = bench;
	const say = options.onProblem ?? bench.say;
	const rubric = rubricCalled(options.rubric ?? "tracer", rubrics);
	const { models } = await openModels({ ...bench, say }, options);
	const { judge } = openJudge(options.judge, {
		...{ rubric, models, signal },
		needsPrice: options.maxCost !== undefined,
	});
	let told = false;
	const isRight = judgedOutcome({
		...{ judge, rubric, signal },
		evidence: (id) => knowledge.evidence(id),
		until(running, soFar) {
			const spent = isSpent(options, () => soFar)(running);
			if (spent && !told) say(`the judge's budget is spent: what ${judge.id} has not judged yet gets no reward`);
			told ||= spent;
			return spent;
		},
	});
	return { judge: { id: judge.id, rubric: rubric.name }, isRight };
}

function factsOf({ manifest: { name, hash, counts } }: KnowledgeBase): ServedKnowledge {
	return { knowledge: name, hash, counts };
}
