/** Labels with their meaning, a line each, for the judge. */
export const inWords = (labels: Readonly<Record<string, string>>): string =>
	Object.entries(labels)
		.map(([name, meaning]) => `- ${name}: ${meaning}.`)
		.join("\n");

/** The labels found, each once, in the rubric's order. */
export function inOrder(names: readonly string[], found: readonly string[]): string[] {
	return names.filter((name) => found.includes(name));
}
