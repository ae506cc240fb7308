import type { Evidence } from "#domain";
import { declines } from "#scoring";
import { asksForName } from "./asked-for.ts";

/** Words of which one alone, or with a few of no weight, says that there is no answer. */
const alone =
	/^(?:(?:it|this|that|the answer|es|das|die antwort)\s+)?(?:(?:is|was|remains|ist|war|bleibt)\s+)?(?:(?:currently|presently|still|yet|as yet|generally|largely|simply|derzeit|noch|leider)\s+)?(?:n\s?\/\s?a|n\.\s?a\.|k\.\s?a\.|null|nil|undefined|nan|tb[acd]|answer|unspecified|undisclosed|unavailable|unclear|uncertain|undetermined|unresolved|undecided|unstated|unnamed|unanswered|unsure|unknowable|inconclusive|indeterminate|ambiguous|debatable|varies|depends|irrelevant|redacted|withheld|blank|left blank|empty|placeholder|x{3,}|nobody knows|no one knows|no idea|no clue|skipped|unbekannt|unklar|ungewiss|unbestimmt|ungeklärt|verschieden|unterschiedlich|variabel|entfällt|keine|niemand weiß es|weiß nicht|strittig|desconocid[oa]|depende|varía|inconnue?|sconosciut[oa]|dépend|varie)(?:\s+(?:at present|at this time|so far|yet|by case|case by case|here|to me|to us|hier|bisher|derzeit|mir|uns))?$/iu;

