import { join } from "node:path";
import { fold } from "#corpus";
import { type Hop, Item, type Reason, type Task } from "#domain";
import { holdsAnswer, mentionsAny } from "#scoring";
import { typedAnswer, withAliases } from "../answers/typed-answer.ts";
import { type Check, defineJudgement, fail, pass } from "../engine/check.ts";
import type { Growing } from "../engine/grow.ts";
import { newItem, reworded } from "../engine/new-item.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { entityAnswer } from "../rules/answer-form.ts";
import { bridgesOf, lacksBridges } from "../rules/bridges.ts";
import { rule } from "../rules/rule.ts";
import { judgeEvidencePrompt, nestQuestionsPrompt } from "../stages/prompts.ts";
import { stringAnswer } from "../template/answers.ts";
import { isQuoted, PagePassage, type Pages } from "./pages.ts";
import { askAboutEntityPrompt, judgeEntityNeedPrompt } from "./prompts.ts";

/**
 * A visual question with the entity that answers it, as an item whose chain the others go on from. A seed may hold more
 * than the recognition: a fact told of what is shown, as the published collections have it, in a hop of its own or in one
 * with the recognition. The evidence of a recognition is the seed's own as far as it is held, else the stored images titled
 * as the entity, else the beginning of its page, by which the name can be checked.
 */
export function firstHop({ seedsFolder = "." }: Pick<RecipeInputs, "seedsFolder">, pages: Pages): Stage<Task, Item> {
	return defineStage("extract", "visual-question", 2, {
		output: Item,
		async run(seed, context) {
			if (seed.images.length === 0) return [asDrop("image_bad", "the seed shows no image")];
			const [page] = await pages.of(seed.answer.value);
			if (!page) return [asDrop("dead_end", `no page is titled "${seed.answer.value}"`)];
			const hops = await seedHops(seed, pages);
			if ("reason" in hops) return [asDrop(hops.reason, hops.detail)];
			const { id, question, answer, tags, cluster = id, source, rights } = seed;
			const shown = hops[0]?.answer.accepted ?? [];
			const images = await Promise.all(
				seed.images.map(({ id: image, file, hides = shown, licence }) =>
					context.keepImage(join(seedsFolder, file), { id: image, hides, licence: licence || undefined }),
				),
			);
			const chain = { hops, sink: `h${hops.length}` };
			const more = { images, cluster, source, rights, lineage: [id], by: "visual-question" };
			const kind = { ...tags, questionType: "bridging" };
			const item = newItem({ question, answer, chain, tags: kind, ...more }, context.recipe);
			return [asPiece({ ...item, ladder: { id: item.id, level: hops.length } })];
		},
	});
}

/** What a seed's question goes through: a recognition, and facts one after the other. */
async function seedHops(seed: Task, pages: Pages): Promise<Hop[] | { reason: Reason; detail: string }> {
	const given = seed.chain?.hops ?? [];
	const recognition = async (own: Pick<Hop, "question" | "answer">, evidence: readonly string[]): Promise<Hop> => {
		const [page] = await pages.of(own.answer.value);
		const known = [await pages.held(evidence), await pages.imagesOf(own.answer.value), page ? [page.id] : []];
		const held = known.find((ids) => ids.length > 0) ?? [];
		return { id: "h1", question: own.question, modality: "image", needs: [], evidence: held, answer: own.answer };
	};
	const fact = (own: Pick<Hop, "question" | "answer">, evidence: string[], before: Hop): Hop => {
		const place = Number(before.id.slice(1)) + 1;
		// "this bird" names nothing: such a step is led to all the same
		const named = mentionsAny([before.answer.value], [own.question]);
		const needs: Hop["needs"] = [{ hop: before.id, role: named ? "bridge" : "constraint" }];
		return { id: `h${place}`, question: own.question, modality: "text", needs, evidence, answer: own.answer };
	};
	if (given.length <= 1) {
		const evidence = given[0]?.evidence ?? [];
		const [told] = given[0]?.modality === "text" ? await pages.held(evidence) : [];
		const title = told === undefined ? undefined : await pages.titleOf(told);
		if (told === undefined || title === undefined || fold(title) === fold(seed.answer.value))
			return [await recognition(seed, evidence)];
		const first = await recognition({ question: whatIsShown, answer: stringAnswer(title) }, []);
		return [first.evidence.length > 0 ? first : { ...first, evidence: [told] }, fact(seed, [told], first)];
	}
	const hops: Hop[] = [];
	for (const [at, { id, question, modality, needs, evidence, answer }] of given.entries()) {
		const before = hops.at(-1);
		const follows = needs.length === 1 && needs[0]?.hop === given[at - 1]?.id;
		if (before ? modality !== "text" || !follows : modality !== "image")
			return { reason: "compound_question", detail: `${id} of the seed is no next fact of what is shown` };
		const held = await pages.held(evidence);
		if (before && held.length === 0) return { reason: "not_grounded", detail: `evidence of ${id} is not held` };
		hops.push(before ? fact({ question, answer }, held, before) : await recognition({ question, answer }, evidence));
	}
	return hops;
}

