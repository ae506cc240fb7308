/** Where a sentence or a bracket begins, with what may stand before an order. */
const opens =
	"(?:please\\s+|now,?\\s+|and\\s+|also,?\\s+|then\\s+|important:?\\s*|note:?\\s*|hint:?\\s*|system:?\\s*|reviewers?:?\\s*|judges?:?\\s*|graders?:?\\s*)*";
const first = `(?:^\\W*|[.!?:;\\n"“(\\[—–]\\s*|,\\s+(?:and|then|but)\\s+|-\\s+)${opens}`;
const later = `(?:(?<=\\S)[.!?;\\n(\\[—–]\\s*|\\s-\\s+)${opens}`;
/** A sentence that no question mark ends. */
const untold = "\\s+\\p{Ll}[^?.!\\n:)\\]]*(?:$|[.!\\n:)\\]])";

/**
 * Words that are said to a model or by one, and that no reader is meant to see: each where it cannot be part of an honest
 * question. Orders count where a sentence begins; of those that many requests begin with ("State the capital of …") only
 * a later one.
 */
const patterns: readonly RegExp[] = [
	// what was said before is to be forgotten
	/\b(?:ignor(?:e|es|ed|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?)\b[^.?!\n]{0,40}\b(?:what (?:i|you|we)\b|told|instructions?|prompts?|rules?|above|previous|prior|earlier|everything|guidelines?|context|directions?|checks?)\b/iu,
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
	/(?:^|[\n?.]\s*)[QA]\d*\s*[:：]\s*\S/u,
	/(?:^|\n)\s*(?:rewritten|revised|merged|refined|combined|final|new|here|note|hint|step \d+|hop \d+)\s*[:：]/iu,
	/(?:^|\n)\s*\d{1,2}[.)]\s+(?:who|whom|whose|what|when|where|which|why|how|in|wer|wann|qui|quel)(?!\p{L})|^\s*[-*•]\s+\p{L}/iu,
	// marks of prompts, data and pages
	/```|~~~|<\|[^|>]*\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:s|think|answer|question|system|user|assistant|tool|tool_call|search|result|passage|context|document|reasoning|output|instructions?)\s*\/?>/iu,
	/\{\{[^}]*\}\}|\{%|%\}|\$\{[^}]*\}|\{(?:question|answer|passage|context|entity|name|title|language|input|document|subject|object|relation|place|date|year|x|y|\d)\d*\}|\[(?:insert|your|name|answer|question|entity|placeholder|blank|redacted|todo|x{2,})[^\]]{0,30}\]|<(?:insert|your|name|answer|question|entity|placeholder|blank)[^>]{0,30}>|\[(?:hop|step|entity|passage|doc|document|image|source|title|film|city|year|person)\s*\d*\]|<[a-z_]{3,20}>|\bTODO\b|\bLorem ipsum\b|\[MASK\]|<mask>/iu,
	/\[\p{Lu}[\p{Lu}_ -]{2,}\d*\]/u,
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

/** Names of works are orders as well ("Return of the Ewok"): of an answer a few words are none. */
const fewestWords = 4;

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
	for (const pattern of parts ? patterns : [...patterns, requests]) {
		const found = pattern.exec(plain)?.[0];
		if (found === undefined || found.trim() === "") continue;
		if (
			named &&
			/^\W*[\p{L}'’ ]+$/u.test(found) &&
			!/(?:ignore|disregard|forget|json|answer is|final answer|\bAI\b|language model)/iu.test(found)
		)
			continue;
		return found;
	}
	const hidden = /[\u200B-\u200D\u2060-\u2064\uFEFF]{2,}|[\u202A-\u202E\u{E0000}-\u{E007F}]|(?![\n\t\r])\p{Cc}/u.exec(
		plain,
	)?.[0];
	return hidden === undefined ? undefined : `invisible characters (U+${hidden.codePointAt(0)?.toString(16)})`;
}
