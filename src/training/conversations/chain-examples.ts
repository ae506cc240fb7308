import type { Agent, Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import { addUsage, countName, noUsage, type Setting, type Task, type Usage } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import { createEnvironment } from "../environment/environment.ts";
import { answerInQuestion } from "./answer-leak.ts";
import { type ChainPlan, chainPlan, hasDetours, withoutDetours } from "./chain-steps.ts";
import type { Collected } from "./dropped.ts";
import type { ThoughtBy, TrainingExample } from "./example.ts";
import { type ExampleRule, exampleProblems } from "./example-checks.ts";
import { handedKnowledge } from "./handed-knowledge.ts";
import { type ModelThoughts, modelThoughts } from "./model-thoughts.ts";
import { type Places, templateThoughts } from "./template-thoughts.ts";
import { trainingMessages } from "./training-messages.ts";
import { type Completed, walkChain } from "./walk-chain.ts";

export interface ChainExamplesOptions {
	benchmark: Pick<Benchmark, "dir" | "manifest" | "tasks">;
	/** Of its tasks, those to be walked. */
	tasks: readonly Task[];
	knowledge: KnowledgeBase;
	/** The protocol that is learnt. */
	agent: Agent;
	setting: Setting;
	evidence: "gold" | "retrieved";
	/** Writes the thoughts; fixed sentences without one. */
	model?: ChatModel | undefined;
	/** Chains whose thoughts are asked for at the same time, default 8. */
	concurrency?: number;
	/** Rules that an example may break. */
	allow?: readonly string[];
	/** Further tags of an example, by its task. */
	tags?(task: Task): Record<string, string>;
	web?: Web;
	signal?: AbortSignal;
	onProgress?(done: number, of: number): void;
}

/** Gold chains walked through the real environment, as conversations. Walks that end early are counted by why. */
export async function chainExamples(options: ChainExamplesOptions): Promise<Collected & { usage: Usage }> {
	const { benchmark, tasks, knowledge, agent, setting, model, concurrency = 8, signal } = options;
	const handed = handedKnowledge(knowledge);
	const environment = createEnvironment({
		benchmark,
		knowledge: handed.knowledge,
		agent,
		setting,
		...(options.web ? { web: options.web } : {}),
	});
	const walk = { environment, handed, evidence: options.evidence };
	const made: Collected = { examples: [], dropped: [], noticed: {} };
	const notice = (what: string) => {
		countName(made.noticed, what);
	};
	let usage = noUsage;

	/** A walk in fixed sentences: whether the chain can be walked at all, before a model is asked for anything. */
	async function firstWalk(task: Task) {
		const whole = await chainPlan(task, knowledge);
		if ("what" in whole) return { task, ended: whole };
		const unstated = whole.steps.find(({ stated }) => stated === false);
		if (unstated) {
			const { question, answer } = unstated.hop;
			if (!options.allow?.includes("unstated-answer"))
				return {
					task,
					ended: { what: "unstated-answer", detail: `no evidence of "${question}" states ${answer.value}` },
				};
			notice("unstated-answer");
		}
		const { language } = task.tags;
		const thoughts = (places: Places) => templateThoughts(whole, { language, key: task.id, places });
		const first = await walkChain(task, whole, { ...walk, thoughts });
		const isTooLong = first.is === "ended" && first.what === "over-budget" && hasDetours(whole);
		const plan = isTooLong ? withoutDetours(whole) : whole;
		const walked = isTooLong ? await walkChain(task, plan, { ...walk, thoughts }) : first;
		return walked.is === "ended" ? { task, ended: walked } : { task, plan, walked };
	}

	async function add(task: Task, walked: Completed, by: readonly ThoughtBy[]): Promise<void> {
		const converted = await exampleOf(task, walked, by, options);
		if ("detail" in converted) {
			made.dropped.push({ task: task.id, what: "image-lost", detail: converted.detail });
			return;
		}
		const problems = exampleProblems(converted, {
			facts: walked.facts,
			thoughts: walked.thoughts,
			quotesBetween: agent.quotesBetween,
		});
		for (const { rule } of problems.filter((one) => isAllowed(one.rule, options.allow))) notice(rule);
		const [problem] = problems.filter(({ rule }) => !isAllowed(rule, options.allow));
		if (problem) {
			made.dropped.push({ task: task.id, what: problem.rule, detail: problem.detail });
			return;
		}
		if (answerInQuestion(task)) notice("answer-in-question");
		for (const who of by) notice(`thoughts by ${who}`);
		made.examples.push(converted);
	}

	for (let from = 0; from < tasks.length; from += concurrency) {
		signal?.throwIfAborted();
		const first: Awaited<ReturnType<typeof firstWalk>>[] = [];
		// one after another: what a search is handed belongs to one walk
		for (const task of tasks.slice(from, from + concurrency)) first.push(await firstWalk(task));
		const thought = await Promise.all(
			first.map((one) => (one.walked?.places.thoughts && model ? thoughtsFor(one, { model, signal }) : undefined)),
		);
		for (const [at, one] of first.entries()) {
			if (!one.walked) {
				made.dropped.push({ task: one.task.id, what: one.ended.what, detail: one.ended.detail });
				continue;
			}
			const given = thought[at];
			if (!given) {
				await add(
					one.task,
					one.walked,
					one.walked.places.thoughts ? one.walked.thoughts.map(() => "template" as const) : [],
				);
				continue;
			}
			usage = addUsage(usage, given.usage);
			for (const what of given.refused) notice(`thought refused: ${what}`);
			const again = await walkChain(one.task, one.plan, { ...walk, thoughts: () => given.thoughts });
			if (again.is === "walked")
				await add(
					one.task,
					again,
					again.thoughtOf.map((of) => (of === undefined ? "template" : (given.by[of] ?? "template"))),
				);
			else made.dropped.push({ task: one.task.id, what: again.what, detail: again.detail });
		}
		options.onProgress?.(Math.min(from + concurrency, tasks.length), tasks.length);
	}
	return { ...made, usage };
}

const isAllowed = (rule: ExampleRule, allow: readonly string[] = []) => allow.includes(rule);

const thoughtsFor = (
	{ task, plan, walked: { places } }: { task: Task; plan: ChainPlan; walked: Completed },
	{ model, signal }: { model: ChatModel; signal: AbortSignal | undefined },
): Promise<ModelThoughts> => modelThoughts(task, plan, { model, places, ...(signal ? { signal } : {}) });

async function exampleOf(
	task: Task,
	{ trajectory, tools }: Completed,
	by: readonly ThoughtBy[],
	{ benchmark, knowledge, agent, setting, evidence, tags }: ChainExamplesOptions,
): Promise<TrainingExample | { detail: string }> {
	const main = trajectory.messages.filter(({ conversation }) => conversation === undefined);
	const converted = await trainingMessages(main, { task, dir: benchmark.dir, knowledge });
	if (converted.is === "lost") return { detail: converted.detail };
	const { is: _is, ...conversation } = converted;
	let turn = -1;
	const messages = conversation.messages.map((message) => {
		if (message.role !== "assistant") return message;
		turn += 1;
		const thoughtBy = by[turn];
		return thoughtBy ? { ...message, thoughtBy } : message;
	});
	return {
		id: `chain-${task.id}-${agent.name}`,
		task: task.id,
		source: { kind: "chain", benchmark: benchmark.manifest.name, agent: agent.name, setting: setting.name },
		...conversation,
		...(tools.length > 0 ? { tools } : {}),
		messages,
		tags: { ...task.tags, evidence, ...tags?.(task) },
	};
}