const whatIsShown = "What is shown in the image?";

/** Hops that a text answers. */
export const textualHops = ({ chain }: Item) => chain.hops.filter(({ modality }) => modality === "text").length;

/**
 * Passages of the page of the item's answer that it does not rest on yet, in an order drawn with the seed. Numbers, times
 * and general words lead nowhere, though a page may be titled "1938".
 */
export function pageOfAnswer(
	pages: Pages,
	{ corpus, most }: { corpus: string; most: number },
): Stage<Item, PagePassage> {
	return defineStage("expand", "page-of-answer", 2, {
		// of an article of some length; for plans alone
		yields: 10,
		params: { corpus, most },
		output: PagePassage,
		async run(item, context) {
			// a seed may bring facts of its own
			if (textualHops(item) >= most) return [];
			const entity = entityAnswer().look(item);
			if (entity.verdict === "fail") return [asDrop("not_entity", item.answer.value)];
			const used = new Set(item.chain.hops.flatMap(({ evidence }) => evidence));
			const found = (await pages.of(item.answer.value)).filter(
				({ id }) => item.chain.hops.length === 1 || !used.has(id),
			);
			if (found.length === 0) return [asDrop("dead_end", `no page is titled "${item.answer.value}"`)];
			return context.random(item.id).shuffle(found).map(asPiece);
		},
	});
}

/**
 * The item with a sub-question about its answer from a passage of its page. The sentence must stand in the passage letter
 * by letter and hold the answer; its wording is the sub-question's until the two are merged.
 */
export function subQuestion(): Stage<Growing<PagePassage>, Item> {
	return defineStage("compose", "sub-question", 2, {
		calls: [{ role: "generator", each: 1, prompt: askAboutEntityPrompt.hash }],
		output: Item,
		async run({ item, proposal }, context) {
			const { language } = proposal;
			const entity = item.answer.value;
			const values = { language, entity, passage: proposal.text };
			const { value } = await context.ask("generator", askAboutEntityPrompt, values);
			const { question, answer, sentence } = value;
			if (question.trim() === "" || answer.trim() === "")
				return [asDrop("lacking_evidence", "the passage allows no question")];
			if (!isQuoted(sentence, proposal.text))
				return [asDrop("not_grounded", `not in the passage: "${sentence.slice(0, 200)}"`)];
			if (!holdsAnswer(sentence, answer)) return [asDrop("not_grounded", `"${answer}" is not in the sentence`)];
			if (!mentionsAny(nameWords(entity), [sentence]))
				return [asDrop("not_grounded", `the sentence does not name ${entity}`)];
			const typed = typedAnswer(answer, { question, language });
			if ("vague" in typed) return [asDrop("vague_answer", typed.vague)];
			const others = value.aliases.filter((alias) => mentionsAny([alias], [proposal.text]));
			const taken = item.chain.hops.flatMap((hop) => [hop.answer.value, ...hop.answer.accepted]);
			const named = withAliases(typed, others, taken);
			const from = item.chain.sink;
			const hop = {
				id: `h${item.chain.hops.length + 1}`,
				question,
				modality: "text" as const,
				needs: [{ hop: from, role: "bridge" as const }],
				evidence: [proposal.id],
				answer: named,
			};
			const grown = newItem(
				{
					question,
					answer: named,
					by: "sub-question",
					chain: { hops: [...item.chain.hops, hop], sink: hop.id },
					images: item.images,
					tags: item.tags,
					source: item.source,
					rights: [...new Set([item.rights, proposal.rights])].filter(Boolean).join("; "),
					...(item.cluster ? { cluster: item.cluster } : {}),
					ladder: { id: item.ladder?.id ?? item.id, level: item.chain.hops.length + 1 },
					lineage: [...item.lineage, item.id],
					notes: { inner: item.questions.at(-1)?.text ?? "", entity, sentence },
				},
				context.recipe,
			);
			return [asPiece(grown)];
		},
	});
}

