/**
 * The language of a text by its function words: enough to choose a stemmer and to label a passage, not a language
 * identifier. Words that several of the languages share are left out.
 */
const functionWords = {
	en: "the and of is was were are which that with for from by this what who whose where when how does did it its as has had been their than",
	es: "el los las del y que es una por con para su sus fue son está están cuál quién dónde cuándo qué cómo al como más pero tiene entre desde hay donde cuyo cuya",
	fr: "le les des et est une dans pour qui avec sur du au aux était sont cette quel quelle où être leur plus",
	de: "der die das und ist ein eine von mit für auf den dem des wurde sind nicht wer wo wann welche auch als bei",
	pt: "o os as da do das dos em um uma não é foi são ao pela pelo qual quem onde mais também seu sua",
	it: "il gli della di che è una per con nel nella sono era dei delle quale chi dove anche più suo sua",
} as const;

const languagesOf = new Map<string, string[]>();
for (const [language, words] of Object.entries(functionWords))
	for (const word of words.split(" ")) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);

/** Two-letter code of the text's likely language, or `und` where its first 2,000 characters do not tell. */
export function detectLanguage(text: string): string {
	const votes = new Map<string, number>();
	for (const word of text
		.slice(0, 2000)
		.toLowerCase()
		.match(/\p{L}+/gu) ?? [])
		for (const language of languagesOf.get(word) ?? []) votes.set(language, (votes.get(language) ?? 0) + 1);
	const [first, second] = [...votes].sort(([, a], [, b]) => b - a);
	if (!first || first[1] === second?.[1]) return "und";
	return first[0];
}
