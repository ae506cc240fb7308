import { z } from "zod";
import type { ChatModel } from "#models";
import { usageError } from "../usage-error.ts";
import type { Recipe } from "./recipe.ts";

/** Settings as the recipe reads them; what it cannot read or does not know is the user's mistake (exit 2). */
export function paramsOf<Params>(recipe: Pick<Recipe<Params>, "name" | "params">, given: unknown): Params {
	const { params } = recipe;
	const parsed = (params instanceof z.ZodObject ? params.strict() : params).safeParse(given ?? {});
	if (parsed.success) return parsed.data as Params;
	const issue = parsed.error.issues[0];
	throw usageError(
		"bad-setting",
		`the recipe ${recipe.name} cannot use ${issue?.path.join(".") || "its settings"}: ${issue?.message}`,
		"hopscope make RECIPE --settings lists them.",
	);
}

/** Every part must be played, and nobody may verify his own work where the recipe forbids it (exit 2). */
export function mustBeCast(
	recipe: Pick<Recipe, "name" | "roles">,
	models: Readonly<Record<string, Pick<ChatModel, "id">>>,
): void {
	const refuse = (message: string, remedy: string) => usageError("bad-cast", message, remedy);
	for (const [role, { does, optional, differsFrom = [] }] of Object.entries(recipe.roles)) {
		const model = models[role];
		if (!model && !optional)
			throw refuse(
				`the recipe ${recipe.name} needs a model as its ${role} (${does})`,
				`Give --model NAME for every role, or --role ${role}=NAME.`,
			);
		for (const other of differsFrom)
			if (model && models[other]?.id === model.id)
				throw refuse(
					`${model.id} would be ${role} and ${other}: nobody may verify his own work`,
					`Give another model: --role ${role}=NAME.`,
				);
	}
}
