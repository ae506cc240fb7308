/** A small vocabulary of whole strings: what is encoded is got back to the letter, and there is one way to encode it. */
export interface Vocabulary {
	readonly tokens: readonly string[];
	/** Ids of a text. Throws where a part of it is no token: nothing is left out. */
	encode(text: string): number[];
	decode(ids: readonly number[]): string;
	/** The id of one token; throws where there is none. */
	idOf(token: string): number;
}

/** Throws where a token begins another: the same text could then be encoded in two ways. */
export function createVocabulary(tokens: readonly string[]): Vocabulary {
	const ids = new Map(tokens.map((token, id) => [token, id]));
	for (const token of tokens)
		for (const other of tokens)
			if (token === "" || (token !== other && other.startsWith(token)))
				throw new RangeError(`${JSON.stringify(token)} begins ${JSON.stringify(other)}`);
	if (ids.size !== tokens.length) throw new RangeError("a token is there twice");
	const byFirst = new Map<string, string[]>();
	for (const token of tokens) byFirst.set(token.charAt(0), [...(byFirst.get(token.charAt(0)) ?? []), token]);

	function idOf(token: string): number {
		const id = ids.get(token);
		if (id === undefined) throw new RangeError(`${JSON.stringify(token)} is no token`);
		return id;
	}
	return {
		tokens,
		idOf,
		encode(text) {
			const found: number[] = [];
			for (let at = 0; at < text.length; ) {
				const token = byFirst.get(text.charAt(at))?.find((one) => text.startsWith(one, at));
				if (token === undefined) throw new RangeError(`no token begins ${JSON.stringify(text.slice(at, at + 40))}`);
				found.push(idOf(token));
				at += token.length;
			}
			return found;
		},
		decode: (sequence) => sequence.map((id) => tokens[id] ?? "").join(""),
	};
}
