import { smartResize } from "#agents";

/** Chat templates by LLaMA-Factory's names: Qwen2-VL and Qwen2.5-VL, Qwen3-VL, InternVL. */
export const templates = ["qwen2_vl", "qwen3_vl", "intern_vl"] as const;
export type Template = (typeof templates)[number];

/** Width and height in pixels, upright. */
export type Size = readonly [width: number, height: number];

/** Tokens that part one turn from the next: its role, its ends, line ends. */
export const turnTokens = 6;

/** What chat templates say around a list of tools: about 500 characters in Qwen's. */
export const toolsTokens = 150;

/**
 * About how many tokens a text has: 3.5 characters each in Latin script, one a character in any other, which is more than
 * Qwen's vocabulary needs for Chinese. No tokenizer is asked, so it holds on average, not for every text.
 */
export function textTokens(text: string): number {
	let latin = 0;
	let other = 0;
	for (const character of text)
		if ((character.codePointAt(0) ?? 0) <= 0x24f) latin += 1;
		else other += 1;
	return Math.ceil(latin / 3.5) + other;
}

/**
 * Tokens that an image takes, the two that frame it among them.
 *
 * Qwen: (height/f)(width/f) after smart resizing, f = 28 (Qwen2-VL, Qwen2.5-VL) or 32 (Qwen3-VL). InternVL: 256 a tile; one
 * tile in LLaMA-Factory, up to 12 and a thumbnail where the model's processor cuts tiles.
 * `maxPixels`: the trainer scales larger images down before.
 */
export function imageTokens(
	[width, height]: Size,
	template: Template,
	{ maxPixels, tiles }: { maxPixels: number; tiles: boolean },
): number {
	if (template === "intern_vl") return 2 + 256 * (tiles ? tileCount([width, height]) : 1);
	const shrink = Math.min(1, Math.sqrt(maxPixels / (width * height)));
	const sides = [width, height].map((side) => Math.max(28, Math.trunc(side * shrink))) as [number, number];
	const { factor, minPixels } = processors[template];
	const [w, h] = smartResize(...sides, { factor, minPixels, maxPixels: Math.max(maxPixels, minPixels) });
	return 2 + (w / factor) * (h / factor);
}

/** The published processors' merged patch and least area. */
const processors = {
	qwen2_vl: { factor: 28, minPixels: 56 * 56 },
	qwen3_vl: { factor: 32, minPixels: 256 * 256 },
};

const tileSide = 448;
const mostTiles = 12;

/** Tiles of InternVL: the grid of at most 12 whose shape is nearest to the image's, and a thumbnail beside several. */
export function tileCount([width, height]: Size): number {
	let best = { difference: Number.POSITIVE_INFINITY, tiles: 1 };
	const grids: [number, number][] = [];
	for (let columns = 1; columns <= mostTiles; columns += 1)
		for (let rows = 1; columns * rows <= mostTiles; rows += 1) grids.push([columns, rows]);
	for (const [columns, rows] of grids.sort(([a, b], [c, d]) => a * b - c * d)) {
		const difference = Math.abs(width / height - columns / rows);
		const tiles = columns * rows;
		const larger = difference === best.difference && width * height > 0.5 * tileSide * tileSide * tiles;
		if (difference < best.difference || larger) best = { difference, tiles };
	}
	return best.tiles > 1 ? best.tiles + 1 : 1;
}

/** A cutoff that the longest row fits in, a tenth to spare for the estimate, in whole 512s and at least 2,048. */
export const cutoffFor = (longest: number): number => Math.max(2048, Math.ceil((longest * 1.1) / 512) * 512);
