/** How a question may point to its source. */
interface Pointing {
	/** Whether a picture may be spoken of. */
	images: boolean;
	/** What was said before: what is introduced there may be spoken of as known. */
	before?: string;
}

/** What a source or a part of it is called. Of the first group hardly anything else is called so. */
const partOnly =
	"passage|paragraph|excerpt|extract|snippet|pdf|footnote|web ?page|webpage|handout|infobox|sidebar|screenshot|caption|transcript|leaflet|subsection|annotation|write-?up|article text|blurb";
const readable =
	"document|text|article|section|page|table|figure|chart|diagram|graph|slide|context|file|entry|chapter|material|source|infographic|report|brochure|manual|memo|booklet|pamphlet|dossier|sentence|bullet points?|listing|spreadsheet|dataset";
/** Other things that are read; each is also what many questions are about, so that its place in the sentence decides. */
const writings =
	"letter|memo|e-?mail|message|notes?|report|study|paper|brochure|leaflet|flyer|pamphlet|manual|guide|guidebook|instructions?|booklet|book|story|poem|script|dialogue|conversation|interview|narrative|account|description|biography|profile|post|blog|thread|tweet|review|news|press release|statement|bulletin|newsletter|records?|ledger|log|database|dataset|data|sheet|spreadsheet|list|listing|rows?|columns?|cells?|lines?|sentences?|quote|quotation|stanza|verse|headline|heading|header|introduction|intro|conclusion|subsection|box|sidebar|panel|legend|map|timeline|plot|infobox|appendix|annex|bibliography|references?|citations?|glossary|index|link|url|website|site|wiki|resources?|corpus|collection|results?|hits?|evidence|knowledge base|background|input|prompt|content|contents|write-?up|publication|piece|form|presentation|slide deck|deck|handbook|textbook|catalogue|catalog|reading|readings|wording|lines|records?|facts?|statements?|information|info|clues?|details?|hints?|findings|summary|abstract|overview|synopsis|recap|digest|bio|scan|printout|copy|clipping|column|feature|essay|chronicle|register|inventory|dossier|folder|archive|minutes|recording|video|clip|audio|podcast|caption|labels?";
const pictures = "image|picture|photo|photograph|screenshot|illustration";
/** Words before it that tell where it is, and not which. */
const telling =
	"given|provided|above|following|attached|shown|supplied|accompanying|preceding|previous|quoted|cited|retrieved|linked|presented|enclosed|foregoing|aforementioned|above-mentioned|relevant|present|current|reference|input";
const counting =
	"first|second|third|fourth|last|final|next|other|same|two|three|four|both|short|long|whole|entire|source|original|Wikipedia|wiki|web|online|news|main|actual|opening|closing|introductory|concluding|initial|top|bottom|left|right|middle|underlying|two|three|various|different|several";
/** What follows a thing that is told apart rather than pointed to: "the article about …", "the Text of …", a name, a year. */
const described =
	'(?:of|about|by|on|between|with|titled|entitled|called|named|known|written|authored|published|signed|prepared|drawn up|whose|where|who|describing|discussing|introducing|concerning|against|for)(?!\\p{L})|(?:that|which)\\s+(?!you |we |i |follows?\\b|(?:is|was|are|were) (?:given|provided|shown|attached|supplied))|(?:(?:shown|pictured|depicted|seen|visible)\\s+)?(?:in|on)\\s+(?:the|this)\\s+(?:\\p{L}+\\s+)?(?:image|picture|photo|photograph)(?!\\p{L})|(?:to|in|from|at|under)\\s+(?:the\\s+)?(?:\\p{Lu}|which|whom)|·|["“«‘(]|(?!I\\s)\\p{Lu}|\\p{Nd}{4}';
const says =
	"says?|said|states?|stated|mentions?|mentioned|describes?|described|notes?|noted|refers?|explains?|explained|reports?|reported|indicates?|discusses|lists?|listed|names?|named|gives?|gave|shows?|showed|uses?|used|calls?|called|tells?|told|claims?|suggests?|cites?|quotes?|credits?";
const told =
	"mentioned|described|discussed|named|identified|listed|stated|noted|given|referred to|referenced|cited|quoted|shown|depicted|presented|supplied|provided|outlined|introduced|seen|reported|defined|specified|indicated|pictured|detailed";
const writer = "author|writer|narrator|speaker|editor|journalist|reporter";
const leading =
	"in|from|on|by|per|to|of|using|within|throughout|under|with|following|via|through|at|inside|across|reading|consulting|across|between|among|outside|beyond|combining|linking|comparing|joining|behind|about|see|near";
