import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Agent, Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import {
	evenly,
	type Intervention,
	interventionName,
	mostRepeats,
	RunManifest,
	type ScoringMode,
	type Setting,
	software,
	usageError,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { isAddress } from "#store";
import { checkCombination, namedFor, offeredSetting } from "./check-combination.ts";
import { runName } from "./run-name.ts";
import { scoringOf } from "./score-run.ts";

export interface PlanOptions {
	agent: Pick<Agent, "name" | "version" | "promptHash" | "reference" | "needs" | "grammar">;
	model?: { id: string } | undefined;
	/** What its tokens cost, where that is known. */
	price?: RunManifest["price"];
	setting: Setting;
	/** What is known of the model's server, and what of the setting was fitted to it. */
	endpoint?: RunManifest["endpoint"];
	benchmark: Benchmark;
	knowledge: Pick<KnowledgeBase, "dir" | "manifest">;
	/** What the run will be executed with. */
	web?: Web | undefined;
	/** Independent answers to each task, 1 by default. */
	repeats?: number;
	seed?: number;
	/** How its answers are scored where it is not as the benchmark says. */
	scoring?: ScoringMode | undefined;
	/** Only so many tasks, spread evenly over the benchmark: neighbours are often of one kind. */
	limit?: number;
	/** Ids of the only tasks. */
	only?: readonly string[] | undefined;
	/** A re-run of the run `of` with a part of the world changed. */
	intervention?: RunManifest["intervention"];
}

/** Interventions that act on gold hops: without a chain there is nothing that they could change. */
const needsChain = new Set<Intervention["is"]>([
	"oracle-retrieval",
	"oracle-reading",
	"oracle-plan",
	"gold-prefix",
	"conflicting-evidence",
]);

/** The seed that a model is asked with: runs of other seeds, and other repeats, are other samples. */
export const sampleSeed = (seed: number, sample: number): number => seed * mostRepeats + sample;

/** Lays down everything that the numbers of a run will depend on. Throws (exit 2) on what cannot be run. */
export function planRun(options: PlanOptions): RunManifest {
	const { agent, model, price, benchmark, knowledge, repeats = 1, seed = 0, limit } = options;
	const refuse = (message: string, remedy: string) => usageError("bad-plan", message, remedy);
	const setting = offeredSetting(options.setting, knowledge);
	checkCombination({
		agent,
		setting,
		knowledge,
		web: options.web,
		intervention: options.intervention?.what,
		benchmark,
	});
	if (agent.needs.model === "required" && !model)
		throw refuse(`the agent ${agent.name} needs a model`, "Name one, e.g. --model openai:NAME.");
	if (!Number.isInteger(repeats) || repeats < 1 || repeats > mostRepeats)
		throw refuse(`${repeats} repeats`, `Choose 1 to ${mostRepeats}.`);
	if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(sampleSeed(seed, mostRepeats)))
		throw refuse(`a seed of ${seed}`, "Choose a whole number of at most twelve digits.");
	if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
		throw refuse(`a limit of ${limit} tasks`, "Choose 1 or more.");
	const { name, version, promptHash, reference } = agent;
	const only = options.only && new Set(options.only);
	const known = new Set(benchmark.tasks.map(({ id }) => id));
	const unknown = options.only?.find((id) => !known.has(id));
	if (unknown !== undefined)
		throw refuse(`the benchmark ${benchmark.manifest.name} has no task "${unknown}"`, "Name tasks by their ids.");
	const among = benchmark.tasks.filter(({ id }) => only?.has(id) ?? true);
	const planned = limit === undefined ? among : evenly(among, limit);
	const { intervention } = options;
	if (intervention && needsChain.has(intervention.what.is) && !planned.some(({ chain }) => chain))
		throw refuse(
			`${interventionName(intervention.what)} needs gold chains, and none of the tasks has one`,
			"Choose tasks with chains, or another intervention.",
		);
	const tasks = planned.map((task) => task.id);
	if (tasks.length === 0) throw refuse(`the benchmark ${benchmark.manifest.name} has no tasks`, "Choose another one.");
	const now = new Date();
	return RunManifest.parse({
		version: 1,
		id: runId(benchmark.manifest.name, name, now),
		agent: { name, version, promptHash, reference },
		model: model?.id ?? null,
		...(price ? { price } : {}),
		setting: namedFor(setting, { agent, knowledge }),
		...(options.endpoint ? { endpoint: options.endpoint } : {}),
		benchmark: {
			name: benchmark.manifest.name,
			hash: benchmark.manifest.hash,
			folder: resolve(benchmark.dir),
		},
		knowledge: {
			name: knowledge.manifest.name,
			hash: knowledge.manifest.hash,
			folder: isAddress(knowledge.dir) ? knowledge.dir : resolve(knowledge.dir),
			...(knowledge.manifest.service ? { service: knowledge.manifest.service } : {}),
		},
		tasks,
		repeats,
		seed,
		scoring: scoringOf(options, benchmark),
		...(intervention ? { intervention } : {}),
		software: software(),
		at: now.toISOString(),
	});
}

/** Its own part is the time (UTC) and a chance part. */
function runId(benchmark: string, agent: string, now: Date): string {
	const time = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
	return runName(benchmark, agent, `${time}-${randomBytes(2).toString("hex")}`);
}
