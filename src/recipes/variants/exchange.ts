import { groupedByAll } from "#domain";
import { seeded } from "../seeded.ts";
import { keyOf, type NamedEntity } from "./named-entities.ts";
import type { NewName } from "./renaming.ts";

/** Each entity with the one whose names it takes; none stands twice on either side. */
export interface Exchange {
	from: NamedEntity;
	to: NamedEntity;
	kind: string;
}

/**
 * Draws for every entity another of its kind, so that nobody keeps a name and nobody loses one: within a kind they form
 * one ring. One that is alone in its kind, or whose kind is not known, stays.
 */
export function drawExchange(entities: readonly NamedEntity[], { seed }: { seed: number }): Exchange[] {
	const sorted = [...entities].sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1));
	return [...groupedByAll(sorted, ({ kind }) => (kind === undefined ? [] : [kind]))].flatMap(([kind, members]) => {
		const ring = members.length < 2 ? [] : seeded("swap", seed, kind).shuffle(members);
		return ring.flatMap((from, at): Exchange[] => {
			const to = ring[(at + 1) % ring.length];
			return to ? [{ from, to, kind }] : [];
		});
	});
}

/** The exchange as a renaming takes it: all forms of one become the name of the other, words of persons' names too. */
export function newNames(exchanges: readonly Exchange[]): NewName[] {
	return exchanges.map(({ from, to, kind }) => ({
		forms: from.forms,
		to: to.name,
		kind,
		...(kind.startsWith("person") ? { parts: partsOf(from.name, to.name) } : {}),
	}));
}

const particles = new Set("of de von van der den la le du da di del al el the and y e bin ibn ben".split(" "));

/**
 * First and last word of a name of several, as they stand for a person in running text. What follows a comma or "of" is a
 * title or a place, and stands for itself.
 */
function partsOf(from: string, to: string): Record<string, string> {
	const [own, other] = [wordsOf(from), wordsOf(to)];
	const [first, last] = [own.at(0), own.at(-1)];
	const [otherFirst, otherLast] = [other.at(0), other.at(-1)];
	if (own.length < 2 || !first || !last || !otherFirst || !otherLast) return {};
	const titled = /,|\sof\s/u.test(from);
	// nobody is called "IV"
	const standing = (part: string) => (isPart(part) ? part : to);
	return {
		...(isPart(first) ? { [first]: standing(otherFirst) } : {}),
		...(isPart(last) && !titled ? { [last]: standing(otherLast) } : {}),
	};
}

const isPart = (word: string) =>
	/^\p{Lu}[\p{L}\p{M}'’-]{2,}$/u.test(word) && !/^[IVX]+$/u.test(word) && !particles.has(word.toLowerCase());
const wordsOf = (name: string) => (name.split(/,|\sof\s/u)[0] ?? "").match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
