import { StageFault } from "../engine/stage.ts";

/** A list for a prompt, one a line, numbered from 1. */
export const numbered = <T>(list: readonly T[], write: (one: T) => string): string =>
	list.map((one, at) => `${at + 1}. ${write(one)}`).join("\n");

/** What was said of each of a numbered list; a reply that leaves one out, or speaks of one twice, cannot be gone by. */
export function byNumber<T, Said extends { index: number }>(
	list: readonly T[],
	said: readonly Said[],
	what: string,
): { one: T; said: Said }[] {
	const byIndex = new Map<number, Said>();
	for (const each of said) {
		if (byIndex.has(each.index)) throw new StageFault(`${what}: number ${each.index} was spoken of twice`);
		byIndex.set(each.index, each);
	}
	return list.map((one, at) => {
		const own = byIndex.get(at + 1);
		if (!own) throw new StageFault(`${what}: nothing was said of number ${at + 1}`);
		return { one, said: own };
	});
}
