import { z } from "zod";
import { detectLanguage } from "#corpus";
import { type Answer, type Evidence, type Item, questionOf } from "#domain";
import { type Check, defineCheck, fail, pass } from "../engine/check.ts";
import type { Flow } from "../engine/flow.ts";
import { gate } from "../engine/gate.ts";
import type { Recipe, RecipeInputs } from "../engine/recipe.ts";
import { sourceReferenceIn } from "../rules/source-reference.ts";
import { answerInOtherLanguage } from "./answer-language.ts";
import { asksForName } from "./asked-for.ts";
import { answerGivenAway, bridgeGivenAway, type NamesOf, offersIt } from "./given-away.ts";
import { isOffItsChain, isOffItsEvidence } from "./hops-in-question.ts";
import { otherLanguage } from "./language.ts";
import { answered, asked, foundIn } from "./looked-at.ts";
import { isNoAnswer } from "./no-answer.ts";
import { secondQuestion } from "./one-question.ts";
import { orderIn } from "./orders.ts";
import { toldNames } from "./told-names.ts";
import { uniqueChains } from "./unique-chains.ts";
import { unitMissing } from "./unit-stated.ts";
import { cutOff } from "./whole-question.ts";

/** What a recipe may publish although the gate would drop it, each with what it lets through. */
export const exceptions = {
	"offered-options": "a comparison or choice may name its answer among the options that it offers",
	"compound-questions": "a question may ask for several things at once, where its answer says several",
	"fused-questions": "a question fused of several may join their parts",
	"shown-in-the-image": "a question with an image may speak of the image",
	"answer-the-name": "a question may end with the words (answer the name)",
} as const;
export type Exception = keyof typeof exceptions;

export interface GateParams {
	exceptions: Exception[];
	language?: string | undefined;
}

const described = Object.entries(exceptions)
	.map(([name, says]) => `\`${name}\`: ${says}`)
	.join("; ");

/** The settings of the gate, with what the recipe publishes as default. */
const gateParams = (published: readonly Exception[]) => ({
	exceptions: z
		.array(z.enum(Object.keys(exceptions) as [Exception, ...Exception[]]))
		.default([...published])
		.describe(`what the last rules let through: ${described}`),
	language: z
		.string()
		.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/)
		.optional()
		.describe("code of the language that every item must be in; by default each item's own, else its evidence's"),
});

/**
 * The recipe with the gate that all recipes end in: rules alone, each with a row of its own in the funnel. What the paper
 * behind the recipe publishes is named in its settings, and let through.
 */
export function gated<Params extends object>(
	recipe: Recipe<Params>,
	published: readonly Exception[],
): Recipe<Params & GateParams> {
	if (!(recipe.params instanceof z.ZodObject)) throw new RangeError(`the settings of ${recipe.name} are no object`);
	return {
		...recipe,
		params: recipe.params.extend(gateParams(published)) as unknown as z.ZodType<Params & GateParams>,
		build: (params, inputs) => recipe.build(params, inputs).to(finalGate(params, inputs)),
	};
}

type Inputs = Pick<RecipeInputs, "knowledge" | "graph" | "typed">;

function finalGate(params: GateParams, inputs: Inputs): Flow<Item, Item> {
	return gate(finalRules(params, inputs)).to(uniqueChains());
}

