import { quotesIn, withoutQuotes } from "./looked-at.ts";
import { saidToReader } from "./to-the-reader.ts";

/** Where a sentence or a bracket begins, with what may stand before an order. */
const opens =
	"(?:please\\s+|now,?\\s+|and\\s+|also,?\\s+|then\\s+|important:?\\s*|note:?\\s*|hint:?\\s*|system:?\\s*|reviewers?:?\\s*|judges?:?\\s*|graders?:?\\s*)*";
const first = `(?:^\\W*|[.!?:;\\n"“(\\[—–]\\s*|,\\s+(?:and|then|but)\\s+|-\\s+)${opens}`;
const later = `(?:(?<=\\S)[.!?;\\n(\\[—–]\\s*|\\s-\\s+)${opens}`;
/** A sentence that no question mark ends. */
const untold = "\\s+\\p{Ll}[^?.!\\n:)\\]]*(?:$|[.!\\n:)\\]])";

/** What a question begins with: words of asking, what may stand before them, and requests. */
const opening =
	"who|whom|whose|what|when|where|which|why|how|in|on|at|by|from|to|for|of|with|under|during|after|before|through|over|near|is|are|was|were|do|does|did|has|have|can|name|state|give|tell|find|identify|the|an?|wer|wen|wem|wann|wo|welche[rsmn]?|wie|was|warum|an|aus|qui|que|quel|quelle|quand|où|combien|comment|quién|qué|cuándo|dónde|cuál|en|chi|quale|quando|dove";
