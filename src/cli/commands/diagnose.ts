import { join, resolve } from "node:path";
import { Option } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import type { SearchMode } from "#knowledge";
import { caseOf, caseText, diagnosisReport, htmlReport, terminalDiagnosis } from "#reports";
import { openWorkspace, writeWhole } from "#store";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { replay } from "../diagnose-replay.ts";
import { searchModes } from "../diagnose-search.ts";
import { openDiagnosed, withCauses } from "../diagnosed-run.ts";
import { writeFindings } from "../findings-file.ts";

export interface DiagnoseOptions extends CommonOptions {
	misses: number;
	task?: string;
	repeat: number;
	replay?: boolean;
	knowledge?: string;
	k?: number;
	mode?: SearchMode;
	format: "text" | "html";
	out?: string;
}

export const addDiagnose: AddCommand = (command, context) => {
	const { output, signal } = context;
	return withWorkspace(command)
		.argument("<run>", "a run: its name in the workspace, or its folder")
		.option("--task <id>", "one task, hop by hop, with its steps and their results")
		.option("--repeat <n>", "which repeat of that task", wholeNumber(0, 999), 0)
		.option("--misses <n>", "missed hops whose cause is looked into by searching; 0: none; all", howMany, 200)
		.option(
			"--replay",
			"make the recorded queries again, as --knowledge, -k and --mode say, and list which misses vanish",
		)
		.option("-n, --knowledge <name>", "with --replay: another knowledge base over the same evidence")
		.option("-k <n>", "with --replay: so many results instead of what each query asked for", wholeNumber(1, 100))
		.addOption(new Option("-m, --mode <mode>", "with --replay: how texts are searched").choices(searchModes))
		.addOption(
			new Option("-f, --format <format>", "words, or also the run's page").choices(["text", "html"]).default("text"),
		)
		.option("-o, --out <file>", "where the page goes (default: reports/NAME/index.html in the workspace)")
		.addHelpText(
			"after",
			`
No agent and no model is asked: everything follows from the records. Each gold hop gets one verdict, each record its
findings with the steps and evidence they rest on; they go to findings.jsonl in the run's folder, one line a record.
Missed hops are searched for again, with the agent's own queries and with the gold sub-question, to tell a tool that failed
from a bad query and from a weak retriever.

Examples:
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --task atlas-0095a0a9ef
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --replay -k 10
  $ hopscope diagnose atlas-extractive-20261121-143012-ab12 --replay --mode dense --misses 1000 --json`,
		)
		.action(async (name: string, options: DiagnoseOptions) => {
			mustFit(options);
			const workspace = openWorkspace(options.workspace);
			const { run, diagnosed } = await openDiagnosed(name, options, context);
			try {
				if (options.task !== undefined) {
					await withCauses({ run, diagnosed }, options, context);
					const found = await caseOf(run, { task: options.task, repeat: options.repeat });
					return output.write(options.json ? JSON.stringify({ run: run.manifest.id, case: found }) : caseText(found));
				}
				if (options.replay) return await replay({ run, diagnosed }, options, { workspace, ...context });
				await withCauses({ run, diagnosed }, options, context);
				const findings = await writeFindings(run.dir, run.diagnoses ?? []);
				const told = await diagnosisReport(run);
				let report: string | undefined;
				if (options.format === "html") {
					report = resolve(options.out ?? join(workspace.report(run.manifest.id), "index.html"));
					await writeWhole(report, await htmlReport([run], { signal }));
				}
				if (options.json)
					return output.write(JSON.stringify({ ...told, findings, ...(report === undefined ? {} : { report }) }));
				output.write(terminalDiagnosis(told, { colour: output.colour === true }));
				output.say(`every finding: ${findings}`);
				if (report !== undefined) output.write(`report: ${report}`);
			} finally {
				run.close();
			}
		});
};

const howMany = (text: string) => (text === "all" ? Infinity : wholeNumber(0, 1e6)(text));

/** What goes together with what. */
function mustFit({ replay: isReplay, task, knowledge, k, mode, format, out }: DiagnoseOptions): void {
	const refuse = (message: string, remedy: string) => {
		throw new HopscopeError("usage", message, remedy, { exitCode: exitCodes.usage });
	};
	const changed = [knowledge && "--knowledge", k !== undefined && "-k", mode && "--mode"].filter(Boolean);
	if (!isReplay && changed.length > 0) refuse(`${changed.join(", ")} says how queries are made again`, "Add --replay.");
	if (isReplay && task !== undefined) refuse("a replay is of the whole run", "Leave out --task or --replay.");
	if ((isReplay || task !== undefined) && (format === "html" || out !== undefined))
		refuse("the page is of the whole run", "Leave out --format and --out.");
}
