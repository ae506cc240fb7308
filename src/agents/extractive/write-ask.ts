/** A sub-question in words, from a relation and the names it is asked of. */
export function writeAsk(words: string, known: string[]): string {
	const names = known.join(" and ");
	if (words === "") return names;
	return names === "" ? words : `${words}: ${names}`;
}
