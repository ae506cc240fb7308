import { setMaxListeners } from "node:events";
import { ownField, unknownName, usageError } from "#domain";
import { createModelJudge, createRuleJudge, type Judge, type Rubric, rubrics, ruleId } from "#scoring";
import type { Models } from "./models.ts";

/** A rubric by its name on the command line, or a usage error that lists those there are. */
export function rubricCalled(name: string, there: Readonly<Record<string, Rubric>>): Rubric {
	const rubric = ownField(there, name);
	if (rubric) return rubric;
	throw unknownName("unknown-rubric", `no rubric is called "${name}"`, { name, names: Object.keys(there) });
}

/** A judge by its name on the command line, with what its calls cost; a usage error where none is named or none can judge. */
export function openJudge(
	name: string | undefined,
	{
		rubric,
		models,
		needsPrice,
		signal,
	}: { rubric: Rubric; models: Models; needsPrice: boolean; signal?: AbortSignal | undefined },
): { judge: Judge; money: ReturnType<Models["money"]> } {
	if (!name) throw usageError("no-judge", "no judge is named", "Name one: --model MODEL, or --model rule.");
	// one listener for each call under way is no leak
	if (signal) setMaxListeners(0, signal);
	if (name !== ruleId) return { judge: createModelJudge(models.open(name, { needsPrice })), money: models.money(name) };
	if (!rubric.rule) {
		const others = Object.values(rubrics).filter((one) => one.rule);
		throw usageError(
			"no-rule",
			`no rule can stand in for a judge by ${rubric.name}`,
			`Name a model, or one of: ${others.map((one) => one.name).join(", ")}.`,
		);
	}
	return { judge: createRuleJudge(), money: { currency: undefined, priced: false } };
}
