import { byItem, type Flow, outputsOf } from "./flow.ts";
import { addLoads, type Load, noLoad } from "./plan-load.ts";

/** Sends each input down the way that `route` names. */
export function choose<In, Out, const Way extends string>(
	route: (input: In) => Way,
	ways: Record<Way, Flow<In, Out>>,
): Flow<In, Out> {
	const flows = Object.values<Flow<In, Out>>(ways);
	return byItem(
		flows.flatMap((way) => way.stages),
		(input, engine) => outputsOf(ways[route(input)], input, engine),
		async ({ expected, most }, planner) => {
			// which way is taken shows only when it is taken: an equal part is expected, all of them at most
			let all: Load = noLoad;
			let bound = 0;
			for (const way of flows) {
				const load = await way.load({ expected: expected / flows.length, most }, planner);
				all = addLoads(all, load);
				bound = Math.max(bound, load.most);
			}
			return { expected: all.expected, most: bound };
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
