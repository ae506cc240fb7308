import { exitCodes } from "#domain";
import { headline as brokenFirst, type RunReport } from "#reports";
import { type AddCommand, type CommonOptions, sayNext, withWorkspace } from "../context.ts";
import { show } from "../show.ts";
import { watch } from "../watch.ts";

export const addQuickstart: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.option("--full", "answer all 480 tasks of the sample (default: 120 of them)")
		.addHelpText("after", "\nExamples:\n  $ hopscope quickstart\n  $ hopscope quickstart --json")
		.action(async (options: CommonOptions & { full?: boolean }) => {
			const { output } = context;
			const made = await watch(context, options, (bench) => bench.quickstart(options));
			if (made === "interrupted") {
				output.say("interrupted; the same command resumes where it stopped");
				return exit(exitCodes.interrupted);
			}
			const { diagnosis: told } = made;
			show(made, {
				options,
				output,
				json: (data, report) => ({
					agents: data.runs.map(headline),
					...(told ? { diagnosis: { run: told.run, says: brokenFirst(told.summary) } } : {}),
					report,
				}),
			});
			if (!told || options.json) return;
			output.say(`${told.agent}: ${brokenFirst(told.summary)}`);
			sayNext(context, `view ${told.run}`, options);
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
