import { openBenchmark } from "#benchmarks";
import { HopscopeError } from "#domain";
import { openKnowledge } from "#knowledge";
import { type ActionCondition, actionConditions } from "./actions/conditions.ts";
import { type ActionToyResult, runActionToy } from "./actions/run-action-toy.ts";
import { type ActionWorld, createActionWorld } from "./actions/world.ts";
import type { TokenToyName } from "./tokens/conditions.ts";
import { runTokenToy, type TokenToyResult } from "./tokens/run.ts";

/** One run of a toy: a condition, by its name, from one seed; `updates` where it is not to be the toy's own number. */
export type ToyJob = { seed: number; updates?: number } & (
	| { tier: "actions"; start: ActionCondition["start"]; condition: string }
	| { tier: "tokens"; condition: TokenToyName }
);

export type ToyResult = ({ tier: "actions" } & ActionToyResult) | ({ tier: "tokens" } & TokenToyResult);

/** Folders of what the action-level toy is played over. */
export interface ToyPlace {
	benchmark: string;
	knowledge: string;
}

/** What was asked of the environment while jobs ran, all of them together. */
export interface ToyCounts {
	episodes: number;
	playedEpisodes: number;
	searches: number;
	realSearches: number;
}

export interface ToyPlayer {
	run(job: ToyJob, options?: { signal?: AbortSignal }): Promise<ToyResult>;
	counts(): ToyCounts;
	close(): Promise<void>;
}

/** Runs jobs one after another in this thread; what the environment gave is kept from one to the next. */
export function createToyPlayer(place: ToyPlace | undefined): ToyPlayer {
	let opened: Promise<{ world: ActionWorld; close(): Promise<void> }> | undefined;
	let world: ActionWorld | undefined;
	const limits = new Set<number>();

	async function open() {
		if (!place) throw new RangeError("the tier of actions needs a benchmark and a knowledge base");
		const [benchmark, knowledge] = [await openBenchmark(place.benchmark), await openKnowledge(place.knowledge)];
		world = createActionWorld({ benchmark, knowledge });
		return { world, close: () => knowledge.close() };
	}
	return {
		async run(job, { signal } = {}) {
			const { seed, updates } = job;
			const options = signal ? { signal } : {};
			if (job.tier === "tokens") {
				const { condition } = job;
				return {
					tier: "tokens",
					...(await runTokenToy({ seed, condition, ...options, ...(updates ? { scale: { rounds: updates } } : {}) })),
				};
			}
			const { start } = job;
			const condition = actionConditions().find((one) => one.name === job.condition && one.start === start);
			if (!condition) throw unknownCondition(job);
			opened ??= open();
			limits.add(condition.limit);
			const { world } = await opened;
			return {
				tier: "actions",
				...(await runActionToy(world, { seed, condition, ...options, ...(updates ? { updates } : {}) })),
			};
		},
		counts() {
			const played = world ? [...limits].map((limit) => (world as ActionWorld).plays(limit).counts) : [];
			const sum = (of: "episodes" | "playedEpisodes") => played.reduce((all, counts) => all + counts[of], 0);
			return {
				...{ episodes: sum("episodes"), playedEpisodes: sum("playedEpisodes") },
				...{ searches: world?.searches.asked ?? 0, realSearches: world?.searches.real ?? 0 },
			};
		},
		close: async () => opened?.then(({ close }) => close()).catch(() => undefined),
	};
}

const unknownCondition = ({ condition, tier }: ToyJob) =>
	new HopscopeError("unknown-condition", `the toy of ${tier} has no condition "${condition}"`, "Name one of its grid.");
