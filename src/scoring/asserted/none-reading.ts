/** Whether a reply declines: it says that there is no answer, or that none can be given, and gives none beside. */
import { declines } from "../answers/declines.ts";
import { sentencesOf } from "./clauses.ts";
import { unwrap } from "./unwrap.ts";

const declining = new RegExp(
	[
		"(?:fails?|failed) to (?:answer|find|determine)",
		"(?:can|could|ca)(?:not|n['’]t|['’]t| not) (?:be )?(?:know|answer|determin|find|found|identif|establish|verif|confirm|infer|provide|locate|say|tell)",
		"(?:unable|impossible|not possible|not enough (?:information|evidence|data|context)|insufficient (?:information|evidence|data|context)) ?(?:to (?:answer|determine|find|say|tell|identify|provide|verify))?",
		"(?:is|are|was|were|has|have) not (?:been )?(?:answerable|known|stated|mentioned|specified|provided|given|available|recorded|documented|disclosed|included|contained|clear|described|listed|found)",
		"(?:isn|aren|wasn|weren)['’]t (?:answerable|known|stated|mentioned|specified|provided|given|available|recorded|documented|clear|listed)",
		"(?:do|does|did)(?: not|n['’]t) (?:contain|mention|provide|include|state|specify|say|give|exist|have (?:an answer|enough|any information)|know|show|list|reveal|disclose)",
		"(?:there (?:is|was|are) )?no (?:answer|(?:such )?(?:information|mention|data|evidence|record|indication)|known answer|information available)",
		"^no [^,.;]{1,60} (?:is|are|was|were) (?:mentioned|given|stated|provided|specified|found|available|named|listed|known)",
		"there (?:is|was|are|were) no |none of the (?:passages|documents|sources|texts|results|pages|articles|snippets)",
		"no such ",
		"(?:i|we) (?:do not|don['’]t|did not|didn['’]t) (?:know|have|find)",
		"(?:not|un)answerable|(?:is|are|was|were|remains?|still|currently|it['’]s) (?:un(?:known|clear|certain|specified|determined))|^unknown(?=[\\s.,;:!(]*(?:$|[(.,;]|to |in |from |at |based |given ))|not (?:stated|mentioned|specified|given|provided|available|applicable|known|disclosed|determinable)|n/a",
		"never (?:landed|existed|happened|took place|founded|had)|has no |had no |does not exist|did not exist",
		"nicht genug|nicht genügend|ungenügende|unzureichende|geht .{0,80}nicht hervor|(?:steht|findet sich|ist) .{0,60}nicht (?:im|in (?:den|dem|der)) |(?:wird|werden|wurde|ist|sind) .{0,60}nicht (?:erwähnt|genannt|angegeben|bekannt|enthalten|beantwortbar)|keine (?:ahnung|antwort|angabe|angaben|information|informationen)|nicht bekannt|unbekannt|nicht (?:beantwort|angegeben|bestimm|ermittel|feststell|zu beantworten|genannt)|weiß (?:ich |es )?nicht|lässt sich (?:nicht|keine)|(?:kann|können) .{0,40}nicht",
		"no (?:lo )?s[ée]|no se (?:sabe|puede|menciona|indica|especifica)|no hay (?:información|respuesta|datos)|desconocid[oa]|no (?:está|figura)",
		"(?:je |on )?ne (?:sais|sait|peut|peux|figure|mentionne)|inconnue?|impossible (?:de|à)|aucune (?:réponse|information)|pas (?:mentionné|précisé|indiqué|connu)",
		"无法|無法|不知道|未知|没有(?:答案|信息|提到|提及)|未提及|不清楚|わかりません|分かりません|不明|答えられ|記載がありません|見つかりません",
	].join("|"),
	"iu",
);
const butGives =
	/(?<!\p{L})(?:but|however|though|probably|likely|perhaps|possibly|maybe|my (?:best )?guess|i(?:'d| would) (?:say|guess|estimate)|aber|vermutlich|wahrscheinlich|pero|mais)(?!\p{L})/iu;

/** Whether a reply declines and gives no answer beside. */
export function assertsNone(reply: string): boolean {
	const { text, announced } = unwrap(reply);
	// no answer at all declines nothing
	if (!/\p{L}/u.test(text.replace(/<\/?[a-z_ ]+>?/gi, ""))) return false;
	if (declines(reply) || declines(text) || (announced !== undefined && declines(announced))) return true;
	if (announced !== undefined && !declining.test(announced)) return false;
	const sentences = sentencesOf(text);
	const at = sentences.findIndex((sentence) => declining.test(sentence));
	if (at < 0) return false;
	// an answer that comes first and is only doubted behind is given all the same
	const sentence = sentences[at] ?? "";
	if (at > 0 && !/^(?:so|therefore|thus|hence|this|that|it|the)\b/i.test(sentence)) return false;
	const found = declining.exec(sentence);
	const head = sentence.slice(0, found?.index ?? 0);
	if (
		/^[^\p{L}]*\d[^,]*,/u.test(head) ||
		/(?<!(?:sorry|afraid|regret|apologi[sz]e),?) (?:though|although|but) /i.test(head)
	)
		return false;
	return !sentences.slice(at).some((one) => {
		const gives = butGives.exec(one);
		return gives !== null && /\p{Lu}\p{L}+|\d/u.test(one.slice(gives.index + gives[0].length));
	});
}
