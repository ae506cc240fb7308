import type { Engine } from "../engine/engine.ts";
import { type Flow, flowOf, outputsOf } from "../engine/flow.ts";
import { scaled } from "../engine/plan-load.ts";
import type { StageAbout } from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import type { Proposals, Seed, Step, Walk } from "./chain.ts";

export interface ChainBounds {
	/** Hops of a chain: fewer are no chain, at the most it ends, unless its seed has a depth of its own. */
	least: number;
	most: number;
	/** Hops that chains are to have on average, as far as the bounds allow. */
	mean: number;
	/** Hops that are looked for from one seed before it is given up. */
	expansions: number;
}

/** A depth-first search from one seed: the walk so far at each depth, with what is left to try there. */
interface Search {
	seed: Seed;
	levels: { walk: Walk; open: Step[] }[];
	expansions: number;
}

/**
 * Grows one chain from each seed, depth first. All searches go on in rounds: proposals are made for each at once, then
 * each takes its best one that no other chain has taken, in order of the seeds' ids, so that what a chain may use never
 * depends on which model answered first. A way that ends too early gives its entity back.
 */
export function growChains(expand: Flow<Walk, Proposals>, bounds: ChainBounds): Flow<Seed, Walk> {
	const { least, most, mean, expansions } = bounds;
	const about: StageAbout = { kind: "expand", name: "chains", version: 2, params: { least, most, expansions } };
	return flowOf(
		[...expand.stages, about],
		async function* (inputs, engine) {
			const seeds: Seed[] = [];
			for await (const seed of inputs) seeds.push(seed);
			seeds.sort((a, b) => (a.id < b.id ? -1 : 1));
			const searches = seeds.map((seed): Search => ({ seed, levels: [], expansions: 0 }));
			const ends = new Map<Search, Walk | "none" | "fault">();
			const used = new Set<string>();
			for (let active = searches; active.length > 0; active = active.filter((search) => !ends.has(search))) {
				engine.signal?.throwIfAborted();
				const opened = await inTurns(active, (search) => expanded(search, expand, engine));
				for (const [at, search] of active.entries()) {
					if (!opened[at]) release(search, used);
					const end = opened[at] ? advance(search, used, { least, most, expansions }) : "fault";
					if (end !== "on") ends.set(search, end);
				}
			}
			for (const search of searches) {
				const end = ends.get(search);
				// after a fault the seed waits: it is in quarantine where that happened
				if (end === undefined || end === "fault") continue;
				const detail = `no ${least} hops from ${search.seed.node.name}`;
				if (end === "none") engine.count(about, search.seed, { reason: "dead_end", detail });
				else {
					engine.count(about, end);
					yield end;
				}
			}
		},
		async (incoming, planner) => {
			await expand.load(scaled(incoming, { expected: Math.min(Math.max(mean, least), most), variance: 0.25 }), planner);
			planner.barrier();
			return planner.stage(about, incoming);
		},
	);
}

/** Opens the search's deepest level: what may follow its walk. False where that could not be found out. */
async function expanded(search: Search, expand: Flow<Walk, Proposals>, engine: Engine): Promise<boolean> {
	const walk = nextWalk(search) ?? { id: search.seed.id, seed: search.seed, steps: [] };
	search.expansions += 1;
	const [proposals] = await outputsOf(expand, walk, engine);
	if (proposals) search.levels.push({ walk, open: [...proposals.steps] });
	return proposals !== undefined;
}

/** The deepest walk with the step that was taken from it. */
const nextWalk = ({ levels }: Search): Walk | undefined => {
	const top = levels.at(-1);
	const taken = top?.open[0];
	return top && taken && { ...top.walk, steps: [...top.walk.steps, taken] };
};

/** Takes the next step, going back where there is none: the walk when it is long enough, "none" when all was tried. */
function advance(
	search: Search,
	used: Set<string>,
	{ least, most, expansions }: Omit<ChainBounds, "mean">,
): Walk | "on" | "none" {
	const { levels } = search;
	for (let top = levels.at(-1); top; top = levels.at(-1)) {
		// values recur, and lead nowhere; entities are taken once
		top.open = top.open.filter(({ to }) => to.value !== undefined || !used.has(to.id));
		const [step] = top.open;
		const walk = nextWalk(search);
		if (step && walk) {
			if (step.to.value === undefined) used.add(step.to.id);
			const spent = search.expansions >= expansions;
			if (walk.steps.length >= (spent || step.to.value ? least : (search.seed.depth ?? most))) return walk;
			if (!spent) return "on";
			release(search, used);
			return "none";
		}
		if (top.walk.steps.length >= least) return top.walk;
		levels.pop();
		// what led here led nowhere: its entity is free for others
		const left = levels.at(-1)?.open.shift();
		if (left) used.delete(left.to.id);
	}
	return "none";
}

/** Gives back every entity that the search has taken. */
function release({ levels }: Search, used: Set<string>): void {
	for (const { open } of levels) if (open[0]) used.delete(open[0].to.id);
}