/** Of a step, "the writer" can be whom the step before it found. */
const byWriter = new RegExp(
	`(?<!\\p{L})(?:does|do|did|as)\\s+(?:the|this)\\s+(?:${writer})\\s+(?:say|state|mention|describe|note|claim|suggest|report|explain|argue|conclude|indicate|believe|think|consider)s?(?!\\s+(?:of|about)\\b)(?!\\p{L})`,
	"iu",
);
/** Numbers of parts. */
const partNumber = "(?:\\p{Nd}+|one|two|three|four|five|six|seven|eight|nine|ten|[A-D](?![\\p{L}\\p{N}'’]))";

/** Words with or without a capital, where the case of others tells names from words. */
const anyCase = (words: string) => words.replace(/(?<=^|\|)\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);

const english = (nouns: string, only: string): RegExp[] => {
	const noun = `(?<noun>${nouns}|${only})s?`;
	const bare = `(?:['’]s?)?(?![\\p{L}\\p{N}-])(?!\\s+(?:${described}))`;
	const article = `(?:the|both|all|each)\\s+(?:of\\s+(?:the\\s+)?)?(?:(?:${telling}|${counting})\\s+){0,2}`;
	return [
		`(?<!\\p{L})(?:this|these|those)\\s+(?:(?:${telling}|${counting})\\s+){0,2}${noun}${bare}`,
		`(?<!\\p{L})(?:${telling})\\s+(?:${counting}\\s+)?${noun}${bare}`,
		`(?<!\\p{L})(?:${leading}|according to|based on|judging by|going by|drawing on|relying on)\\s+${article}${noun}${bare}`,
		`(?<!\\p{L})(?:does|do|did|as|what|how|that|when|if|where|whom|who)\\s+${article}${noun}\\s+(?:also\\s+)?(?:${says})(?!\\p{L})`,
		`(?<!\\p{L})the\\s+(?:(?:${telling}|${counting})\\s+){0,2}(?:${only})s?${bare}`,
		`(?<!\\p{L})(?:the|both)\\s+(?:(?:${counting})\\s+)?${noun}\\s+(?:says?|states?|mentions?|describes?|lists?|in question|at hand|above|below|(?:${telling})(?=\\s*[,.?]))(?!\\p{L})`,
	].map((pattern) => new RegExp(pattern, "gu"));
};
/** Where a sentence or a part of it begins, and ends. */
const edge = "(?:^\\W*|[,;:(–—]\\s*)";
const end = "(?=\\s*(?:[,;:)?.!–—]|$))";
// what an image shows goes on: "shown in the image study …" speaks of no study
const whosoever = `(?:the|this|that|these|those|your|our|my|its)\\s+(?:(?!(?:${pictures})\\s)\\p{Ll}[\\p{L}-]*\\s+){0,2}?`;
/** Times, tales and laws are no sources to have at hand. */
const noSource =
	"(?!(?:\\p{L}+\\s+){0,2}(?:legends?|laws?|rules?|traditions?|calendar|census|constitution|treaty|myths?|mythology|bible|end|beginning|past|future|present|meantime|morning|evening|night|summer|winter|spring|autumn|fall|year|years|decade|century|month|week|day|days|season|war|final|finals|world|country|city|state|city|wild|process|other)(?!\\p{L}))";
