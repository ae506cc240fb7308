import { agents, settingFor } from "#agents";
import type { Benchmark } from "#benchmarks";
import { HopscopeError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { createEnvironment } from "#training";
import { createPlays, type Plays } from "./plays.ts";
import { type RememberedSearch, rememberSearches } from "./remembered-search.ts";
import { drawn, type ToyTask, toyTasks } from "./toy-task.ts";

/** What the action-level toy is played in: tasks to train on, others to test on, and the environment at each T. */
export interface ActionWorld {
	benchmark: string;
	train: ToyTask[];
	/** Shares no cluster with those to train on. */
	test: ToyTask[];
	/** Episodes of the `tagged` protocol with T observations. */
	plays(limit: number): Plays;
	searches: RememberedSearch["counts"];
}

export interface WorldOptions {
	benchmark: Pick<Benchmark, "dir" | "manifest" | "tasks">;
	knowledge: KnowledgeBase;
	/** Most tasks to train on and to test on, default 64 and 48. */
	most?: { train: number; test: number };
}

export function createActionWorld({ benchmark, knowledge, most = { train: 64, test: 48 } }: WorldOptions): ActionWorld {
	const remembered = rememberSearches(knowledge);
	const { tagged } = agents;
	const tasks = toyTasks(benchmark.tasks);
	const clusters = new Map(benchmark.tasks.map(({ id, cluster, ladder }) => [id, cluster ?? ladder?.id ?? id]));
	const held = (task: ToyTask) => drawn("held out", clusters.get(task.id) ?? task.id) < 0.4;
	const spread = (some: ToyTask[]) => [...some].sort((a, b) => drawn("order", a.id) - drawn("order", b.id));
	const train = spread(tasks.filter((task) => !held(task))).slice(0, most.train);
	const test = spread(tasks.filter(held)).slice(0, most.test);
	if (train.length === 0 || test.length === 0)
		throw new HopscopeError(
			"no-chains",
			`${benchmark.manifest.name} has too few tasks with chains of text and question images to train on`,
			"Choose a benchmark with gold chains, e.g. the sample: hopscope make atlas.",
		);
	const played = new Map<number, Plays>();
	return {
		benchmark: benchmark.manifest.name,
		train,
		test,
		searches: remembered.counts,
		plays(limit) {
			const setting = settingFor(tagged, { overrides: { limit } });
			const plays =
				played.get(limit) ??
				createPlays(createEnvironment({ benchmark, knowledge: remembered, agent: tagged, setting }));
			played.set(limit, plays);
			return plays;
		},
	};
}
