/** At most `most` of a list, in its order, the first among them, as evenly spread over it as whole places allow. */
export function evenly<Item>(list: readonly Item[], most: number): Item[] {
	if (list.length <= most) return [...list];
	return Array.from({ length: most }, (_, at) => list[Math.ceil((at * list.length) / most)]).flatMap((item) =>
		item === undefined ? [] : [item],
	);
}
