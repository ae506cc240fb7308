// @module-tag long
import { expect, test } from "vitest";
import { line, pagesOf, readFile, written } from "./support/corpus/pdf-pages.ts";

test("2,000 pages are read within flat memory, every one accounted for", async () => {
	const text = "The keeper of the lighthouse wrote down every ship that passed and what weather it had.";
	const page = (index: number) =>
		Array.from({ length: 40 }, (_, row) => line(`${index}.${row} ${text}`, 72, 780 - row * 18)).join("");
	const path = await written(pagesOf(Array.from({ length: 2000 }, (_, index) => page(index))));
	const before = process.memoryUsage().rss;
	const { plan, pages, characters } = await readFile(path);
	expect(pages.map((one) => one.page)).toEqual(Array.from({ length: 2000 }, (_, index) => index));
	expect(pages.every(({ status }) => status?.is === "ok")).toBe(true);
	expect(characters.read).toBe(characters.source);
	expect(plan.parts.length).toBeGreaterThan(15);
	// the evidence itself is held here, and is most of it
	expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024);
});
