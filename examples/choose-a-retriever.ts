/**
 * Private documents: index them with several encoders, let several agents answer the same questions over each index, and see
 * which pair is best and whether the difference is significant. The questions are a benchmark in the workspace.
 */
import type { Workbench } from "hopscope";

export async function chooseRetriever(
	bench: Workbench,
	documents: string[],
	benchmark: string,
	{ encoders, agents }: Record<"encoders" | "agents", string[]>,
) {
	const runs: string[] = [];
	for (const textEncoder of encoders) {
		const { knowledge } = await bench.index(documents, { name: `by-${textEncoder}`, textEncoder });
		for (const agent of agents) runs.push((await bench.run({ benchmark, knowledge, agent })).manifest.id);
	}
	const { data } = await bench.report(runs, {});
	const { pairs } = await bench.compare(runs, {});
	return { best: data.runs.map(({ agent, knowledge }) => `${agent.name} over ${knowledge.name}`), pairs };
}
