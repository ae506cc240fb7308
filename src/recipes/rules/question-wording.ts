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

const things =
	"document|text|passage|article|section|paragraph|page|table|figure|chart|diagram|slide|context|excerpt|snippet";
const pictures = "image|picture|photo|photograph|screenshot";
const place = "(?:given|provided|above|following|attached|shown)";
/** An article or a document that is told apart by what follows is asked about, rather than read from. */
const readOnly =
	"(?<!\\b(?:article|document|text|report)s?(?= (?:about|by|titled|entitled|called|named|written|authored|published|signed|prepared|whose|which (?:was|is)|that (?!you |we |i |(?:is|was|are|were) (?:given|provided|shown|attached)|follows))))";
const referring = (nouns: string) =>
	[
		`\\b(?:in|from|on|by|to|of) (?:the|this|that) (?:${place} )?(?:${nouns})s?\\b(?! of\\b)${readOnly}`,
		`\\b(?:this|${place}) (?:${nouns})s?\\b`,
		`\\b(?:the|this) (?:${nouns}) (?:says?|states?|mentions?|describes?|shows?|lists?)\\b`,
		`\\b(?:mentioned|described|depicted|listed|stated|shown) (?:in|by|on) (?:the|this) (?:${nouns})s?\\b`,
	].join("|");
const said = "mentioned|described|discussed|named|identified|listed|stated|noted|given|referred to|cited|quoted";
const says = "says?|states?|mentions?|describes?|notes?|refers?|explains?|reports?|indicates?|discusses?|lists?|names?";
const german = "Text|Dokument|Artikel|Abschnitt|Absatz|Textabschnitt|Passage|Kontext|Auszug|Tabelle|Abbildung";
/** "Provided context", "as described in the text", "in this section", and the same in the languages that are read. */
const documents = new RegExp(
	[
		referring(things),
		"\\b(?:provided|given) (?:context|information|material)\\b|\\binformation (?:provided|given)(?: (?:above|here|below)|[,.?]|$)",
		`\\b(?:according to|per|based on|using|given) (?:the|this|that|these|those) (?:(?!most |first )\\p{L}+ )?(?:${things})s?\\b(?! of )`,
		"\\baccording to the (?:author|source|report|provided \\p{L}+)s?(?=[,.?]|$| (?:who|what|which|when|where|how|is|was|are|did)\\b)|\\baccording to \\[",
		`\\b(?:${said}) in the sources?\\b`,
		`\\b(?:${said}) (?:above|below|earlier)(?: in\\b|[,.?]|$)|\\bas (?:mentioned|described|stated|noted|shown|discussed) (?:above|below|earlier|previously|in)\\b`,
		`\\b(?:in|from|of) (?:the )?(?:first|second|third|fourth|last|other|previous|next|both|two) (?:passage|document|paragraph|text|article|excerpt|snippet)s?\\b`,
		`\\b(?:does|do|did) (?:the|this) (?:${things}|author|writer) (?:${says})\\b|\\bas (?:the|this) (?:${things}|author) (?:${says})\\b`,
		"\\b(?:in|from) passages? \\d",
		`(?:laut|gemäß|nach|im|in|aus|vom|von) (?:(?:dem|diesem|der|dieser|den|vorliegenden|obigen|gegebenen) ){0,2}(?:${german})(?!\\p{L}| \\d)`,
		`(?:dieser|diesem|diese|dieses) (?:${german})(?!\\p{L})`,
		"(?<!\\p{L})(?:en|según|de) (?:el|este|la|esta) (?:documento|texto|artículo|pasaje|sección|página|tabla|figura|gráfico|contexto|fragmento)(?!\\p{L})(?! (?:firmado|escrito|publicado|titulado|de|del|sobre|que)(?!\\p{L}))",
		"(?<!\\p{L})(?:dans|selon|d['’]après|de) (?:le|ce|cet|la|cette|l['’]) ?(?:document|texte|article|passage|section|page|tableau|figure|contexte|extrait)(?!\\p{L})(?! (?:de|du|des|signé|écrit|publié|intitulé|sur|qui)(?!\\p{L}))",
		"(?<!\\p{L})(?:secondo (?:il|lo|la|questo)|nel|nello|nella|in questo|del) (?:testo|documento|brano|articolo|passaggio|contesto)(?!\\p{L})(?! (?:di|del|della|scritto)(?!\\p{L}))",
		"(?<!\\p{L})(?:de acordo com|segundo|conforme|no|neste|nesse|do) (?:o )?(?:texto|documento|artigo|trecho|excerto|contexto)(?!\\p{L})(?! (?:de|do|da|escrito)(?!\\p{L}))",
		"(?:根据|根據|依据|按照|在)(?:这|這|该|該|上述|本|以上|所给|给定)?(?:篇|段|份|张)?(?:文档|文件|文章|文本|原文|文中|段落|章节|表格|图表|上下文|材料|资料)|(?:根据|根據)(?:本|上|原)?文|(?:本|上述|该|這篇|这篇|这段)(?:文档|文章|文字|段落|章节|表格)|(?<![\\p{Script=Han}])文中|原文中",
		"(?:この|本|上記の|上の|与えられた)(?:文書|文章|記事|段落|節|ページ|表|図|テキスト|資料)|本文(?:に|で|の|中)|(?:文章|記事|文書|テキスト)(?:による|によれば|に基づ|の中で|では)",
		"(?:في|حسب|بحسب|وفق|وفقا|وفقًا|من) ?(?:هذا |هذه |لهذا |لهذه )?(?:ل|ال|لل)?\\s?(?:ال|ل)?(?:مستند|نص|مقال|مقالة|فقرة|قسم|جدول|شكل|وثيقة)(?!\\p{L})",
	].join("|"),
	"iu",
);
const images = new RegExp(
	`${referring(pictures)}|\\b(?:en|de) (?:la|esta) imagen\\b|\\bdans (?:cette |l['’])image\\b|(?:图片|圖片|图像|圖像|照片)[中里]|この画像|في الصورة`,
	"iu",
);
/** "Table 3": a part by its number, which only who has the document can look up. Capitals, or "table 3 of them" would fall. */
const numbered =
	/(?<![\p{L}\p{N}])(?:(?:Documents?|Passages?|Excerpts?|Tables?|Tab\.|Figures?|Figs?\.|Appendix|Equation|Eq\.|Tabla|Figura|Tableau) ?\d|Appendix [A-Z](?![\p{L}\p{N}]))/u;
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
	return rule({ name: "no-source-reference", version: 3, params: { matching } }, (item) => {
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
