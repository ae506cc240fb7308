import { playsEpisodes, settingFor } from "#agents";
import type { Benchmark } from "#benchmarks";
import { counted, type Item, ownField, type Task, tally, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { probeSources, verifyItems } from "#recipes";
import {
	type Collected,
	chainExamples,
	countedBy,
	hasFailed,
	type Verification,
	verificationOf,
	walkedSettings,
} from "#training";
import { agentCalled } from "./agent-called.ts";
import { chosenTasks } from "./chosen-tasks.ts";
import { itemsBehind } from "./items-behind.ts";
import { openForRun } from "./open.ts";
import { type Gathered, type Gathering, guarded } from "./sft-sources.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { usageLine } from "./usage-line.ts";

/** The chains of a benchmark, walked. */
export async function fromBenchmark(name: string, { workspace, models, options, bench }: Gathering): Promise<Gathered> {
	const { signal } = bench;
	const agent = agentCalled(options.agent ?? "stepwise");
	const walked = ownField(walkedSettings, agent.name);
	const setting = settingFor(agent, { name: options.setting ?? walked });
	if (walked !== undefined && options.setting === undefined)
		bench.say(`${agent.name} is walked in its setting ${walked}: in its own choice another model reads what is found`);
	if (!playsEpisodes(agent) || setting.form === "continued") throw noTurns(agent.name);
	const { benchmark, knowledge } = await openForRun(workspace, name, { knowledge: options.knowledge });
	const progress = bench.progress(`${name} · chains`);
	try {
		const { taskList } = options;
		const listed = await chosenTasks(benchmark.tasks, { taskList }, { benchmark: benchmark.manifest.name });
		const first = { ...benchmark, tasks: listed.slice(0, options.tasks) };
		const choice = guarded(first, options, bench.say);
		const items = await itemsBehind(workspace, first);
		const wanted = new Set(choice.tasks.map(({ id }) => id));
		const named = new Map(items.map((item, at) => [first.tasks[at]?.id ?? item.id, item]));
		const before = new Map([...named].map(([id, item]) => [id, verificationOf(item)]));
		const looked = options.unverified
			? new Map<string, Verification>()
			: await verifiedNow(
					name,
					[...named].filter(([id, item]) => wanted.has(id) && before.get(id) !== "have" && !hasFailed(item)),
					{ workspace, models, options, bench, knowledge, dir: benchmark.dir },
				);
		const verified = new Map([...before, ...looked]);
		const isTaken = ({ id }: Task) => options.unverified === true || isVerified(verified.get(id));
		const tasks = choice.tasks.filter(isTaken);
		const unverified = choice.tasks.filter((task) => !isTaken(task));
		if (unverified.length > 0)
			bench.say(
				`${name}: ${counted(unverified.length, "chain")} left out, since nothing has shown that every hop is needed; --unverified takes them as they are`,
			);
		const model = options.model === undefined ? undefined : models.open(options.model);
		if (model)
			bench.say(
				`${name}: ${model.id} writes the thoughts: at most ${counted(tasks.length, "call")}, and as many repairs`,
			);
		const made = await chainExamples({
			...{ benchmark, tasks, knowledge, agent, setting, signal },
			evidence: options.evidence ?? "gold",
			concurrency: options.concurrency ?? 8,
			model,
			allow: options.allow ?? [],
			tags: ({ id }) => ({ verified: verified.get(id) ?? "none" }),
			onProgress: (done, of) => progress.update(done, of),
		});
		progress.end();
		if (model) bench.say(`${name}: ${usageLine(made.usage, models.money(options.model)) || "no tokens"}`);
		const dropped = [
			...choice.heldOut.map(({ id, tags }) => ({ task: id, what: "held-out-split", detail: tags.split ?? "no split" })),
			...unverified.map(({ id }) => ({ task: id, what: "unverified" })),
			...made.dropped,
		];
		const noticed = { ...made.noticed, ...levels(made, verified) };
		const { manifest } = knowledge;
		return {
			...{ examples: made.examples, dropped, noticed, usage: made.usage },
			report: {
				...{ kind: "chains", name, tasks: first.tasks.length, examples: made.examples.length, splits: choice.taken },
				about: {
					...aboutOf(benchmark),
					agent: { name: agent.name, version: agent.version, promptHash: agent.promptHash ?? null },
					...{ setting, knowledge: { name: manifest.name, hash: manifest.hash } },
				},
				...{ dropped: countedBy(dropped), noticed },
			},
		};
	} finally {
		progress.end();
		await knowledge.close();
	}
}

const isVerified = (level: Verification | undefined) => level === "have" || level === "have-by-rule";

/** The recipe's own look at what each chain needs, for those that nobody looked at: by a model, or by words. */
async function verifiedNow(
	name: string,
	named: readonly [string, Item][],
	{ models, options, bench, knowledge, dir: folder }: Gathering & { knowledge: KnowledgeBase; dir: string },
): Promise<Map<string, Verification>> {
	const { verify = "rule" } = options;
	if (named.length === 0) return new Map();
	const model = verify === "rule" ? undefined : models.open(verify);
	const progress = bench.progress(`${name} · verification`);
	try {
		const items = await inTemporaryFolder("verify", (dir) =>
			verifyItems(
				named.map(([, item]) => item),
				probeSources({ knowledge }, { folder }),
				{ model, dir, signal: bench.signal, onProgress: (done) => progress.update(done, named.length) },
			),
		);
		const levels = new Map(items.map((item, at) => [named[at]?.[0] ?? item.id, verificationOf(item)]));
		const shown = [...levels.values()].filter(isVerified).length;
		bench.say(
			model
				? `${name}: ${model.id} answered with and without each hop's evidence: ${shown} of ${counted(named.length, "chain")} need every hop`
				: `${name}: by words alone ${shown} of ${counted(named.length, "chain")} need every hop; --verify MODEL asks a model, which may know what no text says`,
		);
		return levels;
	} finally {
		progress.end();
	}
}

/** How many of the examples were verified how far. */
function levels({ examples }: Collected, verified: ReadonlyMap<string, Verification>): Record<string, number> {
	return tally(examples.map(({ task }) => `verified: ${verified.get(task) ?? "none"}`));
}

const aboutOf = ({ manifest }: Benchmark) => {
	const { name, hash, licence, sources, recipe } = manifest;
	return { benchmark: name, hash, licence, sources, ...(recipe ? { recipe } : {}) };
};

const noTurns = (agent: string) =>
	usageError(
		"no-turns",
		`${agent} is no protocol that speaks in turns`,
		"Choose one with --agent, e.g. stepwise, tagged, search-r1 or function-calling.",
	);
