import { Option } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import type { SearchMode } from "#knowledge";
import { caseText, terminalDiagnosis, terminalGoldFree, terminalReplay } from "#reports";
import { type ReaderOptions, searchModes } from "#workbench";
import { type AddCommand, type CommonOptions, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { terminalOf } from "../output.ts";
import { withReader } from "../second-reading.ts";
import { pageOf } from "../show.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";

export interface DiagnoseOptions extends CommonOptions, Omit<ReaderOptions, "task" | "replay"> {
	misses: number;
	task?: string;
	repeat: number;
	replay?: boolean;
	knowledge?: string;
	k?: number;
	mode?: SearchMode;
	withoutGold?: boolean;
	labels?: string;
	draw?: number;
	seed: number;
	split?: string[];
	taskList?: string;
	format: "text" | "html";
	out?: string;
}

export const addDiagnose: AddCommand = (command, context) => {
	const { output } = context;
	return withTaskChoice(withReader(withWorkspace(command)))
		.argument("<run>", "a run: its name in the workspace, or its folder")
		.option("--task <id>", "one task, hop by hop, with its steps and their results")
		.option("--repeat <n>", "which repeat of that task", wholeNumber(0, 999), 0)
		.option("--misses <n>", "missed hops whose cause is looked into by searching; 0: none; all", howMany, 200)
		.option(
			"--replay",
			"make the recorded queries again, as --knowledge, -k and --mode say, and list which misses vanish",
		)
		.option("-n, --knowledge <name>", "with --replay: another knowledge base over the same evidence")
		.option("-k, --k <n>", "with --replay: so many results instead of what each query asked for", wholeNumber(1, 100))
		.addOption(new Option("--mode <mode>", "with --replay: how texts are searched").choices(searchModes))
		.option("--without-gold", "read the records as if they had no gold chains, and set that beside the verdicts")
		.option(
			"--labels <file>",
			"with --without-gold: labelled pseudo-hops, JSON lines, that calibrate its shares (default: those given in the studio)",
		)
		.option(
			"--draw <n>",
			"with --without-gold: draw so many pseudo-hops to be labelled in the studio, by strata of flags; about 150 tell",
			wholeNumber(1, 1e4),
		)
		.option("--seed <n>", "with --draw: another seed draws others", wholeNumber(0, 2 ** 31), 0)
		.addOption(
			new Option("-f, --format <format>", "words, or also the run's page").choices(["text", "html"]).default("text"),
		)
		.option("-o, --out <file>", "where the page goes (default: reports/NAME/index.html in the workspace)")
		.addHelpText(
			"after",
			`
Without --reader no agent and no model is asked: everything follows from the records. Each gold hop gets one verdict,
each record its findings with the steps and evidence they rest on; they go to findings.jsonl in the run's folder, one
line a record; those of some of its tasks alone (--split, --task-list) are only told. Missed hops are searched for again, with the agent's own queries and with the gold sub-question, to tell a
tool that failed from a bad query and from a weak retriever.

With --reader a model is asked, one hop at a time, which value the agent carried on where nothing else shows it; the
program checks its quotes and compares the value with the gold answer. Its verdicts count only where it agrees with the
rules on hops that both judge. Readings go to readings.jsonl; the same command again asks only for what is missing.

Of tasks without a gold chain, and with --without-gold of any, it is told what the records show all the same: how relevant
each search's results are, whether anything takes them up, which names no result holds, repeated and aimless searches. With
--reader a model says of each search whether its results answer it, and whether the value carried on follows from them,
with quotes that must stand there. --draw gives searches out to be labelled; their labels calibrate the shares.

Examples:
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --task atlas-0095a0a9ef
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --replay -k 10
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --reader openai:NAME --max-cost 2
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --replay --mode dense --misses 1000 --json
  $ hopscope diagnose bamboogle-e7641123 --without-gold
  $ hopscope diagnose bamboogle-e7641123 --without-gold --reader openai:NAME --max-calls 500
  $ hopscope diagnose bamboogle-e7641123 --without-gold --draw 150`,
		)
		.action(async (name: string, options: DiagnoseOptions) => {
			mustFit(options);
			const { task, json } = options;
			const terminal = terminalOf(output);
			if (task !== undefined) {
				const found = await watch(context, options, (bench) => bench.diagnoseTask(name, { ...options, task }));
				return output.write(json ? JSON.stringify(found) : caseText(found.case, terminal));
			}
			if (options.withoutGold) {
				const { file, ...report } = await watch(context, options, (bench) => bench.readWithoutGold(name, options));
				if (json) return output.write(JSON.stringify({ ...report, file }));
				output.write(terminalGoldFree(report, terminal));
				if (file !== undefined) output.say(`every reading: ${file}`);
				if (options.draw !== undefined) output.say(`${report.drawn} pseudo-hops are drawn to be labelled, in #/review`);
				if (options.draw !== undefined) sayNext(context, "studio", options);
				return;
			}
			if (options.replay) {
				const found = await watch(context, options, (bench) => bench.replayQueries(name, options));
				return output.write(json ? JSON.stringify(found) : terminalReplay(found, terminal));
			}
			const asked = { ...options, page: pageOf(options) };
			const told = await watch(context, options, (bench) => bench.diagnose(name, asked));
			if (json) return output.write(JSON.stringify(told));
			const withoutGold = "withoutGold" in told ? told.withoutGold : undefined;
			output.write(terminalDiagnosis(told, terminal));
			if (withoutGold) output.write(`\n${terminalGoldFree(withoutGold, terminal)}`);
			if ("findings" in told) output.say(`every finding: ${told.findings}`);
			if ("report" in told) output.write(`report: ${told.report}`);
			const next = withoutGold ? `diagnose ${told.run} --without-gold --draw 150` : `intervene ${told.run} --dry-run`;
			sayNext(context, next, options);
		});
};

const howMany = (text: string) => (text === "all" ? Infinity : wholeNumber(0, 1e6)(text));

/** What goes together with what. */
function mustFit(options: DiagnoseOptions): void {
	const { replay: isReplay, task, knowledge, k, mode, withoutGold, labels, reader, format, out } = options;
	const refuse = (message: string, remedy: string) => {
		throw new HopscopeError("usage", message, remedy, { exitCode: exitCodes.usage });
	};
	const forReader = [
		options.maxCost !== undefined && "--max-cost",
		options.maxCalls !== undefined && "--max-calls",
		options.allowSameModel && "--allow-same-model",
	].filter(Boolean);
	if (reader === undefined && forReader.length > 0)
		refuse(`${forReader.join(", ")} is for a second reader`, "Add --reader MODEL.");
	if (reader !== undefined && (task !== undefined || isReplay))
		refuse("a second reader reads the whole run", "Leave out --reader, or --task and --replay.");
	const changed = [knowledge && "--knowledge", k !== undefined && "-k", mode && "--mode"].filter(Boolean);
	if (!isReplay && changed.length > 0) refuse(`${changed.join(", ")} says how queries are made again`, "Add --replay.");
	if (isReplay && task !== undefined) refuse("a replay is of the whole run", "Leave out --task or --replay.");
	if (labels !== undefined && !withoutGold) refuse("--labels says what flags hold of", "Add --without-gold.");
	if (withoutGold && (isReplay || task !== undefined || format === "html" || out !== undefined))
		refuse("--without-gold reads the whole run and writes words", "Leave out --replay, --task, --format and --out.");
	if (options.draw !== undefined && (options.split ?? options.taskList) !== undefined)
		refuse("--draw is from the whole run", "Leave out --split and --task-list.");
	if (options.draw !== undefined && !withoutGold) refuse("--draw is of pseudo-hops", "Add --without-gold.");
	if ((options.split ?? options.taskList) !== undefined && (format === "html" || out !== undefined))
		refuse("the page is of the whole run", "Leave out --format and --out, or --split and --task-list.");
	if ((isReplay || task !== undefined) && (format === "html" || out !== undefined))
		refuse("the page is of the whole run", "Leave out --format and --out.");
}
