import type { Trajectory } from "#domain";
import { type ChatModel, ModelError } from "#models";

/** Tasks in a row that a provider may refuse for good (no access, no such model). */
const mostRefused = 5;
/** Tasks in a row on which it may fail although each of its calls was borne with for minutes. */
const mostFailed = 10;
/** Tasks in a row on which the agent itself may fail. */
const mostBroken = 20;

/**
 * Watches whether a model, or a program that is the agent, answers at all. One that refuses every call would otherwise be
 * asked for each of thousands of tasks, and every one of them recorded as an error.
 */
export interface WatchedModel {
	model: ChatModel | undefined;
	taskEnded(trajectory: Trajectory): void;
	/**
	 * Why there is no point in going on: so many tasks in a row ended by the model, and no reply since the first; or ended
	 * by the agent itself, and none otherwise.
	 */
	hopeless(): string | undefined;
}

export function watchModel(model: ChatModel | undefined): WatchedModel {
	let failed = 0;
	let last: ModelError | undefined;
	let broken = 0;
	let brokenBy: string | undefined;
	return {
		model: model && {
			...model,
			async complete(request, options) {
				try {
					const reply = await model.complete(request, options);
					failed = 0;
					last = undefined;
					return reply;
				} catch (error) {
					// a conversation that grew too long says nothing of the server
					if (error instanceof ModelError && !error.overflow) last = error;
					throw error;
				}
			},
		},
		taskEnded({ stop, error }) {
			if (stop === "error" && error?.boundary === "model") failed += 1;
			if (stop !== "error") broken = 0;
			// a program's calls of a model are not seen from here
			else if (error?.boundary === "agent" || (error?.boundary === "model" && !last)) {
				broken += 1;
				brokenBy = error.message;
			}
		},
		hopeless() {
			if (broken >= mostBroken) return brokenBy;
			if (!last || failed < (last.retryable ? mostFailed : mostRefused)) return undefined;
			return last.message;
		},
	};
}
