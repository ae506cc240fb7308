import { type Benchmark, deriveBenchmark } from "#benchmarks";
import { counted, HopscopeError, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import {
	type DistractorsProbed,
	type HandedOut,
	hardDistractors,
	probeDistractors,
	probeSources,
	rememberingReading,
} from "#recipes";
import { type ModelOptions, openModels } from "./models.ts";
import { openForRun } from "./open.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { textReading } from "./text-reading.ts";
import type { Bench } from "./work.ts";

export interface DistractorOptions extends ModelOptions {
	/** Name of the new benchmark; NAME-distractors where nothing is said. */
	to?: string | undefined;
	/** The knowledge base that is searched; the one it names where nothing is said. */
	knowledge?: string | undefined;
	/** Distractors for each task; 10 where nothing is said. */
	count?: number | undefined;
	/** Draws the order in which evidence is handed out. */
	seed?: number | undefined;
	/** Must not come to the right answer from the distractors alone. */
	model?: string | undefined;
	/** Answers of the model to each task. */
	samples?: number | undefined;
	force?: boolean | undefined;
}

export interface DistractorsAdded {
	benchmark: string;
	hash: string;
	tasks: number;
	/** Tasks that have distractors, and how many distractors all of them have. */
	handedOut: number;
	distractors: number;
	none: { task: string; why: string }[];
	/** What a model came to from distractors alone, where one was asked. */
	probe: DistractorsProbed | null;
}

/** Tasks that are searched for at a time. */
const together = 8;

/** Writes a benchmark whose tasks hand out their gold evidence among passages that look like it. */
export async function addDistractors(
	name: string,
	options: DistractorOptions,
	bench: Bench,
): Promise<DistractorsAdded> {
	const { workspace } = bench;
	const { count = 10, seed = 1, model, force = false } = options;
	const { benchmark: from, knowledge } = await openForRun(workspace, name, options);
	try {
		const { to = `${from.manifest.name}-distractors` } = options;
		const { handed, none } = await distractorsOf(from, knowledge, { count, seed }, bench);
		if (handed.size === 0)
			throw new HopscopeError(
				"no-distractors",
				`no task of ${name} has distractors: ${none.some(({ why }) => why === "none-found") ? "all that was found states a hop" : "none has a chain of hops"}`,
				"Distractors need chains, and a corpus with more than the gold evidence.",
				{ facts: { tasks: none.slice(0, 100) } },
			);
		const probe = model === undefined ? null : await probed({ from, knowledge, handed }, { ...options, model }, bench);
		for (const id of probe?.answered ?? []) handed.delete(id);
		const tasks = from.tasks.map((task) => withContext(task, handed.get(task.id)));
		const { hash } = await deriveBenchmark(from, workspace.benchmark(to), {
			name: to,
			tasks,
			force,
			how: `hard distractors, up to ${count} a task, seed ${seed}, for ${counted(handed.size, "task")}${probe ? `; ${model} answered ${probe.answered.length} from distractors alone, which got none` : ""}.`,
		});
		const distractors = [...handed.values()].reduce((sum, one) => sum + one.distractors.length, 0);
		return { benchmark: to, hash, tasks: tasks.length, handedOut: handed.size, distractors, none, probe };
	} finally {
		await knowledge.close();
	}
}

async function distractorsOf(
	{ tasks }: Benchmark,
	knowledge: KnowledgeBase,
	{ count, seed }: { count: number; seed: number },
	bench: Bench,
): Promise<{ handed: Map<string, HandedOut>; none: DistractorsAdded["none"] }> {
	const handed = new Map<string, HandedOut>();
	const none: DistractorsAdded["none"] = [];
	const { search } = probeSources({ knowledge });
	const finding = {
		evidence: knowledge.evidence,
		reading: rememberingReading(textReading),
		count,
		seed,
		search: async (text: string, asked: { k: number }) => (await search?.(text, asked)) ?? [],
	};
	const progress = bench.progress("searching");
	try {
		for (let at = 0; at < tasks.length; at += together) {
			bench.signal.throwIfAborted();
			const some = tasks.slice(at, at + together);
			const given = await Promise.all(
				some.map(async (task) => ({ id: task.id, one: await hardDistractors(task, finding) })),
			);
			for (const { id, one } of given) {
				if ("why" in one) none.push({ task: id, ...one });
				else handed.set(id, one);
			}
			progress.update(Math.min(at + together, tasks.length), tasks.length);
		}
	} finally {
		progress.end();
	}
	return { handed, none };
}

const withContext = (task: Task, handed: HandedOut | undefined): Task =>
	handed
		? { ...task, context: handed.context, tags: { ...task.tags, distractors: String(handed.distractors.length) } }
		: task;

async function probed(
	{ from, knowledge, handed }: { from: Benchmark; knowledge: KnowledgeBase; handed: ReadonlyMap<string, HandedOut> },
	{ model, samples = 1, ...options }: DistractorOptions & { model: string },
	bench: Bench,
): Promise<DistractorsProbed> {
	const { signal } = bench;
	const solver = (await openModels(bench, options)).models.open(model);
	const sources = probeSources({ knowledge }, { folder: from.dir });
	return inTemporaryFolder("distractors", (dir) =>
		probeDistractors(
			from.tasks.filter(({ id }) => handed.has(id)),
			new Map([...handed].map(([id, { distractors }]) => [id, distractors])),
			{ solver, sources, dir, samples, signal },
		),
	);
}
