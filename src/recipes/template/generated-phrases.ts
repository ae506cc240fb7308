import type { ComparisonPhrases, GraphRelation, RelationPhrases } from "./graph.ts";
import type { RelationWords, Words } from "./phrases.ts";

/** What is known of a relation before it has words. */
interface Unworded {
	/** As it is called: "captain", "home_port", "was born in". */
	name: string;
	/** What it leads from and to, in one word each; a literal type for literals. */
	from: string;
	to: string;
}

const verbs = /^(?:is|was|are|were|has|have|had|be|been)\b/;
const hanging = /\b(?:in|by|of|to|at|from|with|for|on|as|under|near|into|after)$/;

/**
 * English phrases for a relation. A name that is a noun ("captain") gives "the captain of {}"; one that is a verb
 * ("was born in") is kept whole behind its subject: "the person that was born in {}". Given ones stay.
 */
export function englishPhrases({ name, from, to }: Unworded, given: Words = {}): RelationPhrases {
	const said = spoken(name);
	const verb = isVerb(said);
	const event = to === "time" ? eventOf(said) : undefined;
	const thing = to === "time" ? "date" : ["number", "string", "image", "value"].includes(to) ? "thing" : spoken(to);
	const subject = spoken(from);
	const made = event
		? {
				noun: [`the date when {} ${event.said}`],
				question: [event.participle ? `When was {} ${event.participle}?` : "When did {} die?"],
				inverseNoun: [],
				inverseQuestion: [],
			}
		: verb
			? {
					noun: [`the ${thing} that {} ${said}`],
					question: [`Which ${thing} is it that {} ${said}?`],
					inverseNoun: [`the ${subject} that ${said} {}`],
					inverseQuestion: [`Which ${subject} ${said} {}?`],
				}
			: {
					noun: [`the ${said} of {}`],
					question: [`What is the ${said} of {}?`],
					inverseNoun: [`the ${subject} whose ${said} is {}`],
					inverseQuestion: [`Which ${subject} has {} as its ${said}?`],
				};
	return {
		noun: given.noun ?? made.noun,
		question: given.question ?? given.noun?.map((noun) => `What is ${noun}?`) ?? made.question,
		inverseNoun: given.inverseNoun ?? made.inverseNoun,
		inverseQuestion:
			given.inverseQuestion ?? given.inverseNoun?.map((noun) => `What is ${noun}?`) ?? made.inverseQuestion,
	};
}

/** Spanish phrases are only what is given: a relation's name is not translated. */
export function spanishPhrases(given: Words | undefined): RelationPhrases {
	const ask = (noun: string) => `¿Cuál es ${noun}?`;
	const { noun = [], inverseNoun = [] } = given ?? {};
	return {
		noun,
		question: given?.question ?? noun.map(ask),
		inverseNoun,
		inverseQuestion: given?.inverseQuestion ?? inverseNoun.map(ask),
	};
}

/** How two subjects are compared by the relation's number or time; undefined for what has no order. */
export function comparisonOf({ name, to }: Unworded, given: RelationWords): GraphRelation["comparison"] {
	if (to !== "number" && to !== "time") return undefined;
	const said = spoken(name);
	const event = to === "time" ? eventOf(said) : undefined;
	const [more, less] = to === "time" ? ["later", "earlier"] : ["greater", "smaller"];
	const en: ComparisonPhrases = {
		more: given.more ?? (event ? `${event.said} ${more}` : `has the ${more} ${said}`),
		less: given.less ?? (event ? `${event.said} ${less}` : `has the ${less} ${said}`),
	};
	// a Spanish comparison is only asked in Spanish questions, which need the relation's Spanish words
	return { en, es: { more: given.es?.more ?? "", less: given.es?.less ?? "" } };
}

/** How an entity is named by a picture of it. */
export function picturePhrases({ name, from }: Unworded, given: RelationWords) {
	const said = spoken(name);
	return {
		en: {
			noun: given.noun ?? [`the ${spoken(from)} whose ${said} is shown in {}`],
			question: given.question ?? [`Which ${spoken(from)} has its ${said} shown in {}?`],
		},
		es: { noun: given.es?.noun ?? [], question: given.es?.question ?? [] },
	};
}

/** "born" and "discovered" are what was done, "died" is done by itself. */
function eventOf(said: string): { said: string; participle?: string } | undefined {
	if (said === "died") return { said };
	return /^(?:born|built|begun|\w+ed)$/.test(said) ? { said: `was ${said}`, participle: said } : undefined;
}

const isVerb = (said: string) => said.includes(" ") && (verbs.test(said) || hanging.test(said));

/** "home_port" and "homePort" are said "home port". */
export const spoken = (name: string) =>
	name
		.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
		.replace(/[_\s]+/g, " ")
		.trim();
