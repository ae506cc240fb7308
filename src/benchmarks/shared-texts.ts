/** One copy of each text: of what tasks repeat a large benchmark holds a hundred thousand. */
export function sharedTexts(): (text: string) => string {
	const known = new Map<string, string>();
	return (text) => {
		const before = known.get(text);
		if (before === undefined) known.set(text, text);
		return before ?? text;
	};
}
