import { z } from "zod";
import { withNumberKind } from "#benchmarks";
import { type Answer, type Hop, Item, questionOf } from "#domain";
import { mentionsAny } from "#scoring";
import { type Check, defineJudgement, fail, pass } from "../engine/check.ts";
import { newItem, reworded } from "../engine/new-item.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { rule } from "../rules/rule.ts";
import { stringAnswer } from "../template/answers.ts";
import { computed, measured } from "./measures.ts";
import { isQuoted, type PagePassage } from "./pages.ts";
import type { Depicted, Sections } from "./pairs.ts";
import {
	compareEntitiesPrompt,
	type comparisonProblems,
	depictEntitiesPrompt,
	judgeComparisonPrompt,
} from "./prompts.ts";

/** What a comparison may be answered with, as its generator is told. */
const wanted = {
	numbers: "The answer is a number with its unit: operation is difference, divide, add or mean.",
	any: "The answer is a number with its unit, one of the two names, or yes or no.",
} as const;

/**
 * A comparative question. Its sentences must stand in the parts letter by letter, its values are read and brought to one
 * unit, and its answer is computed from them: a model that computed otherwise loses the item.
 */
export function compared({ answers }: { answers: keyof typeof wanted }): Stage<Sections, Item> {
	return defineStage("compose", "compared", 3, {
		params: { answers },
		calls: [{ role: "generator", each: 1, prompt: compareEntitiesPrompt.hash }],
		output: Item,
		async run({ pair, first, second }, context) {
			const { language } = first;
			const { value } = await context.ask("generator", compareEntitiesPrompt, {
				language,
				answers: wanted[answers],
				firstName: pair.first.name,
				first: first.text,
				secondName: pair.second.name,
				second: second.text,
			});
			if (value.question.trim() === "") return [asDrop("forced_pairing", "the parts share no attribute")];
			for (const [side, part] of [
				[value.first, first],
				[value.second, second],
			] as const)
				if (!isQuoted(side.sentence, part.text) || !isQuoted(side.value, side.sentence))
					return [asDrop("not_grounded", `not in the part: "${side.value}", "${side.sentence.slice(0, 200)}"`)];
			const { question, bound } = value;
			const values = measured([value.first.value, value.second.value], { language, question, bound });
			if ("problem" in values) return [asDrop("unit_mismatch", values.problem)];
			const names = [pair.first.name, pair.second.name] as const;
			const made = computed(value.operation, values.answers, { names, said: value.answer, language });
			if ("problem" in made) return [asDrop("arithmetic_wrong", made.problem)];
			const { answer } = made;
			const chain = { hops: hopsOf({ pair, first, second }, value, values.answers, answer), sink: "h5" };
			const item = newItem(
				{
					question: value.question,
					answer,
					chain,
					by: "compared",
					tags: { language, questionType: "comparison" },
					lineage: [pair.first.id, pair.second.id, first.id, second.id],
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
			return [asPiece(item)];
		},
	});
}

function hopsOf(
	{ pair, first, second }: Pick<Sections, "pair" | "first" | "second">,
	{ attribute, operation, question }: z.infer<(typeof compareEntitiesPrompt)["output"]>,
	[ours, theirs]: readonly [Answer, Answer],
	answer: Answer,
): Hop[] {
	const shown = (id: string, { image, name }: Depicted, place: string): Hop => ({
		id,
		question: `What is shown in the ${place} image?`,
		modality: "image",
		needs: [],
		evidence: [image.id],
		answer: stringAnswer(name),
	});
	const stated = (id: string, of: string, { name }: Depicted, part: PagePassage, value: Answer): Hop => ({
		id,
		question: `What is the ${attribute || "value"} of ${name}?`,
		modality: "text",
		needs: [{ hop: of, role: "bridge" }],
		evidence: [part.id],
		answer: value,
	});
	return [
		shown("h1", pair.first, "first"),
		shown("h2", pair.second, "second"),
		stated("h3", "h1", pair.first, first, ours),
		stated("h4", "h2", pair.second, second, theirs),
		{
			id: "h5",
			question,
			modality: "compute",
			evidence: [],
			answer,
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

/**
 * The answer is a number with its unit; without one it counts things, or is a share or a ratio. Source: MMhops' verification
 * of comparisons (Supplementary); its rewriting to images allows for names all the same.
 */
export const numberWithUnit = rule({ name: "number-with-unit", concerns: isCompared }, (item) => {
	const { answer, chain } = item;
	if (answer.type !== "number") return fail("vague_answer", `"${answer.value}" is no number`);
	if (answer.number.unit) return pass();
	const ratio = chain.hops.some(({ id, compute }) => id === chain.sink && compute?.op === "divide");
	const { kind } = withNumberKind(answer, questionOf(item)).number;
	return ratio || kind === "count" || kind === "share"
		? pass()
		: fail("unit_mismatch", `"${answer.value}" has no unit`);
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
export const comparisonStands = (): Check =>
	defineJudgement("comparison-stands", ["judge", judgeComparisonPrompt], {
		concerns: isCompared,
		values(item) {
			const [firstName, secondName] = noted(item, "names");
			const [firstSentence, secondSentence] = noted(item, "sentences");
			const asked = { question: questionOf(item), answer: item.answer.value };
			return { ...asked, firstName, secondName, firstSentence, secondSentence };
		},
		verdict: ({ problem, why }) => (problem === "none" ? pass() : fail(reasons[problem], why)),
	});

/** Puts the two images in the place of the two names, in the order in which the question counts them. */
export function depictedQuestion({ knowledge }: Pick<RecipeInputs, "knowledge">): Stage<Item, Item> {
	return defineStage("rewrite", "depicted-question", 1, {
		calls: [{ role: "generator", each: 1, prompt: depictEntitiesPrompt.hash }],
		output: Item,
		async run(item, context) {
			const names = noted(item, "names");
			const { value } = await context.ask("generator", depictEntitiesPrompt, {
				language: item.tags.language,
				firstName: names[0],
				secondName: names[1],
				question: questionOf(item),
				answer: item.answer.value,
			});
			const images: Item["images"] = [];
			for (const [at, id] of noted(item, "images").entries()) {
				const stored = await knowledge.evidence(id);
				const file = stored && (await knowledge.file(stored));
				if (!file || stored.kind !== "image") return [asDrop("image_bad", `${id} has no file`)];
				// an answer that is one of the names is asked for, and the image still must not be named in words
				const about = { id: `${item.id}-${at + 1}`, hides: [names[at] ?? ""] };
				images.push(await context.keepImage(file, { ...about, licence: stored.provenance.licence || undefined }));
			}
			const version = { text: value.question, by: "depicted-question", why: "images in the place of names" };
			return [asPiece({ ...reworded(item, version), images })];
		},
	});
}
