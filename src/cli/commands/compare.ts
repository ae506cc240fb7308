import { basename } from "node:path";
import { Option } from "commander";
import { diagnoseRecords } from "#diagnosis";
import { exitCodes, HopscopeError, type RunRecord, type ScoringMode } from "#domain";
import { compareReport, compareViews, judgesReport, judgesView, type ReportRun } from "#reports";
import { mergeLabels } from "#scoring";
import { openWorkspace, sha256 } from "#store";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { readLabelFiles } from "../label-file.ts";
import { openForReport } from "../open.ts";
import { withScoring } from "../run-options.ts";
import { scorersIn, withScorers } from "../scorer-files.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

interface CompareOptions extends CommonOptions {
	metric?: string[];
	by?: string[];
	flips: number;
	judges?: string[] | true;
	labels?: string[];
	scoring?: ScoringMode;
	scorer?: string[];
	format: ViewFormat;
	out?: string;
}

export const addCompare: AddCommand = (command, { output }) =>
	withScorers(withScoring(withWorkspace(command), "as the runs say, which must be alike"))
		.argument("<runs...>", "two runs or more; with --judges, one")
		.option("-m, --metric <names...>", "scores beside accuracy, f1, hps and those of --scorer")
		.option("--by <slices...>", "slices or tags (default: topology, hops, language, modality, answer-type)")
		.option("--flips <n>", "flipped tasks listed of each pair and direction", wholeNumber(0, 1_000_000), 20)
		.option("--judges [ids...]", "agreement of judges over one run, and with people's labels (default: all)")
		.option("--labels <files...>", "with --judges: labels of people, beside labels.jsonl or labels.csv of the run")
		.addOption(new Option("-f, --format <format>", "how the tables are written").choices(viewFormats).default("text"))
		.option("-o, --out <file>", "where they go (default: standard output; a page: reports/ in the workspace)")
		.addHelpText(
			"after",
			`
A difference is that of the first run less the second. Two runs of one agent, model and setting are a drift: the later less
the earlier. Runs of other benchmarks, or of another version of one, are refused, and so are runs whose answers are scored
differently, unless --scoring scores them alike.

Examples:
  $ hopscope compare RUN-A RUN-B
  $ hopscope compare RUN-A RUN-B RUN-C --metric steps hit --by topology questionType --format latex --out compare.tex
  $ hopscope compare RUN --judges openai:A openai:B --labels ann.csv`,
		)
		.action(async (names: string[], options: CompareOptions) => {
			const workspace = openWorkspace(options.workspace);
			mustFit(names, options);
			const runs: (ReportRun & { close(): void })[] = [];
			try {
				const scorers = await scorersIn(options.scorer);
				const opening = { diagnosed: undiagnosed, scoring: options.scoring, scorers };
				for (const name of names) runs.push(await openForReport(workspace, name, output.say, opening));
				const { data, views } = options.judges
					? await judged(runs, options, output.say)
					: await compared(runs, options, output.say);
				await writeViews(views, {
					...{ workspace, options, output, data },
					name: pageName(names),
				});
			} finally {
				for (const run of runs) run.close();
			}
		});

/** What flipped is diagnosed alone. */
const undiagnosed = async () => [];

/** A folder name for the page of these runs: others have another. */
const pageName = (names: readonly string[]): string =>
	`compare-${basename(names[0] ?? "").slice(0, 80)}-${sha256(names.join("\n")).slice(0, 6)}`;

async function compared(runs: ReportRun[], { metric, by, flips }: CompareOptions, say: (warning: string) => void) {
	const diagnosed = async (run: ReportRun, records: readonly RunRecord[]) =>
		(await diagnoseRecords(run, { of: records, say })).map(({ diagnosis }) => diagnosis);
	const data = await compareReport(runs, { metrics: metric, by, diagnosed });
	return { data, views: compareViews(data, { flips }) };
}

async function judged(runs: ReportRun[], { judges, labels }: CompareOptions, say: (warning: string) => void) {
	const [run] = runs;
	if (!run) throw new Error("no run");
	const given = labels ? await readLabelFiles(labels, { say }) : [];
	const merged = mergeLabels([...(run.labels ?? []), ...given]);
	for (const problem of merged.problems.slice(0, 5)) say(problem);
	const data = judgesReport({ ...run, labels: merged.items }, { judges: judges === true ? undefined : judges });
	return { data, views: [judgesView(data)] };
}

function mustFit(names: readonly string[], { judges, labels }: CompareOptions): void {
	const refuse = (what: string, remedy: string) =>
		new HopscopeError("usage", what, remedy, { exitCode: exitCodes.usage });
	if (judges && names.length > 1)
		throw refuse(`--judges compares the judges of one run, not of ${names.length}`, "Name one run.");
	if (!judges && labels) throw refuse("--labels are compared with judges", "Add --judges.");
}
