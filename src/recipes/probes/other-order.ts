/**
 * The question with the two things that it offers in the other order ("…, A or B?" as "…, B or A?"): an answer by
 * position changes with it, one by knowledge does not. Undefined where the two cannot be told apart from the rest.
 */
export function inOtherOrder(question: string): string | undefined {
	const found =
		/^(?<head>.*[,:;–—]\s*)(?<first>[^,:;?]{1,120}?)(?<or> (?:or|o|ou|oder) )(?<second>[^,:;?]{1,120}?)(?<tail>\s*\?.*)?$/su.exec(
			question,
		)?.groups;
	if (!found) return undefined;
	const { head = "", first = "", or = "", second = "", tail = "" } = found;
	const article = /^(?:the|a|an) /i;
	// "was it the bridge or the tower" keeps its words; a capital belongs to the name
	return article.test(first) === article.test(second) ? `${head}${second}${or}${first}${tail}` : undefined;
}
