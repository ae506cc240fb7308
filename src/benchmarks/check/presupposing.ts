import { primaryLanguage, saidByLanguage } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * Wording that only a reader with one document in hand understands, by language. Written from the prohibited phrases that
 * Double-Bench lists by kind (references to the document, its parts and its author), in our own forms.
 */
const phrases: Record<string, RegExp> = {
	ar: /(?:هذا|هذه|المذكور(?:ة)?|أعلاه|وفقا ل|بحسب)\s*(?:ال)?(?:وثيقة|مستند|نص|جدول|شكل|فقرة|مقال|صفحة)|(?:الوثيقة|المستند|النص|الجدول|الشكل|الفقرة)\s+(?:أعلاه|المذكور|التالي)/u,
	de: /\b(?:in|laut|gemäß|nach|aus) (?:de[rmn]|diese[rmn]?) (?:gegebenen |obigen |folgenden )?(?:Text|Dokument|Tabelle|Abbildung|Absatz|Artikel|Abschnitt|Seite)\b|\bde[rs] Autor(?:in)?s?\b/iu,
	en: /\b(?:in|from|on|of|by|per|to|does|do|is|are) (?:this|these|the (?:given|above|following|provided|attached|present|accompanying)) (?:document|text|passage|paragraph|article|paper|report|study|table|chart|figure|diagram|section|page|slide|excerpt|context)s?\b|\b(?:according to|based on|as (?:shown|stated|described|mentioned|listed|depicted) in) the (?:document|text|passage|paragraph|article|paper|report|study|table|chart|figure|diagram|section|page|slide|excerpt|context)\b|\b(?:figure|table|section|page|slide|paragraph|appendix) \d+\b|\bthe authors?(?:['’]s?)?(?! of)\b|\bmentioned (?:above|below|earlier)\b/iu,
	es: /\b(?:en|según|de acuerdo con|por) (?:est[ea]|el|la) (?:presente |siguiente |mismo )?(?:documento|texto|pasaje|párrafo|artículo|informe|tabla|figura|gráfico|gráfica|sección|diapositiva)\b(?! (?:de|del|periódica) )|\bel autor(?:a)?\b(?! de)|\b(?:tabla|figura|sección|página) \d+\b/iu,
	fr: /\b(?:dans|selon|d['’]après) (?:ce|cet|cette|le|la|l['’]) ?(?:présent |présente )?(?:document|texte|passage|paragraphe|article|rapport|tableau|figure|graphique|section|page|diapositive)\b|\bl['’]auteure?\b(?! de)|\b(?:tableau|figure|section|page) \d+\b/iu,
	it: /\b(?:in|nel|nella|secondo) (?:quest[oa]|il|la|il presente|la presente)? ?(?:documento|testo|brano|paragrafo|articolo|tabella|figura|sezione|pagina)\b|\bl['’]autore\b(?! di)/iu,
	ja: /(?:この|本|上記の|以下の|下記の)(?:文書|文章|資料|論文|報告書|記事|表|図|グラフ|段落|ページ|スライド|節)|(?:文書|資料|表|図|本文)(?:によると|に示され)|著者は/u,
	pt: /\b(?:n[eo]st[ea]|segundo [oa]|de acordo com [oa]) (?:presente )?(?:documento|texto|passagem|parágrafo|artigo|relatório|tabela|figura|seção|secção|página)\b|\bo autor\b(?! de)/iu,
	zh: /(?:本|该|此|这份|这篇|上述|下列|以下|这张|这个)(?:文档|文件|文章|报告|论文|段落|表格|表|图表|图|章节|页|幻灯片)|(?:根据|依据|在)(?:文档|文件|文章|报告|表格|图表|文中|上文)|(?:本文|文中|作者)(?!是谁)/u,
};
/** A question with an image of its own may well speak of what it shows. */
const ofPictures =
	/figure|chart|diagram|table|abbildung|tabelle|figura|gráfic|tabla|tabela|tabella|tableau|graphique|図|表|グラフ|图|جدول|شكل/iu;

/** Wording that presupposes the document: nobody who has yet to find it would ask so. */
export const presupposingCheck: BenchmarkCheck = {
	name: "presupposing",
	about: 'no question presupposes its document ("in this table", "the author")',
	async run({ tasks }) {
		const findings: FoundProblems = [];
		const languages = new Set<string>();
		let looked = 0;
		for await (const task of tasks) {
			looked += 1;
			languages.add(primaryLanguage(task));
			const said = saidByLanguage(task, phrases);
			if (said === undefined || (task.images.length > 0 && ofPictures.test(said))) continue;
			findings.push({
				...{ code: "presupposes-document", severity: "warning", task: task.id },
				message: `task ${task.id}: "${said}" presupposes that the reader has the document; say which one is meant`,
			});
		}
		const unknown = [...languages].filter((language) => language !== "und" && !Object.hasOwn(phrases, language)).sort();
		const notes = unknown.length > 0 ? [`no phrases are known for: ${unknown.join(", ")}; all others were tried`] : [];
		return { looked, findings, notes };
	},
};
