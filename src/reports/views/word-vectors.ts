/** How alike two texts are by their words: for what has no encoder at hand. */

type Vector = { counts: Map<string, number>; length: number };

const longest = 20_000;

/**
 * The cosine of two evidences' counts of words (case and accents folded; characters of scripts without spaces count by
 * themselves), in [0, 1]; 0 where one has no text. Each text is looked up once.
 */
export function createWordVectors(
	textOf: (id: string) => Promise<string | undefined>,
): (a: string, b: string) => Promise<number> {
	const vectors = new Map<string, Promise<Vector | undefined>>();
	const vectorOf = (id: string) => {
		const known = vectors.get(id) ?? textOf(id).then((text) => (text === undefined ? undefined : vectorIn(text)));
		vectors.set(id, known);
		return known;
	};
	return async (a, b) => {
		if (a === b) return 1;
		const [one, other] = [await vectorOf(a), await vectorOf(b)];
		if (!one || !other || one.length === 0 || other.length === 0) return 0;
		const [few, many] = one.counts.size < other.counts.size ? [one, other] : [other, one];
		let product = 0;
		for (const [word, count] of few.counts) product += count * (many.counts.get(word) ?? 0);
		return Math.min(1, product / (one.length * other.length));
	};
}

function vectorIn(text: string): Vector {
	const counts = new Map<string, number>();
	const folded = text.slice(0, longest).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
	const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;
	for (const [word] of folded.matchAll(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
	const squares = [...counts.values()].reduce((sum, count) => sum + count * count, 0);
	return { counts, length: Math.sqrt(squares) };
}
