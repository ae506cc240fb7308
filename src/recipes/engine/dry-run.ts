import type { Item } from "#domain";
import { createEngine } from "./engine.ts";
import type { Flow } from "./flow.ts";
import type { FunnelRow } from "./funnel.ts";
import type { Journal } from "./journal.ts";
import type { Recipe } from "./recipe.ts";

/** Milliseconds of a processor that a plan may take to try the stages that ask nobody: a busy machine plans as another. */
const mostTime = 20_000;

const forgetful: Journal = { get: async () => undefined, put: async () => {}, close: async () => {} };
const silent = { append: async () => {}, close: async () => {} };

/** What a dry run saw. */
export interface DryRun {
	/** Of the stages that ask nobody and were reached. */
	rows: FunnelRow[];
	/** All of it was done, rather than ended early or in trouble. */
	whole: boolean;
	/** The first stage to which pieces came and behind which none went on, with why the first one did not. */
	blocked: { stage: string; came: number; because: string } | undefined;
}

/**
 * What the stages of a recipe that ask no model do with its units, found by doing them: what comes behind a stage that asks
 * is not reached. Nothing is kept. Ends early, with what was seen by then, where that takes long.
 */
export async function dryRun(
	flow: Flow<void, Item>,
	{ name, version }: Pick<Recipe, "name" | "version">,
	{
		stages,
		mostUnits,
		seed = 1,
	}: { stages: Flow<void, Item>["stages"]; mostUnits?: number | undefined; seed?: number | undefined },
): Promise<DryRun> {
	const reasons = new Map<string, string>();
	const drops = {
		...silent,
		async append(line: unknown) {
			const { stage, reason, detail } = line as { stage: string; reason: string; detail?: string };
			if (!reasons.has(stage)) reasons.set(stage, detail ?? reason);
		},
	};
	const over = afterProcessorTime(mostTime);
	const engine = createEngine({
		recipe: { name, version },
		stages,
		seed,
		models: {},
		inputs: {},
		journal: forgetful,
		drops,
		faults: silent,
		// nothing is written: what an image shows is looked at by those who are asked
		keepImage: async (_, about) => ({ ...about, file: "images/plan.png", width: 1, height: 1, sha256: "0".repeat(64) }),
		mostUnits,
		signal: over.signal,
	});
	let whole = true;
	try {
		for await (const _ of flow.run(nothing(), engine));
	} catch {
		whole = false;
		// too long, or something that the build itself will tell of: the plan guesses from here
	} finally {
		over.end();
	}
	const asking = new Set(stages.flatMap(({ name: stage, calls = [] }) => (calls.length > 0 ? [stage] : [])));
	const all = engine.funnel();
	const rows = all.filter(({ stage, faults }) => !asking.has(stage) && faults === 0);
	const dead = rows.find(
		(row) => row.in > 0 && row.out === 0 && row.skipped === 0 && row.notApplicable === 0 && row.kind !== "emit",
	);
	return {
		rows,
		whole: whole && all.every(({ faults }) => faults === 0),
		blocked: dead && { stage: dead.stage, came: dead.in, because: reasons.get(dead.stage) ?? "nothing is made of it" },
	};
}

/** Aborts once this process has worked so long since, however long it had to wait for others. */
function afterProcessorTime(most: number): { signal: AbortSignal; end(): void } {
	const begun = process.cpuUsage();
	const controller = new AbortController();
	const clock = setInterval(() => {
		const { user, system } = process.cpuUsage(begun);
		if ((user + system) / 1000 > most) controller.abort();
	}, 100);
	return { signal: controller.signal, end: () => clearInterval(clock) };
}

async function* nothing(): AsyncGenerator<void> {}
