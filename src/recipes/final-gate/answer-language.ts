import { clauseProblem, lists, otherLanguage, primaryOf } from "./language.ts";

/** Names of months as they are written, where languages differ. */
const months: Record<string, string> = {
	en: "January February March April May June July August September October November December",
	de: "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember",
	es: "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre",
	fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
	it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
	pt: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
	pl: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
	sv: "januari februari mars april maj juni juli augusti september oktober november december",
	da: "januar februar marts april maj juni juli august september oktober november december",
	nl: "januari februari maart april mei juni juli augustus september oktober november december",
};

/** What is counted and measured in, in singular and plural; German nouns have capitals. */
const units: Record<string, string> = {
	en: "kilometres kilometers kilometre kilometer metres meters metre meter centimetres centimeters miles feet inches years months weeks days hours minutes seconds people inhabitants residents ton tons tonnes gram grams kilos kilograms kilogrammes pounds degrees litres liters acres hectares percent million billion thousand times",
	de: "Kilometer Meter Zentimeter Millimeter Quadratkilometer Quadratmeter Kubikmeter Meilen Fuß Jahre Jahren Jahr Monate Monaten Wochen Tage Tagen Stunden Minuten Sekunden Einwohner Menschen Personen Tonnen Kilogramm Gramm Grad Liter Hektar Prozent Millionen Milliarden Tausend Stück Mal",
	es: "kilómetros kilómetro metros metro centímetros millas años año meses mes semanas días día horas hora minutos segundos habitantes toneladas kilogramos gramos grados litros hectáreas millones millón veces",
	fr: "kilomètres kilomètre mètres mètre centimètres pieds ans an années année mois semaines jours jour heures heure secondes habitants personnes kilogrammes grammes degrés litres hectares millions milliards fois",
	it: "chilometri chilometro metri metro centimetri miglia piedi anni anno mesi mese settimane giorni giorno minuti secondi abitanti persone tonnellate chilogrammi grammi gradi litri ettari milioni miliardi volte",
	pt: "quilômetros quilómetros quilômetro metros metro centímetros milhas pés anos ano meses mês semanas dias dia horas hora minutos segundos habitantes pessoas toneladas quilogramas gramas graus litros hectares milhões vezes",
	nl: "kilometer meter centimeter mijl voet jaar jaren maanden weken dagen uur uren minuten seconden inwoners mensen kilogram graden liter hectare procent miljoen miljard keer",
};
const in_ = (all: Record<string, string>) =>
	new Map(Object.entries(all).map(([language, words]) => [language, new Set(words.split(" "))]));
const monthsIn = in_(months);
const unitsIn = in_(units);

