import { ownField } from "#domain";
import {
	answerOf,
	type Computation,
	type Expression,
	entityOf,
	type Leaf,
	leavesOf,
	meaningOf,
	type Step,
} from "./expression.ts";
import type { GraphEntity, GraphRelation, Language, Operation, TypedGraph } from "./graph.ts";

type Pictured = Extract<Leaf, { kind: "pictured" }>;
type Place = { index: number; total: number };

/**
 * Wordings of the computations, by language: `{a}`, `{b}` are noun phrases of the operands, `{all}` lists more than
 * two, `{more}` is the relation's verb phrase ("has the larger area").
 */
const computations: Record<Language, Partial<Record<Operation, string[]>>> = {
	en: {
		argmax: ["Which {more}: {a} or {b}?", "Of {a} and {b}, which {more}?", "Comparing {a} with {b}, which {more}?"],
		greater: ["Is {a} greater than {b}?", "Does {a} exceed {b}?", "Is {a} higher than {b}?"],
		earlier: ["Is {a} earlier than {b}?", "Does {a} come before {b}?"],
		equal: ["Is {a} the same as {b}?", "Are {a} and {b} one and the same?", "Is {a} also {b}?"],
		add: ["What is the sum of {all}?", "What do {all} add up to?", "How much do {all} make together?"],
		difference: ["What is the difference between {a} and {b}?", "By how much do {a} and {b} differ?"],
		mean: ["What is the mean of {all}?", "What is the average of {all}?"],
		divide: ["What is the ratio of {a} to {b}?", "How many times as large as {b} is {a}?"],
	},
	es: {
		argmax: ["¿Cuál {more}: {a} o {b}?", "Entre {a} y {b}, ¿cuál {more}?", "Al comparar {a} con {b}, ¿cuál {more}?"],
		greater: ["¿Es {a} mayor que {b}?", "¿Supera {a} a {b}?"],
		earlier: ["¿Es {a} anterior a {b}?", "¿Precede {a} a {b}?"],
		equal: ["¿Coincide {a} con {b}?", "¿Es {a} también {b}?"],
		add: ["¿Cuánto suman {all}?", "¿Cuál es la suma de {all}?"],
		difference: ["¿Cuál es la diferencia entre {a} y {b}?", "¿En cuánto difieren {a} y {b}?"],
		mean: ["¿Cuál es la media de {all}?", "¿Cuál es el promedio de {all}?"],
		divide: ["¿Cuál es la razón entre {a} y {b}?", "¿Cuántas veces cabe {b} en {a}?"],
	},
};

const words = {
	en: {
		image: "the image",
		images: ["the first image", "the second image", "the third image", "the fourth image"],
		and: "and",
		years: "How many years lie between {a} and {b}?",
		days: "By how many days do {a} and {b} differ?",
	},
	es: {
		image: "la imagen",
		images: ["la primera imagen", "la segunda imagen", "la tercera imagen", "la cuarta imagen"],
		and: "y",
		years: "¿Cuántos años separan {a} de {b}?",
		days: "¿En cuántos días difieren {a} y {b}?",
	},
} satisfies Record<Language, unknown>;

/** The words for images that a graph brings along. */
export type PictureWords = Pick<TypedGraph, "pictures">;

