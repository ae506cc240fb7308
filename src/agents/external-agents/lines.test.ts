import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf } from "./stream-lines.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = async (stream: AsyncIterable<Uint8Array>, bounds = {}) => {
	const lines: string[] = [];
	for await (const line of linesOf(stream, bounds)) lines.push(line);
	return lines;
};

test("lines are those of the whole text, however it comes", async () => {
	const line = fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text));
	await fc.assert(
		fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (lines, size) => {
			expect(await read(pieces(Buffer.from(lines.map((one) => `${one}\r\n`).join("")), size))).toEqual(lines);
			const bare = lines.join("\n").replace(/\n+$/, "");
			expect(await read(pieces(Buffer.from(bare), size))).toEqual(bare === "" ? [] : bare.split("\n"));
		}),
	);
});

test("a huge line and an endless stream end in an error", async () => {
	async function* endless(text: string) {
		for (;;) yield Buffer.from(text);
	}
	await expect(read(endless("x"), { line: 1000 })).rejects.toThrow("longer than 1000 bytes");
	await expect(read(endless("x\n"), { all: 1000 })).rejects.toThrow("more than 1000 bytes");
	await expect(read(pieces(Buffer.from(`${"x".repeat(1001)}\n`), 5000), { line: 1000 })).rejects.toThrow("longer");
});
