import { join } from "node:path";
import type { Agent } from "#agents";
import { type Benchmark, openBenchmark, writeBenchmark } from "#benchmarks";
import { noUsage, Task, type TaskView, type Trajectory } from "#domain";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";

/** A benchmark of `count` tasks without chains, written to `<root>/benchmark`. For tests of runs. */
export async function tinyBenchmark(root: string, count: number): Promise<Benchmark> {
	const dir = join(root, "benchmark");
	const tasks = Array.from({ length: count }, (_, index) =>
		Task.parse({
			id: `t${String(index).padStart(4, "0")}`,
			question: `What is ${index}?`,
			answer: { type: "string", value: String(index), accepted: [String(index)] },
		}),
	);
	const manifest = {
		name: "tiny",
		title: "Tiny",
		description: "Numbers.",
		licence: "CC0-1.0",
		sources: [],
		knowledge: "empty",
	};
	await writeBenchmark(dir, { manifest, tasks, card: "# Tiny" });
	return openBenchmark(dir);
}

/** A knowledge base without anything in it. */
export const emptyKnowledge = (root: string): KnowledgeBase => ({
	...fakeKnowledge([], { name: "empty" }),
	dir: join(root, "knowledge"),
});

/** An agent that does what a function says; it answers `text` where the function returns one. */
export function agentOf(answer: (view: TaskView, signal: AbortSignal) => Promise<string> | string | Trajectory): Agent {
	return {
		name: "scripted",
		version: "1",
		summary: "Does what a test says.",
		needs: { model: "none", gold: false },
		async answer(view, { signal }) {
			const said = await answer(view, signal);
			return typeof said === "string" ? answered(said) : said;
		},
	};
}

/** A trajectory that ends in an answer without a step. */
export function answered(answer: string, usage = noUsage): Trajectory {
	return { steps: [], answer, abstained: false, stop: "answered", usage, ms: 1, messages: [] };
}

/** Answers every task with its number after about `ms` milliseconds. */
export function slowAgent(ms: number, onAnswer: (task: string) => void = () => {}): Agent {
	return agentOf(async (view) => {
		onAnswer(view.id);
		await new Promise((done) => setTimeout(done, ms * (0.5 + Math.random())));
		return view.question.replace(/\D/g, "");
	});
}
