import { join } from "node:path";
import { type Agent, createTools, type Tools, type Upstream, type Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import {
	addUsage,
	notAttached,
	noUsage,
	type RunManifest,
	type Setting,
	type Task,
	Trajectory,
	type Usage,
	viewOf,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type ChatModel, ModelError, withinContext } from "#models";
import { sha256File } from "#store";
import { sampleSeed } from "./plan-run.ts";
import { searchedAs } from "./searched-as.ts";

export interface AnswerOptions {
	agent: Agent;
	model?: ChatModel | undefined;
	setting: Setting;
	/** What it says of the model's server. */
	manifest?: Pick<RunManifest, "endpoint"> | undefined;
	benchmark: Pick<Benchmark, "dir">;
	knowledge: KnowledgeBase;
	web?: Web | undefined;
	upstream?: Upstream | undefined;
	/** What stands between every agent and its tools, below interventions too: a fault of the tools. */
	below?: ((tools: Tools, task: Task, repeat: number) => Tools) | undefined;
	repeat: number;
	seed: number;
	signal: AbortSignal;
	/** Milliseconds until a task is given up. */
	timeout: number;
}

/** What a timer can count; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** The longest record that is kept, in characters of JSON: what is appended must stay readable. */
export const maxRecordCharacters = 32 * 1024 * 1024;

/**
 * Lets an agent answer one task. Whatever the agent does (throws, hangs, returns what is no trajectory), a trajectory
 * comes back, with `stop: "error"` and what failed; so it does, without asking the agent, where a question image is not
 * attached yet. Undefined when `signal` ended it before it was done.
 */
export async function answerTask(task: Task, options: AnswerOptions): Promise<Trajectory | undefined> {
	const { agent, signal, timeout } = options;
	const started = performance.now();
	// without its image it would be another question
	if (task.pending?.images)
		return failure({ boundary: "benchmark", message: notAttached.image }, { usage: noUsage, ms: 0 });
	const asked: Asked = { models: new Set(), ignored: new Set(), usage: noUsage };
	const failed = (message: string, boundary: Boundary = "agent") =>
		failure({ boundary, message }, { usage: asked.usage, ms: performance.now() - started });
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
		const answered = answer(task, { ...options, signal: own.signal, asked });
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
		return signal.aborted ? undefined : failed(messageOf(error), error instanceof ModelError ? "model" : "agent");
	} finally {
		clearTimeout(timer);
		clearTimeout(grace);
		signal.removeEventListener("abort", interrupt);
	}
}

/** What a record needs of the replies that the model gave: an agent that fails does not tell what it used. */
interface Asked {
	models: Set<string>;
	ignored: Set<string>;
	usage: Usage;
}
type Boundary = NonNullable<Trajectory["error"]>["boundary"];

async function answer(task: Task, options: AnswerOptions & { asked: Asked }): Promise<Trajectory> {
	const { agent, setting, benchmark, web, upstream, repeat, seed, signal, asked } = options;
	const knowledge = searchedAs(options.knowledge, setting);
	const { contextTokens, cuts } = options.manifest?.endpoint ?? {};
	const model = options.model && cuts && contextTokens ? withinContext(options.model, contextTokens) : options.model;
	const { below = (tools: Tools) => tools } = options;
	const imagePath = (file: string) => join(benchmark.dir, file);
	for (const image of task.images) {
		if ((await sha256File(imagePath(image.file))) !== image.sha256)
			throw new Error(`image ${image.file} was changed since the benchmark was written`);
	}
	const view = viewOf(task);
	const trajectory = await agent.answer(view, {
		tools: below(createTools(knowledge, view, imagePath, { signal, ...(web ? { web } : {}) }), task, repeat),
		knowledge,
		...(model ? { model: recorded(model, { seed, repeat, asked }) } : {}),
		...(upstream ? { upstream } : {}),
		setting,
		signal,
		repeat,
		...(agent.needs.gold ? { gold: task } : {}),
		imagePath,
	});
	if (asked.models.size === 0) return trajectory;
	return { ...trajectory, served: { models: [...asked.models], ignored: [...asked.ignored] } };
}

/** The model, asked with the run's seeds, with what a record needs of each reply kept in `asked`. */
function recorded(model: ChatModel, options: { seed: number; repeat: number; asked: Asked }): ChatModel {
	const { seed, repeat, asked } = options;
	return {
		...model,
		async complete(request, rest) {
			const reply = await model.complete({ ...request, seed: sampleSeed(seed, request.seed ?? repeat) }, rest);
			asked.models.add(reply.model);
			for (const parameter of reply.ignored ?? []) asked.ignored.add(parameter);
			asked.usage = addUsage(asked.usage, reply.usage);
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

export function failure(
	error: NonNullable<Trajectory["error"]>,
	{ usage, ms }: Pick<Trajectory, "usage" | "ms">,
): Trajectory {
	return { steps: [], answer: null, abstained: false, stop: "error", error, usage, ms, messages: [] };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 2000);
