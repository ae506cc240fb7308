import { type Item, ownField, questionOf } from "#domain";
import { answerPresence, mentionsAny } from "#scoring";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { conjunction, isComparison } from "./comparison.ts";
import { rule } from "./rule.ts";

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

const things = "document|text|passage|article|section|paragraph|page|table|figure|chart|diagram|slide|context|excerpt";
const pictures = "image|picture|photo|photograph|screenshot";
const place = "(?:given|provided|above|following|attached|shown)";
/** An article or a document that is told apart by what follows is asked about, rather than read from. */
const readOnly =
	"(?<!\\b(?:article|document|text|report)s?(?= (?:about|by|titled|entitled|called|named|written|authored|published|signed|prepared|whose|which (?:was|is)|that (?:is|was|has|introduc|critiqu|examin|analy))))";
const referring = (nouns: string) =>
	[
		`\\b(?:in|from|on|by|to|of) (?:the|this|that) (?:${place} )?(?:${nouns})s?\\b(?! of\\b)${readOnly}`,
		`\\b(?:this|${place}) (?:${nouns})s?\\b`,
		`\\b(?:the|this) (?:${nouns}) (?:says?|states?|mentions?|describes?|shows?|lists?)\\b`,
		`\\b(?:mentioned|described|depicted|listed|stated|shown) (?:in|by|on) (?:the|this) (?:${nouns})s?\\b`,
	].join("|");
/** "Provided context", "as described in the text", "in this section", and the same in the languages that are read. */
const documents = new RegExp(
	[
		referring(things),
		`\\b(?:provided|given) (?:context|information)\\b|\\baccording to the (?:${things})\\b`,
		"\\b(?:en|según|de) (?:el|este|la|esta) (?:documento|texto|artículo|pasaje|sección|página|tabla|figura|gráfico)\\b",
		"\\b(?:dans|selon|d['’]après|de) (?:le|ce|cet|la|cette|l['’]) ?(?:document|texte|article|passage|section|page|tableau|figure)\\b",
		"(?:根据|根據|在)(?:这|這|该|該|上述|本|以上)(?:篇|段|份|张)?(?:文档|文件|文章|文|段落|章节|表格|表|图表|图|上下文)|(?:本|上述|该|這篇|这篇)(?:文档|文章|段落|章节|表格)",
		"(?:この|本|上記の)(?:文書|文章|記事|段落|節|ページ|表|図)",
		"(?:في|حسب|وفق) (?:هذا|هذه|هذه ال)?\\s?(?:المستند|النص|المقال|الفقرة|القسم|الجدول|الشكل)",
	].join("|"),
	"iu",
);
const images = new RegExp(
	`${referring(pictures)}|\\b(?:en|de) (?:la|esta) imagen\\b|\\bdans (?:cette |l['’])image\\b|(?:图片|圖片|图像|圖像|照片)[中里]|この画像|في الصورة`,
	"iu",
);
/** "Table 3": a part by its number, which only who has the document can look up. Capitals, or "table 3 of them" would fall. */
const numbered =
	/(?<![\p{L}\p{N}])(?:(?:Tables?|Tab\.|Figures?|Figs?\.|Appendix|Equation|Eq\.|Tabla|Figura|Tableau) ?\d|Appendix [A-Z](?![\p{L}\p{N}]))/u;
/** The three words of AgenticRAGTracer's code. */
const released = /document|article|according/i;

/** Words that point to a source, as they stand in the text; `images`: whether a picture may be spoken of. */
export const sourceReferenceIn = (text: string, { images: shown }: { images: boolean }): string | undefined =>
	(documents.exec(text) ?? numbered.exec(text) ?? (shown ? null : images.exec(text)))?.[0];

/**
 * The question can be understood without its source at hand: it does not speak of a document, and not of a picture
 * unless one is shown with it. `released` refuses the words document, article and according wherever they stand.
 */
export function noSourceReference({ matching = "phrases" }: { matching?: "phrases" | "released" } = {}): RuleCheck {
	return rule({ name: "no-source-reference", version: 2, params: { matching } }, (item) => {
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
