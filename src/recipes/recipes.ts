import type { Recipe } from "./engine/recipe.ts";

/** Every recipe by its name, loaded when it is asked for. */
export const recipes: Readonly<Record<string, () => Promise<Recipe>>> = {
	"double-bench": async () => (await import("./double-bench.ts")).doubleBench,
	"mc-search": async () => (await import("./mc-search.ts")).mcSearch,
	mmhops: async () => (await import("./mmhops.ts")).mmhops,
	tracer: async () => (await import("./tracer.ts")).tracer,
	template: async () => (await import("./template.ts")).template,
	vistahop: async () => (await import("./vistahop.ts")).vistahop,
};
