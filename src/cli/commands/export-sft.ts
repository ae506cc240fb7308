import { join, resolve } from "node:path";
import { Option } from "commander";
import { counted, exitCodes } from "#domain";
import { devices, exampleRules, refusedFindings, spokenProtocols, trainingWriters, tunings } from "#training";
import type { ModelOptions, SftOptions, SftReport } from "#workbench";
import { type AddCommand, type CommonOptions, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

/** `hopscope export sft BENCHMARK|RUN…`: conversations for fine-tuning, from what was verified. */
export const addExportSft: AddCommand = (exporting, context, exit) =>
	withTaskChoice(withModels(withWorkspace(exporting.command("sft"))), { only: "list" })
		.description("Conversations for fine-tuning: verified chains walked in a protocol, and successful trajectories")
		.argument("<sources...>", "benchmarks, whose chains are walked, and runs: names in the workspace, or their folders")
		.requiredOption("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.addOption(
			new Option("-f, --format <name>", "the trainer whose files and configuration are written")
				.choices(Object.keys(trainingWriters))
				.default("llamafactory"),
		)
		.option("-a, --agent <name>", "the protocol that chains are walked in", "stepwise")
		.option("-s, --setting <name>", "a preset of that protocol (default: its own)")
		.addOption(
			new Option("--evidence <which>", "what a search of a chain brings: the hop's gold evidence, or what it finds")
				.choices(["gold", "retrieved"])
				.default("gold"),
		)
		.option("-m, --model <model>", "writes the thoughts of chains, one call a chain (default: fixed sentences)")
		.option("--concurrency <n>", "calls at the same time", wholeNumber(1, 1024), 8)
		.option("--split <names...>", "tasks of these splits (default: train alone, where splits are declared)")
		.option(
			"--verify <model>",
			'who looks at chains that no check has shown to need every hop: a model, or "rule", by words (default: rule)',
		)
		.option("--unverified", "take chains that no check has shown to need every hop, too; each example says so")
		.option("--per-task <n>", "trajectories of one task, the shortest first", wholeNumber(1, 1000), 1)
		.addOption(
			new Option("--allow <names...>", "findings, rules and other reasons that keep nothing out (see below)").choices(
				allowable(exampleRules),
			),
		)
		.option("--text-only", "leave out examples that show pictures, for a model of text")
		.addOption(
			new Option("--tuning <which>", "all weights, or an adapter (default: as each configuration's source)").choices(
				tunings,
			),
		)
		.addOption(
			new Option("--device <which>", "where it will be trained: in bf16 on a GPU, or in float32 on a processor")
				.choices(devices)
				.default("gpu"),
		)
		.option("--tasks <n>", "only the first n tasks of each benchmark", wholeNumber(1, 1e9))
		.option("-n, --knowledge <name>", "the knowledge base that chains are walked over (default: the benchmark's own)")
		.addHelpText(
			"after",
			`
Protocols that chains can be walked in: ${spokenProtocols.join(", ")}.

A chain is taken when every hop of it is needed, and no check of its recipe failed: by models' answers with and without each
hop's evidence, where the recipe asked for them, or asked now with --verify MODEL (at most two calls, and one a hop); else by words: each hop leads on to a later sub-question, or nothing else states what it tells. Each example says which.
A trajectory is taken when its answer is right, every turn could be carried out as written, and the diagnosis finds none of
${refusedFindings.join(", ")}.
Every example must keep to the rules ${exampleRules.join(", ")}.
Besides these, --allow takes unstated-answer (a hop whose answer no text of its evidence states), malformed, not-judged, skipped-known and unobserved.

DIR holds the trainer's files and configuration, source/examples.jsonl (every example, whatever the trainer),
source/dropped.jsonl (what gave none, and why), CARD.md (how each was verified, licences, what was dropped) and export.json (what the set depends on, and counts). The trainer's files are read again as it
would, and what it would drop or cut is told.

Examples:
  $ hopscope benchmark split mine --to mine-split
  $ hopscope export sft mine-split --to sft --model openai:NAME
  $ hopscope export sft atlas --to atlas-sft
  $ hopscope export sft atlas --verify openai:NAME --to atlas-sft
  $ hopscope export sft atlas --unverified --agent tagged --evidence retrieved --to atlas-sft
  $ hopscope export sft RUN RUN --per-task 2 --allow out-of-order over-extension --format trl --to sft-runs --json`,
		)
		.action(async (sources: string[], options: SftOptions & CommonOptions & ModelOptions) => {
			const made = await watch(context, options, (bench) => bench.exportSft(sources, options));
			const { output } = context;
			if (options.json) output.write(JSON.stringify({ to: resolve(options.to), ...made }));
			else output.write(sftInWords(made, { to: resolve(options.to) }));
			if (made.examples === 0) exit(exitCodes.failed);
			else sayNext(context, `export check ${options.to}`, options);
		});

/** Everything that --allow takes. */
const allowable = (rules: readonly string[]): string[] => [
	...refusedFindings,
	...rules,
	...["unstated-answer", "malformed", "not-judged", "skipped-known", "unobserved"],
];

/** Problems of the trainer's reading that are told one by one; all stand in export.json. */
const mostTold = 5;

/** What an export for fine-tuning made, for people. */
function sftInWords(
	{ examples, format, files, sources, written, preflight, clean }: SftReport,
	{ to }: { to: string },
): string {
	const lines = sources.flatMap(({ kind, name, tasks, records, examples: made, dropped, noticed }) => [
		`${name}: ${counted(made, "example")} of ${records === undefined ? `${counted(tasks, "chain")}` : `${records} trajectories`}${kind === "chains" ? "" : ` over ${counted(tasks, "task")}`}`,
		...list("  dropped", dropped),
		...list("  noticed", noticed),
	]);
	const warnings = written.losses.map((warning) => `  ${warning}`);
	const left = written.left.slice(0, mostTold).map(({ id, reason }) => `  ${id} is left out: ${reason}`);
	return [
		...lines,
		`${format}: ${counted(written.rows, "row")}, ${counted(written.images, "image")}`,
		...warnings,
		...left,
		`${preflight.trainer} would take ${preflight.whole} of ${preflight.rows} rows whole${clean ? "" : `; drop ${preflight.drops}, cut ${preflight.cuts}, stop at ${preflight.stops}`}`,
		...preflight.ends.map(({ reason, means }) => `  ${reason}: ${means}`),
		...preflight.problems.slice(0, mostTold).map(({ reason, rows, means }) => `  ${reason} (${rows}): ${means}`),
		...files.map((file) => join(to, file)),
		...(examples === 0 ? ["Nothing was made: source/dropped.jsonl says why."] : []),
	].join("\n");
}

const list = (label: string, counts: Record<string, number>): string[] => {
	const said = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
	return said.length > 0 ? [`${label}: ${said.join(", ")}`] : [];
};
