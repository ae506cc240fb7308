import { randomUUID } from "node:crypto";
import { z } from "zod";
import { HopscopeError, usageError } from "#domain";
import { type Environment, type EpisodeSession, moveOf, type SessionStep, type Sessions } from "#training";
import { seenBy } from "../environment/seen-step.ts";
import type { Action, CallToolAction, Reset } from "./action.ts";
import { firstObserved, type Observed, observedOf, toolResultOf, toolsOf } from "./observation.ts";

/** Where a client stands; nulls before its first reset. */
export const State = z.object({
	episode_id: z.string().nullable(),
	step_count: z.int().min(0),
	task: z.string().nullable(),
	seed: z.int().nullable(),
	over: z.boolean(),
});
type State = z.infer<typeof State>;

/** One client's episodes, one after another; what belongs to no other client. */
export interface Player {
	reset(asked: Reset): Promise<Observed>;
	/** Throws `no-episode` before a reset; `episode-over` behind the end. */
	step(action: Action): Promise<Observed>;
	/** Calls a tool of the episode; its result, without the reward. */
	call(name: string, given: CallToolAction["arguments"]): Promise<object>;
	tools(): Promise<object[]>;
	state(): Promise<State>;
	/** Keeps the episode from being ended as idle. */
	keep(): void;
	end(): void;
}

export function createPlayer(sessions: Sessions, asking: { trusted: boolean }): Player {
	const { environment } = sessions;
	let open: { session: string; episode: string; seed: number } | undefined;
	let resets = 0;

	function end(): void {
		if (open) sessions.close(open.session);
		open = undefined;
	}
	async function current(): Promise<EpisodeSession> {
		if (!open) throw new HopscopeError("no-episode", "there is no episode", "Send a reset first.");
		return sessions.get(open.session);
	}
	async function act(action: Exclude<Action, { type: "list_tools" }>): Promise<[SessionStep, EpisodeSession]> {
		const session = await current();
		return [seenBy(await session.act(moveIn(action, session)), asking), session];
	}

	return {
		async reset(asked) {
			const seed = asked.seed ?? 0;
			const task = taskOf(environment, asked, resets);
			end();
			const session = randomUUID();
			// known before it is open, so that a client that goes away meanwhile leaves nothing behind
			open = { session, episode: asked.episode_id ?? session, seed };
			try {
				const opened = await sessions.open(session, { task, seed });
				resets += 1;
				return firstObserved(opened);
			} catch (error) {
				end();
				throw error;
			}
		},
		async step(action) {
			if ("type" in action && action.type === "list_tools")
				return { observation: { tools: toolsOf(await environment.tools()) }, reward: null, done: false };
			const [step, session] = await act(action);
			const observed = observedOf(step, session);
			if (!("type" in action)) return observed;
			const result = { tool_name: action.tool_name, result: toolResultOf(step), error: null };
			return { ...observed, observation: { ...observed.observation, ...result } };
		},
		async call(name, given) {
			const [step] = await act({ type: "call_tool", tool_name: name, arguments: given });
			return toolResultOf(step);
		},
		tools: async () => toolsOf(await environment.tools()),
		async state() {
			if (!open) return { episode_id: null, step_count: 0, task: null, seed: null, over: false };
			const { task, last, over } = await current();
			return { episode_id: open.episode, step_count: last?.moves ?? 0, task, seed: open.seed, over };
		},
		keep() {
			// one that was ended is told of with the next step
			if (open) sessions.get(open.session).catch(() => undefined);
		},
		end,
	};
}

function moveIn(action: Exclude<Action, { type: "list_tools" }>, { tools }: Pick<EpisodeSession, "tools">) {
	if (!("type" in action)) return { is: "says" as const, text: action.message };
	return moveOf(action.tool_name, action.arguments, tools);
}

/** The task that a reset asks for; `resets`: how many there were before, for one that asks for none. */
export function taskOf({ splits }: Environment, { task, split, index, seed }: Reset, resets: number): string {
	if (typeof task === "string") return task;
	const name = split ?? (splits.has("train") ? "train" : [...splits.keys()][0]);
	const tasks = name === undefined ? undefined : splits.get(name);
	if (!tasks || tasks.length === 0) throw unknownTask(`there is no split ${JSON.stringify(name ?? "train")}`);
	const place = index ?? (seed ?? resets) % tasks.length;
	const found = tasks[place];
	if (found === undefined) throw unknownTask(`split ${JSON.stringify(name)} has ${tasks.length} tasks`);
	return found;
}

const unknownTask = (message: string) =>
	usageError("unknown-task", message, "Name a task, or a place in a split, counted from 0.");
