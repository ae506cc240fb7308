import { agents } from "#agents";
import { exitCodes, Setting } from "#domain";
import { headline as brokenFirst, diagnosisReport, type ReportRun, type RunReport } from "#reports";
import { planRun } from "#runs";
import { canonicalJson, openWorkspace, sha256 } from "#store";
import { type AddCommand, type CommonOptions, next, wholeNumber, withWorkspace } from "../context.ts";
import { diagnosesOf, openForRun } from "../open.ts";
import { createStages } from "../progress.ts";
import { runAgent } from "../run-agent.ts";
import { show } from "../show.ts";

/** The agents that need no model, from the ceiling to the floor. */
const names = ["gold-replay", "oracle", "extractive", "closed-book"] as const;
/** The one of them that searches by itself. */
const diagnosedName = "extractive";

export const addQuickstart: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.option("--seed <n>", "seed of the sample", wholeNumber(0, 2 ** 31), 1)
		.addHelpText("after", "\nExamples:\n  $ hopscope quickstart\n  $ hopscope quickstart --json")
		.action(async (options: CommonOptions & { seed: number }) => {
			const { output, signal } = context;
			const workspace = openWorkspace(options.workspace);
			output.say(
				"The Atlas: a sample knowledge base of articles, fact sheets, flags, maps and charts, and its benchmark",
			);
			const making = createStages(output, "making the Atlas");
			// what draws and writes the sample takes a while to load, and no other command needs it
			const { prepareAtlas } = await import("#atlas");
			const atlas = await prepareAtlas(workspace, {
				seed: options.seed,
				signal,
				onProgress: making.update,
			});
			making.end();
			const { passage, image, page } = atlas.counts;
			output.say(
				`${passage} passages, ${image} images, ${page} pages, ${atlas.tasks} tasks${atlas.made ? "" : " (already there)"}`,
			);

			const runs: ReportRun[] = [];
			const { benchmark, knowledge } = await openForRun(workspace, "atlas");
			try {
				for (const name of names) {
					const agent = agents[name];
					const planned = planRun({ agent, setting: Setting.parse({ name: "k3" }), benchmark, knowledge });
					// one run for all that its numbers depend on: a second quick start finds it done
					const { setting, software } = planned;
					const made = [planned.agent, setting, software.hopscope, benchmark.manifest.hash, knowledge.manifest.hash];
					const manifest = { ...planned, id: `quickstart-${name}-${sha256(canonicalJson(made)).slice(0, 8)}` };
					const dir = workspace.run(manifest.id);
					const { reason, shown } = await runAgent({ dir, manifest, agent, benchmark, knowledge }, context);
					if (reason === "interrupted") {
						output.say("interrupted; the same command goes on where it stopped");
						return exit(exitCodes.interrupted);
					}
					runs.push({ ...shown, diagnoses: await diagnosesOf(shown, output.say) });
				}
				const searching = runs.find(({ manifest }) => manifest.agent.name === diagnosedName);
				const told = searching && (await diagnosisReport(searching));
				await show(runs, {
					name: "quickstart",
					options: { ...options, format: "html" },
					output,
					json: (data, report) => ({
						agents: data.runs.map(headline),
						...(told ? { diagnosis: { run: told.run, says: brokenFirst(told.summary) } } : {}),
						report,
					}),
				});
				if (!told || options.json) return;
				output.say(`${told.agent}: ${brokenFirst(told.summary)}`);
				output.say(`why, with examples: ${next(`diagnose ${told.run}`, options)}`);
			} finally {
				knowledge.close();
			}
		});

/** What `--json` says of a run: fractions, null where nothing was scored. */
function headline({ agent, benchmark, expected, metrics }: RunReport) {
	const { value, low, high } = metrics.accuracy;
	return {
		agent: agent.name,
		benchmark: benchmark.name,
		tasks: expected,
		accuracy: { value, low, high },
		hps: metrics.hps.value,
		rd: metrics["rollout-deviation"].value,
	};
}
