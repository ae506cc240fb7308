import type { Hop } from "#domain";

/*
 * Sets that give sub-questions in order but not which needs which: an edge is read off the words. A sub-question needs
 * the earlier ones whose answer it names; what it does not name it does not need.
 */

/** For each step, the places of the earlier steps that it needs. Of those with one and the same answer, the latest. */
export function mentionedNeeds(steps: readonly { question: string; answer: string }[]): number[][] {
	return steps.map(({ question }, index) => {
		const asked = ` ${words(question).join(" ")} `;
		const named = new Map<string, number>();
		for (const [earlier, step] of steps.slice(0, index).entries()) {
			const answer = words(step.answer).join(" ");
			if (answer !== "" && asked.includes(` ${answer} `)) named.set(answer, earlier);
		}
		return [...named.values()].sort((a, b) => a - b);
	});
}

/** Hops that no other needs, in listed order. */
export function ends(hops: readonly Pick<Hop, "id" | "needs">[]): string[] {
	const needed = new Set(hops.flatMap((hop) => hop.needs.map((need) => need.hop)));
	return hops.map(({ id }) => id).filter((id) => !needed.has(id));
}

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
