import type { Item } from "#domain";
import { mean } from "#scoring";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { rule } from "../rules/rule.ts";

/** Means over the published benchmark: MC-Search, Table 7. No bound is published. */
const published = { tokens: 47.4, entities: 8.03 };

const tokensOf = (text: string): number => text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;

/** The answer has so many words, at least and at most. */
export function answerTokens([least, most]: readonly [number, number]): RuleCheck {
	return rule({ name: "answer-tokens", params: { least, most } }, ({ answer }) => {
		const score = tokensOf(answer.value);
		if (score < least) return fail("vague_answer", `${score} tokens`, { score, threshold: least });
		return score > most ? fail("long_answer", `${score} tokens`, { score, threshold: most }) : pass({ score });
	});
}

/** How long answers are and how much they name, beside what is published, for the data card. */
export function answerRemarks(items: readonly Pick<Item, "answer">[]): string[] {
	if (items.length === 0) return [];
	const average = (count: (answer: Item["answer"]) => number) =>
		mean(items.map(({ answer }) => count(answer))).toFixed(1);
	const tokens = average(({ value }) => tokensOf(value));
	const entities = average(({ keyEntities = [] }) => keyEntities.length);
	return [
		`Answers have ${tokens} tokens and ${entities} key entities on average (published: ${published.tokens} and ${published.entities}).`,
	];
}
