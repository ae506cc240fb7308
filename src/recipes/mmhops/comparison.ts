import { z } from "zod";
import { fold } from "#corpus";
import { type Answer, type Hop, ImageEvidence, Item, questionOf } from "#domain";
import { mentionsAny, readQuantities } from "#scoring";
import { askedOf, type Check, fail, pass } from "../engine/check.ts";
import { newItem, reworded } from "../engine/new-item.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import type { Outcome, Stage } from "../engine/stage.ts";
import { compareEntitiesPrompt } from "../prompts/compare-entities.ts";
import { depictEntitiesPrompt } from "../prompts/depict-entities.ts";
import { type comparisonProblems, judgeComparisonPrompt } from "../prompts/judge-comparison.ts";
import { judgeSameConceptPrompt } from "../prompts/judge-same-concept.ts";
import { nameOf } from "../rules/name-of.ts";
import { rule } from "../rules/rule.ts";
import { stringAnswer } from "../template/answers.ts";
import { computed, measured } from "./measures.ts";
import { isQuoted, PagePassage, type Pages } from "./pages.ts";

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
			...{ text: summaryOf(entity), target: "passage", k: Math.min(1000, 20 * neighbours + 20) },
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
	return {
		kind: "expand",
		name: "similar-entities",
		version: 1,
		params: { neighbours, knowledge: knowledge.manifest.hash },
		yields: neighbours,
		output: Pair,
		async run(entity): Promise<Outcome<Pair>[]> {
			const pairs: Outcome<Pair>[] = [];
			for (const other of await nearTo(entity)) {
				const mutual = other.id < entity.id && (await nearTo(other)).some(({ id }) => id === entity.id);
				if (mutual) continue;
				const [first, second] = entity.id < other.id ? [entity, other] : [other, entity];
				pairs.push({ is: "piece", piece: { id: `${first.id}+${second.id}`, first, second } });
			}
			return pairs;
		},
	};
}

/** Pairs of one thing under two names are dropped: by their names, and by a judge where there is one. */
export function distinctConcepts(): Stage<Pair, Pair> {
	return {
		kind: "expand",
		name: "distinct-concepts",
		version: 1,
		calls: [{ role: "judge", each: 1, prompt: judgeSameConceptPrompt.hash }],
		output: Pair,
		async run(pair, context): Promise<Outcome<Pair>[]> {
			const { first, second } = pair;
			const drop = (detail: string): Outcome<Pair>[] => [{ is: "drop", reason: "duplicate", detail }];
			if (mentionsAny([first.name], [second.name]) || mentionsAny([second.name], [first.name]))
				return drop(`${first.name} and ${second.name}`);
			const values = { first: summaryOf(first), second: summaryOf(second) };
			const { value } = await context.ask("judge", judgeSameConceptPrompt, values);
			return value.same ? drop(`${first.name} is ${second.name}`) : [{ is: "piece", piece: pair }];
		},
	};
}

/**
 * Parts of both pages with the same section title that hold quantities; the untitled beginnings count as one section.
 * At most `most` of a pair, drawn with the seed.
 */
export function matchingSections({ most }: { most: number }): Stage<Pair, Sections> {
	return {
		kind: "expand",
		name: "matching-sections",
		version: 1,
		params: { most },
		yields: most,
		output: Sections,
		run(pair, context): Outcome<Sections>[] {
			const counted = (passages: readonly PagePassage[]) =>
				passages.filter(({ text, language }) => readQuantities(text, { language }).length > 0);
			const [ours, theirs] = [counted(pair.first.page), counted(pair.second.page)];
			const sections = ours.flatMap((first) =>
				theirs
					.filter(({ section, language }) => fold(section) === fold(first.section) && language === first.language)
					.map((second): Sections => ({ id: `${first.id}+${second.id}`, pair, first, second })),
			);
			if (sections.length === 0)
				return [{ is: "drop", reason: "forced_pairing", detail: "no section of one name has quantities in both" }];
			const drawn = context.random(pair.id).shuffle(sections).slice(0, most);
			return drawn.map((piece) => ({ is: "piece", piece }));
		},
	};
}

/**
 * A comparative question. Its sentences must stand in the parts letter by letter, its values are read and brought to one
 * unit, and its answer is computed from them: a model that computed otherwise loses the item.
 */
export function compared(): Stage<Sections, Item> {
	return {
		kind: "compose",
		name: "compared",
		version: 1,
		calls: [{ role: "generator", each: 1, prompt: compareEntitiesPrompt.hash }],
		output: Item,
		async run({ pair, first, second }, context): Promise<Outcome<Item>[]> {
			const drop = (
				reason: "not_grounded" | "forced_pairing" | "unit_mismatch" | "arithmetic_wrong",
				detail: string,
			) => [{ is: "drop" as const, reason, detail }];
			const { language } = first;
			const { value } = await context.ask("generator", compareEntitiesPrompt, {
				...{ language, firstName: pair.first.name, first: first.text },
				...{ secondName: pair.second.name, second: second.text },
			});
			if (value.question.trim() === "") return drop("forced_pairing", "the parts share no attribute");
			for (const [side, part] of [
				[value.first, first],
				[value.second, second],
			] as const)
				if (!isQuoted(side.sentence, part.text) || !isQuoted(side.value, side.sentence))
					return drop("not_grounded", `not in the part: "${side.value}", "${side.sentence.slice(0, 200)}"`);
			const { question, bound } = value;
			const values = measured([value.first.value, value.second.value], { language, question, bound });
			if ("problem" in values) return drop("unit_mismatch", values.problem);
			const names = [pair.first.name, pair.second.name] as const;
			const made = computed(value.operation, values.answers, { names, said: value.answer, language });
			if ("problem" in made) return drop("arithmetic_wrong", made.problem);
			const { answer } = made;
			const chain = { hops: hopsOf({ pair, first, second }, value, values.answers, answer), sink: "h5" };
			const item = newItem(
				{
					...{ question: value.question, answer, chain, by: "compared" },
					tags: { language, questionType: "comparison" },
					...{ lineage: [pair.first.id, pair.second.id, first.id, second.id] },
					cluster: [pair.first.id, pair.second.id].sort().join("+"),
					source: pair.first.image.provenance.source,
					rights: [...new Set([rightsOf(pair.first), rightsOf(pair.second), first.rights, second.rights])]
						.filter(Boolean)
						.join("; "),
					notes: {
						names: [...names],
						images: [pair.first.image.id, pair.second.image.id],
						sentences: [value.first.sentence, value.second.sentence],
					},
				},
				context.recipe,
			);
			return [{ is: "piece", piece: item }];
		},
	};
}

