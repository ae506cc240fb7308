import { byItem, type Flow, outputsOf } from "./flow.ts";

/** Sends each input down the way that `route` names. */
export function choose<In, Out, const Way extends string>(
	route: (input: In) => Way,
	ways: Record<Way, Flow<In, Out>>,
): Flow<In, Out> {
	const stages = Object.values<Flow<In, Out>>(ways).flatMap((way) => way.stages);
	return byItem(stages, (input, engine) => outputsOf(ways[route(input)], input, engine));
}
