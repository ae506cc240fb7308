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
 * one ring. An entity goes with the finest kind that it shares with others; one that is alone in all its kinds stays.
 */
export function drawExchange(entities: readonly NamedEntity[], { seed }: { seed: number }): Exchange[] {
	const sorted = [...entities].sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1));
	const exchanges: Exchange[] = [];
	let left = sorted;
	const depth = Math.max(0, ...sorted.map(({ kinds }) => kinds.length));
	for (let level = 0; level < depth; level += 1) {
		const sizes = sizesOf(left);
		const groups = groupedByAll(left, ({ kinds }) =>
			[...kinds]
				.sort((a, b) => rank(a) - rank(b) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || (a < b ? -1 : 1))
				.slice(level, level + 1),
		);
		const placed = new Set<NamedEntity>();
		for (const [kind, members] of groups) {
			if (members.length < 2) continue;
			const ring = seeded("swap", seed, kind).shuffle(members);
			ring.forEach((from, at) => {
				const to = ring[(at + 1) % ring.length];
				if (to) exchanges.push({ from, to, kind });
				placed.add(from);
			});
		}
		left = left.filter((entity) => !placed.has(entity));
	}
	return exchanges;
}

/** A type is sure, what is answered says more than what is asked, and that more than a word of the question. */
const rank = (kind: string) => ["type", "answers", "asked", "kind"].indexOf(kind.split(" ")[0] ?? "");

function sizesOf(entities: readonly NamedEntity[]): Map<string, number> {
	const sizes = new Map<string, number>();
	for (const kind of entities.flatMap(({ kinds }) => kinds)) sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
	return sizes;
}

/** The exchange as a renaming takes it: all forms of one become the name of the other, words of persons' names too. */
export function newNames(exchanges: readonly Exchange[]): NewName[] {
	const isSaid = ({ kinds }: NamedEntity) => kinds.some((kind) => /^(?:kind|type) (?:person|people|human)$/.test(kind));
	// what is asked of people is asked of people only
	const ofPeople = new Set(
		exchanges.flatMap(({ from }) => (isSaid(from) ? from.kinds.filter((kind) => kind.startsWith("asked ")) : [])),
	);
	const isPerson = (entity: NamedEntity) => isSaid(entity) || entity.kinds.some((kind) => ofPeople.has(kind));
	return exchanges.map(({ from, to }) => ({
		forms: from.forms,
		to: to.name,
		...(isPerson(from) ? { parts: partsOf(from.name, to.name) } : {}),
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
	return {
		...(isPart(first) ? { [first]: otherFirst } : {}),
		...(isPart(last) && !titled ? { [last]: otherLast } : {}),
	};
}

const isPart = (word: string) => /^\p{Lu}\p{L}{2,}$/u.test(word) && !particles.has(word.toLowerCase());
const wordsOf = (name: string) => (name.split(/,|\sof\s/u)[0] ?? "").match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
