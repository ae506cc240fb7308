import { join } from "node:path";
import { type Agent, createTools } from "#agents";
import type { Benchmark } from "#benchmarks";
import { noUsage, type Setting, type Task, Trajectory, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import { sha256File } from "#store";
import { sampleSeed } from "./plan-run.ts";

export interface AnswerOptions {
	agent: Agent;
	model?: ChatModel | undefined;
	setting: Setting;
	benchmark: Pick<Benchmark, "dir">;
	knowledge: KnowledgeBase;
	repeat: number;
	seed: number;
	signal: AbortSignal;
	/** Milliseconds until a task is given up. */
	timeout: number;
}

/** What a timer can count; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** The longest record that is kept, in characters of JSON: what is appended must stay readable. */
const maxRecordCharacters = 32 * 1024 * 1024;

/**
 * Lets an agent answer one task. Whatever the agent does (throws, hangs, returns what is no trajectory), a trajectory
 * comes back, with `stop: "error"` and what failed. Undefined when `signal` ended it before it was done.
 */
export async function answerTask(task: Task, options: AnswerOptions): Promise<Trajectory | undefined> {
	const { agent, signal, timeout } = options;
	const started = performance.now();
	const failed = (message: string) => failure(message, performance.now() - started);
	const own = new AbortController();
	let giveUp: (why: "interrupted" | "timeout") => void = () => {};
	const gone = new Promise<"interrupted" | "timeout">((resolve) => {
		giveUp = resolve;
	});
	let grace: NodeJS.Timeout | undefined;
	const interrupt = () => {
		own.abort(signal.reason);
		// an agent that heeds the signal ends at once; one that does not is left behind after a moment
		grace = setTimeout(() => giveUp("interrupted"), 2000);
	};
	const timer = setTimeout(
		() => {
			own.abort(new DOMException("The task took too long", "TimeoutError"));
			giveUp("timeout");
		},
		Math.min(timeout, longestTimer),
	);
	if (signal.aborted) interrupt();
	signal.addEventListener("abort", interrupt, { once: true });
	try {
		const answered = answer(task, { ...options, signal: own.signal });
		// left behind, it may still fail: nobody listens any more
		answered.catch(() => undefined);
		const result = await Promise.race([answered, gone]);
		if (result === "interrupted") return undefined;
		if (result === "timeout") return failed(`no answer within ${timeout / 1000} s`);
		const checked = check(result, agent.name);
		const trajectory = "problem" in checked ? failed(checked.problem) : checked.trajectory;
		// an agent that turns the interruption into an error did not finish
		return signal.aborted && trajectory.stop === "error" ? undefined : trajectory;
	} catch (error) {
		return signal.aborted ? undefined : failed(messageOf(error));
	} finally {
		clearTimeout(timer);
		clearTimeout(grace);
		signal.removeEventListener("abort", interrupt);
	}
}

async function answer(task: Task, options: AnswerOptions): Promise<Trajectory> {
	const { agent, model, setting, benchmark, knowledge, repeat, seed, signal } = options;
	const imagePath = (file: string) => join(benchmark.dir, file);
	for (const image of task.images) {
		if ((await sha256File(imagePath(image.file))) !== image.sha256)
			throw new Error(`image ${image.file} was changed since the benchmark was written`);
	}
	const view = viewOf(task);
	const served = { models: new Set<string>(), ignored: new Set<string>() };
	const trajectory = await agent.answer(view, {
		tools: createTools(knowledge, view, imagePath),
		knowledge,
		...(model ? { model: recorded(model, { seed, repeat, served }) } : {}),
		setting,
		signal,
		repeat,
		...(agent.needs.gold ? { gold: task } : {}),
		imagePath,
	});
	if (served.models.size === 0) return trajectory;
	return { ...trajectory, served: { models: [...served.models], ignored: [...served.ignored] } };
}

/** The model, asked with the run's seeds, with what a record needs of each reply kept in `served`. */
function recorded(
	model: ChatModel,
	options: { seed: number; repeat: number; served: { models: Set<string>; ignored: Set<string> } },
): ChatModel {
	const { seed, repeat, served } = options;
	return {
		...model,
		async complete(request, rest) {
			const reply = await model.complete({ ...request, seed: sampleSeed(seed, request.seed ?? repeat) }, rest);
			served.models.add(reply.model);
			for (const parameter of reply.ignored ?? []) served.ignored.add(parameter);
			return reply;
		},
	};
}

/** An agent may be anybody's: what it returns is checked before it is kept. */
function check(result: unknown, agent: string): { trajectory: Trajectory } | { problem: string } {
	const parsed = Trajectory.safeParse(result);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		return { problem: `${agent} left no valid trajectory: at ${issue?.path.join(".")}: ${issue?.message}` };
	}
	const length = JSON.stringify(parsed.data).length;
	if (length > maxRecordCharacters) return { problem: `${agent} left a trajectory of ${length} characters: too long` };
	return { trajectory: parsed.data };
}

function failure(message: string, ms: number): Trajectory {
	return {
		steps: [],
		answer: null,
		abstained: false,
		stop: "error",
		error: { boundary: "agent", message },
		usage: noUsage,
		ms,
		messages: [],
	};
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 2000);
