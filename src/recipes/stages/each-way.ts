import { byItem, type Flow, outputsOf } from "../engine/flow.ts";
import { addLoads, noLoad } from "../engine/plan-load.ts";

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
