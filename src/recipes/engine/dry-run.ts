import type { Item } from "#domain";
import { createEngine } from "./engine.ts";
import type { Flow } from "./flow.ts";
import type { FunnelRow } from "./funnel.ts";
import type { Journal } from "./journal.ts";
import type { Recipe } from "./recipe.ts";
import { StageFault } from "./stage.ts";

/** Milliseconds that a plan may take to try the stages that ask nobody. */
const mostTime = 20_000;

const forgetful: Journal = { get: async () => undefined, put: async () => {}, close: async () => {} };
const silent = { append: async () => {}, close: async () => {} };

/**
 * What the stages of a recipe that ask no model do with its units, found by doing them: what comes behind a stage that asks
 * is not reached. Nothing is kept. Ends early, with what was seen by then, where that takes long.
 */
export async function dryRun(
	flow: Flow<void, Item>,
	{ name, version }: Pick<Recipe, "name" | "version">,
	{ stages, mostUnits }: { stages: Flow<void, Item>["stages"]; mostUnits?: number | undefined },
): Promise<FunnelRow[]> {
	const engine = createEngine({
		recipe: { name, version },
		stages,
		seed: 1,
		models: {},
		inputs: {},
		journal: forgetful,
		drops: silent,
		faults: silent,
		keepImage: () => Promise.reject(new StageFault("a plan keeps no image")),
		mostUnits,
		signal: AbortSignal.timeout(mostTime),
	});
	try {
		for await (const _ of flow.run(nothing(), engine));
	} catch {
		// too long, or something that the build itself will tell of: the plan guesses from here
	}
	const asking = new Set(stages.flatMap(({ name: stage, calls = [] }) => (calls.length > 0 ? [stage] : [])));
	return engine.funnel().filter(({ stage, faults }) => !asking.has(stage) && faults === 0);
}

async function* nothing(): AsyncGenerator<void> {}