/** Words in either case of their first letter, where the case of others tells names from words. */
const anyCase = (words: string) => words.replace(/(?<=^|\|)\p{L}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
const before = anyCase(
	"in|on|at|of|by|from|to|for|with|under|during|after|before|through|over|near|among|between|given|if|when|where|an|aus|bei|mit|von|de|à|en|con|por|para|di|da",
);
const asking = anyCase(
	"who|whom|whose|what|when|where|which|why|how|is|are|was|were|does|did|wer|wen|wem|wann|wo|welche[rsmn]?|wie|qui|que|quel|quelle|quand|où|combien|comment|¿\\p{L}+|chi|quale|quando|dove",
);
/**
 * A few common words and a colon before a question: "Chained question: who …", "Please tell me: in which …". A name before
 * the colon is a title, and "Of the two rivers:" goes on.
 */
const leadIn = new RegExp(
	`^\\W*(?!(?:${before})\\s)\\p{L}[\\p{Ll}'’-]*(?:[ -][\\p{Ll}'’-]+){0,8}(?:\\s#?\\d+)?\\s*[:：]\\s+["“]?(?=(?:(?:${before})\\s(?:\\p{L}+\\s){0,4}?)?(?:${asking})(?!\\p{L})[^?？]*[?？])`,
	"u",
);

/**
 * Words that are said to a model or by one, and that no reader is meant to see: each where it cannot be part of an honest
 * question. Orders count where a sentence begins; of those that many requests begin with ("State the capital of …") only
 * a later one.
 */
const patterns: readonly RegExp[] = [
	// what was said before is to be forgotten
	/(?<!\p{L} to )\b(?:ignor(?:e|es|ed|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?)\b[^.?!\n]{0,40}\b(?:what (?:i|you|we)\b|told|instructions?|prompts?|rules?|above|previous|prior|earlier|everything|guidelines?|context|directions?|checks?)\b/iu,
	/\b(?:ignor(?:e|a|iere|ieren|ez|er)|vergiss|missachte|olvida|oublie[sz]?|dimentica|esqueça)(?!\p{L})[^.?!\n]{0,50}(?<!\p{L})(?:instruc\p{L}*|anweisung\p{L}*|vorherig\p{L}*|anterior\p{L}*|précédent\p{L}*|istruzion\p{L}*|consignes?)/iu,
	/忽略[^。？！]{0,12}(?:指令|指示|说明|說明|提示|规则)|(?:指示|命令|プロンプト)を?無視|تجاهل[^.؟!]{0,25}(?:التعليمات|الأوامر|السابقة)/u,
	// roles and orders
	new RegExp(
		`${first}(?:you are|you're|act as|pretend (?:to be|that you)|imagine (?:you are|that you)|your (?:task|job|role|goal|answer) (?:is|must|should)|you (?:must|should|will|need to|have to))(?!\\p{L})(?![^.!\\n]*\\?)`,
		"iu",
	),
	new RegExp(
		`${first}(?:answer|respond|reply|output|return|print|do not|don['’]t|make sure|remember to|be sure|think step|repeat after)(?!\\p{L})(?=${untold})`,
		"iu",
	),
	new RegExp(
		`${later}(?:say|type|never|always|only|let['’]s|let us|classify|rate|score|mark|accept|approve|click|visit|go to|repeat|treat|stop)(?!\\p{L})(?=${untold})`,
		"iu",
	),
	/\b(?:answer|respond|reply)\s+(?:only\s+)?(?:with|in|as|by|using)\s+(?:only\s+|just\s+|exactly\s+|a\s+single\s+|an?\s+(?:word|number|name|phrase|list|json|short)|one\s+word|at\s+most\s+|no\s+more|"|'|yes\b|json|english|format|\d)/iu,
	/\bstep[ -]by[ -]step (?:reasoning|thinking|explanation)|\bthink step[ -]by[ -]step\b|\bin (?:json|markdown|xml|yaml)(?: format)?\b|\bas (?:a )?(?:valid )?json\b|\b(?:json|list|integer|int|string|float) format\b|\bfinal answer\b|\bdo not (?:explain|include|mention|use|reveal|answer|add)\b|\bwithout (?:any )?(?:explanation|explaining|commentary)\b/iu,
	// labels in brackets and behind a question, marks and blanks, thanks and praise before it
	/^\s*\[(?!['"])[^\]]*\]|\[(?!['"])[^\]]*\][\s.]*$|\((?:[\p{Ll} ]{3,20}|note|hint|source|difficulty|answer|type):[^)]*\)\s*$|^\s*\((?:note|hint|source|type)\b[^)]*\)/iu,
	/(?<!\p{L})\$\p{Lu}(?!\p{L})|(?<=\s)#\p{Ll}\p{L}*\s*$|[?？]\s*(?:-{2,}|={2,}|\*+|END|EOS)\s*$|\(see (?:doc|passage|hop|source)[^)]*\)/u,
	/^\W*\p{Ll}+\s*=\s|^\p{Lu}?\p{Ll}+:\s\p{Ll}[^.?]{0,30}\.\s|^(?:\p{Lu}{2,}\s?){1,4}:\s+\p{L}|^\W*(?:\p{Lu}?\p{Ll}+\s){0,3}Q\d*\s*[:.)]/u,
	/^\p{Lu}[\p{Ll}'’]*(?: [\p{Ll}'’]+){0,2}!\s+(?=\p{Lu})|^(?:got it|let['’]s see|understood|no problem|very well|good question)\.\s/iu,
	/^\W*(?:dear \p{L}+|absolutely|certainly|sure|assistant|judge|grader|reviewer|solver|model|bot|evaluator|annotator),\s+(?:who|whom|whose|what|when|where|which|why|how|in|on|at|under|of)(?!\p{L})|\bfrom now on\b/iu,
	/\b(?:in|using|with) (?:only |just |at most |no more than |exactly |a maximum of |fewer than )?(?:one|two|three|four|five|ten|a single|\d+) (?:words?|sentences?|lines?)(?= ?[,:.?]|$)/iu,
	// what is done with an answer, or with the thinking behind it
	/(?:^|[.?!;:(\n,]\s*)(?:please\s+)?(?:think|reason|read|look|consider (?:this|it)|check)(?:\s+(?:it|this|everything|the \p{L}+))?\s+(?:very |again |through )?(?:carefully|hard|twice|thoroughly|deeply)\b/iu,
	/\bI (?:want|need|would like|['’]d like) you to\b|\bbefore (?:answering|responding|replying|you answer)\b|\btranslate (?:the|your) (?:answer|response)\b/iu,
	/\b(?:answers?|items?|questions?|responses?|this(?: one)?|it)\s+(?:should|must|is to|are to|has to|have to|can) be (?:accepted|approved|passed|marked|rated|scored|graded)\b|(?<=[.?!]\s*)this (?:one )?(?:is|has been) (?:correct|valid|right|fine|good|checked|verified|approved)\b/iu,
	/\b(?:explain|show|justify|describe|give|provide|include|state|detail|outline|support|write(?: down)?|share|format|limit|keep|phrase|express|put|round|double[- ]check|verify|check|defend|motivate)\s+(?:all\s+)?your\s+(?:\p{L}+\s+)?(?:reasoning|work|workings?|answers?|thinking|thoughts?|steps?|rationale|responses?|logic|sources?|calculations?|choice|decision|output|derivation)\b/iu,
	/(?:^|[.?!;:(\n]\s*)(?:please\s+)?(?:no|skip(?: the| any)?|without) (?:further )?(?:explanations?|reasoning|commentary|preamble|elaboration|details)\b/iu,
	/(?<=[.?!)]\s*)(?:please\s+)?(?:be (?:brief|concise|precise|specific|honest|short|thorough|careful)|cite (?:your |the |all |any )?(?:sources?|evidence|references?)|use (?:only |just )?(?:the|your|one|a single|at most)\b|take (?:a deep breath|your time)|just (?:the|one|give|say|name)\b|(?:one|a single) (?:word|name|number|sentence)(?: only)?[.)]|keep it (?:short|brief))/iu,
	/\b(?:this|the) (?:question|item|answer) (?:is|passes) (?:valid|correct|good|excellent|perfect|acceptable|every|all)\b|\b(?:mark|rate|score|judge|grade|accept|approve) (?:this|it|the (?:item|question|answer|following))\b|\breveal (?:your|the) (?:system|prompt|instructions?)\b/iu,
	new RegExp(
		`${first}(?:the |dear |all |to the |to |you, )*(?:judge|grader|reviewer|verifier|evaluator|annotator|auditor|solver|rater|checker|model|assistant|AI)s?(?!\\p{L})[^.!?\\n]{0,60}(?:$|[.!\\n)\\]])`,
		"iu",
	),
	/\b(?:correct|right|expected|only) (?:verdict|score|rating|label|grade|decision)\b|\b(?:verdict|score|rating|decision)\s*[:=]/iu,
	/\byour (?:instructions?|(?:system )?prompt|guidelines?|training|programming)\b/iu,
	/\b(?:reply|respond|answer)\s+["'“]?(?:yes|no|valid|pass|true|correct|ok|okay)(?!\p{L})/iu,
	new RegExp(`${first}say\\s+(?:["“'‘]|yes|no|valid|pass)(?!\\p{L}*\\?)`, "iu"),
	/^(?:the )?(?:final |correct |right )?answer (?:is|would be|should be)\b/iu,
	/\b(?:system|developer) (?:prompt|message|instruction)s?\b|\bprompt injection\b/iu,
	// a model about itself
	/\bas an? (?:AI|artificial intelligence|(?:large )?language model)\b(?! (?:company|researcher|lab))|\bI(?:['’]m| am) (?:an? (?:AI|assistant|language model)|sorry|unable|happy to)\b|\bI (?:cannot|can['’]t|can not) (?:answer|help|assist|provide|generate|comply)\b|\bI(?:['’]d| would) be happy\b|\bI hope this helps\b|\blet me know if\b/iu,
	/^\W*(?:sure|certainly|of course|absolutely|okay|ok|great|got it|understood)\b\s*(?:[!:]|[,.—–-]\s*(?:here|the|i|let|below|this|question|as)\b)/iu,
	/^\W*(?:here you go|here (?:is|are)|below (?:is|are)|the following (?:is|are))\b[^?]{0,60}:/iu,
	/\bhere (?:is|are|['’]s) (?:the|a|an|your|my|some|\d+) (?:[\p{L}-]+ ){0,3}(?:questions?|answers?|sub-?questions?|rewritten|revised|merged|output|json|result)\b/iu,
	/^(?:natürlich|gerne|claro|por supuesto|bien sûr|voici|aquí (?:está|tienes)|hier ist)(?!\p{L})[^?]{0,40}[!:]/iu,
	// labels of fields where a line or sentence begins
	/(?:^\s*|\n\s*|[.!?]\s+|["“([]\s*)(?:(?:final|merged|new|revised|rewritten|refined|sub|multi-hop|generated|main)[ -]?)?(?:question|sub-?question|answer|output|input|response|assistant|user|system|human|ai|instructions?|prompt|task|context|reasoning|explanation|rationale|thought|frage|antwort|pregunta|respuesta|réponse|問題|问题|答案|回答|質問|السؤال|الإجابة)\s*(?:\d+\s*)?[:：](?!\/\/)/iu,
	/(?:^|[\n?.]\s*)[QA]\d*\s*[:：]\s*\S|^\s*Q\d*[.)]\s+\p{L}/u,
	/(?:^|\n)\s*(?:rewritten|revised|merged|refined|combined|final|new|here|note|hint|step \d+|hop \d+)\s*[:：]/iu,
	// numbers of a list, and what introduces a question
	new RegExp(`(?:^|\\n)\\s*(?:\\(?\\d{1,2}[.):]|\\(?[a-h]\\))\\s+(?:${opening})(?!\\p{L})|^\\s*[-*•]\\s+\\p{L}`, "iu"),
	leadIn,
	// marks of prompts, data and pages
	/```|~~~|<\|[^|>]*\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:s|think|answer|question|system|user|assistant|tool|tool_call|search|result|passage|context|document|reasoning|output|instructions?)\s*\/?>/iu,
	/\{\{[^}]*\}\}|\{%|%\}|\$\{[^}]*\}|\{(?:question|answer|passage|context|entity|name|title|language|input|document|subject|object|relation|place|date|year|x|y|\d)\d*\}|\[(?:insert|your|name|answer|question|entity|placeholder|blank|redacted|todo|x{2,})[^\]]{0,30}\]|<(?:insert|your|name|answer|question|entity|placeholder|blank)[^>]{0,30}>|\[(?:hop|step|entity|passage|doc|document|image|source|title|film|city|year|person)\s*\d*\]|<[a-z_]{3,20}>|\bTODO\b|\bLorem ipsum\b|\[MASK\]|<mask>/iu,
	/\[\p{Lu}[\p{Lu}_ -]{2,}\d*\]/u,
	/^\W*[\p{L}]+(?:_[\p{L}]+)+\s*[:=]|[?？]\s*(?:=>|->|→|\||"\s*[}\],])|^\s*>\s*\p{L}|\[\/?\p{Ll}+\]\s*$|\(\s*(?:\d+|two|three|four|multi)[- ]?(?:hops?|steps?)\s*\)/iu,
	/^\s*([*_`]+)[^*_`]*[?？]\1\s*$/u,
	/^\W*(?:okay|ok|alright|all right|right|well|so|now|hello|hi),\s+(?:then,?\s+)?(?:who|whom|whose|what|when|where|which|why|how|here|let)\b/iu,
	/^\W*(?:(?:\p{L}+)[ -]){0,3}(?:question|query|hop|step|prompt|task)\s*(?:\d+\s*)?[-–—]\s+\p{L}/iu,
	/(?:^|\n)\s*#{1,6}\s+\p{L}|(?:^|\n)\s*[-*+]\s+\S[^\n]*\n|\*\*[^*\n]+\*\*|(?:^|\n)\s*\|[^|\n]+\|/u,
	/\{\s*"?[\p{L}_]+"?\s*:\s*["[{\d]|"[\p{L}_]+"\s*:\s*["[{\d]|\[\s*\{|\}\s*\]|\\n|\\u[\da-f]{4}/iu,
	// addresses that one is sent to
	/\bhttps?:\/\/\S+|\bwww\.\S+|\b(?:visit|click|go to|check out|subscribe|download)\b[^.?!]{0,30}\b(?:link|here|website)\b/iu,
];

/** What a question of several parts may go on with, and one question cannot. */
const requests = new RegExp(
	`${later}(?:write|state|use|include|think|consider|begin|start|end|provide|generate|produce|choose|select|open|see|follow|translate|summari[sz]e|explain|give|keep|assume)(?!\\p{L})(?=${untold})`,
	"iu",
);

/** A sentence behind the question, which no question mark ends; what is offered has an "or", or is a list. */
const told =
	/(?<=\p{Ll}{2}["”’)]?[?？]["”]?\s+)[(–—-]?\s*(?!(?:\p{L}+ ){0,12}(?:or|oder|o|ou)\s)\p{Lu}\p{Ll}*(?: \p{Ll}[\p{L}'’-]*,?){1,30}[.!)]*\s*$/u;

/** Names of works are orders as well ("Return of the Ewok"): of an answer a few words are none. */
const fewestWords = 4;

/** What is found, unless it is but a part of what somebody is quoted with: “told him to "forget the rules"”. */
function outsideQuotes(pattern: RegExp, text: string): string | undefined {
	const found = pattern.exec(text);
	if (!found) return undefined;
	const end = found.index + found[0].length;
	const quoted = quotesIn(text).some(
		([from, to]) => from > 0 && from < found.index && end < to && to - from < text.length / 2,
	);
	return quoted ? undefined : found[0];
}

/** What speaks to a model or like one, as it stands there; undefined where nothing does. `spared` is published wording. */
export function orderIn(
	text: string,
	{
		spared = [],
		name = false,
		parts = false,
	}: {
		spared?: readonly RegExp[];
		/** The text may be a name. */
		name?: boolean;
		/** The text may be a question of several parts. */
		parts?: boolean;
	} = {},
): string | undefined {
	let plain = text;
	for (const wording of spared) plain = plain.replace(wording, " ").trim();
	const lower = plain.match(/(?<!\p{L})\p{Ll}\p{L}+/gu)?.length ?? 0;
	const named = name && lower < fewestWords;
	for (const pattern of parts ? patterns : [...patterns, requests, told]) {
		const found = outsideQuotes(pattern, plain);
		if (found === undefined || found.trim() === "") continue;
		if (
			named &&
			/^\W*[\p{L}'’ ]+$/u.test(found) &&
			!/(?:ignore|disregard|forget|json|answer is|final answer|\bAI\b|language model)/iu.test(found)
		)
			continue;
		return found;
	}
	const beside = name ? undefined : saidToReader(plain, { parts });
	if (beside !== undefined) return beside;
	// a gap in a quoted sentence is what is asked for
	const blank = /_{2,}/u.exec(withoutQuotes(plain))?.[0];
	if (blank !== undefined) return blank;
	const hidden = /[\u200B-\u200D\u2060-\u2064\uFEFF]{2,}|[\u202A-\u202E\u{E0000}-\u{E007F}]|(?![\n\t\r])\p{Cc}/u.exec(
		plain,
	)?.[0];
	return hidden === undefined ? undefined : `invisible characters (U+${hidden.codePointAt(0)?.toString(16)})`;
}
