import { withoutQuotes } from "./looked-at.ts";
import { sentencesOf } from "./sentences.ts";

const asking = "(?:who|whom|whose|what|when|where|why|how|which)";
const aux =
	"(?:did|does|do|is|was|are|were|has|have|had|can|could|will|would|should|many|much|long|old|far|often|tall|high|big|large|deep)";
const preposition =
	"(?:in|on|at|by|from|to|for|of|with|under|during|after|before|near|through|against|behind|over|into|about|among|beside|along)";
/** "Did", or "is" before what can only be its subject. */
const inverted =
	"(?:(?:did|does|do)\\b|(?:is|was|are|were|has|have|had|can|will|would)\\s+(?:the|this|that|these|those|he|she|it|they|his|her|its|their)\\b)";
const and = "(?:\\band|&|\\bas well as|\\bbut|\\bor|\\bplus)\\s+(?:also\\s+|then\\s+)?";
const relative =
	"(?:is|was|are|were|has|have|had|can|could|will|would|also|now|later|then|the|he|she|it|they|first|once|still|currently|previously|originally|\\p{L}+(?:ed|s))\\b";
const attribute =
	"(?:birth|death|release|founding)? ?(?:date|year|population|height|weight|age|budget|nationality|profession|occupation|birthplace|area|length|price|cost|release|author|director|producer)";
