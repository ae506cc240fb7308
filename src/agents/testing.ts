/**
 * The conformance kit of agents: what every agent owes the runs that call it, tried on a toy world with tools that
 * work, fail, find nothing or are interrupted. Any agent, ours or a reader's own, can be held to it from a test.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Setting, type Task, Trajectory, viewOf } from "#domain";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import type { Agent } from "./agent.ts";
import type { AgentContext } from "./agent-context.ts";
import { createPool } from "./pool.ts";
import type { Tools } from "./tools/tools.ts";
import { toyEvidence, toyTasks } from "./toy-world.ts";

/** A grey PNG of one pixel, for question images that only have to be readable. */
const pixel = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
	"base64",
);

/** What every protocol keeps to when the setting says nothing. */
const defaultLimit = 10;

type Toolset = (tools: Tools, controller: AbortController) => Tools;

const conditions: { name: string; tools: Toolset; limit?: number; breaks?: boolean; aborts?: boolean }[] = [
	{ name: "working tools", tools: (tools) => tools },
	{ name: "one search allowed", tools: (tools) => tools, limit: 1 },
	{ name: "tools that find nothing", tools: (tools) => each(tools, () => async () => ({ results: [] })) },
	{
		name: "tools that fail",
		breaks: true,
		tools: (tools) => each(tools, () => async () => Promise.reject(new Error("no index"))),
	},
	{ name: "a second search that fails", tools: (tools) => counted(tools, (n) => n === 2 && new Error("index gone")) },
	{
		name: "tools that throw what is no error",
		breaks: true,
		tools: (tools) => each(tools, () => () => Promise.reject("gone")),
	},
	{
		name: "an interruption during the first search",
		aborts: true,
		tools: (tools, controller) =>
			each(tools, () => async () => {
				controller.abort(new Error("stop now"));
				throw new Error("the search broke off");
			}),
	},
];

/**
 * Runs an agent through the toy world and returns what it did wrong, one line each; none when it conforms. `model`
 * makes a fresh scripted model for each task, for agents that need one; a new one so that replies start over.
 */
export async function agentProblems(agent: Agent, options: { model?: () => ChatModel } = {}): Promise<string[]> {
	const problems: string[] = [];
	const folder = await mkdtemp(join(tmpdir(), "hopscope-agent-"));
	try {
		await writeFile(join(folder, "question.png"), pixel);
		for (const condition of conditions)
			for (const task of toyTasks) {
				const report = (what: string) => problems.push(`${agent.name}, ${condition.name}, task ${task.id}: ${what}`);
				const controller = new AbortController();
				const watched = watch(
					condition.tools(createPool(toyEvidence, { images: [[...toyEvidence.slice(0, 1)]] }), controller),
				);
				const context = contextFor(agent, task, {
					tools: watched.tools,
					signal: controller.signal,
					folder,
					onGold: () => report("looked at the gold without declaring needs.gold"),
					...(condition.limit === undefined ? {} : { limit: condition.limit }),
					...(options.model ? { model: options.model() } : {}),
				});
				let trajectory: unknown;
				try {
					trajectory = await agent.answer(viewOf(task), context);
				} catch (error) {
					if (!controller.signal.aborted) report(`threw: ${String(error)}`);
					continue;
				}
				if (condition.aborts && watched.calls > 0) report("continued after an abort");
				const limit = condition.limit ?? defaultLimit;
				if (watched.calls > limit) report(`${watched.calls} searches where ${limit} were allowed`);
				for (const what of trajectoryProblems(trajectory)) report(what);
				const parsed = Trajectory.safeParse(trajectory);
				if (condition.breaks && watched.calls > 0 && parsed.success && !tellsOfFailure(parsed.data))
					report("a tool failed and neither a step nor the trajectory says so");
			}
		problems.push(...(await startsAborted(agent, folder, options.model)));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	return problems;
}

function contextFor(
	agent: Agent,
	task: Task,
	given: { tools: Tools; signal: AbortSignal; folder: string; onGold(): void; limit?: number; model?: ChatModel },
): AgentContext {
	const knowledge: KnowledgeBase = {
		...fakeKnowledge(toyEvidence, { name: "toy" }),
		dir: given.folder,
		search: () => Promise.reject(new Error("search through the tools")),
		file: async () => undefined,
	};
	const context: AgentContext = {
		tools: given.tools,
		knowledge,
		setting: Setting.parse({ name: "toy", k: 3, ...(given.limit === undefined ? {} : { limit: given.limit }) }),
		signal: given.signal,
		repeat: 0,
		imagePath: (file) => join(given.folder, file),
		...(given.model ? { model: given.model } : {}),
	};
	if (agent.needs.gold) return { ...context, gold: task };
	return Object.defineProperty(context, "gold", {
		get() {
			given.onGold();
			return undefined;
		},
	});
}

function trajectoryProblems(value: unknown): string[] {
	const parsed = Trajectory.safeParse(value);
	if (!parsed.success) return [`the trajectory does not fit the schema: ${parsed.error.issues[0]?.message}`];
	const { steps, answer, abstained, stop, error } = parsed.data;
	const problems: string[] = [];
	if (steps.some((step, index) => step.index !== index)) problems.push("steps are not numbered 0, 1, 2, …");
	if (steps.some((step) => step.results.some((result, place) => result.rank !== place + 1)))
		problems.push("ranks do not count from 1");
	if (abstained && answer !== null) problems.push("abstained, yet with an answer");
	if (stop === "error" && !error) problems.push("stopped in an error that it does not name");
	if (stop !== "error" && error) problems.push("names an error, yet stopped otherwise");
	if (stop === "error" && answer !== null) problems.push("answered in spite of an error");
	return problems;
}

const tellsOfFailure = ({ steps, error }: Trajectory) =>
	error?.boundary === "tool" || steps.some((step) => step.error !== undefined);

async function startsAborted(agent: Agent, folder: string, model: (() => ChatModel) | undefined): Promise<string[]> {
	const [task] = toyTasks;
	if (!task) return [];
	const watched = watch(createPool(toyEvidence));
	const context = contextFor(agent, task, {
		tools: watched.tools,
		signal: AbortSignal.abort(new Error("stopped before it began")),
		folder,
		onGold: () => undefined,
		...(model ? { model: model() } : {}),
	});
	try {
		await agent.answer(viewOf(task), context);
		return [`${agent.name}: answered although the signal was aborted`];
	} catch {
		return watched.calls > 0 ? [`${agent.name}: searched although the signal was aborted`] : [];
	}
}

function each(
	tools: Tools,
	make: (name: keyof Tools) => () => Promise<never> | ReturnType<Tools["text_search"]>,
): Tools {
	const names = Object.keys(tools) as (keyof Tools)[];
	return Object.fromEntries(names.map((name) => [name, make(name)])) as unknown as Tools;
}

function counted(tools: Tools, fail: (n: number) => Error | false): Tools {
	let n = 0;
	const names = Object.keys(tools) as (keyof Tools)[];
	const wrap = (name: keyof Tools) => async (call: never) => {
		n += 1;
		const error = fail(n);
		if (error) throw error;
		return (tools[name] as (given: never) => ReturnType<Tools["text_search"]>)(call);
	};
	return Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as Tools;
}

function watch(tools: Tools): { tools: Tools; readonly calls: number } {
	let calls = 0;
	return {
		tools: counted(tools, () => {
			calls += 1;
			return false;
		}),
		get calls() {
			return calls;
		},
	};
}