const elsewhere = [
	// "In the leaflet, who …", "…, per our records?"
	`${edge}(?:and\\s+)?(?:in|from|on|per|within|under|according to|based on|judging by|judging from|going by|going on|relying on|drawing on|as per|in light of|in view of|with reference to|with regard to|referring to|consulting|having read|after reading|reading|looking at|seen from|given|using)\\s+${noSource}${whosoever}(?<noun>${writings}|${readable}|${partOnly})s?(?:\\s+(?:${told}|${telling}|here|at hand|you have|in front of you|in question))?${end}`,
	`(?<!\\p{L})(?:according to|judging by|judging from|going by|as per|per|in line with)\\s+${noSource}${whosoever}(?<noun>\\p{Ll}[\\p{L}-]*)${end}`,
	`(?<!\\p{L})(?:according to|judging by|going by|as per|per)\\s+(?:the|this|that|these|those|your|our|my)\\s+(?:\\p{Ll}+\\s+)?(?<noun>${writings})s?(?=\\s*(?:[,;:)?.!–—]|$)|\\s+(?:who|whom|whose|what|which|when|where|why|how|is|was|are|were|did|does|do|has|have|had)(?!\\p{L}))`,
	`(?<!\\p{L})(?:${told}|found|contained|included|written|printed|recorded|reproduced|appearing|covered|summari[sz]ed|set out|given)\\s+(?:in|on|by|from|within|under)\\s+${whosoever}(?<noun>${writings})s?(?=\\s*(?:[,;:)?.!–—]|$)|\\s+(?:as|for|is|was|are|were|did|does|who|that|to)(?!\\p{L}))`,
	`(?<!\\p{L})(?:does|do|did|what|which|who|whom|as|that)\\s+(?:the|this|these|our)\\s+(?:\\p{Ll}+\\s+)?(?<noun>${writings})s?\\s+(?:also\\s+)?(?:say|state|mention|describe|note|refer|explain|report|indicate|list|name|give|show|call|tell|claim|suggest|cite|quote|credit|attribute|identify|specify|put|record|present|provide)(?:s|es|ed)?(?!\\p{L})`,
	`(?<!\\p{L})(?:this|these)\\s+(?:${writings})(?=\\s*(?:[,;:)?.!–—]|$)|\\s+(?:says?|states?|mentions?|describes?|lists?|names?|gives?|shows?))`,
	// "the article's author", "one of the texts", "the two firms mentioned"
	`(?<!\\p{L})(?:the|this)\\s+(?<noun>text|passage|article|document|report|excerpt|paragraph|page|chapter|leaflet|brochure|entry|source|story|letter|memo)s?['’]s?(?!\\p{L})`,
	"(?<!\\p{L})(?:one|another|each|either|neither|both|two|three|several|any|all)\\s+(?:of\\s+(?:the|these|those)\\s+)?(?:two\\s+|three\\s+)?(?:passages|documents|texts|excerpts|paragraphs|snippets|sources|pages|extracts)(?!\\p{L})(?!\\s+(?:of|by|on|about|that|which|written|signed|from))",
	`(?<!\\p{L})(?:the|two|three|all|those|these|both)\\s+(?:\\p{Ll}+\\s+){1,3}(?:mentioned|described|discussed|referenced|alluded to|referred to)(?=\\s*[,.?]|\\s+(?:that|who|which|is|was|are|were|did|does|has|had|have|for)(?!\\p{L}))(?<!(?:is|was|are|were|be|been|not|first|also|ever) (?:the |a )?(?:\\p{L}+ ){0,3}\\p{L}+)`,
	// "the mentioned firm", "the firm described here", "the firm mentioned was"
	`(?<!\\p{L})(?:the|this|that|these|those)\\s+(?:aforementioned|above-mentioned|aforesaid|mentioned|discussed|described|said|referenced|depicted|above)\\s+(?:\\p{L}+\\s+)?(?<noun>\\p{L}+)`,
	`(?<!\\p{L})(?!shown|depicted|seen|pictured|presented)(?:${told})\\s+here(?!\\p{L})|(?<=(?:the|this|that)\\s+(?:\\p{L}+\\s+){1,2})(?:mentioned|described|discussed|referenced|in question|at hand)(?=\\s+(?:is|was|are|were|did|does|do|has|had|have)(?!\\p{L})|\\s*,)`,
].map((pattern) => new RegExp(pattern, "gu"));
const documents = [...english(anyCase(readable), anyCase(partOnly)), ...elsewhere];
const images = [
	...english(anyCase(pictures), anyCase("screenshot")),
	/(?<!\p{L})(?:shown|depicted|seen|pictured|presented) here(?!\p{L})/gu,
];

