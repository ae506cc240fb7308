import { stopWords } from "#domain";
import { withoutQuotes } from "./looked-at.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";

/** Requests that ask for a thing of the world, where a sentence begins. */
const requests =
	"name|state|give|identify|list|find|tell (?:me|us)|specify|say|provide|indicate|determine|mention|nenne|nennen sie|gib|geben sie|bestimme|bestimmen sie|nombra|indica|nommez|donnez|indiquez|cita|cite";
const request = new RegExp(`^\\W*(?:please\\s+|bitte\\s+)?(?:${requests})(?!\\p{L})`, "iu");
const asking =
	/(?<!\p{L})(?:who|whom|whose|what|when|where|why|how|which|wer|wem|wen|wessen|was|wann|wo|woher|wohin|warum|wie|welche[rsmn]?)(?!\p{L})/iu;

/** Who is spoken to or speaks; "can you name" asks, "if you remove the vowels" means anybody, and capitals are of titles. */
const addressed =
	/(?<!\p{L}|['’]|[\p{Ll},]\s\p{Lu}[\p{L}’']*\s(?:of\s)?|(?<!\p{L})(?:[Cc]an|[Cc]ould|[Ww]ould|[Aa]re|[Dd]o|[Dd]id|[Mm]ight|[Mm]ay|[Ww]ill)\s)(?:you(?!\s+(?:guys|and i)\b)|your(?!\s+\p{Lu})|yours|yourself|we(?! [A-Z])|the reader|you['’](?:re|ll|ve|d)|my|myself|our|ours|deine?[mnrs]?|dir|dich|euer|eure[mnrs]?|euch)(?!\p{L})|(?<!\p{L})I(?:\s+(?:am|was|have|had|want|need|will|would|can|cannot|could|think|know|do|don['’]t|ask|hope|expect|must|should|said|give|gave|told)(?!\p{L})|['’](?:m|ve|d|ll)(?!\p{L}))/u;
const anybody =
	/(?<!\p{L})(?:if|when|where|before|after)\s+you\s+(?!(?:are|can|cannot|can['’]t|do|don['’]t|think|know|need|want|have|find|must|feel|believe|answer|respond|reply|get|read|see|were|could|should|will|may)(?!\p{L}))/iu;

/** Words about questions and answers themselves. */
const about =
	/(?<!\p{L})(?:(?:this|the (?:following|above|present|next)|my|our|an? (?:\p{L}+ )?(?:two|three|multi|single)-?\s?(?:hop|step)|diese[rn]?|die folgende)\s+(?:\p{Ll}[\p{L}-]+\s+){0,3}(?:questions?|query|queries|items?|tasks?|prompts?|puzzles?|quiz|exercise|challenge|frage|aufgabe|rätsel)|(?:two|three|four|multi|single|\p{Nd})-?\s?(?:hops?|step)|hops?|multihop|(?:outside|prior|world|background|external|general|own|common|parametric|pretrained) knowledge|(?:the|your|a|in|by|of|each|every) (?:chain|steps?) of (?:reasoning|thought|hops)|(?:full|partial|extra|bonus) (?:marks?|credit|points?|score)|reasoning|step[ -]by[ -]step|(?:correct|right|final|expected|accepted|short|brief|complete|full|only|best|model|gold|intended|valid|exact|concise|single|one-word) (?:answers?|responses?|reply)|(?:an?|the|each|any|all|every|whose|no|its) answers? (?:is|are|was|must|should|will|can|may|needs?|has|have|ought|key|box|format|sheet|field|to (?:this|the|it))|answers? (?:must|should|needs?|is to|are to|has to)|(?:textstellen?|vorwissen|weltwissen|fachwissen))(?!\p{L})/iu;

/** How an answer is to be given. */
const manner =
	/(?:^|[,;:.(–—-]\s*)(?:(?:and|but|then|also|just|only|simply|answer(?:ed|ing)?|stated|expressed|given|written|respond\p{L}*)\s+)*(?:briefly|concisely|in brief|in short|in detail|in full|verbatim|please|kindly|nothing (?:else|more)|no more,? no less|if (?:unsure|uncertain|possible|in doubt|known|unknown|applicable|at all|not|available|needed|necessary)|as (?:briefly|concisely|accurately|precisely|shortly|fully) as (?:possible|can be)|without (?:\p{L}+ )?(?:explain\p{L}*|explanations?|comment\p{L}*|guess\p{L}*|elaborat\p{L}*|looking|search\p{L}*|hedging|justif\p{L}*|further)|(?:using|with|by|relying on|drawing on|employing|consulting)\s+(?:no|only|nothing|just|neither|at most|exclusively|solely)|(?:in|with|using)\s+(?:(?:only|just|at most|no more than|exactly|under|fewer than|less than|up to|a maximum of|not more than)\s+)?(?:one|two|three|four|five|six|ten|twenty|a single|a few|a|\p{Nd}+)\s+(?:or (?:two|three|fewer|less) )?(?:words?|sentences?|lines?|characters?|letters|tokens|phrases?)|bitte|kurz|knapp|in einem (?:wort|satz)|ohne (?:begründung|erklärung|erläuterung|weitere)|falls (?:möglich|bekannt|unklar)|nur (?:mit|das|den|die|in))(?!\p{L})/iu;

/** What a reader is told to do, in the plain form of the verb. */
const verbs =
	"accept|act|add|adopt|adhere|agree|allow|analy[sz]e|answer|approve|ask|assess|assign|assume|avoid|award|be|bear|begin|believe|break|bypass|call|check|choose|cite|clarify|classify|click|combine|comment|compare|compute|conclude|confirm|connect|consider|consult|continue|copy|count|decide|deduce|define|delete|deliver|derive|describe|disregard|do|don['’]t|double-check|draw|echo|elaborate|emit|ensure|enter|evaluate|examine|exclude|execute|explain|express|extract|figure out|fill|flag|focus|follow|forget|format|generate|go|grade|guess|have|hold|ignore|imagine|include|infer|insert|interpret|judge|justify|keep|label|leave|let|limit|link|locate|log|look|make|mark|mind|move|never|note|obey|observe|offer|omit|open|output|overlook|override|pass|pause|perform|pick|place|play|point|prefer|prepare|present|pretend|print|proceed|produce|prove|publish|put|quote|rank|rate|read|reason|recall|recheck|recommend|record|refer|refrain|reject|release|rely|remember|repeat|rephrase|replace|reply|report|research|resolve|respond|restate|restrict|return|reveal|review|reward|rewrite|score|search|see|select|send|set|share|show|skip|solve|sort|speak|spell|start|stay|stick|stop|store|submit|summari[sz]e|support|suppose|switch|take|think|trace|translate|treat|trust|try|turn|type|use|utili[sz]e|validate|verify|visit|walk|weigh|work|write";
const polite =
	"(?:(?:please|kindly|just|simply|only|always|never|first|then|now|also|next|finally|and|but|so|otherwise|instead|remember to|be sure to|make sure to|do not|don['’]t)[,:]?\\s+)*";
const ordered = new RegExp(
	`^(?!\\W*Consider (?:an?|two|three|the)\\s)\\W*${polite}(?:${verbs})(?!\\p{L}|['’]s|\\s+(?:is|was|are|were|has|had|of)\\b)`,
	"iu",
);
/** In the middle of a sentence an order stands behind a comma, and something must follow that no noun has. */
const spoken =
	"answer|respond|reply|say|ignore|disregard|forget|explain|justify|consider|assume|think|write|output|return|print|rate|score|mark|approve|accept|remember|note|provide|include|cite|give|state|treat|skip|omit|avoid|keep|show|translate|trace|follow|combine|link|connect|start|begin|focus|ensure|verify|check|bear|make sure|suppose|imagine|pretend|judge|grade|treat|use|do not|don['’]t";
const orderedInside = new RegExp(
	`(?:^\\W*|[,;:–—(]\\s*(?:and\\s+|then\\s+|but\\s+|or\\s+)?)(?:please\\s+)?(?:${spoken})\\s+(?:\\W*·|(?:the|all|any|each|every|no|not|only|to|that|this|these|it|its|them|as|with|in|whether|if|how|why|what|both|from|on|carefully|step|your|yes|one|ignore|exactly|at|least|mind|use|guess|explain|include|mention|simply|just)(?!\\p{L}))`,
	"iu",
);
const germanOrders =
	"antworte|antworten|beantworte|beantworten|begründe|begründen|erkläre|erklären|denke|denken|beachte|beachten|berücksichtige|bewerte|bewerten|gib|lies|lesen|nutze|nutzen|verwende|verwenden|ignoriere|ignorieren|vergiss|schreibe|schreiben|sage|sagen|prüfe|prüfen|überlege|überlegen|formuliere|formulieren|halte|halten|lass|lasse|verzichte|verzichten|gehe|gehen|nimm|sei|seien|stelle|stellen|suche|suchen|finde|finden|zeige|zeigen|markiere|akzeptiere|bestätige|verknüpfe|kombiniere|folge|folgen|stütze|stützen|fasse|fassen|liste|listen|zähle|merke|bedenke|achte|achten|wähle|wählen|konzentriere|vermeide|wiederhole|übersetze|belege|zitiere";
const germanOrdered = new RegExp(
	`^\\W*(?:(?:bitte|und|dann|zuerst|also|nun|jetzt)\\s+)*(?:${germanOrders})(?!\\p{L})`,
	"iu",
);

/** What no sentence of the world beside a question speaks of. */
const aboutItself =
	/(?<!\p{L}|\p{Nd} )(?:questions?|answers?|answered|responses?|reply|replies|prompts?|instructions?|reviewers?|graders?|annotators?|verdict|valid|invalid|(?:language|AI) models?|assistants?|points|marks|frage|antwort|antworten|aufgabe)(?!\p{L})/iu;
/** Words that a statement opens with. */
const opensStatement = new Set(
	"a an the this that these those it he she they there here his her its their one two three four five six seven eight nine ten some many most several all both each every another other no none in on at by from to for of with under during after before near through against behind over into about among beside along since until upon within without between around across despite unlike like as while although though because when where if once whereas given born known founded located built named originally later today recently historically in".split(
		" ",
	),
);
const finite =
	/^(?:is|was|are|were|has|had|have|does|did|do|can|could|will|would|may|might|must|should|became|began|came|went|won|lost|led|made|took|gave|held|wrote|ran|built|bought|sold|grew|rose|fell|lies|lay|stood|stands|met|left|kept|knew|saw|set|born|\p{L}{3,}ed|\p{Ll}{3,}s|and|of|or)$/u;

const hasVerb = /(?<!\p{L})(?:is|was|are|were|has|had|have|\p{Ll}{3,}ed)(?!\p{L})/u;

/** Whether a sentence states something of the world: it has a subject where an order has none. */
function isStatement(sentence: string): boolean {
	const words = sentence.match(/[\p{L}\p{M}\p{N}·]+(?:['’-][\p{L}\p{M}\p{N}]+)*[,:]?/gu) ?? [];
	const [first = "", second = ""] = words;
	const plain = first.replace(/[,:]$/u, "").toLowerCase();
	if (/,$/.test(first) || /['’]s$/u.test(first) || /^[\p{Nd}·]/u.test(first)) return true;
	if (opensStatement.has(plain) || /(?:ly|ing)$/u.test(plain) || /^\W*Consider (?:an?|two|three|the)\s/u.test(sentence))
		return true;
	if (Object.values(stopWords).some((list) => list?.has(plain))) return true;
	if (words.length > 7 && hasVerb.test(sentence) && !ordered.test(sentence)) return true;
	return /^[\p{Lu}\p{Nd}·]/u.test(second) || finite.test(second.replace(/[,:]$/u, ""));
}

const isAsking = ({ text, mark }: Sentence): boolean => /[?？؟]/u.test(mark) || request.test(text);

/** Signs of one word that are no Latin letters: their sentences are not looked at. */
const otherScript = /[^\P{L}\p{Script=Latin}]/u;

/**
 * What a text says beside its one question, to whoever reads it: orders, words about the question or the answer, "you".
 * A question is one sentence that asks, with sentences before it that state something of the world; undefined where it is
 * such a one. `parts`: it may ask for several things, and go on.
 */
export function saidToReader(text: string, { parts = false }: { parts?: boolean } = {}): string | undefined {
	const whole = withoutQuotes(text);
	if (otherScript.test(whole) || text.includes(">>")) return undefined;
	// who types a query in lower case gives no title marks either
	const typed = !/\p{Lu}/u.test(whole);
	const speaks = (typed || anybody.test(whole) ? null : addressed.exec(whole)) ?? about.exec(whole);
	if (speaks) return at(speaks);
	const sentences = sentencesOf(text);
	const asks = sentences.some(isAsking) || asking.test(whole);
	const last = sentences.findLastIndex(isAsking);
	for (const [n, sentence] of sentences.entries()) {
		const told = manner.exec(sentence.text);
		if (told) return told[0].trim();
		if (isAsking(sentence)) {
			if (request.test(sentence.text)) continue;
			// "Considering …" opens no order, and a question opens with its own verb
			const order = orderedInside.exec(sentence.text);
			const isTitle = order && /^\s*\p{Lu}/u.test(sentence.text.slice(order.index + order[0].length));
			if (order && !isTitle) return order[0].trim();
			continue;
		}
		if (parts && tells.test(sentence.text)) continue;
		if (ordered.test(sentence.text) && !isNamed(sentence.text) && (sentences.length > 1 || !typed))
			return sentence.text;
		if (germanOrdered.test(sentence.text)) return sentence.text;
		if (sentences.length > 1 && asks && !isStatement(sentence.text) && !offers(sentence.text)) return sentence.text;
		if (sentences.length > 1 && aboutItself.test(sentence.text)) return sentence.text;
		if (!parts && last >= 0 && n > last && !offers(sentence.text) && !goesOn(sentence.text, sentences.slice(0, n)))
			return sentence.text;
	}
	return undefined;

	function at({ 0: found, index }: RegExpExecArray): string {
		return text.slice(index, index + found.length).trim();
	}
}

/** A statement of some length behind the question that has a word of what was asked: it tells more of that. */
function goesOn(sentence: string, before: readonly Sentence[]): boolean {
	const words = sentence.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
	const asked = before.map(({ text }) => text.toLowerCase()).join(" ");
	return isStatement(sentence) && sentence.split(/\s+/u).length > 3 && words.some((word) => asked.includes(word));
}

/** What a question of several parts goes on with. */
const tells = /^\W*(?:explain|describe|compare|list|name|give|state|outline|summari[sz]e|discuss|identify)(?!\p{L})/iu;

/** "Mark Hanna was …": a name that is a verb as well. */
const isNamed = (sentence: string): boolean => /^\W*\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u.test(sentence);

/** "Alien or Jaws", "The Vrin, the Talm." */
const offers = (sentence: string): boolean =>
	/(?<!\p{L})(?:or|oder|o|ou)(?!\p{L})/iu.test(sentence) || !/\p{Ll}{3,} \p{Ll}{2,} \p{Ll}{2,}/u.test(sentence);
