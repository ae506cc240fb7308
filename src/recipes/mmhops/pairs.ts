import { z } from "zod";
import { fold } from "#corpus";
import { ImageEvidence } from "#domain";
import { mentionsAny, readQuantities } from "#scoring";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Outcome, type Stage } from "../engine/stage.ts";
import { nameOf } from "../rules/bridges.ts";
import { PagePassage, type Pages } from "./pages.ts";
import { judgeSameConceptPrompt } from "./prompts.ts";

/** An entity that an image of the corpus shows and a page tells of. */
export const Depicted = z.object({
	id: z.string(),
	name: z.string(),
	image: ImageEvidence,
	page: z.array(PagePassage),
});
export type Depicted = z.infer<typeof Depicted>;

export const Pair = z.object({ id: z.string(), first: Depicted, second: Depicted });
export type Pair = z.infer<typeof Pair>;

/** Two parts of articles about one attribute. */
export const Sections = z.object({ id: z.string(), pair: Pair, first: PagePassage, second: PagePassage });
export type Sections = z.infer<typeof Sections>;

/** Images of the corpus whose titles name a page, each entity once. */
export async function* depicted({ evidence }: Pick<RecipeInputs, "evidence">, pages: Pages): AsyncGenerator<Depicted> {
	const seen = new Set<string>();
	for await (const image of evidence()) {
		if (image.kind !== "image" || seen.has(fold(image.title))) continue;
		const page = await pages.of(image.title);
		const title = page[0]?.title;
		if (title === undefined) continue;
		seen.add(fold(title));
		yield { id: image.id, name: nameOf(title), image, page };
	}
}

/** How much of a page stands for the entity in search and before judges, in characters. */
const summaryLength = 400;
const summaryOf = ({ name, page }: Depicted) => `${name}. ${(page[0]?.text ?? "").slice(0, summaryLength)}`;

/**
 * Pairs of an entity with depicted ones whose pages a search for its name and summary finds, by embeddings where there are
 * some. Each pair comes once, from the entity whose id comes first if both find each other.
 */
export function similar(
	{ knowledge, evidence }: Pick<RecipeInputs, "knowledge" | "evidence">,
	pages: Pages,
	{ neighbours }: { neighbours: number },
): Stage<Depicted, Pair> {
	let all: Promise<Map<string, Depicted>> | undefined;
	async function read(): Promise<Map<string, Depicted>> {
		const byTitle = new Map<string, Depicted>();
		for await (const one of depicted({ evidence }, pages)) byTitle.set(fold(one.image.title), one);
		return byTitle;
	}
	const dense = knowledge.manifest.indexes.some(({ name }) => name === "dense");
	const searched = new Map<string, Promise<Depicted[]>>();
	async function search(entity: Depicted): Promise<Depicted[]> {
		all ??= read();
		const others = await all;
		// many passages of one page may stand before the next page
		const found = await knowledge.search({
			text: summaryOf(entity),
			target: "passage",
			k: Math.min(1000, 20 * neighbours + 20),
			...(dense ? { mode: "dense" } : {}),
		});
		const near = [...new Set(found.map(({ title }) => fold(title)))].flatMap((title) => {
			const other = others.get(title);
			return other && other.id !== entity.id ? [other] : [];
		});
		return near.slice(0, neighbours);
	}
	function nearTo(entity: Depicted): Promise<Depicted[]> {
		const found = searched.get(entity.id) ?? search(entity);
		searched.set(entity.id, found);
		return found;
	}
	return defineStage("expand", "similar-entities", 1, {
		params: { neighbours, knowledge: knowledge.manifest.hash },
		yields: neighbours,
		output: Pair,
		async run(entity) {
			const pairs: Outcome<Pair>[] = [];
			for (const other of await nearTo(entity)) {
				const mutual = other.id < entity.id && (await nearTo(other)).some(({ id }) => id === entity.id);
				if (mutual) continue;
				const [first, second] = entity.id < other.id ? [entity, other] : [other, entity];
				pairs.push(asPiece({ id: `${first.id}+${second.id}`, first, second }));
			}
			return pairs;
		},
	});
}

/** Pairs of one thing under two names are dropped: by their names, and by a judge where there is one. */
export function distinctConcepts(): Stage<Pair, Pair> {
	return defineStage("expand", "distinct-concepts", 1, {
		calls: [{ role: "judge", each: 1, prompt: judgeSameConceptPrompt.hash }],
		output: Pair,
		async run(pair, context) {
			const { first, second } = pair;
			if (mentionsAny([first.name], [second.name]) || mentionsAny([second.name], [first.name]))
				return [asDrop("duplicate", `${first.name} and ${second.name}`)];
			const values = { first: summaryOf(first), second: summaryOf(second) };
			const { value } = await context.ask("judge", judgeSameConceptPrompt, values);
			return [value.same ? asDrop("duplicate", `${first.name} is ${second.name}`) : asPiece(pair)];
		},
	});
}

/**
 * Parts of both pages with the same section title that hold quantities; the untitled beginnings count as one section.
 * At most `most` of a pair, drawn with the seed.
 */
export function matchingSections({ most }: { most: number }): Stage<Pair, Sections> {
	return defineStage("expand", "matching-sections", 1, {
		params: { most },
		yields: most,
		output: Sections,
		run(pair, context) {
			const counted = (passages: readonly PagePassage[]) =>
				passages.filter(({ text, language }) => readQuantities(text, { language }).length > 0);
			const [ours, theirs] = [counted(pair.first.page), counted(pair.second.page)];
			const sections = ours.flatMap((first) =>
				theirs
					.filter(({ section, language }) => fold(section) === fold(first.section) && language === first.language)
					.map((second): Sections => ({ id: `${first.id}+${second.id}`, pair, first, second })),
			);
			if (sections.length === 0) return [asDrop("forced_pairing", "no section of one name has quantities in both")];
			const drawn = context.random(pair.id).shuffle(sections).slice(0, most);
			return drawn.map(asPiece);
		},
	});
}
