/**
 * The same function, which remembers what it gave: equal keys are asked about once. The memory is emptied when it holds
 * `most`, so that it never fills the process; what gives undefined is asked again.
 */
export function remembering<Asked, Given>(
	make: (asked: Asked) => Given,
	{ most = 100_000, keyOf = (asked) => asked }: { most?: number; keyOf?(asked: Asked): unknown } = {},
): (asked: Asked) => Given {
	const kept = new Map<unknown, Given>();
	return (asked) => {
		const key = keyOf(asked);
		const known = kept.get(key);
		if (known !== undefined) return known;
		if (kept.size >= most) kept.clear();
		const made = make(asked);
		kept.set(key, made);
		return made;
	};
}

/** Of texts: the short ones, which come again and again, are remembered; longer ones are read each time. */
export function rememberingTexts<Given>(
	make: (text: string) => Given,
	{ longest = 300, most = 5000 }: { longest?: number; most?: number } = {},
): (text: string) => Given {
	const remembered = remembering(make, { most });
	return (text) => (text.length > longest ? make(text) : remembered(text));
}
