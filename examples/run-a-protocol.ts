/** Two published protocols on one benchmark with one model, each question asked several times: which is better, and where. */
import type { Workbench } from "hopscope";

export async function runProtocols(bench: Workbench, benchmark: string, model: string, protocols: [string, string]) {
	const runs: string[] = [];
	for (const agent of protocols) {
		const { manifest, ended } = await bench.run({ benchmark, agent, model, repeats: 3, maxCalls: 10_000 });
		if (ended.errors > 0) throw new Error(`${ended.errors} tasks failed: ${ended.commonest?.message}`);
		await bench.diagnose(manifest.id, {});
		runs.push(manifest.id);
	}
	const { pairs, slices } = await bench.compare(runs, { by: ["topology"] });
	return { runs, accuracy: pairs[0]?.metrics.find(({ metric }) => metric === "accuracy"), slices };
}
