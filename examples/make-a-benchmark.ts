/** A new benchmark from tables, without a model: phrases to mend, tasks with gold chains, checks, and its two bounds. */
import { existsSync } from "node:fs";
import type { Workbench } from "hopscope";

export async function makeBenchmark(bench: Workbench, name: string, tables: string, phrases: string) {
	if (!existsSync(phrases)) await bench.initialPhrases({ graph: tables, phrases });
	const made = await bench.make("template", { name, graph: tables, phrases, set: ["tasks=20"] });
	if (made.is !== "made") throw new Error("no task was made: mend the phrases");
	const { counts, findings } = await bench.check(name, {});
	const accuracyOf = async (agent: string) =>
		(await bench.run({ benchmark: name, agent })).data.runs[0]?.metrics.accuracy.value;
	const { tasks } = made;
	return { tasks, counts, findings, ceiling: await accuracyOf("gold-replay"), floor: await accuracyOf("closed-book") };
}
