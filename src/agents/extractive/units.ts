/** Units that words announce: what a number must be counted in to be the answer. */
const expectations: [words: RegExp, unit: RegExp][] = [
	[/\b(?:percentage|percent|share|proportion|porcentaje)\b/i, /^(?:%|per ?cent)/],
	[
		/\b(?:square|area|surface|superficie|extensión|cuadrados)\b(?!.*\b(?:population|people|población)\b)/i,
		/(?:m²|m2|square|cuadrad|hectare|acre|mi²)/,
	],
	[
		/\b(?:kilomet(?:re|er)s?|kilómetros?|km|length|longitud)\b/i,
		/^(?:k?m|mi|ft|feet|foot|pies|kilom\S*|met\S*|miles?)(?![²³\d])(?! cuad)/,
	],
	[/\b(?:kelvins?|kelvin)\b/i, /^k/i],
	[/\b(?:feet|foot|pies)\b/i, /^(?:ft|feet|foot|pies)/],
	[/\b(?:met(?:re|er)s?|metros|elevation|altitud)\b/i, /^(?:m\b|met|ft|feet)/],
	[/\b(?:years|age|años|edad|expectancy|esperanza)\b/i, /^(?:years?|años)/],
];

/** What the unit of a number must look like, from the words that ask for it; undefined when they do not say. */
export function expectedUnit(words: string): RegExp | undefined {
	return expectations.find(([pattern]) => pattern.test(words))?.[1];
}