/** What a sentence that gives an answer begins with: "Es war Lund", "C'est Lund", "Se trata de Lund". */
const openings: Record<string, RegExp> = {
	de: /^(?:(?:es|er|sie|das|dies) (?:war|ist|sind|waren|heißt|hieß|handelt sich um|wurde)|(?:die antwort|der name) (?:ist|lautet)|(?:im jahre?|am|um|seit|ab|etwa|ungefähr|rund|circa) (?=\p{Nd}))(?!\p{L})/iu,
	es: /^(?:(?:se trata|se llama|se llamaba|la respuesta es|ella? (?:es|era|fue)|est[eoa] (?:es|era|fue))|(?:es|era|fue|fueron|son) (?=\p{Nd}|(?:el|la|los|las|un|una|en)\s)|(?:en|desde|hacia|unos|unas|aproximadamente) (?=(?:el )?(?:año )?\p{Nd}))(?!\p{Ll})/iu,
	fr: /^(?:c['’](?:est|était)|ce (?:sont|fut|furent|n['’]est)|il s['’]agi(?:t|ssait)|(?:il|elle) (?:est|était|fut|s['’]appelle|se nomme)|la réponse est|(?:en|vers|depuis|environ|dès) (?=(?:l['’]an(?:née)? )?\p{Nd})|le (?=\p{Nd}))(?!\p{Ll})/iu,
	it: /^(?:si tratta|si chiama|la risposta è|(?:è|era|fu|sono) (?=\p{Nd}|(?:il|lo|la|un|una|stato|stata)\s)|(?:nel|circa|verso il) (?=\p{Nd}))(?!\p{Ll})/iu,
	pt: /^(?:trata-se|chama-se|a resposta é|(?:é|era|foi|são|foram) (?=\p{Nd}|(?:o|a|um|uma|em)\s)|(?:em|cerca de|desde) (?=\p{Nd}))(?!\p{Ll})/iu,
	nl: /^(?:het (?:is|was|gaat om)|dat (?:is|was)|(?:hij|zij) (?:is|was|heet)|het antwoord is|(?:rond|sinds|ongeveer) (?=\p{Nd}))(?!\p{L})/iu,
	en: /^(?:(?:it|he|she|this|that|they) (?:is|was|were|are)|(?:the answer|the name) (?:is|was)|it['’]s)(?!\p{L})/iu,
};

/**
 * Whether an answer is words of another language: a sentence, what such a sentence begins with, or the month of a date or
 * the unit of a measure. Names and titles begin with capitals, and may be of any; `named`: the question asks for one.
 */
export function answerInOtherLanguage(
	text: string,
	language: string,
	{ named = false }: { named?: boolean } = {},
): string | undefined {
	const asked = primaryOf(language);
	const lower = text.match(/(?<!\p{L})\p{Ll}{2,}/gu) ?? [];
	const isTitle = named && /^\P{L}*\p{Lu}/u.test(text);
	// words of no language, as of a trade, tell nothing where no sentence is asked for
	const said = lower.length > 2 && !isTitle ? otherLanguage(text, language, { bare: true }) : undefined;
	if (said) return said;
	if (!lists.has(asked)) return undefined;
	if (!/[\p{Script=Latin}\p{N}]/u.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) > 1) return `"${text}"`;
	return (
		openedIn(text.trim(), asked) ??
		measuredIn(text, asked) ??
		(/^\p{Ll}/u.test(text.trim()) ? clauseProblem(text, asked) : undefined)
	);
}

function openedIn(text: string, language: string): string | undefined {
	if (openings[language]?.test(text)) return undefined;
	for (const [other, opening] of Object.entries(openings)) {
		const found = other === language ? null : opening.exec(text);
		if (!found) continue;
		const rest = text.slice(found[0].length);
		// a title goes on in lower case: "Es war einmal"
		if (
			/^\W*(?:(?:de|um|der|die|das|den|dem|le|la|l|el|il|lo|o|a|un|une|una|um|uma|ein|eine|en|in|the|het|een|du|del|von|d)\W+)*(?:\p{Lu}|\p{Nd})/u.test(
				rest,
			)
		)
			return `"${found[0].trim()}" (${other}?)`;
	}
	// "le fleuve Talm", "el río Talm", "à Lund": a name with its particle goes on with a capital ("de Havilland")
	const kind =
		/^(?:(le|la|les|l['’]|el|los|las|il|lo|der|die|das|o|os|as|het|de) ?\p{Ll}{3,}(?: (?:de|du|del|von|di|do|da))? \p{Lu}|(à|en|dans|chez|im|zur|zum|bei|nach|aus|hacia|nel|nella|em|naar) \p{Lu})/u.exec(
			text,
		);
	const word = kind?.[1] ?? kind?.[2];
	return word && !lists.get(language)?.has(word) ? `"${kind?.[0]}…"` : undefined;
}

/** The word beside a number that only another language has: "27 février 1941", "395 Kilometer", "28. April". */
function measuredIn(text: string, language: string): string | undefined {
	const [units, months] = [unitsIn.get(language), monthsIn.get(language)];
	if (!units || !months || !/\p{Nd}/u.test(text)) return undefined;
	const behind = [...text.matchAll(/\p{Nd}(\.)?[\s\u00a0-]+(?:(?:de|di) )?(\p{L}+)/gu)];
	for (const [, point, word = ""] of behind) {
		const month = otherThat(monthsIn, months, word);
		if (month) return `"${word}" (${month}?)`;
		if (point && language !== "de" && monthsIn.get("de")?.has(word)) return `"${point} ${word}" (de?)`;
		const unit = otherThat(unitsIn, units, word);
		if (unit) return `"${word}" (${unit}?)`;
	}
	for (const [, word = ""] of text.matchAll(/(?<!\p{L})(\p{L}+)\s+(?:de |di |del )?\p{Nd}{3,4}(?!\p{Nd})/gu)) {
		const month = otherThat(monthsIn, months, word);
		if (month) return `"${word}" (${month}?)`;
	}
	return undefined;
}

/** The language that has the word where the own has not; German nouns differ by their capital. */
function otherThat(lists: ReadonlyMap<string, ReadonlySet<string>>, own: ReadonlySet<string>, word: string) {
	if (own.has(word)) return undefined;
	return [...lists].find(([, words]) => words.has(word))?.[0];
}
