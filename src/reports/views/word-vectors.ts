/** How alike two texts are by their words: for what has no encoder at hand. */

type Vector = { counts: Map<string, number>; length: number };

const longest = 20_000;

export interface WordVectors {
	/** Reads the texts of those that are not known yet. */
	load(ids: Iterable<string>): Promise<void>;
	/**
	 * The cosine of two evidences' counts of words (case and accents folded; characters of scripts without spaces count
	 * by themselves), in [0, 1]; 0 where one has no text or was not loaded.
	 */
	alike(a: string, b: string): number;
}

/** `textOf` is asked once for each id. */
export function createWordVectors(textOf: (id: string) => Promise<string | undefined>): WordVectors {
	const vectors = new Map<string, Vector>();
	const asked = new Set<string>();
	return {
		async load(ids) {
			const wanted = [...new Set(ids)].filter((id) => !asked.has(id));
			await Promise.all(
				wanted.map(async (id) => {
					asked.add(id);
					const text = await textOf(id);
					if (text !== undefined) vectors.set(id, vectorIn(text));
				}),
			);
		},
		alike(a, b) {
			if (a === b) return 1;
			const [one, other] = [vectors.get(a), vectors.get(b)];
			if (!one || !other || one.length === 0 || other.length === 0) return 0;
			const [few, many] = one.counts.size < other.counts.size ? [one, other] : [other, one];
			let product = 0;
			for (const [word, count] of few.counts) product += count * (many.counts.get(word) ?? 0);
			return Math.min(1, product / (one.length * other.length));
		},
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
