import {
	type Message,
	noUsage,
	type SearchTool,
	type Step,
	type StopReason,
	type Trajectory,
	type Usage,
} from "#domain";
import { type ChatMessage, ModelError } from "#models";
import type { Observation, Tools } from "../tools/tools.ts";

/** A tool broke: not the agent's mistake, so the trajectory ends in an error that a resumed run tries again. */
export class ToolFailure extends Error {
	override readonly name = "ToolFailure";
}

/** Collects the steps of one trajectory while an agent works. */
export interface Recorder {
	readonly steps: Step[];
	/** Searches carried out so far. */
	readonly searches: number;
	/** Counts a search that was carried out without `search`. */
	searched(): void;
	/** Carries out one search and records it; a tool that throws is recorded on its step and raised as a ToolFailure. */
	search<T extends SearchTool>(
		tool: T,
		call: Parameters<NonNullable<Tools[T]>>[0],
		about?: { subQuestion?: string; thought?: string },
	): Promise<{ observation: Observation; step: Step }>;
	/** Records a step that searched nothing. */
	note(step: Omit<Step, "index" | "ms" | "results"> & { ms?: number; results?: Step["results"] }): Step;
	finish(end: {
		answer: string | null;
		stop: StopReason;
		abstained?: boolean;
		error?: Trajectory["error"];
		usage?: Usage;
		/** Recorded with images by reference. */
		messages?: ChatMessage[];
	}): Trajectory;
}

/**
 * `handed: true` records what is read as evidence handed to the agent: the steps then carry no call, since nothing was
 * searched, and no chain metric counts them as retrieval.
 */
export function createRecorder(tools: Tools, options: { signal: AbortSignal; handed?: boolean }): Recorder {
	const { signal, handed = false } = options;
	const started = performance.now();
	const steps: Step[] = [];
	let searches = 0;
	const add = (step: Omit<Step, "index">): Step => {
		const recorded = { index: steps.length, ...step };
		steps.push(recorded);
		return recorded;
	};
	return {
		steps,
		get searches() {
			return searches;
		},
		searched() {
			searches += 1;
		},
		async search(tool, call, about = {}) {
			signal.throwIfAborted();
			const from = performance.now();
			const step = add({
				...about,
				...(handed ? {} : { call: { tool, arguments: { ...call }, valid: true } }),
				results: [],
				ms: 0,
			});
			searches += 1;
			try {
				const ask = tools[tool] as ((given: typeof call) => Promise<Observation>) | undefined;
				if (!ask) throw new Error("it is not offered here");
				const observation = await ask(call);
				step.results = observation.results.map(({ id, score, rank }) => ({ id, score, rank }));
				return { observation, step };
			} catch (error) {
				signal.throwIfAborted();
				step.error = describe(error);
				throw new ToolFailure(`${tool}: ${step.error}`, { cause: error });
			} finally {
				step.ms = performance.now() - from;
			}
		},
		note: ({ ms = 0, results = [], ...step }) => add({ ...step, ms, results }),
		finish({ answer, stop, abstained = answer === null, error, usage = noUsage, messages = [] }) {
			return {
				steps,
				answer,
				abstained,
				stop,
				...(error ? { error } : {}),
				usage,
				ms: performance.now() - started,
				messages: messages.map(byReference),
			};
		},
	};
}

const byReference = ({ role, content }: ChatMessage): Message => ({
	role,
	content: content.map((part) => (part.type === "image" ? { type: "image", file: part.file } : part)),
});

/** Whether a model says, in the word that every prompt asks for, that it does not know. */
export const isUnknown = (answer: string): boolean => /^[\s\p{P}]*unknown[\s\p{P}]*$/iu.test(answer);

/**
 * Runs the body of an agent at its boundary: an abort is thrown on, a failing tool or a fault of the agent's own ends
 * the trajectory with `stop: "error"` and the steps made so far.
 */
export async function recorded(
	recorder: Recorder,
	signal: AbortSignal,
	body: () => Promise<Trajectory>,
): Promise<Trajectory> {
	try {
		return await body();
	} catch (error) {
		signal.throwIfAborted();
		const boundary = error instanceof ToolFailure ? "tool" : "agent";
		return recorder.finish({
			answer: null,
			stop: "error",
			abstained: false,
			error: { boundary, message: describe(error) },
		});
	}
}

export function describe(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	const remedy = error instanceof ModelError ? error.remedy : undefined;
	if (remedy !== undefined) return `${text.slice(0, 480 - remedy.length)} (${remedy})`;
	return text.slice(0, 500) || "failed without a message";
}