/** What points to a source whatever was said before. */
const always = new RegExp(
	[
		`(?<!\\p{L})(?:${told})\\s+(?:above|below|earlier|herein|hereafter)(?=\\s+(?:in|as|for|by|is|was)\\b|\\s*[,.?:;)]|\\s*$)|(?<!\\p{L})as\\s+(?:${told})\\s+(?:above|below|earlier|previously|before|here)(?!\\p{L})`,
		`(?<!\\p{L})(?:${told})\\s+in\\s+the\\s+sources?(?!\\p{L})|(?<!\\p{L})in\\s+the\\s+(?:following|foregoing|above|preceding)(?=\\s+(?:for|by|on|as|is|was|to)\\b|\\s*[,.?:;]|\\s*$)|\\bthe\\s+(?:above|foregoing|aforementioned)(?=\\s*[,.?:;]|\\s*$)|\\b(?:from|per|given|as) (?:the )?above\\b`,
		"(?<!\\p{L})Wikipedia(?:['’]s)?\\s+(?:article|page|entry|says|states|lists|gives|names|mentions|describes|calls)(?!\\p{L})|(?<!\\p{L})(?:according to|per|as per|consult|see|from|on|in|by|as)\\s+(?:the\\s+)?(?:English\\s+)?Wiki(?:pedia|data)(?!\\p{L}|\\s+(?:founder|co-founder|editor|project))|(?<!\\p{L})(?:according to|per|consult|see|from)\\s+(?:text|passage|document|article|source|context|paragraph|page|table|excerpt|evidence)s?(?!\\p{L})",
		"(?:^\\W*|[,;(–—]\\s*)as\\s+(?:it\\s+|is\\s+|was\\s+|already\\s+|just\\s+)?(?:mentioned|described|stated|noted|written|reported|explained|told|quoted|recorded|listed|shown|seen|indicated|documented|narrated|presented|discussed|detailed|outlined)(?=\\s*(?:[,;:)?.!–—]|$)|\\s+(?:here|there|in it)(?!\\p{L}))|(?<!\\p{L})(?:supporting|gold|retrieved|input)\\s+(?:facts?|passages?|documents?|texts?|evidence)(?!\\p{L})|(?:\\[|\\()\\s*(?:doc|document|passage|source|ref|p|pp|page|fig|table)s?\\.?\\s*\\p{Nd}+[^\\])]*(?:\\]|\\))|\\[\\p{Nd}{1,2}\\]|(?<!\\p{L})(?:on|see)\\s+pp?\\.\\s?\\p{Nd}",
		"(?<!\\p{L})(?:provided|given|supplied|available|presented)\\s+(?:context|information|materials?|facts|details|evidence|data)(?!\\p{L})|(?<!\\p{L})(?:information|facts|details|evidence|materials?|clues|data)\\s+(?:that\\s+(?:is|are|was|were)\\s+)?(?:provided|given|supplied|presented|available|at hand|above|below)(?=\\s+(?:above|here|below|in)\\b|\\s*[,.?:;]|\\s*$)",
		`(?<!\\p{L})according\\s+to\\s+(?:the\\s+)?(?:${writer}|source|report|provided \\p{L}+)s?(?=\\s*[,.?]|\\s*$|\\s+(?:who|what|which|when|where|how|is|was|are|did)\\b)|(?<!\\p{L})according\\s+to\\s+\\[`,
		`(?<!\\p{L})in\\s+the\\s+(?:${writer})['’]s?\\s+(?:words?|view|opinion|account|telling|eyes|estimation|judg\\p{L}+)(?!\\p{L})`,
		`(?<!\\p{L})(?:in|from|on|per|see|judging by|according to|by|under|to)\\s+(?:${partOnly}|document|text|page|slide|figure|table|chart)\\s+(?:no\\.?\\s*|number\\s+)?${partNumber}(?!\\s+of\\b)(?![\\p{L}\\p{N}])`,
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

const germanNouns =
	"Text|Textabschnitt|Textauszug|Textstelle|Textpassage|Dokument|Artikel|Abschnitt|Absatz|Passage|Kontext|Auszug|Tabelle|Abbildung|Quelle|Eintrag|Kapitel|Seite|Datei|Beitrag|Vorlage|Grafik|Diagramm|Ausschnitt|Unterlage|Material|Schreiben|Bericht|Dokumentation|Handbuch|Anleitung|Broschüre|Prospekt|Protokoll|Liste|Bild|Aufsatz|Zeile|Satz|Lexikon|Notiz|Meldung|Brief";
const germanTelling =
	"vorliegend|obig|oben|gegeben|folgend|vorstehend|nachstehend|angegeben|beigefügt|angehängt|genannt|zitiert|bereitgestellt|erst|zweit|dritt|letzt|beid|vorig|vorherig|obenstehend|besagt|fraglich";
const germanMark = `(?:(?:${germanTelling})(?:e[nrms]?)?\\s+(?:genannten\\s+|stehenden\\s+)?){0,2}`;
const germanDescribed =
	"(?:der|des|von|vom|über|aus|zu|zum|zur|eines|einer|seine[rs]|ihre[rs]|für|mit|namens|dieses|jenes|\\p{Lu}|„|»|·|\\p{Nd})|,\\s+(?:(?:in|auf|an|mit|von|aus)\\s+)?(?:der|die|das|den|dem|deren|dessen)(?!\\p{L})";
const germanBare = `(?:e?n|e?s)?(?!\\p{L})(?!,?\\s*(?:${germanDescribed}))`;
const german: RegExp[] = [
	`(?<!\\p{L})(?:laut|gemäß|nach|im|in|aus|vom|von|zum|auf|bei|per|am|mithilfe|anhand)\\s+(?:(?:dem|diesem|der|dieser|den|diesen|des|beiden)\\s+){0,2}${germanMark}(?<noun>(?:\\p{Lu}\\p{Ll}+-?)?(?:${germanNouns}|${germanNouns.toLowerCase()}))${germanBare}`,
	`(?<!\\p{L})(?:dieser|diesem|diese|dieses|diesen|beide[nr]?|(?:${germanTelling.replace("|erst|zweit|dritt|letzt|beid", "")})e[nrms]?)\\s+${germanMark}(?<noun>${germanNouns})${germanBare}`,
	`(?<!\\p{L})(?:dem|der|den|diesem|dieser)\\s+${germanMark}(?<noun>${germanNouns})(?:n|en)?\\s+(?:zufolge|nach|gemäß|entsprechend)(?!\\p{L})`,
	`(?<!\\p{L})(?:nennt|sagt|erwähnt|beschreibt|gibt|führt|schreibt|zeigt|berichtet|behauptet)\\s+(?:uns\\s+)?(?:der|die|das|dieser|dieses|diese)\\s+(?:(?<noun>${germanNouns})|Autor(?:in)?|Verfasser(?:in)?|Erzähler)${germanBare}`,
].map((pattern) => new RegExp(pattern, "gu"));
const germanAlways =
	/(?<!\p{L})(?:wie\s+)?(?:oben|weiter oben|unten|vorstehend|nachstehend|zuvor|eingangs)\s+(?:beschrieben|genannt|erwähnt|angegeben|angeführt|dargestellt|gezeigt|ausgeführt|zitiert|aufgeführt|stehend)(?:e[nrms]?)?(?!\p{L})|(?<!\p{L})im\s+(?:Folgenden|Obigen|Nachstehenden|Vorstehenden)(?!\p{L})|(?<!\p{L})(?:laut|gemäß|nach)\s+(?:der\s+|dem\s+)?(?:Autor(?:in)?|Verfasser(?:in)?|Quelle|Angaben? im)(?!\p{L})/u;

/** "Table 3": a part by its number, which only who has the document can look up. Capitals, or "table 3 of them" would fall; no lines, which are railways too. */
const numbered =
	/(?<![\p{L}\p{N}])(?:(?:Documents?|Passages?|Excerpts?|Tables?|Tab\.|Figures?|Figs?\.|Appendix|Equation|Eq\.|Tabla|Figura|Tableau|Tabelle|Abbildung|Abb\.|Doc) ?\d|(?:Source|Text|Exhibit|Annex|Panel|Slide|Page|Row|Column|Box|Footnote|Paragraph|Para\.|Extract|Snippet) \d|(?:Source|Text|Passage|Document|Exhibit|Annex|Panel|Extract|Excerpt) [A-D](?![\p{L}\p{N}])|Appendix [A-Z](?![\p{L}\p{N}]))/u;

/**
 * Words that point to a source, as they stand in the text: a source or a part of one with "the" or "this" that nothing
 * tells apart from others, neither what follows nor a mention before, and words like "above".
 */
export function sourceReferenceIn(text: string, { images: shown, before = "" }: Pointing): string | undefined {
	const found =
		always.exec(text) ?? germanAlways.exec(text) ?? numbered.exec(text) ?? (before === "" ? byWriter.exec(text) : null);
	if (found) return found[0];
	// the first word of a sentence has a capital whatever it is
	const even = text.replace(/(?<=^\W*|[.?!:]["”)]*\s+\W*)\p{Lu}(?=\p{Ll}*\s)/gu, (letter) => letter.toLowerCase());
	for (const pattern of [...documents, ...german, ...(shown ? [] : images)])
		for (const match of (german.includes(pattern) ? text : even).matchAll(pattern))
			if (!isIntroduced(match.groups?.noun, `${before} ${text.slice(0, match.index)}`))
				return text.slice(match.index, match.index + match[0].length);
	return undefined;
}

/** "A document that …, and this document": what was introduced may be spoken of as known. */
const isIntroduced = (noun: string | undefined, before: string): boolean =>
	// a title or a sentence before introduces what it is about
	noun !== undefined && new RegExp(`(?<!\\p{L})${noun}s?(?!\\p{L})`, "iu").test(before);
