/** Longer answers are cut, in characters. */
const maxLength = 2000;

/** `Answer:` at the beginning of a line, in whatever bold type or heading models put it. */
const marker = /^[*_#>\s]*(?:final\s+)?answer[*_\s]*:/i;

/** What stands behind the last `Answer:`, on its line or else on those that follow, and on which line it is. */
export function markedAnswer(lines: string[]): { answer: string; place: number } | undefined {
	const place = lines.findLastIndex((line) => marker.test(line));
	if (place === -1) return undefined;
	const own = bare((lines[place] ?? "").replace(marker, ""));
	return { answer: own || bare(lines.slice(place + 1).join("\n")), place };
}

/** The answer in a reply that calls nothing: the marked one, or all of it. Empty for none. */
export const finalAnswer = (text: string): string => markedAnswer(text.split("\n"))?.answer ?? bare(text);

/** What a reply says before its marked answer: how it came to it. Empty where none is marked. */
export function saidBefore(text: string): string {
	const lines = text.split("\n");
	const { place = 0 } = markedAnswer(lines) ?? {};
	return lines.slice(0, place).join("\n").trim();
}

/** Without blanks and the marks of bold type around it. Cut first: the search at the end takes time with the square. */
const bare = (text: string): string =>
	text
		.replace(/^[*_\s]+/, "")
		.slice(0, maxLength)
		.replace(/[*_\s]+$/, "");
