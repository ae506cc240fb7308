import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { type Benchmark, deriveBenchmark } from "#benchmarks";
import { counted, exitCodes, HopscopeError, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import {
	type DistractorsProbed,
	type HandedOut,
	hardDistractors,
	probeDistractors,
	probeSources,
	rememberingReading,
} from "#recipes";
import { openWorkspace } from "#store";
import { type Bench, type ModelOptions, openForRun, openModels, textReading } from "#workbench";
import { benchOf } from "../bench.ts";
import { type CommonOptions, type Context, next, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { createProgress } from "../progress.ts";

interface DistractorsOptions extends CommonOptions, ModelOptions {
	to?: string;
	knowledge?: string;
	count: number;
	seed: number;
	model?: string;
	samples: number;
	force?: boolean;
}

/** Tasks that are searched for at a time. */
const together = 8;

/** `hopscope benchmark distractors BENCH`: gold evidence among passages that look like it, handed out with the question. */
export function addBenchmarkDistractors(benchmark: Command, context: Context, exit: (code: number) => void): void {
	const { output, signal } = context;
	withModels(withWorkspace(benchmark.command("distractors")))
		.description(
			"Hand out hard distractors with each question: found with its names taken out, stating none of its hops",
		)
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("--to <name>", "name of the new benchmark (default: NAME-distractors)")
		.option("-k, --knowledge <name>", "the knowledge base that is searched (default: the one it names)")
		.option("-n, --count <number>", "distractors for each task", wholeNumber(1, 100), 10)
		.option("--seed <number>", "draws the order in which evidence is handed out", wholeNumber(0, 2 ** 31 - 1), 1)
		.option("-m, --model <model>", "must not come to the right answer from the distractors alone")
		.option("--samples <number>", "answers of the model to each task", wholeNumber(1, 20), 1)
		.option("--force", "replace the benchmark that has that name")
		.addHelpText(
			"after",
			`
The evidence of every hop and its distractors become the task's context, in drawn order, which export writes in the formats
that hand passages out. With --model, a task that is answered from its distractors alone (or from memory) gets none.

Examples:
  $ hopscope benchmark distractors morehopqa
  $ hopscope benchmark distractors mine --count 18 --to mine-20 --model openai:NAME`,
		)
		.action(async (name: string, options: DistractorsOptions) => {
			const workspace = openWorkspace(options.workspace);
			const opened = await openForRun(workspace, name, options);
			try {
				const { benchmark: from, knowledge } = opened;
				const { to = `${from.manifest.name}-distractors`, count, seed, force = false } = options;
				const handed = new Map<string, HandedOut>();
				const none: { task: string; why: string }[] = [];
				const { search } = probeSources({ knowledge });
				const reading = rememberingReading(textReading);
				const progress = createProgress(output, "searching");
				for (let at = 0; at < from.tasks.length; at += together) {
					signal.throwIfAborted();
					const some = from.tasks.slice(at, at + together);
					const given = await Promise.all(
						some.map((task) =>
							hardDistractors(task, {
								...{ evidence: knowledge.evidence, reading, count, seed },
								search: async (text, asked) => (await search?.(text, asked)) ?? [],
							}),
						),
					);
					for (const [place, one] of given.entries()) {
						const id = some[place]?.id ?? "";
						if ("why" in one) none.push({ task: id, ...one });
						else handed.set(id, one);
					}
					progress.update(Math.min(at + together, from.tasks.length), from.tasks.length);
				}
				progress.end();
				if (handed.size === 0)
					throw new HopscopeError(
						"no-distractors",
						`no task of ${name} has distractors: ${none.some(({ why }) => why === "none-found") ? "all that was found states a hop" : "none has a chain of hops"}`,
						"Distractors need chains, and a corpus with more than the gold evidence.",
						{ facts: { tasks: none.slice(0, 100) } },
					);
				const probed = options.model
					? await probedBy(options.model, { from, knowledge, handed, options, bench: benchOf(context, options) })
					: undefined;
				for (const id of probed?.answered ?? []) handed.delete(id);
				if (probed && probed.faults.length > 0) exit(exitCodes.failed);
				const tasks = from.tasks.map((task): Task => withContext(task, handed.get(task.id)));
				const { hash } = await deriveBenchmark(from, workspace.benchmark(to), {
					...{ name: to, tasks, force },
					how: `hard distractors, up to ${count} a task, seed ${seed}, for ${counted(handed.size, "task")}${probed ? `; ${options.model} answered ${probed.answered.length} from distractors alone, which got none` : ""}.`,
				});
				const found = [...handed.values()].reduce((sum, { distractors }) => sum + distractors.length, 0);
				if (options.json)
					return output.write(
						JSON.stringify({
							...{ benchmark: to, hash, tasks: tasks.length, handedOut: handed.size, distractors: found, none },
							probe: probed ?? null,
						}),
					);
				output.write(
					`${to}: ${counted(handed.size, "task")} of ${tasks.length} with ${(found / Math.max(handed.size, 1)).toFixed(1)} distractors each${none.length > 0 ? `; ${none.length} without` : ""}`,
				);
				if (probed) output.write(probeText(probed));
				output.write(`Try: ${next(`export ${to} --format hotpotqa`, options)}`);
			} finally {
				opened.knowledge.close();
			}
		});
}

const withContext = (task: Task, handed: HandedOut | undefined): Task =>
	handed
		? { ...task, context: handed.context, tags: { ...task.tags, distractors: String(handed.distractors.length) } }
		: task;

async function probedBy(
	model: string,
	{
		from,
		knowledge,
		handed,
		options,
		bench,
	}: {
		from: Benchmark;
		knowledge: KnowledgeBase;
		handed: ReadonlyMap<string, HandedOut>;
		options: DistractorsOptions;
		bench: Bench;
	},
): Promise<DistractorsProbed> {
	const { signal } = bench;
	const solver = (await openModels(bench, options)).models.open(model);
	const dir = await mkdtemp(join(tmpdir(), "hopscope-distractors-"));
	try {
		return await probeDistractors(
			from.tasks.filter(({ id }) => handed.has(id)),
			new Map([...handed].map(([id, { distractors }]) => [id, distractors])),
			{ solver, sources: probeSources({ knowledge }, { folder: from.dir }), dir, samples: options.samples, signal },
		);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

const probeText = ({ answered, declined, skipped, faults }: DistractorsProbed): string =>
	`from distractors alone: ${answered.length} answered rightly (they get none), ${declined.length} not, ${skipped.length} skipped, ${counted(faults.length, "fault")}`;
