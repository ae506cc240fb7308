/** So many look-ups are asked for together, and held at once: texts of all evidence may not fit in memory. */
const together = 500;

/** The list in parts of so many. */
export async function* partsOf<Item>(
	list: Iterable<Item> | AsyncIterable<Item>,
	size = together,
): AsyncGenerator<Item[]> {
	let part: Item[] = [];
	for await (const item of list) {
		part.push(item);
		if (part.length < size) continue;
		yield part;
		part = [];
	}
	if (part.length > 0) yield part;
}

/** Evidence by id, each once, some hundred looked up together; what is not held comes as undefined. */
export async function* lookedUp<Found>(
	ids: Iterable<string>,
	evidence: (id: string) => Promise<Found | undefined>,
): AsyncGenerator<{ id: string; found: Found | undefined }> {
	for await (const part of partsOf(new Set(ids)))
		yield* await Promise.all(part.map(async (id) => ({ id, found: await evidence(id) })));
}
