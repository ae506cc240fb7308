/** Several pages in one picture, in rows and columns, and the words that say which is where. */
import type { ImagePart } from "../../tools/images.ts";

/** Pages of one picture, at most. */
export const mostCells = 20;
/** Pixels of black between two pages. */
const separator = 40;
/** The longer side of the whole picture, in pixels, at most. */
const longestSide = 4096;

/** Rows and columns for so many pages, 1 to 20, as published. */
export function layoutFor(count: number): [rows: number, columns: number] {
	if (count <= 1) return [1, 1];
	if (count === 2) return [2, 1];
	if (count === 3) return [1, 3];
	if (count === 4) return [2, 2];
	if (count === 5) return [2, 3];
	if (count === 6) return [3, 2];
	if (count <= 8) return [2, 4];
	if (count === 9) return [3, 3];
	if (count <= 11) return [3, 4];
	if (count === 12) return [4, 3];
	if (count <= 16) return [4, 4];
	return [5, 4];
}

/** Which page stands where, made from the layout itself, so that the words and the picture cannot disagree. */
export function legend(numbers: number[]): string {
	const [rows, columns] = layoutFor(numbers.length);
	if (numbers.length === 1) return `The picture shows page ${numbers[0]}.`;
	const lines = Array.from({ length: rows }, (_, row) => numbers.slice(row * columns, (row + 1) * columns))
		.map((cells, row) => ({ cells, row }))
		.filter(({ cells }) => cells.length > 0)
		.map(({ cells, row }) => `row ${row + 1}, from left to right: ${cells.map((n) => `page ${n}`).join(", ")}`);
	return `The picture shows ${numbers.length} pages in ${rows} row(s) and ${columns} column(s). ${lines.join("; ")}.`;
}

/**
 * The pages as one JPEG: every cell as large as most pages are, each page fitted into it on white, black between them,
 * white where no page is left. Its name names the pages.
 */
export async function gridPicture(pages: ImagePart[]): Promise<ImagePart> {
	const [only] = pages;
	if (only && pages.length === 1) return only;
	const [rows, columns] = layoutFor(pages.length);
	const { width, height } = await cellFor(pages, rows, columns);
	const { default: sharp } = await import("sharp");
	const cells: { input: Buffer; left: number; top: number }[] = [];
	for (let at = 0; at < rows * columns; at += 1) {
		const left = (at % columns) * (width + separator);
		const top = Math.floor(at / columns) * (height + separator);
		const page = pages[at];
		const input = page
			? await sharp(page.data).resize({ width, height, fit: "contain", background: "white" }).jpeg().toBuffer()
			: await sharp({ create: { width, height, channels: 3, background: "white" } })
					.jpeg()
					.toBuffer();
		cells.push({ input, left, top });
	}
	const size = { width: columns * width + (columns - 1) * separator, height: rows * height + (rows - 1) * separator };
	const data = await sharp({ create: { ...size, channels: 3, background: "black" } })
		.composite(cells)
		.jpeg({ quality: 90 })
		.toBuffer();
	return { type: "image", data, mediaType: "image/jpeg", file: pages.map(({ file }) => file).join(" + ") };
}

/** The commonest size of the pages, made smaller where the whole would be too large. */
async function cellFor(pages: ImagePart[], rows: number, columns: number) {
	const { default: sharp } = await import("sharp");
	const counts = new Map<string, { width: number; height: number; count: number }>();
	for (const { data } of pages) {
		const { width, height } = await sharp(data).metadata();
		const seen = counts.get(`${width}×${height}`) ?? { width, height, count: 0 };
		counts.set(`${width}×${height}`, { ...seen, count: seen.count + 1 });
	}
	const [most = { width: 1, height: 1 }] = [...counts.values()].sort((a, b) => b.count - a.count);
	const room = {
		width: (longestSide - (columns - 1) * separator) / columns,
		height: (longestSide - (rows - 1) * separator) / rows,
	};
	const scale = Math.min(1, room.width / most.width, room.height / most.height);
	return {
		width: Math.max(1, Math.floor(most.width * scale)),
		height: Math.max(1, Math.floor(most.height * scale)),
	};
}
