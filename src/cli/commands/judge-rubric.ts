import { exitCodes, HopscopeError } from "#domain";
import type { Rubric } from "#scoring";

/** A rubric by its name on the command line, or a usage error that lists those there are. */
export function rubricCalled(name: string, rubrics: Readonly<Record<string, Rubric>>): Rubric {
	const rubric = Object.hasOwn(rubrics, name) ? rubrics[name] : undefined;
	if (rubric) return rubric;
	const there = Object.keys(rubrics).join(", ");
	throw new HopscopeError("unknown-rubric", `no rubric is called "${name}"`, `Give one of: ${there}.`, {
		exitCode: exitCodes.usage,
	});
}
