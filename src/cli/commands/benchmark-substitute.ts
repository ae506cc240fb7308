import type { Command } from "commander";
import { counted, plainLine } from "#domain";
import type { SubstitutionOptions, VariantRefusal } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope benchmark substitute BENCH --to NAME`: entities exchange their names, so that memory answers wrongly. */
export function addBenchmarkSubstitute(benchmark: Command, context: Context): void {
	withWorkspace(benchmark.command("substitute"))
		.alias("swap")
		.description("Entity substitution: names exchanged all over a benchmark and its corpus, against memorised answers")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.requiredOption("--to <name>", "name of the new benchmark, and of the corpus and knowledge base that go with it")
		.option("-n, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.option("--seed <number>", "another number, another exchange", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("--same-answers", "also tasks that ask about others now and whose answer stays, such as a date")
		.option("--dry-run", "say what could be substituted, and write nothing")
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
Each entity takes the names of another of its kind, in questions, chains, answers and every passage: reading leads to the
new answer, memory to the old one, which is no longer right. Entities can be substituted only in tasks whose evidence is
text, and only where every hop's answer still stands in its evidence. Images and pages are not in the new knowledge base.

Examples:
  $ hopscope benchmark substitute atlas --to atlas-substituted
  $ hopscope benchmark substitute morehopqa --to morehopqa-substituted --same-answers
  $ hopscope benchmark substitute mine --to mine-substituted --seed 7 --dry-run`,
		)
		.action(async (name: string, options: SubstitutionOptions & CommonOptions) => {
			const { output } = context;
			const { reasons, ...made } = await watch(context, options, (bench) => bench.substituteEntities(name, options));
			if (options.json) return output.write(JSON.stringify(made));
			const { benchmark: to, tasks, of, exchanges } = made;
			const [first] = exchanges;
			const such = first ? `, such as ${plainLine(first.from, 60)} → ${plainLine(first.to, 60)}` : "";
			output.write(
				`${name}: ${tasks} of ${counted(of, "task")} substituted; ${exchanges.length} names exchanged${such}${refusalTable("not substituted because", reasons, output.columns)}`,
			);
			if (to === undefined) return;
			output.write(`\nwritten: ${to}`);
			sayNext(context, `benchmark diff ${name} ${to}`, options);
		});
}

/** For what reasons tasks have no variant, below an empty line; nothing where all have one. */
export function refusalTable(head: string, reasons: readonly VariantRefusal[], width: number | undefined): string {
	if (reasons.length === 0) return "";
	const rows = reasons.map(({ why, tasks, example }) => [why, String(tasks), plainLine(example, 110)]);
	return `\n\n${textTable([[head, "tasks", "one of them"], ...rows], { left: [0, 2], width }).join("\n")}`;
}
