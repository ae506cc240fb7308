import { type Answer, type Evidence, Item } from "#domain";
import { holdsAnswer, mentionsAny } from "#scoring";
import { typedAnswer, withAliases } from "../answers/typed-answer.ts";
import { newItem } from "../engine/new-item.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import {
	asDrop,
	asPiece,
	type Calls,
	defineStage,
	type Outcome,
	type Stage,
	type StageContext,
} from "../engine/stage.ts";
import { type SourcePassage, textOf } from "./passages.ts";
import { askFacts, listAliases, refineAnswer } from "./prompts.ts";

/** Questions of one hop from each passage. */
export function singleQuestions(
	{ pairs }: { pairs: number },
	{ knowledge }: Pick<RecipeInputs, "knowledge">,
): Stage<SourcePassage, Item> {
	return defineStage("extract", "single-questions", 3, {
		params: { pairs },
		output: Item,
		yields: pairs,
		calls: [{ role: "generator", each: 1, prompt: askFacts.hash }],
		async run(passage, context) {
			const evidence = await knowledge.evidence(passage.id);
			if (!evidence) return [asDrop("not_grounded", "the passage is not held")];
			return askedOf(evidence, { pairs, field: passage.field }, context);
		},
	});
}

/** Pairs of question and answer from one passage, as items; an answer that says nothing definite is a drop. */
export async function askedOf(
	evidence: Evidence,
	{ pairs, about = "", field }: { pairs: number; about?: string; field?: string },
	context: StageContext,
): Promise<Outcome<Item>[]> {
	const { title, language } = evidence;
	const values = { most: String(pairs), about: about || "(nothing)", title, passage: textOf(evidence) };
	const { value } = await context.ask("generator", askFacts, values);
	return value.pairs.slice(0, pairs).map(({ question, answer: said }): Outcome<Item> => {
		const id = `${evidence.id}: ${question}`.slice(0, 200);
		const answer = typedAnswer(said, { question, language, counted: true });
		if ("vague" in answer) return asDrop("vague_answer", `${said}: ${answer.vague}`, id);
		if (!textOf(evidence).includes(said) && !holdsAnswer(textOf(evidence), said))
			return asDrop("not_grounded", `the passage does not say "${said}"`, id);
		const hop = { id: "h1", question, modality: "text" as const, needs: [], evidence: [evidence.id], answer };
		const item = newItem(
			{
				question,
				answer,
				chain: { hops: [hop], sink: "h1" },
				by: "ask-facts",
				lineage: [evidence.id],
				tags: { language, hops: "1", questionType: "single", ...(field ? { field } : {}) },
				source: evidence.provenance.source,
				rights: evidence.provenance.licence ?? "",
			},
			context.recipe,
		);
		return asPiece({ ...item, cluster: evidence.document });
	});
}

export const refiningCalls: readonly Calls[] = [
	{ role: "generator", each: 1, prompt: refineAnswer.hash },
	{ role: "generator", each: 1, prompt: listAliases.hash },
];

/** The answer shortened to what is asked, in one written form, with other names of the same thing. */
export function refinedAnswer(): Stage<Item, Item> {
	return defineStage("rewrite", "refined-answer", 3, {
		output: Item,
		calls: refiningCalls,
		async run(item, context) {
			return [asPiece(await refined(item, context))];
		},
	});
}

/**
 * As `refinedAnswer`, of one hop. Words that the answer did not hold are not taken over: a refinement adds nothing. What is
 * a time or a number already has its form from code, its unit in it, so that nobody is asked to shorten that.
 */
export async function refined(item: Item, context: StageContext): Promise<Item> {
	const [hop] = item.chain.hops;
	if (hop?.answer.type !== "string") return item;
	const { question, answer } = hop;
	const said = answer.accepted.at(-1) ?? answer.value;
	const { value } = await context.ask("generator", refineAnswer, { question, answer: said });
	const own = isPartOf(value.refined_answer, answer.accepted);
	let better = own ? shortened(value.refined_answer, { said, question, language: item.tags.language }, answer) : answer;
	if (better.type === "string") {
		const listed = await context.ask("generator", listAliases, { answer: better.value });
		// what the question says already is no name of its answer
		const fit = listed.value.aliases.filter((alias) => isTelling(alias) && !mentionsAny([alias], [question]));
		better = withAliases(better, fit);
	}
	return { ...item, answer: better, chain: { ...item.chain, hops: [{ ...hop, answer: better }] } };
}

/** The shorter words as an answer; of an amount with the unit that stands behind it in the longer ones. */
function shortened(
	short: string,
	{ said, ...asked }: { said: string; question: string; language: string },
	longer: Answer,
): Answer {
	const reading = { ...asked, counted: true };
	const answer = typedAnswer(short, reading);
	if ("vague" in answer) return longer;
	if (answer.type !== "number" || answer.number.unit !== undefined) return answer;
	const [, behind = ""] = said.split(short, 2);
	const [unit = ""] =
		/^\s?(?!(?:of|in|at|on|to|for|from|by|and|or|as|is|was|the|an?)\b)[\p{L}%°][^\s,;.()]*/iu.exec(behind) ?? [];
	const whole = typedAnswer(`${short}${unit}`, reading);
	return "vague" in whole || whole.type !== "number" ? answer : whole;
}

/** A form itself, or words of one that say something: "of" is a part of no answer. */
const isPartOf = (short: string, forms: readonly string[]): boolean =>
	forms.includes(short) || (isTelling(short) && forms.some((form) => holdsAnswer(form, short)));

/** A capital, a digit, a longer word, or a script without capitals: more than "of", "it" or "the". */
const isTelling = (text: string): boolean => /\p{Lu}|\p{N}|\p{Lo}|\p{L}{4,}/u.test(text);
