import { HopscopeError } from "#domain";
import { actionTools, type EpisodeSession, moveOf, type SessionStep, sayTool } from "#training";
import { componentsOf } from "../environment/components.ts";
import { seenBy } from "../environment/seen-step.ts";
import { resultOf } from "../environment/tool-result.ts";
import type { Block, Detail } from "./blocks.ts";

/** What became of a tool call, by the standard. */
export type RunToolOutput =
	| { ok: true; output: { blocks: Block[]; metadata: Detail; reward: number | null; finished: boolean } }
	| Unplayed;

/** A call that was no move. */
interface Unplayed {
	ok: false;
	error: string;
	reason: "not_found" | "input_validation" | "episode_finished";
}

/** A call as a client sends it; `task`: sent again with it, the call plays nothing and gives the same. */
export interface AskedCall {
	name: string;
	input: Readonly<Record<string, unknown>>;
	task: string;
}

/** Plays one call. What the environment itself fails at is thrown: it is no observation, and no reward of 0. */
export async function runTool(
	session: EpisodeSession,
	{ name, input, task, trusted }: AskedCall & { trusted: boolean },
): Promise<RunToolOutput> {
	try {
		const step = await session.act(moveOf(name, input, session.tools), { request: task });
		return played(seenBy(step, { trusted }), session);
	} catch (error) {
		if (!(error instanceof HopscopeError)) throw error;
		const reason = reasonOf(error, name, session);
		if (!reason) throw error;
		return { ok: false, error: `${error.message}. ${error.remedy}`, reason };
	}
}

function reasonOf({ code }: HopscopeError, name: string, session: EpisodeSession): Unplayed["reason"] | undefined {
	if (code === "episode-over") return "episode_finished";
	if (code !== "bad-action") return undefined;
	return [sayTool, ...actionTools(session.tools)].some((tool) => tool.name === name) ? "input_validation" : "not_found";
}

/** Whether `say` is not among the tools: then it takes the last words of a model, and the protocol reads them. */
export const hasTerminalTool = ({ tools }: Pick<EpisodeSession, "tools">) =>
	!actionTools(tools).some(({ name }) => name === sayTool.name);

function played(step: SessionStep, session: EpisodeSession) {
	const { over, reward, valid, dropped, last, moves } = step;
	const about = { valid, dropped, moves };
	const { stop } = over ? session.trajectory() : {};
	return {
		ok: true as const,
		output: {
			blocks: resultOf(step).map((part) => ({ ...part, detail: null })),
			metadata: reward ? { ...about, stop, components: componentsOf(reward) } : { ...about, last },
			reward: reward?.value ?? null,
			finished: over,
		},
	};
}
