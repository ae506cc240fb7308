import { agents } from "#agents";
import { Setting } from "#domain";
import { diagnosisReport, type ReportRun } from "#reports";
import { planRun } from "#runs";
import { canonicalJson, sha256 } from "#store";
import { keptFindings, withKnown, writeFindings } from "./findings-file.ts";
import { diagnosesOf, openForRun } from "./open.ts";
import { openSample } from "./open-sample.ts";
import { runAgent } from "./run-agent.ts";
import { showRuns } from "./shown-runs.ts";
import type { Bench } from "./work.ts";

/** The agents that need no model, from the ceiling to the floor. */
const names = ["gold-replay", "oracle", "extractive", "closed-book"] as const;
/** The one of them that searches by itself. */
const diagnosedName = "extractive";
/** Tasks of each run without `full`, evenly spread over the benchmark: enough to look around. */
const sampledTasks = 120;

/** Makes the sample, runs four agents on it and reports them; `interrupted` where that was stopped. */
export async function quickstart({ full = false }: { full?: boolean | undefined }, bench: Bench) {
	const { workspace } = bench;
	bench.say("The Atlas: a sample knowledge base of articles, fact sheets, flags, maps and charts, and its benchmark");
	const atlas = await openSample({}, bench);
	const { passage, image, page } = atlas.counts;
	bench.say(
		`${passage} passages, ${image} images, ${page} pages, ${atlas.tasks} tasks${atlas.made ? "" : " (already there)"}`,
	);
	const runs: ReportRun[] = [];
	const { benchmark, knowledge } = await openForRun(workspace, "atlas");
	try {
		for (const name of names) {
			const agent = agents[name];
			const planned = planRun({
				agent,
				setting: Setting.parse({ name: "k3" }),
				benchmark,
				knowledge,
				...(full ? {} : { limit: sampledTasks }),
			});
			// one run for all that its numbers depend on: a second quick start finds it done
			const { setting, software } = planned;
			const made = [
				planned.tasks.length,
				planned.agent,
				setting,
				software.hopscope,
				benchmark.manifest.hash,
				knowledge.manifest.hash,
			];
			const manifest = { ...planned, id: `quickstart-${name}-${sha256(canonicalJson(made)).slice(0, 8)}` };
			const dir = workspace.run(manifest.id);
			const { ended, whole } = await runAgent({ dir, manifest, agent, benchmark, knowledge }, bench);
			if (ended.reason === "interrupted") return "interrupted" as const;
			const shown = await whole();
			const found = await diagnosesOf(shown, bench.say, { known: await keptFindings(dir) });
			const diagnoses = await withKnown(dir, found, shown);
			await writeFindings(dir, diagnoses);
			runs.push({ ...shown, diagnoses });
		}
		const searching = runs.find(({ manifest }) => manifest.agent.name === diagnosedName);
		const diagnosis = searching && (await diagnosisReport(searching));
		return { ...(await showRuns(runs, { name: "quickstart", page: true, sample: sampledTasks }, bench)), diagnosis };
	} finally {
		await knowledge.close();
	}
}
