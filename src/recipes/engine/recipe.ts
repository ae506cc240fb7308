import { z } from "zod";
import { type Evidence, type Item, type ScoringMode, type Task, usageError } from "#domain";
import type { Graph } from "#graph";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import type { Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import type { TypedGraph } from "../template/graph.ts";
import type { Flow } from "./flow.ts";

/** A way of building a benchmark: named settings, the models it asks, and its stages from source to last check. */
export interface Recipe<Params = unknown> {
	name: string;
	/** Raised when the same inputs would give other items. */
	version: string;
	title: string;
	/** What it makes, in a sentence. */
	description: string;
	/** The paper and its sections. */
	paper: string;
	/** How that paper scores answers, where that is not `hopscope`: the default of the benchmarks it makes. */
	scoring?: ScoringMode;
	/** Every bound and threshold, with the published value as its default where there is one. */
	params: z.ZodType<Params>;
	roles: Readonly<Record<string, RecipeRole>>;
	/** How units of a source are come by, by its name: said where there are none, since another source may have some. */
	sources?: Readonly<Record<string, string>>;
	/** What it cannot do without, beside a knowledge base. */
	needs: readonly ("graph" | "encyclopedia" | "seeds" | "images" | "pages")[];
	build(params: Params, inputs: RecipeInputs): Flow<void, Item>;
	/** What the recipe has to say of all accepted items together, a line each, for the data card. */
	remarks?(items: AsyncIterable<Item>): Promise<string[]>;
}

/** A part that a model plays in a recipe. */
export interface RecipeRole {
	/** What it does, in a few words. */
	does: string;
	/** Whether images are sent to it. */
	sees?: boolean;
	/** Without it its checks are skipped; a recipe cannot run without the others. */
	optional?: boolean;
	/** Roles that another model must play, so that nobody verifies his own work. */
	differsFrom?: readonly string[];
}

/** What a recipe reads. */
export interface RecipeInputs {
	knowledge: KnowledgeBase;
	/** All evidence of the corpus behind the knowledge base, in order of id. */
	evidence(): AsyncIterable<Evidence>;
	graph?: Graph;
	/** A graph whose relations are typed and worded already, in place of `graph`. */
	typed?: TypedGraph;
	encyclopedia?: Encyclopedia;
	/** Questions to begin with, where a recipe extends ready ones. */
	seeds?: readonly Task[];
	/** Folder that files of the seeds' images are relative to. */
	seedsFolder?: string;
	/** Titles and questions of known benchmarks: what is in them is not asked again. */
	known?: { titles: ReadonlySet<string>; questions: readonly string[] };
}

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
