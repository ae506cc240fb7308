import { agents, playsEpisodes } from "#agents";
import type { Benchmark } from "#benchmarks";
import { noUsage, type Task, usageError } from "#domain";
import { countedBy, createEnvironment, trajectoryExamples } from "#training";
import { openForReport } from "./open.ts";
import { type Gathered, type Gathering, guarded } from "./sft-sources.ts";

/** The successful trajectories of a run. */
export async function fromRun(name: string, { workspace, options, bench }: Gathering): Promise<Gathered> {
	const run = await openForReport(workspace, name, bench.say, { choice: { taskList: options.taskList } });
	try {
		const { manifest, records, rows, diagnoses = [], evidence, file, benchmarkDir } = run;
		mustBeItsOwn(run);
		const asked = new Set(manifest.tasks);
		const planned = run.tasks.filter(({ id }) => asked.has(id));
		const benchmark = { dir: benchmarkDir, manifest: { name: manifest.benchmark.name }, tasks: planned };
		const choice = guarded(benchmark, options, bench.say);
		await run.knowledge();
		const made = await trajectoryExamples(
			{ manifest, tasks: choice.tasks, records, rows, diagnoses, dir: benchmarkDir, knowledge: { evidence, file } },
			{
				...{ perTask: options.perTask ?? 1, allow: options.allow ?? [] },
				tools: await declaredTools(run, benchmark),
			},
		);
		const held = new Set(choice.heldOut.map(({ id }) => id));
		const dropped = [
			...records
				.filter(({ task }) => held.has(task))
				.map(({ task, repeat }) => ({ task, run: manifest.id, repeat, what: "held-out-split" })),
			...made.dropped,
		];
		const { examples, noticed } = made;
		const { agent, model, setting, knowledge, benchmark: of } = manifest;
		return {
			...{ examples, dropped, noticed, usage: noUsage },
			report: {
				...{ kind: "trajectories", name: manifest.id, tasks: planned.length, records: records.length },
				...{ examples: examples.length, splits: choice.taken, dropped: countedBy(dropped), noticed },
				about: {
					benchmark: of.name,
					hash: of.hash,
					agent,
					model,
					setting,
					knowledge: { name: knowledge.name, hash: knowledge.hash },
				},
			},
		};
	} finally {
		await run.close();
	}
}

type OpenedRun = Awaited<ReturnType<typeof openForReport>>;

/** What an agent did that was shown the gold, or in a world that was changed for it, is no example of what it can do. */
function mustBeItsOwn({ manifest }: Pick<OpenedRun, "manifest">): void {
	const { intervention, agent, setting } = manifest;
	const known = Object.hasOwn(agents, agent.name) ? agents[agent.name as keyof typeof agents] : undefined;
	const why = intervention
		? "was made under an intervention"
		: agent.reference !== undefined || known?.needs.gold
			? "is of an agent that is shown the gold"
			: setting.form === "continued"
				? "holds what was found within the assistant's own messages, which a trainer would train on"
				: undefined;
	if (why === undefined) return;
	throw usageError("no-example", `${manifest.id} ${why}`, "Give a run of an agent's own, in turns.");
}

/** The functions that were declared: of a protocol, what an episode of it declares now. */
async function declaredTools(
	run: OpenedRun,
	benchmark: Pick<Benchmark, "dir" | "tasks"> & { manifest: { name: string } },
) {
	const { agent: ran, setting } = run.manifest;
	const agent = Object.hasOwn(agents, ran.name) ? agents[ran.name as keyof typeof agents] : undefined;
	if (!agent || !playsEpisodes(agent) || agent.version !== ran.version) return async () => [];
	const knowledge = await run.knowledge();
	const environment = createEnvironment({
		...{ benchmark: benchmark as Benchmark, knowledge, agent, setting },
	});
	return async ({ id }: Task) => {
		const episode = await environment.open(id);
		episode.abort();
		return episode.tools;
	};
}