/** The rules of the gate that look at one item. */
export function finalRules({ exceptions: let_ = [], language }: GateParams, inputs: Inputs): Check[] {
	const may = (exception: Exception) => let_.includes(exception);
	const evidenceOf = async (ids: readonly string[]): Promise<Evidence[]> => {
		const found = await Promise.all([...new Set(ids)].slice(0, 20).map((id) => inputs.knowledge?.evidence(id)));
		return found.filter((one) => one !== undefined);
	};
	const sinkEvidence = ({ chain }: Item) => evidenceOf(chain.hops.find(({ id }) => id === chain.sink)?.evidence ?? []);
	const namesOf = knownNames(inputs);
	const given = { namesOf, offered: may("offered-options") };
	/** Whether the item may ask for several things. */
	const mayJoin = ({ answer, notes }: Item) =>
		(may("compound-questions") && saysSeveral(answer)) || (may("fused-questions") && notes.fusion !== undefined);
	const about = (...used: Exception[]) => ({ exceptions: used.filter(may) });
	return [
		defineCheck("check", "final-answer-given", 2, {
			async look(item) {
				if (item.answer.type === "none") return pass();
				const evidence = await evidenceOf(item.chain.hops.flatMap(({ evidence: ids }) => ids));
				const questionFor = (hop?: string) => item.chain.hops.find(({ id }) => id === hop)?.question ?? "";
				const empty = answered(item).find(({ text, hop }) => {
					const question = hop === undefined ? `${questionOf(item)} ${questionFor(item.chain.sink)}` : questionFor(hop);
					return isNoAnswer(text, question, evidence);
				});
				return empty ? fail("vague_answer", foundIn(empty.text, empty)) : pass();
			},
		}),
		defineCheck("check", "final-whole-question", 2, {
			look(item) {
				for (const said of asked(item)) {
					const found = cutOff(said.text, { language: item.tags.language, marked: said.hop === undefined });
					if (found) return fail("fluency", `${found}: ${foundIn(said.text, said)}`, on(said));
				}
				return pass();
			},
		}),
		defineCheck("check", "final-no-instructions", 3, {
			params: about("answer-the-name", "compound-questions", "fused-questions"),
			look(item) {
				const spared = may("answer-the-name") ? [/\s*\(answer the name\)\s*/iu] : [];
				const looked = [
					...asked(item).map((said) => ({ said, name: false })),
					...answered(item).map((said) => ({ said, name: true })),
				];
				for (const { said, name } of looked) {
					const found = orderIn(said.text, { spared, name, parts: mayJoin(item) });
					if (found) return fail("instruction", foundIn(found, said), on(said));
				}
				return pass();
			},
		}),
		defineCheck("check", "final-no-source-reference", 2, {
			params: about("shown-in-the-image"),
			look(item) {
				const images = may("shown-in-the-image") && item.images.length > 0;
				let before = "";
				for (const said of asked(item)) {
					const found = sourceReferenceIn(said.text, { images, before });
					if (found) return fail("source_reference", foundIn(found, said), on(said));
					before += ` ${said.text}`;
				}
				return pass();
			},
		}),
		defineCheck("check", "final-language", 3, {
			params: { language: language ?? null },
			async look(item) {
				const wanted = language ?? (await languageOf(item, evidenceOf));
				if (wanted === undefined) return pass();
				for (const said of asked(item)) {
					const found = otherLanguage(said.text, wanted);
					if (found) return fail("other_language", `not ${wanted}: ${foundIn(found, said)}`, on(said));
				}
				const found = hasWords(item.answer)
					? answerInOtherLanguage(item.answer.value, wanted, { named: asksForName(questionOf(item)) })
					: undefined;
				return found ? fail("other_language", `not ${wanted}: ${found} in answer: "${item.answer.value}"`) : pass();
			},
		}),
		defineCheck("check", "final-one-question", 3, {
			params: about("compound-questions", "fused-questions"),
			concerns: (item) => !mayJoin(item),
			look(item) {
				for (const said of asked(item)) {
					const found = secondQuestion(said.text);
					if (found) return fail("compound_question", foundIn(found, said), on(said));
				}
				return pass();
			},
		}),
		defineCheck("check", "final-hops-in-question", 1, {
			async look(item) {
				return isOffItsChain(item) || isOffItsEvidence(item, await sinkEvidence(item))
					? fail("bad_linkage", `no word of its chain in question: "${questionOf(item)}"`)
					: pass();
			},
		}),
		defineCheck("check", "final-bridges-hidden", 3, {
			params: about("offered-options"),
			concerns: ({ chain }) => chain.hops.length > 1,
			async look(item) {
				const evidence = await evidenceOf(item.chain.hops.flatMap(({ evidence: ids }) => ids));
				const names: NamesOf = (name) => [...namesOf(name), ...toldNames(name, evidence)];
				const found = bridgeGivenAway(item, { ...given, namesOf: names });
				return found ? fail("intermediate_in_question", found.detail, on(found)) : pass();
			},
		}),
		defineCheck("check", "final-answer-hidden", 3, {
			params: about("offered-options"),
			concerns: (item) => !(given.offered && offersIt(item)),
			async look(item) {
				const evidence = await sinkEvidence(item);
				const names: NamesOf = (name) => [...namesOf(name), ...toldNames(name, evidence)];
				const found = answerGivenAway(item, { ...given, namesOf: names });
				return found ? fail("answer_in_question", found.detail) : pass();
			},
		}),
		defineCheck("check", "final-unit-stated", 1, {
			concerns: ({ answer }) => answer.type === "number" || answer.type === "string",
			async look(item) {
				const unit = unitMissing(item, await sinkEvidence(item));
				return unit === undefined
					? pass()
					: fail("unit_mismatch", `${item.answer.value} is in ${unit}, which neither answer nor question says`);
			},
		}),
	];
}

/** Words from which on an answer is a sentence, which may say several things. */
const fewestOfSeveral = 6;

/** An answer of one name or value answers one of two questions. */
const saysSeveral = ({ type, value }: Answer) =>
	type === "list" ||
	((type === "string" || type === "text") &&
		(value.trim().split(/\s+/u).length >= fewestOfSeveral ||
			/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(value) ||
			/[;；]|,\s|(?<!\p{L})(?:and|und|y|e|et)(?!\p{L})/u.test(value)));

const on = ({ hop }: { hop?: string | undefined }) => (hop === undefined ? {} : { on: { hop } });

/** A yes, a no and a refusal are told by their type; the unit of a number and the month of a date are words. */
const hasWords = ({ type }: Answer) => type !== "boolean" && type !== "none";

/** The item's own language, else the one that most of its evidence is in; undefined where neither says. */
async function languageOf(
	item: Item,
	evidenceOf: (ids: readonly string[]) => Promise<Evidence[]>,
): Promise<string | undefined> {
	if (item.tags.language !== "und") return item.tags.language;
	const counts = new Map<string, number>();
	for (const one of await evidenceOf(item.chain.hops.flatMap(({ evidence }) => evidence))) {
		const language = one.language === "und" && "text" in one ? detectLanguage(one.text) : one.language;
		if (language !== "und") counts.set(language, (counts.get(language) ?? 0) + 1);
	}
	return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Names and aliases of what a graph calls so, where only one thing is. */
function knownNames({ graph, typed }: Inputs): NamesOf {
	if (graph)
		return (name) => {
			const [entity, ...more] = graph.find(name);
			return entity && more.length === 0 ? [entity.name, ...entity.aliases] : [];
		};
	if (!typed) return () => [];
	let byName: Map<string, Set<string>[]> | undefined;
	return (name) => {
		if (!byName) {
			byName = new Map();
			for (const { names, aliases } of typed.entities.values()) {
				const all = new Set([...Object.values(names), ...Object.values(aliases).flat()]);
				for (const one of all) byName.set(one, [...(byName.get(one) ?? []), all]);
			}
		}
		const [one, ...more] = byName.get(name) ?? [];
		return one && more.length === 0 ? [...one] : [];
	};
}
