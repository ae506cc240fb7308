import { writeLines } from "#store";

/** Writes rows as a JSON array, one element a line; returns how many. */
export async function writeArray(file: string, rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<number> {
	let count = 0;
	async function* lines() {
		let before: string | undefined;
		for await (const row of rows) {
			if (before !== undefined) yield `${before},`;
			before = `${count === 0 ? "[" : ""}${JSON.stringify(row)}`;
			count += 1;
		}
		yield before === undefined ? "[]" : `${before}]`;
	}
	await writeLines(file, lines());
	return count;
}
