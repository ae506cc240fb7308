import { type Item, ownField, questionOf } from "#domain";
import { answerPresence, mentionsAny } from "#scoring";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { conjunction, isComparison } from "./comparison.ts";
import { rule } from "./rule.ts";
import { sourceReferenceIn } from "./source-reference.ts";

/**
 * No "and" in the question, as AgenticRAGTracer has it for single questions. A quarter of good human questions would
 * fail it: see `noTrivialConcatenation` for a rule that looks at the graph.
 */
export function singleQuestion(): RuleCheck {
	const concerns = (item: Item) => !isComparison(item);
	return rule({ name: "single-question", concerns }, (item) => {
		const found = conjunction(item.tags.language).exec(questionOf(item))?.[0];
		return found === undefined ? pass() : fail("compound_question", `"${found}"`);
	});
}

const pictures = "image|picture|photo|photograph|screenshot";
/** The three words of AgenticRAGTracer's code. */
const released = /document|article|according/i;

/**
 * The question can be understood without its source at hand: it does not speak of a document, and not of a picture
 * unless one is shown with it. `released` refuses the words document, article and according wherever they stand.
 */
export function noSourceReference({ matching = "phrases" }: { matching?: "phrases" | "released" } = {}): RuleCheck {
	return rule({ name: "no-source-reference", version: 4, params: { matching } }, (item) => {
		const question = questionOf(item);
		const found =
			matching === "released"
				? released.exec(question)?.[0]
				: sourceReferenceIn(question, { images: item.images.length > 0 });
		return found === undefined ? pass() : fail("source_reference", `"${found}"`);
	});
}

/** Asks for another name of what it names, or for any one of several. */
export function noNameQuestion(): RuleCheck {
	const asked = /\b(?:full|original|alternat(?:e|ive)) name\b/i;
	return rule({ name: "no-name-question" }, (item) => {
		const question = questionOf(item);
		const another = asked.exec(question)?.[0];
		if (another) return fail("vague_relation", `"${another}"`);
		return /^\s*name one\b/i.test(question) ? fail("ambiguous", `"Name one"`) : pass();
	});
}

/** The question speaks of the picture that it is shown with; `phrase` where a recipe wants certain words. */
export function refersToImage({ phrase }: { phrase?: string } = {}): RuleCheck {
	const concerns = (item: Item) => item.images.length > 0;
	const any = new RegExp(`\\b(?:${pictures}|shown|pictured|depicted|this|imagen|foto)s?\\b|图|圖|画像|写真|صورة`, "iu");
	return rule({ name: "refers-to-image", ...(phrase ? { params: { phrase } } : {}), concerns }, (item) => {
		const question = questionOf(item);
		const refers = phrase ? question.toLowerCase().includes(phrase.toLowerCase()) : any.test(question);
		return refers ? pass() : fail("missing_visual_reference", phrase ? `"${phrase}"` : undefined);
	});
}

/** No name that an image stands for is given away in words. */
export function hiddenNamesAbsent(): RuleCheck {
	const concerns = (item: Item) => item.images.some(({ hides = [] }) => hides.length > 0);
	return rule({ name: "hidden-names-absent", concerns }, (item) => {
		const question = questionOf(item);
		const shown = item.images.flatMap(({ hides = [] }) => hides).find((name) => mentionsAny([name], [question]));
		return shown === undefined ? pass() : fail("names_hidden_entity", shown);
	});
}

/** The question says in which unit its number is wanted. Counts and percentages need none. */
export function unitAsked(): RuleCheck {
	const unitOf = ({ answer }: Item) => (answer.type === "number" ? answer.number.unit : undefined);
	const concerns = (item: Item) => !["", "%", undefined].includes(unitOf(item));
	return rule({ name: "unit-asked", concerns }, (item) => {
		const unit = unitOf(item) ?? "";
		return namesUnit(questionOf(item), unit) ? pass() : fail("unit_mismatch", `the question does not ask for ${unit}`);
	});
}

/** Whether a text says the unit, by its sign or by its name. */
export function namesUnit(text: string, unit: string): boolean {
	const words = [unit, ...(ownField(unitNames, unit.toLowerCase()) ?? [])].flatMap((name) => [name, `${name}s`]);
	// a sign stands where it will; "m" is in most words
	const sign = !/^[\p{L}\s.]+$/u.test(unit) && text.includes(unit);
	return sign || mentionsAny(words, [text]);
}

const unitNames: Record<string, readonly string[]> = {
	m: ["metre", "meter"],
	km: ["kilometre", "kilometer"],
	cm: ["centimetre", "centimeter"],
	mm: ["millimetre", "millimeter"],
	ft: ["feet", "foot"],
	kg: ["kilogram"],
	g: ["gram"],
	"km²": ["square kilometre", "square kilometer"],
	"°c": ["degrees Celsius", "Celsius"],
	"°f": ["degrees Fahrenheit", "Fahrenheit"],
	million: ["millions"],
	billion: ["billions"],
	$: ["dollar"],
	usd: ["dollar"],
};

/** The question is neither cut short nor endless, in characters. */
export function questionLength({ least = 10, most = 1000 }: { least?: number; most?: number } = {}): RuleCheck {
	return rule({ name: "question-length", params: { least, most } }, (item) => {
		const { length } = questionOf(item);
		if (length < least) return fail("under_specified", `${length} characters`, { score: length, threshold: least });
		return length > most ? fail("fluency", `${length} characters`, { score: length, threshold: most }) : pass();
	});
}

/**
 * No accepted form of the answer stands in the question, by whole words. Comparisons and choices, which must name what
 * they offer, are exempt. `released` reads as AgenticRAGTracer's code does: the answer as it is written, anywhere in the
 * normalised question, or more than half of its words.
 */
export function answerNotInQuestion({ matching = "words" }: { matching?: "words" | "released" } = {}): RuleCheck {
	const about = { name: "answer-not-in-question", params: { matching } };
	return rule({ ...about, concerns: (item) => !isComparison(item) }, (item) => {
		const question = questionOf(item);
		const { value, accepted } = item.answer;
		const given =
			matching === "released" ? answerPresence(value, question).value === 1 : mentionsAny(accepted, [question]);
		return given ? fail("answer_in_question", value) : pass();
	});
}