function hopsOf(
	{ pair, first, second }: Pick<Sections, "pair" | "first" | "second">,
	{ attribute, operation, question }: z.infer<(typeof compareEntitiesPrompt)["output"]>,
	[ours, theirs]: readonly [Answer, Answer],
	answer: Answer,
): Hop[] {
	const shown = (id: string, { image, name }: Depicted, place: string): Hop => ({
		...{ id, question: `What is shown in the ${place} image?`, modality: "image", needs: [] },
		...{ evidence: [image.id], answer: stringAnswer(name) },
	});
	const stated = (id: string, of: string, { name }: Depicted, part: PagePassage, value: Answer): Hop => ({
		...{ id, question: `What is the ${attribute || "value"} of ${name}?`, modality: "text" },
		...{ needs: [{ hop: of, role: "bridge" }], evidence: [part.id], answer: value },
	});
	return [
		shown("h1", pair.first, "first"),
		shown("h2", pair.second, "second"),
		stated("h3", "h1", pair.first, first, ours),
		stated("h4", "h2", pair.second, second, theirs),
		{
			...{ id: "h5", question, modality: "compute", evidence: [], answer },
			needs: [
				{ hop: "h3", role: "operand" },
				{ hop: "h4", role: "operand" },
			],
			compute: { op: operation },
		},
	];
}

const rightsOf = ({ image }: Depicted): string => image.provenance.licence ?? "";

const noted = (item: Item, name: "names" | "images" | "sentences"): [string, string] => {
	const parsed = z.tuple([z.string(), z.string()]).safeParse(item.notes[name]);
	return parsed.success ? parsed.data : ["", ""];
};

/** Whether the item is a comparison that this recipe composed. */
const isCompared = (item: Item): boolean => noted(item, "names")[0] !== "";

/** Both entities stand in the question in full, before images take their place. */
export const bothNamed = rule({ name: "both-named", concerns: isCompared }, (item) => {
	const question = questionOf(item);
	const missing = noted(item, "names").find((name) => !mentionsAny([name], [question]));
	return missing === undefined ? pass() : fail("missing_name", missing);
});

const reasons = {
	compound: "compound_question",
	"not-both-named": "missing_name",
	"vague-value": "vague_answer",
	"other-attribute": "forced_pairing",
	"not-stated": "lacking_evidence",
	other: "other",
} as const satisfies Partial<Record<(typeof comparisonProblems)[number], string>>;

/** A judge says whether the question stands on its two sentences. */
export function comparisonStands(): Check {
	return {
		kind: "check",
		name: "comparison-stands",
		version: 1,
		calls: [{ role: "judge", each: 1, prompt: judgeComparisonPrompt.hash }],
		concerns: isCompared,
		async look(item, context) {
			const [firstName, secondName] = noted(item, "names");
			const [firstSentence, secondSentence] = noted(item, "sentences");
			const asked = await context.ask("judge", judgeComparisonPrompt, {
				...{ firstName, secondName, question: questionOf(item), answer: item.answer.value },
				...{ firstSentence, secondSentence },
			});
			const { problem, why } = asked.value;
			return problem === "none" ? pass(askedOf(asked)) : fail(reasons[problem], why, askedOf(asked));
		},
	};
}

/** Puts the two images in the place of the two names, in the order in which the question counts them. */
export function depictedQuestion({ knowledge }: Pick<RecipeInputs, "knowledge">): Stage<Item, Item> {
	return {
		kind: "rewrite",
		name: "depicted-question",
		version: 1,
		calls: [{ role: "generator", each: 1, prompt: depictEntitiesPrompt.hash }],
		output: Item,
		async run(item, context): Promise<Outcome<Item>[]> {
			const names = noted(item, "names");
			const { value } = await context.ask("generator", depictEntitiesPrompt, {
				...{ language: item.tags.language, firstName: names[0], secondName: names[1] },
				...{ question: questionOf(item), answer: item.answer.value },
			});
			const images: Item["images"] = [];
			for (const [at, id] of noted(item, "images").entries()) {
				const stored = await knowledge.evidence(id);
				const file = stored && knowledge.file(stored);
				if (!file || stored.kind !== "image") return [{ is: "drop", reason: "image_bad", detail: `${id} has no file` }];
				const licence = stored.provenance.licence;
				// an answer that is one of the names is asked for, and the image still must not be named in words
				images.push(
					await context.keepImage(file, {
						...{ id: `${item.id}-${at + 1}`, hides: [names[at] ?? ""] },
						...(licence ? { licence } : {}),
					}),
				);
			}
			const version = { text: value.question, by: "depicted-question", why: "images in the place of names" };
			return [{ is: "piece", piece: { ...reworded(item, version), images } }];
		},
	};
}
