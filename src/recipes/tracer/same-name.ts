import type { Item } from "#domain";
import { type Check, defineCheck, fail, pass } from "../engine/check.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { isChoosing } from "../rules/comparison.ts";
import { plainTitle } from "./passages.ts";

/**
 * Nothing on the way from question to answer shares its name with something else: by the encyclopedia where one is given,
 * else by titles of the corpus that differ only in what stands in brackets behind them.
 */
export function uniqueNames(inputs: RecipeInputs): Check {
	const { encyclopedia } = inputs;
	let titles: Promise<Map<string, Set<string>>> | undefined;
	const count = async (said: string, language: string): Promise<number> => {
		if (encyclopedia) return (await encyclopedia.sameName(said, { language })).count;
		titles ??= documentsByTitle(inputs);
		return (await titles).get(plainTitle(said))?.size ?? 0;
	};
	return defineCheck("check", "unique-names", 1, {
		params: { from: encyclopedia?.id ?? "titles" },
		lacks: (item) => (namesOf(item).length === 0 ? "no answer is a name" : undefined),
		async look(item) {
			for (const said of namesOf(item)) {
				const bearers = await count(said, item.tags.language);
				if (bearers > 1) return fail("same_name", `${bearers} are called "${said}"`, { score: bearers, threshold: 1 });
			}
			return pass();
		},
	});
}

/** Answers that are names: of bridges and of the question itself. */
const namesOf = ({ chain }: Item): string[] =>
	chain.hops.flatMap((hop) => (hop.answer.type === "string" && !isChoosing(hop) ? [hop.answer.value] : []));

async function documentsByTitle({ evidence }: RecipeInputs): Promise<Map<string, Set<string>>> {
	const byTitle = new Map<string, Set<string>>();
	for await (const { title, document } of evidence()) {
		const base = plainTitle(title.replace(/\s*\([^()]*\)\s*$/, ""));
		byTitle.set(base, (byTitle.get(base) ?? new Set()).add(document));
	}
	return byTitle;
}
