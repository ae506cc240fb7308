import { type PseudoHop, shownAs } from "#domain";
import type { Parts } from "./brings.ts";
import type { SearchGroup } from "./pseudo-hops.ts";
import { contentWords } from "./words.ts";

/** Below this share of its words, by weight, a query has nothing to do with what was asked or came back. */
const leastAnchored = 0.2;

/** What a word of a name, or a number, weighs against another word: texts say "is home to" for "inhabitants", names as they are. */
const nameWeight = 4;

/**
 * How relevant what came back is, by words: of the query's content words, those of names and numbers weighing 4 and others 1,
 * the weighted share that one result holds (forms of a word count), the best one's. Weights by how rare a word is among the
 * results went less well with missed evidence: the rare ones are mostly those that a text says otherwise.
 */
export function createRelevance({ results, held, said, own, entitiesOf }: Parts) {
	const number = new Map(results.map(({ id }, at) => [id, at]));
	const named = new Set(
		own.flatMap((words) => (words.what === "query" ? entitiesOf(words).found.flatMap((one) => one.words) : [])),
	);
	const weightOf = (word: string) => (named.has(word) ? nameWeight : 1);

	function relevanceOf({ searches }: SearchGroup, { mostMissing }: { mostMissing: number }): PseudoHop["relevance"] {
		const worded = searches.filter(({ query }) => query !== "");
		if (worded.length === 0) return { is: "unobserved", reason: "it has no words: it searched by a picture" };
		const ids = [...new Set(searches.flatMap(({ step }) => step.results.map(shownAs)))];
		if (ids.length === 0) return { is: "unobserved", reason: "nothing came back" };
		const texts = ids.flatMap((id) => number.get(id) ?? []).filter((at) => results[at]?.evidence !== undefined);
		if (texts.length < ids.length)
			return {
				is: "unobserved",
				reason: `the text of ${ids.length - texts.length} of ${ids.length} results is not at hand`,
			};
		let best: { value: number; at: number } | undefined;
		const missing = new Set<string>();
		for (const query of new Set(worded.map(({ query }) => query))) {
			const words = contentWords(query.slice(0, 2000));
			const whole = words.reduce((sum, word) => sum + weightOf(word), 0);
			if (whole === 0) continue;
			const sums = new Map<number, number>(texts.map((at) => [at, 0]));
			for (const word of words) {
				let isHeld = false;
				for (const at of held.textsWith(word)) {
					const sum = sums.get(at);
					if (sum === undefined) continue;
					sums.set(at, sum + weightOf(word));
					isHeld = true;
				}
				if (!isHeld && missing.size < mostMissing) missing.add(word);
			}
			for (const [at, sum] of sums) {
				const value = Math.min(1, sum / whole);
				if (!best || value > best.value) best = { value, at };
			}
		}
		const id = results[best?.at ?? -1]?.id;
		if (!best || id === undefined) return { is: "unobserved", reason: "its words say nothing of what is looked for" };
		return { is: "measured", value: Math.round(best.value * 1e4) / 1e4, best: id, missing: [...missing] };
	}

	/** Whether searches have to do with the question or with what came back before, where that can be told by words. */
	function aims(groups: readonly SearchGroup[]) {
		const isAsked = (word: string) => said.textsWith(word)[0] === 0;
		const wordsOfGroup = ({ searches }: SearchGroup) =>
			contentWords(
				searches
					.map(({ query }) => query)
					.join("\n")
					.slice(0, 2000),
			);
		// an agent may search in another language than it is asked in
		const sharesWords = groups.some((group) => wordsOfGroup(group).some(isAsked));
		return {
			isAimless(group: SearchGroup): boolean {
				const words = wordsOfGroup(group);
				if (!sharesWords || words.length < 2) return false;
				const place = group.searches[0]?.place ?? 0;
				const came = results.filter((one) => one.place < place);
				if (came.some(({ evidence }) => evidence === undefined || evidence.kind === "image")) return false;
				const stood = (word: string) =>
					isAsked(word) || held.textsWith(word).some((at) => (results[at]?.place ?? place) < place);
				const whole = words.reduce((sum, word) => sum + weightOf(word), 0);
				const anchored = words.filter(stood).reduce((sum, word) => sum + weightOf(word), 0);
				return anchored < leastAnchored * whole;
			},
		};
	}
	return Object.assign(relevanceOf, { aims });
}
