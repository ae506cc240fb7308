import { resolve } from "node:path";
import { exitCodes, type ScoringMode, usageError } from "#domain";
import { gateJunit, gateView } from "#reports";
import { openWorkspace, writeWhole } from "#store";
import { type AddCommand, type CommonOptions, withWorkspace } from "../context.ts";
import { withScorers, withScoring } from "../run-options.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, withTables, writeViews } from "../write-views.ts";

interface GateOptions extends CommonOptions {
	against: string;
	metric: string[];
	maxDrop: string[];
	junit?: string;
	scoring?: ScoringMode;
	scorer?: string[];
	split?: string[];
	taskList?: string;
	format: ViewFormat;
	out?: string;
}

const codes = { passes: exitCodes.done, fails: exitCodes.failed, open: exitCodes.someFailed } as const;

export const addGate: AddCommand = (command, context, exit) =>
	withTaskChoice(withTables(withScorers(withScoring(withWorkspace(command), "as the runs say, which must be alike"))))
		.argument("<run>", "the run that is to be let through")
		.requiredOption("--against <run>", "the run that it would replace")
		.option("--metric <names>", "what it must not be worse at; several, parted by commas", list, ["accuracy"])
		.option(
			"--max-drop <points>",
			"the greatest drop that is allowed: points of shares (default: 2), units of other metrics; for one alone METRIC=N; repeatable",
			(value: string, before: string[] = []) => [...before, value],
		)
		.option("--junit <file>", "write the decision as a test report in JUnit's XML, too")
		.addHelpText(
			"after",
			`
Decides metric by metric from the 95 % interval of the paired difference RUN − BASE, a test of non-inferiority: passes where
all of it lies above the drop that is allowed, fails where all of it lies below, and says otherwise about how
many more tasks would tell. Of metrics of which less is better, it is the rise that is allowed. Tasks that either run has no
score of count at their worst.

Exit code 0: every metric passes. 1: one fails. 3: none fails, and one cannot be told. docs/guides/gate.md has a workflow.

Examples:
  $ hopscope gate RUN --against BASE
  $ hopscope gate RUN --against BASE --metric accuracy,hps --max-drop 2 --max-drop hps=5
  $ hopscope gate RUN --against BASE --metric accuracy,rollout-deviation --max-drop rollout-deviation=0.5 --junit gate.xml
  $ hopscope gate RUN --against BASE --format md --out gate.md`,
		)
		.action(async (run: string, options: GateOptions) => {
			const { output } = context;
			const margins = marginsOf(options);
			const data = await watch(context, options, (bench) => bench.gate(run, { ...options, ...margins }));
			if (options.junit) await writeWhole(resolve(options.junit), gateJunit(data));
			const workspace = openWorkspace(options.workspace);
			await writeViews([gateView(data)], { data, name: `gate-${data.run.slice(0, 80)}`, workspace, options, output });
			exit(codes[data.verdict]);
		});

const list = (value: string): string[] => value.split(",").filter(Boolean);

function marginsOf({ metric: metrics, maxDrop = [] }: GateOptions) {
	let points: number | undefined;
	const own = new Map<string, number>();
	for (const drop of maxDrop) {
		const [, metric, number] = /^(?:([^=]+)=)?(\d+(?:\.\d+)?)$/.exec(drop) ?? [];
		if (number === undefined)
			throw usageError("max-drop", `--max-drop ${drop} is no drop`, "Write a number from 0, or METRIC=NUMBER.");
		if (metric === undefined) points = Number(number);
		else if (metrics.includes(metric)) own.set(metric, Number(number));
		else throw usageError("max-drop", `--max-drop names ${metric}, which --metric does not`, "Add it to --metric.");
	}
	return { metrics, points, own };
}
