import { exitCodes } from "#domain";
import { headline as brokenFirst, type RunReport, showInSentence } from "#reports";
import { type AddCommand, type CommonOptions, next, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

export const addQuickstart: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.option("--full", "answer all 480 tasks of the sample (default: 120 of them)")
		.addHelpText("after", "\nExamples:\n  $ hopscope quickstart\n  $ hopscope quickstart --full --json")
		.action(async (options: CommonOptions & { full?: boolean }) => {
			const { output } = context;
			const shown = await watch(context, options, (bench) => bench.quickstart(options));
			if (shown === "interrupted") {
				output.say("interrupted; the same command resumes where it stopped");
				return exit(exitCodes.interrupted);
			}
			const { data, diagnosis, report } = shown;
			if (options.json) {
				const broken = diagnosis && { run: diagnosis.run, says: brokenFirst(diagnosis.summary) };
				return output.write(JSON.stringify({ agents: data.runs.map(toHeadline), diagnosis: broken, report }));
			}
			const [{ benchmark, expected } = { benchmark: { name: "" }, expected: 0 }] = data.runs;
			const rows = [
				["Agent", "Accuracy (95 % interval)", "Hops whose evidence was retrieved"],
				...data.runs.map(toRow),
			];
			output.write(`\nBenchmark ${benchmark.name}: ${expected} tasks, ${data.runs.length} agents that need no model\n`);
			for (const [agent = "", accuracy = "", hops] of rows)
				output.write(`${agent.padEnd(13)}${accuracy.padEnd(26)}${hops}`);
			if (diagnosis) output.write(`\n${diagnosis.agent}: ${brokenFirst(diagnosis.summary)}`);
			output.write(`report: ${report}`);
			if (diagnosis) output.write(`open it: ${next(`view ${diagnosis.run}`, options)}`);
		});

const toRow = ({ agent, metrics }: RunReport): string[] => [
	agent.name,
	showInSentence(metrics.accuracy, "percent"),
	showInSentence(metrics.hps, "percent"),
];

/** What `--json` says of a run: fractions, null where nothing was scored. */
function toHeadline({ agent, benchmark, expected, metrics }: RunReport) {
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
