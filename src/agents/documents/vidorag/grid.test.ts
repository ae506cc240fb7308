import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { longTest } from "../../../../test/long.ts";
import type { ImagePart } from "../../tools/images.ts";
import { gridPicture, layoutFor, legend } from "./grid.ts";

const colours = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff"];
const page = async (at: number, { width = 60, height = 80 } = {}): Promise<ImagePart> => ({
	type: "image",
	data: await sharp({ create: { width, height, channels: 3, background: colours[at] ?? "grey" } })
		.png()
		.toBuffer(),
	mediaType: "image/png",
	file: `doc#page=${at + 1}`,
});
const gridOf = async (count: number) =>
	gridPicture(await Promise.all(Array.from({ length: count }, (_, n) => page(n))));

/** Colour at a place, each channel as 0 or 1. */
async function colourAt({ data }: ImagePart, left: number, top: number) {
	const { data: raw, info } = await sharp(data).removeAlpha().raw().toBuffer({ resolveWithObject: true });
	const from = (top * info.width + left) * info.channels;
	return [...raw.subarray(from, from + 3)].map((channel) => Math.round(channel / 255)).join("");
}

describe("the picture of several pages", () => {
	test.each([
		[1, 1, 1],
		[2, 2, 1],
		[3, 1, 3],
		[4, 2, 2],
		[5, 2, 3],
		[6, 3, 2],
		[7, 2, 4],
		[8, 2, 4],
		[9, 3, 3],
		[10, 3, 4],
		[11, 3, 4],
		[12, 4, 3],
		[13, 4, 4],
		[16, 4, 4],
		[17, 5, 4],
		[20, 5, 4],
	])("%i pages: %i rows, %i columns, and the legend agrees", (count, rows, columns) => {
		expect(layoutFor(count)).toEqual([rows, columns]);
		const numbers = Array.from({ length: count }, (_, n) => n + 1);
		const told = legend(numbers);
		expect([...told.matchAll(/\bpage (\d+)/g)].map(([, n]) => Number(n))).toEqual(numbers);
		if (count > 1) {
			const told1 = [...told.matchAll(/row (\d+), from left to right: ([^;.]*)/g)];
			expect(told1).toHaveLength(Math.ceil(count / columns));
			for (const [, , cells = ""] of told1.slice(0, -1)) expect(cells.split(", ")).toHaveLength(columns);
		}
	});
	test("pages stand where the legend says, black between them, white where none is left", async () => {
		const grid = await gridOf(5);
		expect(await sharp(grid.data).metadata()).toMatchObject({
			width: 3 * 60 + 80,
			height: 2 * 80 + 40,
			format: "jpeg",
		});
		const centre = (row: number, column: number) => colourAt(grid, column * 100 + 30, row * 120 + 40);
		expect(await Promise.all([centre(0, 0), centre(0, 1), centre(0, 2), centre(1, 0), centre(1, 1)])).toEqual([
			"100",
			"010",
			"001",
			"110",
			"101",
		]);
		expect(await centre(1, 2)).toBe("111");
		expect(await colourAt(grid, 80, 40)).toBe("000");
		expect(grid.file).toBe("doc#page=1 + doc#page=2 + doc#page=3 + doc#page=4 + doc#page=5");
	});
	test("one page is itself", async () => {
		const only = await page(0);
		expect(await gridPicture([only])).toBe(only);
	});
	longTest("a page of another size is fitted into the commonest; large pages make no huge picture", async () => {
		const wide = await gridPicture([await page(0), await page(1), await page(2, { width: 300, height: 20 })]);
		expect(await sharp(wide.data).metadata()).toMatchObject({ width: 3 * 60 + 80, height: 80 });
		expect(await colourAt(wide, 230, 2)).toBe("111");
		const large = await page(0, { width: 3000, height: 2000 });
		const { width, height } = await sharp((await gridPicture([large, large, large])).data).metadata();
		expect(Math.max(width, height)).toBeLessThanOrEqual(4096);
	});
});
