import { describe, expect, test } from "vitest";
import { readTogether } from "./read-together.ts";

/** A source that counts how often it is gone through, and how far. */
function counting(size: number) {
	const told = { passes: 0, given: 0 };
	async function* items() {
		told.passes += 1;
		for (let at = 0; at < size; at += 1) {
			told.given += 1;
			yield at;
		}
	}
	return { told, source: { [Symbol.asyncIterator]: items } };
}

const all = async (items: AsyncIterable<number>) => {
	const got: number[] = [];
	for await (const item of items) got.push(item);
	return got;
};

describe("reading together", () => {
	test("a source is gone through once for as many readers as there are, and again for those who want it again", async () => {
		const { told, source } = counting(1234);
		const { items, done } = readTogether(source, 4);
		const readers = [
			async () => (await all(items)).length,
			async () => (await all(items)).length + (await all(items)).length,
			// one that needs none of them, and one that has something else to do first
			async () => 0,
			async () => {
				await new Promise((later) => setTimeout(later, 5));
				return (await all(items)).length;
			},
		];
		expect(await Promise.all(readers.map((read) => read().finally(done)))).toEqual([1234, 2468, 0, 1234]);
		expect(told).toEqual({ passes: 2, given: 2468 });
	});

	test("who stops before the end leaves the others to go on, and the source is not read on for nobody", async () => {
		const { told, source } = counting(1000);
		const { items, done } = readTogether(source, 2);
		const first = async () => {
			for await (const item of items) if (item === 5) return item;
			return -1;
		};
		expect(await Promise.all([first().finally(done), all(items).finally(done)])).toEqual([
			5,
			Array.from({ length: 1000 }, (_, at) => at),
		]);
		const alone = readTogether(source, 1);
		for await (const item of alone.items) if (item === 5) break;
		expect(told.given).toBeLessThan(1200);
	});

	test("a source that fails fails for everybody who reads it", async () => {
		const broken = {
			async *[Symbol.asyncIterator]() {
				yield 1;
				throw new Error("torn");
			},
		};
		const { items, done } = readTogether(broken, 2);
		const outcomes = await Promise.allSettled([all(items).finally(done), all(items).finally(done)]);
		expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	});
});
