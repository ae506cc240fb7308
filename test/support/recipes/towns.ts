import { z } from "zod";
import { type Evidence, type Item, questionOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { sha256 } from "#store";
import { type Check, fail, pass } from "../../../src/recipes/engine/check.ts";
import { each, type Flow, source } from "../../../src/recipes/engine/flow.ts";
import { newItem } from "../../../src/recipes/engine/new-item.ts";
import { definePrompt } from "../../../src/recipes/engine/prompt.ts";
import type { Recipe, RecipeInputs, RecipeRole } from "../../../src/recipes/engine/recipe.ts";
import type { Piece, Stage } from "../../../src/recipes/engine/stage.ts";
import { stringAnswer } from "../../../src/recipes/template/answers.ts";

/** Passage `town#N` says how many inhabitants Town N has. */
export const townPassage = (n: number): Evidence => ({
	kind: "passage",
	id: `town#${n}`,
	document: `town-${n}`,
	title: `Town ${n}`,
	language: "en",
	form: "prose",
	text: `Town ${n} has ${n}00 inhabitants.`,
	sha256: sha256(`town ${n}`),
	provenance: { source: "test" },
});

/** What a recipe reads, of so many towns. */
export function townInputs(towns: number): RecipeInputs {
	const passages = Array.from({ length: towns }, (_, n) => townPassage(n));
	return {
		knowledge: fakeKnowledge(passages),
		async *evidence() {
			yield* passages;
		},
	};
}

/** A recipe of one flow, for tests of the engine. */
export function recipeOf(flow: (inputs: RecipeInputs) => Flow<void, Item>, roles: string[] = []): Recipe {
	const described = Object.fromEntries(roles.map((role): [string, RecipeRole] => [role, { does: "what it is told" }]));
	return {
		name: "toy",
		version: "1",
		title: "Towns",
		description: "Sizes of towns.",
		paper: "none",
		params: z.object({}),
		roles: described,
		needs: [],
		build: (_, inputs) => flow(inputs),
	};
}

export interface Town extends Piece {
	n: number;
	text: string;
}

/** The towns that the inputs hold. */
export const towns = (inputs: RecipeInputs): Flow<void, Town> =>
	source({ name: "towns", version: 1 }, async function* () {
		for await (const { id } of inputs.evidence()) yield { id, n: Number(id.slice(5)), text: `Town ${id.slice(5)}` };
	});

/** The item that asks for the size of a town. */
export const townItem = ({ id, n }: Pick<Town, "id" | "n">, question = `How many inhabitants has Town ${n}?`): Item =>
	newItem(
		{
			question,
			answer: stringAnswer(`${n}00`),
			chain: {
				hops: [
					{
						id: "h1",
						question: "How many inhabitants?",
						modality: "text",
						needs: [],
						evidence: [id],
						answer: stringAnswer(`${n}00`),
					},
				],
				sink: "h1",
			},
			by: "ask",
		},
		{ name: "toy", version: "1" },
	);

/** Makes items without asking anybody. */
export const written: Stage<Town, Item> = {
	kind: "compose",
	name: "write",
	version: 1,
	output: z.custom<Item>(),
	run: (town) => [{ is: "piece", piece: townItem(town) }],
};

export const townPrompt = definePrompt("town-question", 1, {
	variables: ["passage"],
	instructions: "Ask for the number in the passage.",
	output: z.object({ question: z.string() }),
});

/** Asks the generator for a question on a town. */
export const asked: Stage<Town, Item> = {
	kind: "compose",
	name: "ask",
	version: 1,
	output: z.custom<Item>(),
	calls: [{ role: "generator", each: 1, prompt: townPrompt.hash }],
	async run(town, context) {
		const { value } = await context.ask("generator", townPrompt, { passage: town.text });
		return [{ is: "piece", piece: townItem(town, value.question) }];
	},
};

/** The number of the town that an item asks about. */
export const townOf = (item: Item): number => Number(/Town (\d+)/.exec(questionOf(item))?.[1]);

/** A rule on the town's number. */
export const rule = (name: string, holds: (n: number) => boolean): Check => ({
	kind: "check",
	name,
	version: 1,
	look: (item) => (holds(townOf(item)) ? pass() : fail("other", `${name} does not hold`)),
});

/** A flow whose every town is asked for by the model. */
export const asking = (inputs: RecipeInputs): Flow<void, Item> => towns(inputs).to(each(asked));
