import { exitCodes, HopscopeError, type ScoringMode } from "#domain";
import { compareViews, judgesView } from "#reports";
import { openWorkspace, sha256 } from "#store";
import { type AddCommand, type CommonOptions, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withScorers, withScoring } from "../run-options.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, withTables, writeViews } from "../write-views.ts";

interface CompareOptions extends CommonOptions {
	metric?: string[];
	by?: string[];
	flips: number;
	judges?: string[] | true;
	labels?: string[];
	scoring?: ScoringMode;
	scorer?: string[];
	split?: string[];
	taskList?: string;
	format: ViewFormat;
	out?: string;
}

export const addCompare: AddCommand = (command, context) =>
	withTaskChoice(withTables(withScorers(withScoring(withWorkspace(command), "as the runs say, which must be alike"))))
		.argument("<runs...>", "two runs or more; with --judges, one")
		.option("--metric <names...>", "scores beside accuracy, f1, hps and those of --scorer")
		.option("--by <slices...>", "slices or tags (default: topology, hops, language, modality, answer-type)")
		.option("--flips <n>", "flipped tasks listed of each pair and direction", wholeNumber(0, 1_000_000), 20)
		.option("--judges [ids...]", "agreement of judges over one run, and with people's labels (default: all)")
		.option("--labels <files...>", "with --judges: labels of people, beside labels.jsonl or labels.csv of the run")
		.addHelpText(
			"after",
			`
A difference A − B is the first run minus the second. Two runs of one agent, model and setting are a drift: the later minus
the earlier. Runs of other benchmarks, or of another version of one, are refused, and so are runs whose answers are scored
differently, unless --scoring scores them alike.

Examples:
  $ hopscope compare RUN-A RUN-B
  $ hopscope compare RUN-A RUN-B RUN-C --metric steps hit --by topology questionType --format latex --out compare.tex
  $ hopscope compare RUN-A RUN-B --split test
  $ hopscope compare RUN --judges openai:A openai:B --labels ann.csv`,
		)
		.action(async (names: string[], options: CompareOptions) => {
			const { output } = context;
			mustFit(names, options);
			const written = { workspace: openWorkspace(options.workspace), options, output };
			const { judges, labels, flips } = options;
			if (judges) {
				const asked = { judges: judges === true ? undefined : judges, labels };
				const data = await watch(context, options, (bench) => bench.compareJudges(names[0] ?? "", asked));
				return writeViews([judgesView(data)], { ...written, data, name: pageName([data.run]) });
			}
			const data = await watch(context, options, (bench) => bench.compare(names, options));
			const name = pageName(data.runs.map(({ id }) => id));
			await writeViews(compareViews(data, { flips }), { ...written, data, name });
			if (data.runs[0]) sayNext(context, `diagnose ${data.runs[0].id}`, options);
		});

/** A folder name for the page of these runs: others have another. */
const pageName = (runs: readonly string[]): string =>
	`compare-${(runs[0] ?? "").slice(0, 80)}-${sha256(runs.join("\n")).slice(0, 6)}`;

function mustFit(names: readonly string[], { judges, labels }: CompareOptions): void {
	const refuse = (what: string, remedy: string) =>
		new HopscopeError("usage", what, remedy, { exitCode: exitCodes.usage });
	if (judges && names.length > 1)
		throw refuse(`--judges compares the judges of one run, not of ${names.length}`, "Name one run.");
	if (!judges && labels) throw refuse("--labels are compared with judges", "Add --judges.");
}
