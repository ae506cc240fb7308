import type { Answer } from "#domain";

/** Most forms of a string that are kept. */
const most = 20;

/**
 * The answer with other names of the same thing, its own first. Times and numbers have the forms that code gives them. A
 * name that another answer of the chain bears is left out: it would make two hops' answers one.
 */
export function withAliases(answer: Answer, aliases: readonly string[], others: readonly string[] = []): Answer {
	if (answer.type !== "string") return answer;
	const taken = new Set(others.map((other) => other.trim().toLowerCase()));
	const fit = aliases
		.map((alias) => alias.trim())
		.filter((alias) => /[\p{L}\p{N}]/u.test(alias) && alias.length <= 200 && !taken.has(alias.toLowerCase()));
	return { ...answer, accepted: [...new Set([...answer.accepted, ...fit])].slice(0, most) };
}
