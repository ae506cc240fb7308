/** Post-training: recorded runs become conversations to fine-tune on, preference pairs, and rewards with advantages. */
import { join } from "node:path";
import type { Workbench } from "hopscope";

export async function trainingData(bench: Workbench, runs: [string, ...string[]], to: string) {
	const sft = await bench.exportSft(runs, { to: join(to, "sft"), format: "trl" });
	if (!sft.clean) throw new Error(`the trainer would not read ${join(to, "sft")} as it was meant`);
	const preference = await bench.exportPreference(runs, { to: join(to, "preference"), format: "trl" });
	const { report } = await bench.reward(runs[0], { rows: join(to, "rewards.jsonl") });
	return { examples: sft.examples, pairs: preference.rows, rewarded: report.records.rewarded };
}