/** The wording of expressions in a language: whole questions, and the sub-question of each hop with names in full. */
export function phraseBook(language: Language, graph: PictureWords) {
	const word = words[language];
	const picked = (options: string[], variant: number) => options[variant % options.length] ?? "";
	const mention = (entity: GraphEntity) => entity.mentions?.[language] ?? entity.names[language];
	const imageWord = ({ index, total }: Place) => (total === 1 ? word.image : (word.images[index] ?? word.image));
	const pictureWords = (leaf: Pictured) => graph.pictures[leaf.depiction.what.en]?.[language];
	const ordering = (relation: GraphRelation | undefined, op: Operation) =>
		relation?.comparison?.[language][op === "argmin" ? "less" : "more"] ?? "";

	/** Words the whole expression; images are counted in the order in which they are said. */
	function wording(root: Expression) {
		const pictures = leavesOf(root).filter((leaf) => leaf.kind === "pictured");
		const place = (leaf: Pictured): Place => ({ index: pictures.indexOf(leaf), total: pictures.length });
		function noun(node: Expression): string {
			if (node.kind === "named") return mention(node.entity);
			if (node.kind === "pictured")
				return fill(picked(pictureWords(node)?.noun ?? [], node.variant), { "": imageWord(place(node)) });
			if (node.kind === "step") {
				const phrases = node.relation.phrases[language];
				const options = node.direction === "forward" ? phrases.noun : (phrases.inverseNoun ?? []);
				return fill(picked(options, node.variant), { "": noun(node.of) });
			}
			return question(node);
		}
		function operands(node: Computation): Record<string, string> {
			const chooses = node.op === "argmax" || node.op === "argmin";
			const nouns = node.operands.map((operand) => noun(chooses && operand.kind === "step" ? operand.of : operand));
			return {
				a: nouns[0] ?? "",
				b: nouns[1] ?? "",
				all: listed(nouns, word.and),
				more: ordering(node.relation, node.op),
			};
		}
		function question(node: Expression): string {
			if (node.kind === "step") {
				const phrases = node.relation.phrases[language];
				const options = node.direction === "forward" ? phrases.question : (phrases.inverseQuestion ?? []);
				return fill(picked(options, node.variant), { "": noun(node.of) });
			}
			return node.kind === "computation" ? fill(template(node), operands(node)) : noun(node);
		}
		return tidy(question(root), language);
	}

	function template(node: Computation): string {
		const first = node.operands[0];
		if (node.op === "difference" && first && isTime(first)) return unitOf(node) === "days" ? word.days : word.years;
		const options = computations[language][node.op === "argmin" ? "argmax" : node.op] ?? [];
		return picked(options, node.variant);
	}

	return {
		question: wording,
		pictureQuestion(leaf: Pictured, place: Place): string {
			const options = pictureWords(leaf)?.question ?? [];
			return tidy(fill(picked(options, leaf.variant), { "": imageWord(place) }), language);
		},
		stepQuestion(step: Step): string {
			const phrases = step.relation.phrases[language];
			const options = step.direction === "forward" ? phrases.question : (phrases.inverseQuestion ?? []);
			const known = meaningOf(step.of);
			const name = "entity" in known ? mention(known.entity) : known.answer.value;
			return tidy(fill(picked(options, step.variant), { "": name }), language);
		},
		/** The computation over the operands' answers; who they belong to stands in brackets where that is the answer. */
		computationQuestion(node: Computation): string {
			const chooses = node.op === "argmax" || node.op === "argmin";
			const said = node.operands.map((operand) => {
				const value = answerOf(meaningOf(operand), language).value;
				const owner = operand.kind === "step" ? entityOf(operand.of) : undefined;
				return owner && chooses ? `${mention(owner)} (${value})` : value;
			});
			return tidy(
				fill(template(node), {
					a: said[0] ?? "",
					b: said[1] ?? "",
					all: listed(said, word.and),
					more: ordering(node.relation, node.op),
				}),
				language,
			);
		},
	};
}

const unitOf = ({ value }: Computation) =>
	"answer" in value && value.answer.type === "number" ? value.answer.number.unit : undefined;

function isTime(expression: Expression): boolean {
	const value = meaningOf(expression);
	return "answer" in value && value.answer.type === "time";
}

/** Puts texts into `{name}` places; what is put in is not searched again. */
function fill(template: string, texts: Record<string, string>): string {
	return template.replace(/\{(\w*)\}/g, (place, name: string) => ownField(texts, name) ?? place);
}

function listed(items: string[], and: string): string {
	if (items.length < 2) return items.join("");
	return `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`;
}

/** Joins what composing leaves apart: Spanish contractions, "y" before an i sound, a capital at the start. */
function tidy(sentence: string, language: Language): string {
	const joined =
		language === "es"
			? sentence
					.replace(/\b([Dd])e el (?=\p{L})/gu, "$1el ")
					.replace(/\b([Aa]) el (?=\p{L})/gu, "$1l ")
					.replace(/ y (?=h?[ií](?![aeou]))/giu, " e ")
			: sentence;
	return joined.replace(/^([¿¡]?)(\p{Ll})/u, (_, mark: string, letter: string) => mark + letter.toUpperCase());
}
