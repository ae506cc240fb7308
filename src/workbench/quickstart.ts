import { agents } from "#agents";
import { Setting } from "#domain";
import { isSummarised } from "#reports";
import { planRun } from "#runs";
import { canonicalJson, sha256 } from "#store";
import { diagnoseRun } from "./diagnose.ts";
import { openForRun } from "./open.ts";
import { openSample } from "./open-sample.ts";
import { reportRuns } from "./report.ts";
import { runAgent } from "./run-agent.ts";
import type { Bench } from "./work.ts";

/** The agents that need no model, from the ceiling to the floor. */
const names = ["gold-replay", "oracle", "extractive", "closed-book"] as const;
/** The one of them that searches by itself. */
const diagnosedName = "extractive";
/** Tasks of each run without `full`, evenly spread over the benchmark: enough to look around. */
const sampledTasks = 120;

/** Opens the sample, runs four agents on it and reports them; `interrupted` where that was stopped. */
export async function quickstart({ full = false }: { full?: boolean | undefined }, bench: Bench) {
	const { workspace } = bench;
	bench.say("The Atlas: a sample knowledge base of articles, fact sheets, flags, maps and charts, and its benchmark");
	const sample = await openSample({}, bench);
	const { passage, image, page } = sample.counts;
	bench.say(
		`${passage} passages, ${image} images, ${page} pages, ${sample.tasks} tasks${sample.made ? "" : " (already there)"}`,
	);
	const runs: string[] = [];
	let diagnosis: Awaited<ReturnType<typeof diagnoseRun>> | undefined;
	const { benchmark, knowledge } = await openForRun(workspace, "atlas");
	try {
		for (const name of names) {
			const agent = agents[name];
			const setting = Setting.parse({ name: "k3" });
			const planned = planRun({ agent, setting, benchmark, knowledge, ...(full ? {} : { limit: sampledTasks }) });
			// one run for all that its numbers depend on: a second quick start finds it done
			const { software } = planned;
			const given = [planned.agent, planned.setting, planned.tasks.length, software.hopscope];
			const key = sha256(canonicalJson([...given, benchmark.manifest.hash, knowledge.manifest.hash]));
			const manifest = { ...planned, id: `quickstart-${name}-${key.slice(0, 8)}` };
			const dir = workspace.run(manifest.id);
			const { ended, shown } = await runAgent({ dir, manifest, agent, benchmark, knowledge }, bench);
			if (ended.reason === "interrupted") return "interrupted" as const;
			const rows = isSummarised(shown) ? shown.items.flatMap(({ row }) => row ?? []) : shown.rows;
			const right = rows.filter(({ outcome }) => outcome === "right");
			bench.say(`${name}: ${right.length} of ${planned.tasks.length} tasks answered correctly`);
			const diagnosed = await diagnoseRun(manifest.id, { misses: 0 }, bench);
			if (name === diagnosedName) diagnosis = diagnosed;
			runs.push(manifest.id);
		}
		const shown = await reportRuns(runs, { name: "quickstart", page: true, sample: sampledTasks }, bench);
		return { ...shown, diagnosis };
	} finally {
		await knowledge.close();
	}
}
