import { ownField, setField } from "./free-keys.ts";

/** The items by what `key` says of each, groups and their members in the order in which they come. */
export function grouped<Item, Key>(items: Iterable<Item>, key: (item: Item) => Key): Map<Key, Item[]> {
	const groups = new Map<Key, Item[]>();
	for (const item of items) {
		const name = key(item);
		const group = groups.get(name);
		if (group) group.push(item);
		else groups.set(name, [item]);
	}
	return groups;
}

/** The same where an item may be in several groups, or in none. */
export function groupedByAll<Item, Key>(items: Iterable<Item>, keys: (item: Item) => Iterable<Key>): Map<Key, Item[]> {
	const groups = new Map<Key, Item[]>();
	for (const item of items)
		for (const key of keys(item)) {
			const group = groups.get(key);
			if (group) group.push(item);
			else groups.set(key, [item]);
		}
	return groups;
}

/** How often each occurs, in the order in which they come; those that do not occur are absent. */
export function tally<Name extends string>(names: Iterable<Name>): Record<Name, number> {
	const counts = new Map<Name, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return Object.fromEntries(counts) as Record<Name, number>;
}

/** Counts a name, once or `times`. */
export function countName(counts: Record<string, number>, name: string, times = 1): void {
	setField(counts, name, (ownField(counts, name) ?? 0) + times);
}

/** What there is of a list of things that may be left out: `present([always, isLate && note])`. */
export const present = <Item>(items: readonly (Item | false | null | undefined)[]): Item[] =>
	items.flatMap((item) => (item === false || item === null || item === undefined ? [] : [item]));
