import type { Engine } from "./engine.ts";
import { addLoads, type Load, noLoad, type Planner } from "./plan-load.ts";
import type { AcrossStage, Piece, Stage, StageAbout } from "./stage.ts";

/** A run of stages from inputs to outputs. Outputs come in the order of the inputs, whatever was done first. */
export interface Flow<In, Out> {
	/** Every stage in the order in which the funnel shows them. */
	stages: readonly StageAbout[];
	run(inputs: AsyncIterable<In>, engine: Engine): AsyncIterable<Out>;
	/** How many pieces are to be expected behind it, with each of its stages told to the planner. */
	load(incoming: Load, planner: Planner): Promise<Load>;
	to<Next>(next: Flow<Out, Next> | Stage<Out, Next>): Flow<In, Next>;
}

/** Makes a flow of its stages and of how they are run; for plans one after the other, unless `load` says otherwise. */
export function flowOf<In, Out>(
	stages: readonly StageAbout[],
	run: Flow<In, Out>["run"],
	load: Flow<In, Out>["load"] = oneAfterTheOther(stages),
): Flow<In, Out> {
	return {
		stages,
		run,
		load,
		to(next) {
			const after = "to" in next ? next : each(next);
			return flowOf(
				[...stages, ...after.stages],
				(inputs, engine) => after.run(run(inputs, engine), engine),
				async (incoming, planner) => after.load(await load(incoming, planner), planner),
			);
		},
	};
}

const oneAfterTheOther =
	(stages: readonly StageAbout[]): Flow<never, never>["load"] =>
	async (incoming, planner) =>
		stages.reduce((coming, stage) => planner.stage(stage, coming), incoming);

/** The stage, over every input by itself. */
export function each<In, Out>(stage: Stage<In, Out>): Flow<In, Out> {
	return byItem([stage], (input, engine) => engine.perform(stage, input));
}

/** A flow whose inputs are worked on by themselves, several at once. */
export function byItem<In, Out>(
	stages: readonly StageAbout[],
	work: (input: In, engine: Engine) => Promise<Out[]>,
	load: Flow<In, Out>["load"] = oneAfterTheOther(stages),
): Flow<In, Out> {
	return flowOf(
		stages,
		async function* (inputs, engine) {
			for await (const outputs of inOrder(inputs, engine.together, (input) => work(input, engine))) yield* outputs;
		},
		(incoming, planner) => planner.readAhead(() => load(incoming, planner)),
	);
}

/** Where a recipe begins: units that are read, in a fixed order. */
export function source<Out extends Piece>(
	about: Omit<StageAbout, "kind">,
	units: () => AsyncIterable<Out> | Iterable<Out>,
): Flow<void, Out> {
	const stage: StageAbout = { ...about, kind: "source" };
	return flowOf(
		[stage],
		async function* (_, engine) {
			let read = 0;
			for await (const unit of units()) {
				if (read >= engine.mostUnits) return;
				engine.signal?.throwIfAborted();
				read += 1;
				engine.count(stage, unit);
				yield unit;
			}
		},
		(_, planner) => planner.units(stage, units),
	);
}

/** The stage over all that came, as one. */
export function across<In extends Piece, Out extends Piece>(stage: AcrossStage<In, Out>): Flow<In, Out> {
	return flowOf(
		[stage],
		async function* (inputs, engine) {
			const all: In[] = [];
			for await (const input of inputs) all.push(input);
			yield* await engine.performAcross(stage, all);
		},
		async (incoming, planner) => {
			const behind = planner.stage(stage, incoming);
			planner.barrier();
			return behind;
		},
	);
}

/**
 * Flows side by side, each from its own source. Their outputs come in turns, so that whoever stops early has some of each.
 */
export function together<Out>(...flows: Flow<void, Out>[]): Flow<void, Out> {
	return flowOf(
		flows.flatMap((flow) => flow.stages),
		async function* (inputs, engine) {
			let open = flows.map((flow) => flow.run(inputs, engine)[Symbol.asyncIterator]());
			try {
				while (open.length > 0) {
					const left: typeof open = [];
					for (const outputs of open) {
						const next = await outputs.next();
						if (next.done) continue;
						left.push(outputs);
						yield next.value;
					}
					open = left;
				}
			} finally {
				await Promise.all(open.map((outputs) => outputs.return?.()));
			}
		},
		async (incoming, planner) => {
			let all = noLoad;
			for (const flow of flows) all = addLoads(all, await planner.oneOfSeveral(() => flow.load(incoming, planner)));
			return all;
		},
	);
}

/** Sends every input down each of the ways; what they give comes input by input, in the order of the ways. */
export function eachWay<In, Out>(...ways: Flow<In, Out>[]): Flow<In, Out> {
	return byItem(
		ways.flatMap((way) => way.stages),
		async (input, engine) => {
			const outputs: Out[] = [];
			for (const way of ways) outputs.push(...(await outputsOf(way, input, engine)));
			return outputs;
		},
		async (incoming, planner) => {
			let all = noLoad;
			for (const way of ways) all = addLoads(all, await way.load(incoming, planner));
			return all;
		},
	);
}

/** The flow's outputs for one input. */
export async function outputsOf<In, Out>(flow: Flow<In, Out>, input: In, engine: Engine): Promise<Out[]> {
	const outputs: Out[] = [];
	for await (const output of flow.run(only(input), engine)) outputs.push(output);
	return outputs;
}

async function* only<T>(value: T): AsyncGenerator<T> {
	yield value;
}

/** Works on at most `most` inputs at once and gives the results in the order of the inputs. */
async function* inOrder<In, Out>(
	inputs: AsyncIterable<In>,
	most: number,
	work: (input: In) => Promise<Out>,
): AsyncGenerator<Out> {
	const going: Promise<Out>[] = [];
	try {
		for await (const input of inputs) {
			const result = work(input);
			// seen when its turn comes; until then it must not count as unhandled
			result.catch(() => {});
			going.push(result);
			const first = going.length >= most ? going.shift() : undefined;
			if (first) yield await first;
		}
		for (let first = going.shift(); first; first = going.shift()) yield await first;
	} finally {
		await Promise.allSettled(going);
	}
}
