import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { deriveBenchmark } from "#benchmarks";
import { counted, HopscopeError, plainLine } from "#domain";
import { graphFolder, openGraph } from "#graph";
import { type Swap, swapEntities } from "#recipes";
import { openWorkspace } from "#store";
import { mustBeFree, openForRun, textReading, writeVariantKnowledge } from "#workbench";
import { benchOf } from "../bench.ts";
import { type CommonOptions, type Context, next, wholeNumber, withWorkspace } from "../context.ts";
import { textTable } from "../text-table.ts";

interface SwapOptions extends CommonOptions {
	to: string;
	knowledge?: string;
	seed: number;
	sameAnswers?: boolean;
	dryRun?: boolean;
	force?: boolean;
}

/** `hopscope benchmark swap BENCH --to NAME`: entities exchange their names, so that memory answers wrongly. */
export function addBenchmarkSwap(benchmark: Command, context: Context): void {
	const { output } = context;
	withWorkspace(benchmark.command("swap"))
		.description("Exchange the names of entities all over a benchmark and its corpus, against memorised answers")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.requiredOption(
			"--to <name>",
			"name of the swapped benchmark, and of the corpus and knowledge base that go with it",
		)
		.option("-k, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.option("--seed <number>", "another number, another exchange", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("--same-answers", "also tasks that ask about others now and whose answer stays, such as a date")
		.option("--dry-run", "say what could be swapped, and write nothing")
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
Each entity takes the names of another of its kind, in questions, chains, answers and every passage: reading leads to the
new answer, memory to the old one, which is no longer right. Only tasks whose evidence is text can be swapped, and only
where every hop's answer still stands in its evidence. Images and pages are not in the new knowledge base.

Examples:
  $ hopscope benchmark swap atlas --to atlas-swapped
  $ hopscope benchmark swap morehopqa --to morehopqa-swapped --same-answers
  $ hopscope benchmark swap mine --to mine-swapped --seed 7 --dry-run`,
		)
		.action(async (name: string, options: SwapOptions) => {
			const workspace = openWorkspace(options.workspace);
			const { benchmark, knowledge } = await openForRun(workspace, name, options);
			try {
				const { to, seed, force = false } = options;
				if (!options.dryRun) mustBeFree(workspace, { name: to, from: [benchmark.dir, knowledge.dir], force });
				const graphDir = join(knowledge.dir, graphFolder);
				const graph = existsSync(join(graphDir, "graph.json")) ? await openGraph(graphDir) : undefined;
				const swap = await swapEntities(benchmark.tasks, {
					...{ evidence: knowledge.evidence, reading: textReading, graph, seed },
					sameAnswers: options.sameAnswers === true,
				});
				if (swap.tasks.length === 0) throw nothingSwapped(name, swap);
				let passages: number | null = null;
				if (!options.dryRun) {
					passages = await writeVariantKnowledge(
						knowledge,
						{
							name: to,
							change: (evidence) => (evidence.kind === "passage" ? swap.passage(evidence) : undefined),
						},
						benchOf(context, options),
					);
					await deriveBenchmark(benchmark, workspace.benchmark(to), {
						...{ name: to, tasks: swap.tasks, force, manifest: { knowledge: to } },
						how: `${counted(swap.exchanges.length, "entity name")} exchanged within ${counted(new Set(swap.exchanges.map(({ kind }) => kind)).size, "kind")}, seed ${seed}; ${swap.tasks.length} of ${counted(benchmark.tasks.length, "task")} could be swapped. What it says of the world is not true.`,
					});
				}
				if (options.json)
					return output.write(
						JSON.stringify({
							...(options.dryRun ? {} : { benchmark: to, passages }),
							...{ tasks: swap.tasks.length, of: benchmark.tasks.length, seed, refused: swap.refused },
							exchanges: swap.exchanges.map(({ from, to: other, kind }) => ({ from: from.name, to: other.name, kind })),
						}),
					);
				output.write(swapText(name, benchmark.tasks.length, swap));
				if (!options.dryRun) output.write(`\nwritten: ${to}\nTry: ${next(`benchmark diff ${name} ${to}`, options)}`);
			} finally {
				knowledge.close();
			}
		});
}

const words: Record<Swap["refused"][number]["why"], string> = {
	"no-chain": "no chain of hops is known",
	images: "the question shows an image",
	"not-text": "a hop rests on what is not text",
	"no-exchange": "no entity has another of its kind",
	"computed-from-names": "a value is computed from a name, and how is not stated",
	"same-answer": "the old answer would still be right",
	"not-stated": "a hop's answer does not stand in its evidence",
	"name-left": "part of an old name is left",
	"link-lost": "a hop no longer names what it needs",
	"broken-chain": "the chain breaks",
};

function whyNot({ refused }: Swap): { why: string; tasks: string[]; example: string }[] {
	const reasons = new Map<string, { why: string; tasks: string[]; example: string }>();
	for (const { task, why, detail } of refused) {
		const one = reasons.get(why) ?? { why: words[why], tasks: [], example: `${task}: ${detail}` };
		one.tasks.push(task);
		reasons.set(why, one);
	}
	return [...reasons.values()].sort((a, b) => b.tasks.length - a.tasks.length);
}

function swapText(name: string, of: number, swap: Swap): string {
	const [first] = swap.exchanges;
	return [
		`${name}: ${swap.tasks.length} of ${counted(of, "task")} swapped; ${swap.exchanges.length} names exchanged${first ? `, such as ${plainLine(first.from.name, 60)} → ${plainLine(first.to.name, 60)}` : ""}`,
		...(swap.refused.length > 0
			? [
					"",
					...textTable(
						[
							["not swapped because", "tasks", "one of them"],
							...whyNot(swap).map(({ why, tasks, example }) => [why, String(tasks.length), plainLine(example, 110)]),
						],
						{ left: [0, 2] },
					),
				]
			: []),
	].join("\n");
}

function nothingSwapped(name: string, swap: Swap): HopscopeError {
	const reasons = whyNot(swap)
		.slice(0, 3)
		.map(({ why, tasks }) => `${why} (${tasks.length})`);
	const could = swap.refused.some(({ why }) => why === "same-answer");
	return new HopscopeError(
		"nothing-swapped",
		`no task of ${name} can be swapped: ${reasons.join("; ")}`,
		could
			? "--same-answers takes tasks whose question changes and whose answer stays."
			: "Swapping needs chains over passages of text.",
		{ facts: { refused: swap.refused.slice(0, 100) } },
	);
}
