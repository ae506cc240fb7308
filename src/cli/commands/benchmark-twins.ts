import type { Command } from "commander";
import { deriveBenchmark } from "#benchmarks";
import { counted, HopscopeError, plainLine } from "#domain";
import { openKnowledge } from "#knowledge";
import { rememberingReading, stillStated, type Twins, unanswerableTwins } from "#recipes";
import { openWorkspace } from "#store";
import { mustBeFree, openForRun, searchAll, textReading, writeVariantKnowledge } from "#workbench";
import { benchOf } from "../bench.ts";
import { type CommonOptions, type Context, next, wholeNumber, withWorkspace } from "../context.ts";
import { createProgress } from "../progress.ts";
import { textTable } from "../text-table.ts";

interface TwinsOptions extends CommonOptions {
	to: string;
	knowledge?: string;
	seed: number;
	depth: number;
	force?: boolean;
}

/** `hopscope benchmark twins BENCH --to NAME`: the same questions where one hop can no longer be found. */
export function addBenchmarkTwins(benchmark: Command, context: Context): void {
	const { output, signal } = context;
	withWorkspace(benchmark.command("twins"))
		.description("Unanswerable twins: the same questions over a corpus from which the support of one hop is gone")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.requiredOption("--to <name>", "name of the twins, and of the corpus and knowledge base that go with them")
		.option("-k, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.option("--seed <number>", "another number, other hops", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("--depth <results>", "results of each search that are looked at", wholeNumber(1, 1000), 50)
		.option("--force", "replace what has that name")
		.addHelpText(
			"after",
			`
Of each task one hop is drawn; what states it is looked for by several searches, removed, and looked for again in the new
knowledge base. Declining is the right answer of a twin. It has the id and the cluster of its task and the tag twin:
a pair counts where the task is answered rightly and its twin is declined.

Examples:
  $ hopscope benchmark twins morehopqa --to morehopqa-twins
  $ hopscope benchmark twins atlas --to atlas-twins --seed 3 --json`,
		)
		.action(async (name: string, options: TwinsOptions) => {
			const workspace = openWorkspace(options.workspace);
			const { benchmark, knowledge } = await openForRun(workspace, name, options);
			try {
				const { to, seed, depth, force = false } = options;
				mustBeFree(workspace, { name: to, from: [benchmark.dir, knowledge.dir], force });
				const reading = rememberingReading(textReading);
				const progress = createProgress(output, "looking for what states a hop");
				const twins = await unanswerableTwins(benchmark.tasks, {
					...{ evidence: knowledge.evidence, search: searchAll(knowledge), reading, seed, depth },
					onProgress: (done) => {
						signal.throwIfAborted();
						progress.update(done, benchmark.tasks.length);
					},
				});
				progress.end();
				if (twins.tasks.length === 0) throw noTwins(name, twins);
				const passages = await writeVariantKnowledge(
					knowledge,
					{
						name: to,
						change: (evidence) => (twins.removed.has(evidence.id) ? undefined : evidence),
					},
					benchOf(context, options),
				);
				const over = await openKnowledge(workspace.knowledge(to));
				try {
					for (const { task, evidence } of await stillStated(twins, benchmark.tasks, {
						...{ search: searchAll(over), reading, depth },
					}))
						twins.refused.push({ task, why: "still-stated", detail: `"${evidence}" says it too` });
				} finally {
					over.close();
				}
				const refused = new Set(twins.refused.map(({ task }) => task));
				const tasks = twins.tasks.filter(({ id }) => !refused.has(id));
				if (tasks.length === 0) throw noTwins(name, twins);
				await deriveBenchmark(benchmark, workspace.benchmark(to), {
					...{ name: to, tasks, force, manifest: { knowledge: to } },
					how: `unanswerable twins: of each task the support of one hop is removed from the corpus (${counted(twins.removed.size, "evidence")} in all), seed ${seed}; declining is right.`,
				});
				const removed = twins.removed.size;
				if (options.json)
					return output.write(
						JSON.stringify({
							...{ benchmark: to, tasks: tasks.length, of: benchmark.tasks.length, seed, evidence: passages, removed },
							without: Object.fromEntries([...twins.without].filter(([id]) => !refused.has(id))),
							refused: twins.refused,
						}),
					);
				output.write(
					`${to}: ${counted(tasks.length, "twin")} of ${counted(benchmark.tasks.length, "task")}; ${removed} of ${removed + passages} evidences removed`,
				);
				if (twins.refused.length > 0) output.write(`\n${refusals(twins)}`);
				output.write(`\nTry: ${next(`run --benchmark ${to} --agent extractive`, options)}`);
			} finally {
				knowledge.close();
			}
		});
}

const words: Record<Twins["refused"][number]["why"], string> = {
	unanswerable: "it has no answer as it is",
	"no-chain": "no chain of hops is known",
	"not-text": "a hop rests on an image",
	"no-fact": "no hop states a fact that can be looked for",
	"needed-elsewhere": "what states a hop is needed by another hop or twin",
	"still-stated": "the hop is stated elsewhere too",
};

function refusals({ refused }: Twins): string {
	const rows = Object.entries(words).flatMap(([why, said]): string[][] => {
		const tasks = refused.filter((one) => one.why === why);
		const [first] = tasks;
		return first ? [[said, String(tasks.length), plainLine(`${first.task}: ${first.detail}`, 110)]] : [];
	});
	return textTable([["no twin because", "tasks", "one of them"], ...rows], { left: [0, 2] }).join("\n");
}

const noTwins = (name: string, { refused }: Twins) =>
	new HopscopeError(
		"no-twins",
		`no task of ${name} has an unanswerable twin: ${words[refused[0]?.why ?? "no-chain"]}`,
		"Twins need chains whose hops state facts in text.",
		{ facts: { refused: refused.slice(0, 100) } },
	);