/** What a sentence says that gives no answer, wherever it stands in it. */
const saidInside: readonly RegExp[] = [
	/^(?:it|this|that|the answer|which|es|das)?\s*(?:all\s+|would\s+|will\s+|may\s+|might\s+|can\s+)*(?:depends?|var(?:y|ies)|differs?)\b|^(?:it'?s|it is) (?:hard|difficult|impossible|not (?:easy|possible)) to\b|^(?:je nach|kommt (?:ganz )?(?:darauf|drauf) an|(?:das|es) (?:hängt|kommt))(?!\p{L})/iu,
	/^(?:to be|yet to be|still to be|awaiting|noch zu|wird noch)\b.*\b(?:determined|confirmed|announced|decided|added|supplied|completed|clarified|verified|filled|\p{L}+ed|klären|bestimmen|ergänzt|bestätigt)\b/iu,
	/^(?:none|all|any|both|either|neither|some|keine[rs]?|alle) (?:of (?:the|these|those)|der) (?:above|below|options?|choices|listed|given|following|genannten|obigen|aufgeführten)/iu,
	/^(?:\(?(?:see|cf\.?|refer to|consult|check|siehe|vgl\.?|s\.)\s+(?:above|below|also|the|table|figure|page|section|passage|text|source|document|note|appendix|previous|oben|unten|vorherige|tabelle|seite|abschnitt|text)(?!\p{L}))|^(?:same as|as) (?:above|before|stated|mentioned|given|previously)\b|^(?:wie oben|s\. ?o\.?$)/iu,
	/^(?:there (?:is|was|are|were|seems? to be|exists?) )?(?:currently )?(?:no|insufficient|inadequate|limited|missing|not enough|too little) (?:\p{L}+ ){0,2}(?:information|answers?|data|evidence|details?|mention|records?|indication|context|knowledge|value|match|matches|results?|reference|entry|source|sources|such \p{L}+)\b/iu,
	/^(?:data|information|details?|answer|evidence|records?|value|content|result|source|name|date)s? (?:\p{L}+ )?(?:not|un|is|are|missing|lacking|withheld|incomplete|insufficient)(?!\p{L})|^(?:data|information|details?|answer|evidence) (?:is |are )?(?:unavailable|unknown|unclear|lacking|missing|withheld|restricted|insufficient|incomplete)/iu,
	/^(?:not|never|nowhere|nicht|noch nicht)\s+(?:\p{L}+ly |yet |sure|certain|clear|currently |explicitly |directly |enough|possible|applicable|available|known|in the|provided|given|found|näher |eindeutig |ausdrücklich |im |bekannt|angegeben|ermittelbar|verfügbar|vorhanden|zutreffend|möglich|sicher|klar|genannt|erwähnt)/iu,
	/^not \p{L}+(?:ed|en|able|ible)(?:[ ,.]|$)/iu,
	/\b(?:not|isn['’]t|wasn['’]t|aren['’]t|never|nowhere|nicht|no|pas)\b[^.]{0,40}\b(?:mentioned|stated|specified|provided|given|found|included|known|disclosed|recorded|documented|identified|named|listed|indicated|available|clear|erwähnt|genannt|angegeben|bekannt|aufgeführt|beantworten|mencionad\p{L}|indiqué\p{L}*)(?!\p{L})/iu,
	/\b(?:cannot|can['’]t|can not|could not|couldn['’]t|unable to|impossible to|not possible to|not able to|fail(?:s|ed)? to)\s+(?:\p{L}+ly )?(?:be |been )?(?:determined?|answer\p{L}*|f[oi]und|find|infer\p{L}*|establish\p{L}*|identif\p{L}+|say|tell|verif\p{L}+|provide\p{L}*|give\p{L}*|confirm\p{L}*|locate\p{L}*|help|assist|comply|discern\p{L}*|derive\p{L}*|deduce\p{L}*|conclude\p{L}*|stated?|recall|know\p{L}*|access)/iu,
	/\b(?:passages?|texts?|documents?|articles?|contexts?|images?|pages?|evidence|sources?|information|excerpts?|snippets?|paragraphs?)\b.{0,30}\b(?:does|do|did|is|are|was|were|has|have)(?: not|n['’]t| insufficient| silent| unclear| missing)|\b(?:insufficient|not enough|without (?:more|further)|need(?:s|ed)? more|requires? (?:more|further|additional)) (?:\p{L}+ )?(?:information|evidence|context|data|details)\b/iu,
	/^(?:i|we|ich|wir|sorry|apologies|unfortunately|regrettably|leider|entschuldigung|désolée?|lo siento|as an ai)\b[\s,’'].*\b(?:not|n['’]t|cannot|unable|unsure|no|sorry|nicht|kein\p{L}*|pas|no)\b|^(?:i['’]?m|i am) (?:sorry|afraid|unable|not)\b|^(?:sorry|apologies|leider|unfortunately)(?!\p{L})|\bas an? (?:AI|language model)\b/iu,
	/^(?:keine?|keinerlei|ohne|fehlende)\s+(?:\p{L}+ )?(?:angaben?|informationen?|antwort|daten|auskunft|hinweise?|erwähnung|kenntnis|nennung|quelle)(?!\p{L})|\bnicht (?:\p{L}+ )?(?:beantwort\p{L}+|bestimm\p{L}+|ermitt\p{L}+|feststell\p{L}+|hervor|ersichtlich|entnehmen|überliefert)/iu,
	/(?:文中|没有|未)(?:提及|提到|说明)|記載(?:され)?て?い?ない|لم يُ?ذكر/u,
	/^(?:it|this|that) (?:has|have|had) (?:not|never)\b|^(?:nobody|no one|noone|niemand) (?:knows?|weiß|is sure|can)/iu,
	/^(?:any|either|one) (?:of (?:them|these|those|several)|answer)\b|^(?:multiple|several|various|many|different) (?:possible |correct |valid )?(?:answers?|possibilities|options|values|sources differ|interpretations)\b|\bsources (?:differ|disagree|conflict)\b/iu,
	/^(?:maybe|perhaps|possibly|probably|presumably|conceivably|apparently|vielleicht|möglicherweise|vermutlich|wahrscheinlich|either)(?!\p{L}).|^(?:could|might|may) be\b|\((?:not (?:certain|sure|confirmed)|uncertain|unconfirmed|unsure|unverified|guess|unclear|tbc|\?)\)|^(?:i|we) (?:think|believe|guess|assume|suppose|would say)\b/iu,
	/\b(?:is|are|remains?|stays?) silent\b|\b(?:beyond|outside|out of) (?:the |my |our )?(?:scope|knowledge|passage|text|document|context|range|training)\b|\bmy (?:training|knowledge|last update)\b|^(?:\[|<|\{)|lorem ipsum|^(?:insert|your|the|an?)\s+(?:correct |final |actual )?answer\b|\banswer (?:here|withheld|pending|unavailable|redacted)\b|\b(?:no|any) such\b/iu,
	// what names nothing
	/^(?:it|he|she|him|her|they|them|this|that|these|those|this one|that one|the one|one|same|ditto|the same(?: (?:one|person|place|thing|as (?:above|before)))?|the (?:former|latter|above|following|aforementioned)(?: one)?|some(?:one|body|thing|where|how)|some(?: \p{Ll}+)?|a (?:person|place|thing|man|woman|number|year|name|city|company|date|certain \p{L}+)|(?:the |a )?(?:correct|right) (?:one|option|choice)|option [a-d1-4]|jemand|etwas|irgend\p{L}+)$/iu,
];

/** What a state is called, a verdict or a cause, may be such a word; and of "how many" none are a number. */
const asksState =
	/\b(?:status|verdict|ruling|cause|outcome|result|finding|judge?ment|condition|stance|position|classif\p{L}+|conclusion|decision|rated?|rating|described|considered|listed|declared|pronounced|fate|happened)\b|(?<!\p{L})(?:Urteil|Ursache|Ergebnis|Zustand|Status)/iu;
const asksCount = /\bhow (?:many|much)\b|(?<!\p{L})wie ?viele?(?!\p{L})/iu;

/**
 * Empty, or words that decline: what a model says where it was to give an answer. A band can be called None and a film
 * Unknown: where the question wants the name of one, and the evidence, as far as there is any, writes it so, that is one.
 */
export function isNoAnswer(text: string, question: string, evidence: readonly Evidence[]): boolean {
	if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return true;
	const plain = text
		.trim()
		.replace(/^[("“[]+|[.!)"”\]…]+$/gu, "")
		.trim();
	// "a" declines nothing: it can be the letter that was asked for
	const empty = (plain.length > 1 && declines(plain)) || alone.test(plain) || saidInside.some((one) => one.test(plain));
	if (
		!empty ||
		(asksState.test(question) && /^(?:not )?\p{L}+$/iu.test(plain) && !/^(?:n\/?a|none|unknown)$/iu.test(plain))
	)
		return false;
	if (asksCount.test(question) && /^(?:none|keine[rs]?|no one|nobody|niemand)$/iu.test(plain)) return false;
	return !isSuchName(plain, question, evidence) && !isStated(plain, evidence);
}

/** What the evidence itself says in the same words: "not proven", of a verdict. */
const isStated = (text: string, evidence: readonly Evidence[]): boolean =>
	/\p{L}\s\p{L}/u.test(text) &&
	evidence.some((one) => "text" in one && one.text.toLowerCase().includes(text.toLowerCase()));

/** The most words that the name of a work has which is taken for a refusal. */
const longestName = 4;

function isSuchName(text: string, question: string, evidence: readonly Evidence[]): boolean {
	const words = text.split(/\s+/);
	if (words.length > longestName || !/^\p{Lu}\p{Ll}/u.test(text) || !asksForName(question)) return false;
	if (words.slice(1).some((word) => /^\p{Ll}{4,}/u.test(word))) return false;
	const texts = evidence.flatMap((one) => ("text" in one ? `${one.title}\n${one.text}` : []));
	return texts.length === 0 || texts.some((one) => isWrittenAsName(one, text));
}

/** In quotation marks, as a title, or with its capital inside a sentence. */
const isWrittenAsName = (text: string, name: string): boolean =>
	text.split(name).some((before, at, parts) => at < parts.length - 1 && /(?:^|["“‘'(]|\n|[\p{L},] )$/u.test(before));