/** The name and those of its words that name by themselves: articles speak of "Komnene", not of "Anna Komnene". */
const nameWords = (name: string): string[] => [name, ...(name.match(/\p{Lu}\p{L}{2,}/gu) ?? [])];

/**
 * The bridge's name is not merely a part of a longer name ("Brooklyn" in "Brooklyn Museum"). German is exempt: every noun
 * has a capital there.
 */
export const wholeName = rule(
	{ name: "whole-name", concerns: ({ tags }) => tags.language !== "de", lacks: lacksBridges },
	(item) => {
		for (const { hop, from } of bridgesOf(item)) {
			const name = from.answer.value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
			const longer = new RegExp(
				`(?<![\\p{L}\\p{N}])${name} \\p{Lu}\\p{L}+|\\p{Lu}\\p{Ll}+ ${name}(?![\\p{L}\\p{N}])`,
				"u",
			);
			const [found] = longer.exec(hop.question) ?? [];
			// the first word of a sentence is capitalised whatever it is
			if (found && !hop.question.startsWith(found))
				return fail("bad_linkage", `"${found}" is not "${from.answer.value}"`, { on: { hop: hop.id } });
		}
		return pass();
	},
);

/** A judge says whether the newest sub-question can be answered without the entity that it names. */
export const entityNeeded = (): Check =>
	defineJudgement("entity-needed", ["judge", judgeEntityNeedPrompt], {
		values(item) {
			const last = bridgesOf(item).at(-1);
			return last && { entity: last.from.answer.value, question: last.hop.question };
		},
		verdict: ({ needed, why }, item) => (needed ? pass(onNewest(item)) : fail("hop_skippable", why, onNewest(item))),
	});

/** A judge says whether the newest sub-question's sentence alone gives its answer: MMhops' verification of answers. */
export const sentenceAnswers = (): Check =>
	defineJudgement("sentence-answers", ["judge", judgeEvidencePrompt], {
		values(item) {
			const hop = bridgesOf(item).at(-1)?.hop;
			if (typeof item.notes.sentence !== "string") return undefined;
			return hop && { question: hop.question, answer: hop.answer.value, evidence: item.notes.sentence };
		},
		verdict({ answers }, item) {
			const value = bridgesOf(item).at(-1)?.hop.answer.value;
			if (answers === "yes") return pass(onNewest(item));
			return fail("lacking_evidence", `the sentence does not give "${value}"`, onNewest(item));
		},
	});

const onNewest = (item: Item) => ({ on: { hop: bridgesOf(item).at(-1)?.hop.id ?? "" } });

/** Puts what led to the entity in its place: one question of the two, the bridge's name gone. */
export function merged(): Stage<Item, Item> {
	return defineStage("rewrite", "merged", 1, {
		calls: [{ role: "generator", each: 1, prompt: nestQuestionsPrompt.hash }],
		output: Item,
		async run(item, context) {
			const { inner, entity } = item.notes;
			const outer = item.chain.hops.at(-1)?.question ?? "";
			const values = { language: item.tags.language, inner: String(inner), outer, entity: String(entity) };
			const { value } = await context.ask("generator", nestQuestionsPrompt, values);
			const version = { text: value.chained_question, by: "merged", why: `${String(entity)} replaced` };
			return [asPiece(reworded(item, version))];
		},
	});
}
