import { type KnowledgeBase, openKnowledge } from "#knowledge";
import type { CallCount } from "#scoring";
import { createEnvironment, createSessions, type FormatForm, type Sessions } from "#training";
import { agentCalled } from "./agent-called.ts";
import { locate, theOnlyKnowledge } from "./locate.ts";
import { openForRun } from "./open.ts";
import { type SettingOptions, settingFrom } from "./run-options.ts";
import type { Bench } from "./work.ts";

/** What is served. All but `knowledge` is about episodes, which need a benchmark. */
export interface ServedOptions extends SettingOptions {
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
	/** Weights of the outcome, the format and the action; 1, 1 and 0.25 where nothing is said. */
	alpha?: number | undefined;
	beta?: number | undefined;
	gamma?: number | undefined;
	/** Episodes held at once. */
	sessions?: number | undefined;
	/** Seconds until an episode that nobody asks about is ended. */
	idle?: number | undefined;
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
}

/** Opens a knowledge base to be served and, of a benchmark, the episodes to be played over it. */
export async function openServed(options: ServedOptions, { workspace }: Bench): Promise<Served> {
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
		const reward = { calls, format, alpha, beta, gamma };
		const environment = createEnvironment({ benchmark, knowledge, agent, setting, reward });
		const sessions = createSessions(environment, { most, idle: idle * 1000 });
		const played = { benchmark: environment.name, agent: agent.name, setting: setting.name };
		return { knowledge, sessions, facts: { ...factsOf(knowledge), ...played } };
	} catch (error) {
		knowledge.close();
		throw error;
	}
}

function factsOf({ manifest: { name, hash, counts } }: KnowledgeBase): ServedKnowledge {
	return { knowledge: name, hash, counts };
}
