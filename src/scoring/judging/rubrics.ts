import type { Rubric } from "./rubric.ts";
import { doubleBench } from "./rubrics/double-bench.ts";
import { mcSearch } from "./rubrics/mc-search.ts";
import { mcSearchErrors } from "./rubrics/mc-search-errors.ts";
import { tracer } from "./rubrics/tracer.ts";
import { vistahop } from "./rubrics/vistahop.ts";
import { vistahopFailures } from "./rubrics/vistahop-failures.ts";

/** Everything that answers can be judged by, by name; the first is the default. */
export const rubrics: Readonly<Record<string, Rubric>> = byName([
	vistahop,
	tracer,
	doubleBench,
	mcSearch,
	mcSearchErrors,
	vistahopFailures,
]);

function byName(list: Rubric[]): Record<string, Rubric> {
	return Object.fromEntries(list.map((each) => [each.name, each]));
}
