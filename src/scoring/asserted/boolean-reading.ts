/**
 * Whether a reply says yes or no. What it says by itself ("Yes, both", "No doubt: yes", "so no") goes first; else a
 * sentence that repeats what was asked says yes, or no where it denies it. Both at once, or neither, is undefined.
 */
import { deniesSomething, mainSentence, sentencesOf, settled, withoutConclusion } from "./clauses.ts";
import { foldWord, isFunctionWord, poleOf, questionStems, stemOf, tokensOf } from "./question-words.ts";
import { unwrap } from "./unwrap.ts";

const yesWords =
	"yes|yeah|yep|yup|true|correct|affirmative|indeed|certainly|absolutely|definitely|of course|sure|surely|right|that is (?:right|correct|true)|that['’]s (?:right|correct|true)|sí|si|verdadero|cierto|correcto|claro|por supuesto|oui|vrai|exact|bien sûr|en effet|ja|jawohl|richtig|stimmt|wahr|natürlich|selbstverständlich|doch|genau|نعم|اجل|أجل|بلى|صحيح";
const noWords =
	"no|nope|nay|false|incorrect|negative|wrong|untrue|neither|never|not really|not exactly|not quite|not both|not at all|absolutely not|definitely not|certainly not|of course not|not true|that is (?:not (?:right|correct|true)|false|wrong|incorrect)|falso|incorrecto|para nada|claro que no|non|faux|pas du tout|bien sûr que non|nein|nee|falsch|stimmt nicht|natürlich nicht|nicht (?:richtig|wahr|korrekt)|keineswegs|nicht|لا|كلا|خطأ";