/** A second word of asking behind a first: of itself it may be the only one ("written by A and what actress?"). */
const again: readonly RegExp[] = [
	new RegExp(`${and}(?:when|where|why|how)\\s+${aux}\\b`, "iu"),
	new RegExp(`,\\s*(?:when|where|why|how|what)\\s+${aux}\\b`, "iu"),
	new RegExp(`${and}what(?:['’]s)?\\s+\\p{L}`, "iu"),
	new RegExp(
		`${and}(?:in|on|at|by|from|to|for|of|with|during|under)\\s+(?:what|which|whose|whom)\\s+(?!${relative}|an?\\b|his\\b|her\\b|its\\b|their\\b)\\p{L}+\\s+(?:\\p{L}+\\s+){0,2}(?:did|does|do|is|was|are|were|has|had|can|will)\\b`,
		"iu",
	),
	new RegExp(`${and}which\\s+(?:of\\b|(?!${relative})\\p{L}+)`, "iu"),
	/\bas well as\s+(?:who|whom|whose|when|where|why|how|which)\b/iu,
	// an inverted verb behind a fronted word of asking, which no relative clause has
	new RegExp(
		`(?:${and}|[,;]\\s+)(?:also|then|secondly|next|further(?:more)?)?,?\\s*(?:${preposition}\\s+(?:the\\s+\\p{L}+\\s+of\\s+)?)?(?:which|what)\\s+(?!${relative})(?:\\p{L}+\\s+){1,3}${inverted}`,
		"iu",
	),
	new RegExp(`(?:${and}|[,;]\\s+)(?:also|then)?,?\\s*${preposition}\\s+(?:whom|what|which)\\s+${inverted}`, "iu"),
	new RegExp(`(?:${and}|[,;]\\s+)(?:also|then)?,?\\s*(?:where|when|why|how)\\s+(?:did|does|do)\\b`, "iu"),
	/(?:\band|&|,|\bplus)\s+(?:also|then|secondly|next|after that|additionally)\s*,?\s+(?:(?:in|on|at|by|from|to|for|of|with|under|during)\s+)?(?:who|whom|whose|what|when|where|why|how|which)\b/iu,
	new RegExp(`\\s\\/\\s+${asking}\\b|\\n\\s*${asking}\\b`, "iu"),
	new RegExp(
		`[.]\\s+(?:also|and|additionally|moreover|furthermore|then|besides),?\\s+(?:${preposition}\\s+)?${asking}\\b|${and},?\\s*(?:besides|moreover|further|in addition),?\\s+(?:${preposition}\\s+)?${asking}\\b`,
		"iu",
	),
	new RegExp(`,\\s+(?:and\\s+)?${preposition}\\s+(?:which|what)\\s+\\p{L}+\\s*[?？]\\s*$`, "iu"),
	/\b(?:in addition|on top of that|besides that|apart from that),?\s+(?:who|what|when|where|why|how|which)\b/iu,
	new RegExp(`${and}(?:is|was|are|were|did|does|do|has|have|can)\\s+(?:he|she|it|they)\\b`, "iu"),
	new RegExp(`${and}who(?:se)?\\s+(?:is|was|are|were|did)\\s+(?:its|his|her|their)\\b`, "iu"),
	/(?:\band|&|,)\s+(?:by |for |to )?(?:when|where|why|how|whom|what|how many|how much)\s*[?？.)]+\s*$/iu,
	/\balong with\s+(?:who|what|when|where|why|how|which)\b/iu,
	new RegExp(
		`(?:${and}|,\\s+)(?:the\\s+|its\\s+|his\\s+|her\\s+|their\\s+)(?:\\p{L}+\\s+)?${attribute}(?:\\s+(?:of\\s+)?(?:its|his|her|their|the)\\s+\\p{L}+|\\s+of\\s+release)?\\s*[?？]\\s*$`,
		"iu",
	),
];
/** A second asking that no relative clause can be, whatever stands between. */
const asksAgain: readonly RegExp[] = [
	// "and why they closed", "and how"
	/(?:\band|&|\bor|\bplus|\bas well as|\bincluding|\balong with|\btogether with|\bbut also|\bnot to mention)\s+(?:also\s+|then\s+|exactly\s+|roughly\s+|precisely\s+|if so,?\s+|of course\s+)?(?:why|how|since when|until when|by when)\b(?!\s+(?:is|was|are|were)\s+(?:now|then|today|known|called|considered|believed|thought|to become)\b)/iu,
	// "and for how much", "and with whom?"
	new RegExp(
		`(?:${and}|[,;]\\s+|[(–—]\\s*and\\s+)(?:then\\s+|respectively\\s+|also\\s+)?${preposition}\\s+(?:how|what)\\b`,
		"iu",
	),
	new RegExp(
		`(?:${and}|[,;]\\s+|respectively,?\\s+)(?:${preposition}\\s+)?(?:whom|which|what|whose|where|when|who|why|how)\\s*[?？)]`,
		"iu",
	),
	/\brespectively,?\s+(?:by|for|in|at|on|to|from|with|of)?\s*(?:who|whom|whose|what|which|when|where|how)\b|\b(?:if so|if not|if any|in (?:that|which) case|and for (?:bonus|extra)),?\s+(?:(?:by|for|in|at|on|to|from|with|of)\s+)?(?:who|whom|whose|what|which|when|where|how|why|did|does|do|is|was|are|were)\b/iu,
	// "and is it", "and did the yard"
	/(?:\band|&|;|,\s+and|\bplus|[–—])\s+(?:also\s+|then\s+|if so,?\s+)?(?:(?:is|was|are|were|has|have|had|can|will)\s+(?:it|he|she|they|there)|(?:did|does|do)\s+(?:it|he|she|they|there|the|its|his|her|their|this|that|these|those|any|all))\b/iu,
	// "— and who was he?", "(and when?)", "(when?)"
	new RegExp(
		`[(–—]\\s*(?:and|also|or|plus)?,?\\s*(?:${preposition}\\s+)?${asking}\\b[^()–—]*[?？]\\s*\\)|[(–—]\\s*(?:and|plus)(?:\\s+also)?,?\\s+(?:${preposition}\\s+)?(?:what|when|where|why|how)\\b|\\s[–—-]\\s+(?:when|where|why|how|what)\\b`,
		"iu",
	),
	// "in which year and at what place", "who and when"
	new RegExp(
		`^\\W*(?:${preposition}\\s+)?(?:which|what|whose|how)\\s+(?:\\p{L}+\\s+){1,3}and\\s+(?:${preposition}\\s+)?(?:which|what|whose|how|when|where|why|who|whom)\\b`,
		"iu",
	),
	// what else is wanted of the same thing
	/(?:\bas well as|\balong with|\btogether with|\bincluding|\bplus|\band also|\bnot to mention|\bin addition to|\bbesides|\band likewise|\band similarly|,\s+and|\bcoupled with|\baccompanied by)\s+(?:(?:its|his|her|their)\s+(?:(?:own|exact|full|current|total|first|last|other)\s+)*\p{Ll}+(?:\s+(?:of|in|for|at)\s+(?:(?!which|what|whom)\p{L}+\s*){1,4})?|the\s+(?:\p{Ll}+\s+)?(?:date|year|day|month|time|place|name|names|title|number|amount|age|height|length|width|depth|size|colou?r|weight|population|price|cost|location|reason|cause|country|city|town|address|nationality|profession|identity|author|director|winner|score|result)s?(?:\s+(?:of|in|for|at|when|where|on which)\s+(?:(?!which|what|whom)\p{L}+\s*){1,6})?)\s*[?？.]\s*$/iu,
	/\b(?:in that order|(?:each|both|one) (?:separately|individually|in turn)|both answers|two answers|two parts|two questions|first[,:] .* second(?:ly)?[,:] )/iu,
	// "To whom did she leave the estate, and the brewery?"
	/^[^,;]*,\s+(?:and|or)\s+(?:the|its|his|her|their|from|to|by|in|for|with|on|at)\s+(?:\p{Ll}+\s*){1,3}[?？]\s*$/iu,
	// "Who wrote it and directed what?"
	/^\W*(?:(?:in|on|at|by|from|to|for|of|with|under)\s+)?(?:who|whom|whose|what|which|when|where|why|how)\b.*\b(?:and|or)\b[^,;?]*\s(?:what|whom|when|where|why|how many|how much|how long|which one)\s*[?？]\s*$/iu,
	// "What are the date and headquarters of …"
	/^\W*(?:what|which)\s+(?:are|were)\s+(?:both\s+)?(?:the|its|his|her|their)\s+(?:(?!of\b|and\b|that\b|which\b|two\b|first\b)\p{Ll}+\s+){1,3}and\s+(?:(?:the|its|his|her|their)\s+)?(?:(?!of\b)\p{Ll}+\s+){0,3}?\p{Ll}+\s+(?:of|for|at|in|from|where|when)\b/iu,
	/^\W*(?:what|which)\s+(?:is|was)\s+(?:both\s+)?(?:the|its|his|her|their)\s+(?:(?!of\b|and\b|that\b|which\b)\p{Ll}+\s+){1,3}and\s+(?:the|its|his|her|their)\s+(?:(?!of\b)\p{Ll}+\s+){0,3}?\p{Ll}+\s+(?:of|for)\b/iu,
	// a second verb that asks or tells
	/(?:\band|&|,|;|\bthen)\s+(?:then\s+|also\s+|please\s+|finally\s+)*(?:name|state|give|identify|list|explain|specify|describe|say|tell|provide|indicate|mention|determine|compute|calculate|find(?: out)?)\s+(?:me\s+|us\s+)?(?:the|its|his|her|their|all|any|both|one|two|when|where|who|whose|what|which|how|why|whether|a)\b/iu,
];
/** The same of German, which turns its verb in a question and in no relative clause. */
const asksAgainInGerman: readonly RegExp[] = [
	/(?<!\p{L})(?:und|sowie|oder|plus|bzw\.?|beziehungsweise|als auch|ebenso)\s+(?:auch\s+|dann\s+|außerdem\s+|zudem\s+|falls ja,?\s+|wenn ja,?\s+)?(?:(?:in|an|auf|aus|von|mit|zu|bei|für|seit|bis|unter|nach|vor|über|durch|um)\s+)?(?:wann|warum|wieso|weshalb|wofür|wodurch|woran|womit|wovon|woher|wohin|wem|wen|wessen|welche[rsmn]?|wie(?!\s+(?:auch|schon|etwa|zum|die|der|das|ein|im|in)(?!\p{L}))|was|wer)(?!\p{L})/iu,
	/,\s+(?:und\s+)?(?:(?:in|an|auf|aus|von|mit|zu|bei|für|seit|bis|unter|nach|vor)\s+)?(?:wem|wen|wessen|wann|warum|woher|wohin|wer|was|wo|welche[nrms]?|wie (?:viele?|hoch|groß|lange?|alt|tief|weit|schwer|teuer|breit|oft|heißt|hieß))\s+(?:\p{Lu}\p{L}+\s+)?(?:ist|war|sind|waren|hat|hatte|haben|wurde|wurden|kann|soll|\p{Ll}+(?:t|te|ten|b|g|d|f|l|ß))\s+(?:er|sie|es|ihn|ihr|man|der|die|das|dieser|diese|dieses|sein|seine|ihre?)(?!\p{L})/iu,
	/(?<!\p{L})(?:und|sowie|samt|nebst|inklusive|einschließlich|mitsamt|plus)\s+(?:(?:deren|dessen|seine|seinen|ihre|ihren|sein|ihr)\s+\p{Lu}\p{L}+|(?:wann|wo|wie|warum|wer|was))\s*[?？]\s*$/u,
	/(?<!\p{L})(?:wann|wo|wer|was|warum|wie)\s*(?:,|und|sowie|oder|bzw\.)\s*(?:und\s+)?(?:wann|wo|wer|was|warum|wie|von wem|mit wem|woran|wodurch)(?!\p{L})|(?<!\p{L})(?:falls ja|wenn ja|jeweils)(?:,|\s).{0,20}(?<!\p{L})(?:w(?:ann|er|o|as|ie|em|en)|welche[nrms]?)(?!\p{L})/iu,
	/(?:und|,|;)\s+(?:auch\s+|dann\s+|bitte\s+|außerdem\s+)*(?:nenne|nennen sie|gib|geben sie|sage|erkläre|erklären sie|beschreibe|begründe)(?!\p{L})/iu,
];
/** Two things that are compared or added up are one question. */
const computes = /\b(?:between|sum|total|combined|difference|mean|average|ratio|compar\p{L}*|both|or)\b/iu;
/** What asks for a second thing whatever stands before. */
const more: readonly RegExp[] = [
	/^\W*what (?:is|are|was|were) the (?:\p{L}+ )?name and (?:the )?(?:\p{L}+ )?(?:date|year|age|place|population|height|nationality|profession|occupation|title)\b/iu,
	/^\W*(?:who|what) (?:are|were) the (?:director|producer|author|writer|composer|capital|population|name|birthplace|height|mother|father|nationality|budget|date|year|location) and (?:the )?\p{L}+ of\b/iu,
	/^\W*(?:[Ww]ho|[Ww]hat) (?:are|were) the \p{Ll}+ and (?:the )?\p{Ll}+ of\b|^\W*(?:[Gg]ive|[Nn]ame|[Ss]tate|[Ll]ist|[Pp]rovide) the \p{Ll}+ and (?:the|its|his|her|their) \p{Ll}+/u,
	/\((?:a|i|1)\)[^()]{3,}\((?:b|ii|2)\)/iu,
	/^\W*(?:in addition to|besides|apart from|as well as)\s+(?:who|what|when|where|why|how|which)\b/iu,
	/^\W*(?:please\s+)?(?:tell|name|give|state|list|say|provide)\b(?:(?!\b(?:who|which|that|whose)\b)[^?])*(?:\band|&)\s+(?:also\s+)?(?:who|when|where|why|how|what|the (?:date|year|name|population|height|age) of (?:its|his|her|their)\b)/iu,
	new RegExp(`(?<![\\p{L}])${asking}\\s*(?:,|and|or|&)\\s*(?:and\\s+)?${asking}\\b`, "iu"),
	/(?:\band|,|;)\s*(?:additionally|furthermore)\b/iu,
	/(?:\band|,|&)\s+(?:also\s+)?(?:please\s+)?(?:tell|give) (?:me|us)\b/iu,
	/(?:\band|,|&)\s+also\s+(?:tell|name|give|state|list|say|provide|identify|mention|find|explain|describe|specify|the (?:name|date|year|number|title|place))\b/iu,
	/\band\s+(?:please\s+)?(?:state|list|explain|identify|specify|mention)\s+(?:the|its|his|her|their|all|when|where|who|what|how|why)\b/iu,
	/\band also\s+(?:its|his|her|their)\b/iu,
	/\band\s+(?:its|his|her|their)\s+(?:\p{L}+\s+){0,3}\p{L}+\s*[?？]\s*$/iu,
];
const others: readonly RegExp[] = [
	// Spanish words of asking carry an accent; relative ones have none
	/(?:^|[\s,;])(?:y|e|o|u)\s+(?:también\s+)?¿?(?:(?:a|de|en|con|por|para|desde)\s+)?(?:quién|quiénes|qué|cuándo|cuál|cuáles|dónde|cómo|cuánt[oa]s?)(?![\p{L}])/iu,
	/(?:^|[\s,;])(?:así como|y además)\s+(?:quién|qué|cuándo|cuál|dónde|cómo|cuánt[oa]s?)(?![\p{L}])/iu,
	/(?:^|[\s,;])et\s+(?:aussi\s+)?(?:(?:en|à|de|dans)\s+)?(?:quand|combien|comment|pourquoi|quel(?:le)?s?|qui\s+(?:est|a|était|fut)\s+(?:le|la|l['’])|où\s+(?:est|se|a|était))(?![\p{L}])/iu,
	/(?:^|[\s,;])ainsi que\s+(?:quand|combien|comment|quel(?:le)?s?|qui|où)(?![\p{L}])/iu,
	/(?:^|[\s,;])(?:und|sowie|oder)\s+(?:auch\s+)?(?:(?:in|an|aus|von|mit|zu)\s+)?(?:wann|warum|wieso|wie\s+(?:viele?|hoch|groß|lange?|alt|heißt|hieß)|welche[rsmn]?\s+\p{Lu}|wer\s+(?:ist|war|hat|wurde)|wo\s+(?:ist|war|liegt|wurde|hat|\p{Ll}+\s+(?:er|sie|es)(?!\p{L}))|was\s+(?:ist|war|hat))(?![\p{L}])/u,
	/(?:^|[\s,;])e\s+(?:também\s+|anche\s+)?(?:(?:em|de|in|di|a)\s+)?(?:quem|quando|onde|qual|quais|quanto|quantos|chi|dove|quale|quali|quanti)\s+(?:é|foi|são|nasceu|morreu|è|fu|era|sono|nacque|\p{L}+\s+(?:é|foi|è|fu|ha|tem))(?![\p{L}])/iu,
	/(?:，|,|、|；|以及|并且|還有|还有|和|与|并)\s*(?:另外|同时|同時)?[^，,？?。]{0,24}(?:谁|誰|什么|什麼|哪|何时|何時|何地|多少|几|幾)[^？?]*[？?]?$/u,
	/(?:また、|そして、?|さらに、?|および|、)[^？?。]{0,40}(?:誰|何|いつ|どこ|どの|いくつ|いくら|なぜ)[^？?]*[？?]?/u,
	/(?:^|[\s،,])و\s?(?:متى|أين|كم|لماذا|كيف|ما (?:هو|هي|اسم)|من (?:هو|هي)|في أي)(?!\p{L})/u,
];

/**
 * What joins a second question to the first, as it stands there; undefined where one thing is asked. Question marks within
 * quotation marks belong to titles, as do those that a lower-case word follows. Relative clauses ("and who was born in")
 * are no questions.
 */
export function secondQuestion(text: string): string | undefined {
	const plain = withoutQuotes(text);
	const marks = [...plain.matchAll(/[?？؟]+(?=\s*(?:$|[^\s\p{Ll},;:()[\]?？؟]))/gu)];
	const [first] = marks;
	if (first && marks.length > 1) return text.slice(Math.max(0, first.index - 20), first.index + 30);
	const asking = sentencesOf(text).filter(
		({ text: one, mark }) =>
			(/[?？؟]/u.test(mark) && /(?:\p{L}+\W+){3}/u.test(one) && !/^\(/u.test(one)) || requesting.test(one),
	);
	if (asking.length > 1 && marks.length > 0) return asking.at(-1)?.text;
	const found = [...more, ...asksAgain, ...asksAgainInGerman]
		.map((pattern) => pattern.exec(plain))
		.find((one) => one && !capitalAsking.test(one[0]) && !namedAnd.test(one[0]));
	if (found) return found[0];
	const sentence =
		/(?<=\p{Ll}{2}["”)]?)[.!]\s+(?:Also,?\s+)?(?:Who|What|When|Where|Why|How|Which|In what|In which)\s+\p{Ll}/u.exec(
			plain,
		);
	if (sentence && asks(plain.slice(0, sentence.index))) return sentence[0];
	return (
		behindSemicolon(plain) ?? askedAgain(plain) ?? whoAndWho(plain) ?? whereAndWho(plain) ?? otherLanguages(text, plain)
	);
}

/** Whether the text begins by asking; "When using A, how many …?" does not yet. */
const asks = (before: string) =>
	new RegExp(`^\\W*(?:${preposition}\\s+)?(?:who|whom|whose|what|why|how|which)\\b`, "iu").test(before) ||
	new RegExp(`^\\W*(?:when|where)\\s+${aux}\\b`, "iu").test(before) ||
	new RegExp(
		`\\b${preposition} (?:what|which|whom)\\s+\\p{L}+\\s+(?:did|does|do|is|was|are|were|has|had)\\b`,
		"iu",
	).test(before);

const requesting =
	/^\W*(?:also,?\s+|and\s+|then\s+)?(?:please\s+|bitte\s+)?(?:name|state|give|identify|list|find|tell|specify|say|provide|indicate|explain|describe|nenne|gib|erkläre)\s+(?:\p{Ll}|the|me|us)/iu;

/** "Maid Marian and her Merry Men" */
const namedAnd = /^and\s+(?:its|his|her|their)\s+\p{Lu}/u;
const capitalAsking = /(?<=\s)(?:Who|Whom|Whose|What|When|Where|Why|How|Which)\b/u;

function askedAgain(plain: string): string | undefined {
	for (const pattern of again) {
		const found = pattern.exec(plain);
		// "between A and what nation?" asks once
		if (found && /\bbetween\b[^,;]*$/iu.test(plain.slice(0, found.index))) continue;
		// "All the Marbles or What Ever Happened": a title
		if (found && computes.test(plain) && !new RegExp(asking, "iu").test(found[0])) continue;
		if (found && !capitalAsking.test(found[0]) && asks(plain.slice(0, found.index))) return found[0];
	}
	return undefined;
}

/** Words behind a semicolon that a bare second request has at most. */
const fewWords = 8;

/** A semicolon joins a second request where that asks or orders, or is short; statements and relative clauses go on. */
function behindSemicolon(plain: string): string | undefined {
	const parts = plain.split(/(?<=[;；؛])/u);
	let before = parts[0] ?? "";
	for (const part of parts.slice(1)) {
		const words = part.match(/[\p{L}\p{N}'’]+/gu) ?? [];
		const opens = new RegExp(
			`^\\s*(?:(?:and|also|then|plus|or|but|additionally|furthermore|besides|in addition),?\\s+)*(?:(?:in|on|at|by|from|to|for|of|with)\\s+)?(?:(?<asking>${asking})\\b|(?:did|does|do|is|was|are|were|has|have|can|tell|give|name|state|list|explain|identify|specify|mention|describe|provide)\\b)`,
			"iu",
		).exec(part);
		const goesOn =
			/^(?:who|whom|whose|which|where|when)$/iu.test(opens?.groups?.asking ?? "") &&
			/\b(?:who|whom|whose|which|that|where|when)\b/iu.test(
				before.replace(/^\W*\p{L}+(?:\s+(?:which|what|whom))?/u, ""),
			);
		// "; on which mountain is …": no relative clause turns its verb
		const turned = new RegExp(
			`^\\s*(?:(?:and|also|then),?\\s+)*(?:(?:${preposition}\\s+)?(?:which|what)\\s+(?!${relative})(?:\\p{L}+\\s+){1,3}${inverted}|(?:${preposition}\\s+(?:which|whom|what)|where|when|why|how)\\s+(?:did|does|do)\\b|(?:where|when|why|how)\\s+(?:is|was|are|were|has|have|had|can)\\b)`,
			"iu",
		).test(part);
		if (opens && (!goesOn || turned)) return `;${part}`;
		if (/^\s*(?:additionally|also|furthermore)\b/iu.test(part)) return `;${part}`;
		if (words.length > 0 && words.length <= fewWords && /[?？؟]\s*$/u.test(part) && asks(before)) return `;${part}`;
		if (
			/[;；؛]$/u.test(before) &&
			/\p{Script=Han}|\p{Script=Arabic}|[\p{Script=Hiragana}]/u.test(part) &&
			words.length > 0
		)
			return `;${part}`;
		before += part;
	}
	return undefined;
}

/** "Who wrote A and who drew B?" asks twice; "Who is the singer who wrote A and who drew B?" does not. */
function whoAndWho(plain: string): string | undefined {
	const second = /(?:,?\s+and|,|&)\s+(?:also\s+)?who(?:m|se)?\s+\p{L}+/iu.exec(plain);
	if (!second || /^,\s+who/iu.test(second[0])) return undefined;
	const before = plain.slice(0, second.index);
	const asking = before.match(/\bwho(?:m|se)?\b/giu) ?? [];
	const relative = /\b(?:that|which)\b/iu.test(before) || asking.length > 1;
	return /^\W*(?:(?:please )?(?:tell me|say|name)\s+)?(?:who|whom|whose)\b/iu.test(before) && !relative
		? second[0]
		: undefined;
}

/** "Where is A, and who founded it?" asks twice: no "who" or "that" stands before that the second could go on with. */
function whereAndWho(plain: string): string | undefined {
	const second = /,?\s(?:and|&)\s+who(?:m|se)?\s+\p{L}+[^,?]*[?？]\s*$/iu.exec(plain);
	if (!second) return undefined;
	const before = plain.slice(0, second.index);
	const aboutIt = /\s(?:it|him|her|them)\s*[?？]\s*$/iu.test(second[0]);
	if (
		aboutIt &&
		/^\W*(?:what|which|who)\b/iu.test(before) &&
		!/\b(?:who|whom|whose|that|which)\b/iu.test(before.slice(6))
	)
		return second[0];
	const opens = new RegExp(`^\\W*(?:(?:${preposition}\\s+)(?:which|what)|when|where|how)\\b`, "iu").exec(before);
	return opens && !/\b(?:who|whom|whose|that|which)\b/iu.test(before.slice(opens[0].length)) ? second[0] : undefined;
}

const wordsOfAsking = /谁|誰|什么|什麼|哪|何时|何時|多少|几|幾|いつ|どこ|どの|何|いくつ|なぜ/gu;

function otherLanguages(text: string, plain: string): string | undefined {
	for (const pattern of others) {
		const found = pattern.exec(plain);
		if (!found) continue;
		// of a language without spaces one word of asking is the question itself
		if (/\p{Script=Han}/u.test(found[0]) && (plain.match(wordsOfAsking) ?? []).length < 2) continue;
		return text.slice(found.index, found.index + found[0].length);
	}
	return undefined;
}
