/** Conversations to learn from, said again: the agent itself is given what they teach to say. */
import { join } from "node:path";
import { type Agent, createTools } from "#agents";
import type { Benchmark } from "#benchmarks";
import { type Setting, type Trajectory, viewOf } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type ScriptedReply, scriptedModel } from "#models";
import { scoreTrajectory } from "#scoring";
import type { TrainingExample } from "#training";

type Said = TrainingExample["messages"][number];

export interface Replayed {
	/** What the policy's turns ask for, read off their words by hand, and what the agent made of them. */
	written: string[];
	made: string[];
	trajectory: Trajectory;
	/** Of the answer, by the typed metric. */
	accuracy: unknown;
}

/** Lets an agent run on real tools with the assistant's turns of an example for replies. */
export async function replayed(
	example: TrainingExample,
	{ benchmark, ...of }: { benchmark: Benchmark; knowledge: KnowledgeBase; agent: Agent; setting: Setting },
): Promise<Replayed> {
	const task = benchmark.tasks.find(({ id }) => id === example.task);
	if (!task) throw new Error(`no task ${example.task}`);
	const view = viewOf(task);
	const imagePath = (file: string) => join(benchmark.dir, file);
	const said = example.messages.filter(({ role }) => role === "assistant");
	const { signal } = new AbortController();
	const trajectory = await of.agent.answer(view, {
		...{ ...of, signal, repeat: 0, imagePath },
		tools: createTools(of.knowledge, view, imagePath, { signal }),
		model: scriptedModel(said.map(replyOf)),
	});
	const made = trajectory.steps.flatMap(({ call, role }) => {
		if (!call || role === "opening") return [];
		const { query, image } = call.arguments;
		return [`${call.valid ? "" : "invalid "}${query ?? `image ${Number(image) + 1}`}`];
	});
	const { accuracy } = scoreTrajectory(task, trajectory).scores;
	return { written: said.flatMap(askedIn), made, trajectory, accuracy };
}

const textOf = ({ content }: Said) => content.map((part) => (part.type === "text" ? part.text : "")).join("");

const replyOf = (said: Said): ScriptedReply => ({
	text: textOf(said),
	...(said.calls ? { calls: said.calls, finish: "calls" as const } : {}),
});

/** What stands between marks, or behind them up to the end of a line. */
const marks = [
	/<search>(?!<img>)(.*?)<\/search>/,
	/<text_search>(.*?)<\/text_search>/,
	/<\|begin_of_query\|>(.*?)<\|end_of_query\|>/,
	/(?:Text Retrieval|Image Retrieval with Text Query): (.*)/,
	/^Follow up: (.*)/m,
	/^Action \d+: Search\[(.*)\]$/m,
];
const pictures = [
	/<image_search>(\d+)<\/image_search>/,
	/<search><img>()<\/search>/,
	/Image Retrieval with Input Image(?:: (\d+))?/,
];

function askedIn(said: Said): string[] {
	const [, told] = /<tool_call>\n(.*)\n<\/tool_call>/.exec(textOf(said)) ?? [];
	const calls = [
		...(said.calls ?? []).map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) })),
		...(told === undefined ? [] : [JSON.parse(told)]),
	];
	const called = calls
		.filter(({ name }) => name !== "Final_Answer")
		.map(({ arguments: { query, image, img_idx } }) => query ?? `image ${image ?? (img_idx ?? 0) + 1}`);
	const words = marks.flatMap((mark) => mark.exec(textOf(said))?.[1] ?? []);
	const shown = pictures.flatMap((mark) => {
		const found = mark.exec(textOf(said));
		return found ? [`image ${found[1] || 1}`] : [];
	});
	return [...called, ...words, ...shown];
}
