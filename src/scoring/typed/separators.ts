const known = new Map<string, boolean>();

/**
 * Whether writers of a language (BCP 47) put a comma before decimals, as the runtime's locale data have it: they do in
 * Spain ("1.285,5"), not in Mexico. False where none, or an unknown one, is named.
 */
export function writesDecimalComma(language: string | undefined): boolean {
	if (language === undefined) return false;
	const seen = known.get(language);
	if (seen !== undefined) return seen;
	const comma = readsDecimalComma(language);
	if (known.size < 1000) known.set(language, comma);
	return comma;
}

function readsDecimalComma(language: string): boolean {
	try {
		const [supported] = Intl.NumberFormat.supportedLocalesOf(language.replaceAll("_", "-"));
		if (supported === undefined) return false;
		const parts = new Intl.NumberFormat(supported, { numberingSystem: "latn" }).formatToParts(1.5);
		return parts.some(({ type, value }) => type === "decimal" && value === ",");
	} catch {
		// not the form of a language tag
		return false;
	}
}