const han = {
	yes: /^(?:是的?|对的?|對的?|正确|正確|没错|はい|ええ|うん|そうです)(?=$|[\p{P}\s]|です)/u,
	no: /^(?:不是|不对|不對|不|否|没有|沒有|错误?|錯誤?|いいえ|いや|ううん|違います|ちがいます)(?=$|[\p{P}\s]|です|，)/u,
};
const opens = new RegExp(
	`^(?:(?:so|thus|therefore|hence|well|also|final answer|answer|i (?:think|believe|would say)|it is|the answer is|das ist|es ist|das|es|both)[,:]? )?(?:(?<no>${noWords})|(?<yes>${yesWords}))(?![\\p{L}\\p{N}'’-])(?<rest>.*)$`,
	"iu",
);
const closes =
	/(?:[,;:—–-] ?|\b(?:so|thus|hence|is|answer|therefore|daher|also|lautet|ist)[ :,]+)["'“]?(?:the answer is |es ist )?(?:(?<no>no|nein|false|non)|(?<yes>yes|ja|true|oui|sí))["'”]?[.!]*$/iu;
const idioms =
	/^(?:there is no (?:doubt|question)(?: that)?|no (?:doubt|question|wonder|problem)|without (?:a )?doubt|ohne zweifel|zweifellos|sin duda|sans (?:aucun )?doute|no hay duda)(?: (?:about it|that it is))?[,:;.!—–-]*\s*/iu;
const both =
	/^(?:yes|no|ja|nein|sí|oui|non|si)[,;]? (?:and|or|und|oder|y|o|et|ou|&|\/) ?(?:yes|no|ja|nein|sí|oui|non|si)(?!\p{L})|^(?:yes|no|ja|nein) ?\/ ?(?:yes|no|ja|nein)|^(?:jein|maybe|perhaps|possibly|partly|partially|vielleicht|quizás|peut-être|it depends|depends|unclear|unknown)(?!\p{L})/iu;
const saying = "(yes|yeah|ja|sí|oui|true)|(?:no|nein|non|false)";
const twice = new RegExp(
	`^(?:${saying})[\\s,.;:!—–-]+(?:(?:and|but|also|although|though|then|however|und|aber|auch|doch|y|pero|et|mais)[\\s,]+)*(?:${saying})\\s*(?:[.,;!?]|$)`,
	"iu",
);
const takenBack =
	/(?:^|[.!?;]\s+)((?:(?:yes|no|ja|nein),? (?:wait|actually|sorry)|wait|actually|correction)(?!\p{L}).*)$/isu;
const noAnswer =
	/^no (?:idea|answer|information|data|evidence|clue|lo sé|sé|se sabe|se puede)(?!\p{L})|^non (?:précisée?|spécifiée?|connue?|disponible|communiquée?)(?!\p{L})|^لا (?:اعرف|أعرف|اعلم|أعلم|ادري|أدري|يمكن|يمكنني|استطيع|أستطيع|جواب|معلومات)/iu;
const uncertain =
	/(?<!\p{L})(?:not sure|unsure|unclear|cannot (?:be )?(?:determine|say|tell|confirm|answer|verif)|can['’]t (?:determine|say|tell|confirm|answer)|unable to|don['’]t know|do not know|not known|unknown|no information|might|could be|may be|maybe|perhaps|possibly)(?!\p{L})/iu;

/** "yes", "no", or undefined where neither is said, or both. */
export function saysYesOrNo(reply: string, question?: string): "yes" | "no" | undefined {
	const { text, announced } = unwrap(reply);
	for (const said of [announced, text].filter((one) => one !== undefined)) {
		const found = inText(settled(said), question);
		if (found !== undefined) return found === "open" ? undefined : found;
	}
	return undefined;
}

function inText(written: string, question: string | undefined): "yes" | "no" | "open" | undefined {
	const again = takenBack.exec(written);
	const text = (again && again.index > 0 ? (again[1] ?? "") : written)
		.replace(/^[\s"'“”‘’«»¡¿*([]+/u, "")
		.replace(idioms, "");
	const said = twice.exec(text);
	if (both.test(text) || noAnswer.test(text) || (said && (said[1] === undefined) !== (said[2] === undefined)))
		return "open";
	if (/^[yn][.!]?$/i.test(text)) return /^y/i.test(text) ? "yes" : "no";
	if (
		/^(?:only|nur) \p{Lu}/u.test(text.replace(/^\p{L}/u, (letter) => letter.toLowerCase())) &&
		/(?<!\p{L})(?:both|all|beide|alle)(?!\p{L})/iu.test(question ?? "")
	)
		return "no";
	const eastern = han.yes.test(text) ? "yes" : han.no.test(text) ? "no" : undefined;
	if (eastern)
		return /^(?:はい|いいえ|是|不是|否)(?:か|と|または|和|或|或者|还是|還是)(?:はい|いいえ|是|不是|否)/.test(text)
			? "open"
			: eastern;
	const sentences = sentencesOf(text);
	const last = sentences.at(-1) ?? "";
	const first = opens.exec(sentences[0] ?? text)?.groups;
	if (first) {
		const word = first.no !== undefined ? "no" : "yes";
		const rest = (first.rest ?? "").replace(/^["'”’)\]]+/, "");
		const alone = /^\s*(?:$|[,.;:!?—–(-])/.test(rest);
		const later = sentences.length > 1 ? closing(last) : closing(rest);
		if (later !== undefined && later !== word && alone)
			return /(?:no|not|nicht)$/.test(last)
				? word
				: sentences.length > 1 || /\b(?:so|but|actually)\b/i.test(rest)
					? later
					: "open";
		if (alone || isShort(first[word] ?? "", rest)) return word;
	}
	const short =
		/^(?:no,? |yes,? )?(?:it|they|he|she|that|this|both|there|i|we) (?:do|does|did|is|was|are|were|has|have|had|can|could|will|would)(?<no>n['’]t| not)?(?: both)?(?=[.,;!]|$)/i.exec(
			text,
		)?.groups;
	if (short) return short.no ? "no" : "yes";
	const concluding = withoutConclusion(mainSentence(text));
	const closed = closing(concluding) ?? (sentences.length > 1 ? closing(last) : undefined);
	if (closed !== undefined) return closed;
	if (uncertain.test(concluding)) return "open";
	return (
		polarity(concluding, question) ?? (concluding === sentences[0] ? undefined : polarity(sentences[0] ?? "", question))
	);
}

/** "No se encuentran", "yes they are": the word opens a sentence that goes on without a mark. */
function isShort(word: string, rest: string): boolean {
	if (/^(?:nicht|right|sure|exact|si|never|certainly|indeed|neither|wrong|surely|doch|genau)$/i.test(word))
		return /^ (?:it|they|he|she|is|are|was|were|of them)\b/i.test(rest) || word.toLowerCase() === "neither";
	if (/^no$/i.test(word))
		return (
			!/^ (?:one|man|person|country|such|other|longer|more|less|matter|\p{Lu}\p{L}+)\b/u.test(rest) ||
			/^ (?:they|it|he|she)\b/i.test(rest)
		);
	return true;
}

function closing(text: string): "yes" | "no" | undefined {
	const groups = closes.exec(text)?.groups;
	return groups ? (groups.no !== undefined ? "no" : "yes") : undefined;
}

const lacking =
	/(?<!\p{L})(?:no longer|no|none|neither|only one|hardly|false|fails? to|failed to|lacks?|different|unlike)(?!\p{L})/iu;

/** A sentence that repeats what was asked says yes; denied, no. Undefined where it speaks of something else. */
function polarity(sentence: string, question: string | undefined): "yes" | "no" | undefined {
	if (!question || sentence.length > 1000) return undefined;
	const stems = questionStems(question);
	if (stems.size === 0) return undefined;
	const core =
		sentence.split(/,? (?:because|although|though|while|since|but|which|who|weil|obwohl)(?!\p{L})|;/iu)[0] ?? sentence;
	const content = tokensOf(core)
		.map(({ word }) => word)
		.filter(
			(word) =>
				!isFunctionWord(word) &&
				!/^(?:not|no|never|both|longer|neither|does|do|did|nicht|kein|keine|yes|isnt|wasnt|doesnt|didnt|arent|werent|dont|hasnt)$/.test(
					word,
				),
		);
	const other = poleOf(content);
	if (other === 0 && !content.some((word) => stems.has(stemOf(word)))) return undefined;
	const pole = poleOf(tokensOf(question).map(({ word }) => word));
	const compares = /(?<!\p{L})(?:than|als|before|after|vor|nach)(?!\p{L})/iu;
	const than = /(?<!\p{L})than(?!\p{L})/iu;
	const asks = than.test(question) || (pole !== 0 && compares.test(question));
	const compared = compares.test(core);
	const opposite = asks && compared && pole !== 0 && other === -pole;
	const shared = content.filter((word) => stems.has(stemOf(word)) || (opposite && poleOf([word]) === other));
	const pronoun = /^(?:it|they|he|she|this|that|both|there|neither|none|es|sie|er|beide|ambos|elle|ils|il)\s/i.test(
		core,
	);
	if (shared.length === 0 || (content.length > 0 && shared.length / content.length < 0.5)) return undefined;
	// what is said of the subject alone repeats nothing
	if (!pronoun && shared.length < Math.min(2, stems.size)) return undefined;
	const lastAsked = lastContent(question);
	const repeated = new Set(shared.map(stemOf));
	if (lastAsked.length > 0 && !lastAsked.some((stem) => repeated.has(stem))) return undefined;
	const passive = /(?<!\p{L})(?:is|was|were|been) \p{L}+ by(?!\p{L})/iu.test(core) && !compared;
	const order = isTurned(core, question) && !passive;
	// "Germany beat Argentina" neither says nor denies that Argentina beat Germany, as far as words tell
	if (order && !(asks && compared) && joinedByVerb(question)) return undefined;
	const even = asks && /(?<!\p{L})(?:as \p{L}+ as|same|equal(?:ly)?|gleich|genauso|ebenso)(?!\p{L})/iu.test(core);
	const denied = even || deniesSomething(core) || (lacking.test(core) && !lacking.test(question));
	// that B is not older than A leaves open whether A is older
	if (denied && order && asks && compared) return undefined;
	const flips = [denied, deniesSomething(question), order && asks && compared, opposite].filter(Boolean).length;
	return flips % 2 === 1 ? "no" : "yes";
}

/** The names of a question in order, what stands between two of them apart: ["Mount Everest"], ["K2"]. */
function namesOf(question: string): string[][] {
	const groups: string[][] = [];
	let open = false;
	for (const [index, { word, written }] of tokensOf(question).entries()) {
		const isName = index > 0 && /^[\p{Lu}\d]/u.test(written);
		if (isName && open) groups.at(-1)?.push(word);
		else if (isName) groups.push([word]);
		open = isName || (open && /^(?:of|the|de|la|von)$/.test(word));
	}
	return groups;
}

/** Whether a sentence names the first and the last of what a question names the other way round. */
function isTurned(sentence: string, question: string): boolean {
	const [asked, said] = [question, sentence].map((text) => text.split(/ than /i).map((side) => questionStems(side)));
	const [[before, behind], [own, other]] = [asked ?? [], said ?? []];
	if (before && behind && own && other) {
		const apart = (a: ReadonlySet<string>, b: ReadonlySet<string>, c: ReadonlySet<string>) =>
			[...a].some((stem) => b.has(stem) && !c.has(stem));
		if (apart(other, before, behind) && apart(own, behind, before)) return true;
	}
	const groups = namesOf(question);
	const [first, last] = [groups[0] ?? [], groups.at(-1) ?? []];
	if (groups.length !== 2) return false;
	const words = tokensOf(sentence).map(({ written }) => (/^[\p{Lu}\d]/u.test(written) ? foldWord(written) : ""));
	const at = (own: string[], other: string[]) => words.findIndex((word) => own.includes(word) && !other.includes(word));
	const [a, b] = [at(first, last), at(last, first)];
	return a >= 0 && b >= 0 && b < a;
}

/** "Did A beat B": a verb of its own stands between the names. */
const joinedByVerb = (question: string) =>
	/^(?:did|does|do|has|have|had|hat|haben)(?!\p{L})/iu.test(question.trim()) &&
	!/(?<!\p{L})(?:and|both|und|beide|each other|same)(?!\p{L})/iu.test(question);

/** The last things that a question names: what it asks of its subject. */
function lastContent(question: string): string[] {
	const words = tokensOf(question.replace(/\?[^?]*$/, "").slice(0, 2000))
		.map(({ word }) => word)
		.filter((word) => !isFunctionWord(word));
	return words.slice(-3).map(stemOf);
}
