import type { z } from "zod";
import type { Item } from "#domain";
import type { Flow } from "./flow.ts";

/** A way of building a benchmark: named settings, the models it asks, and its stages from source to last check. */
export interface Recipe<Params, Inputs> {
	name: string;
	/** Raised when the same inputs would give other items. */
	version: string;
	title: string;
	/** What it makes, in a sentence. */
	description: string;
	/** The paper and its sections. */
	paper: string;
	/** Every bound and threshold, with the published value as its default where there is one. */
	params: z.ZodType<Params>;
	roles: Readonly<Record<string, RecipeRole>>;
	build(params: Params, inputs: Inputs): Flow<void, Item>;
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
