/** Text as outlines of a font that comes as a package, so that drawings do not depend on the fonts of a machine. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype, { type Font } from "opentype.js";
import { remembering } from "#domain";

const require = createRequire(import.meta.url);

/** The path of a DejaVu font file, such as "DejaVuSans-Bold". */
export const fontFile = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

const font = remembering((bold: boolean): Font => {
	const bytes = readFileSync(fontFile(bold ? "DejaVuSans-Bold" : "DejaVuSans"));
	return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
});

interface TextOptions {
	x: number;
	/** The baseline. */
	y: number;
	size: number;
	anchor?: "start" | "middle" | "end";
	bold?: boolean;
	fill?: string;
}

/** An SVG path that shows `text`. */
export function textPath(text: string, options: TextOptions): string {
	const { x, y, size, anchor = "start", bold = false, fill = "#222222" } = options;
	const width = anchor === "start" ? 0 : textWidth(text, { size, bold });
	const scale = size / drawnAt;
	let left = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
	const placed: string[] = [];
	// Glyph by glyph: the font's substitution tables are more than the parser knows, and plain labels need none.
	for (const character of text) {
		const shape = shapeOf(character, bold);
		if (shape !== "") placed.push(`<path transform="translate(${(left / scale).toFixed(1)})" d="${shape}"/>`);
		left += advance(character, { size, bold });
	}
	return `<g fill="${fill}" transform="translate(0 ${y.toFixed(1)}) scale(${scale.toFixed(4)})">${placed.join("")}</g>`;
}

/** The width of a text in pixels at a font size. */
export function textWidth(text: string, { size, bold = false }: { size: number; bold?: boolean }): number {
	return [...text].reduce((sum, character) => sum + advance(character, { size, bold }), 0);
}

/** Glyphs are outlined once, at this size, and scaled where they are used. */
const drawnAt = 100;
const shapes = new Map<string, string>();

function shapeOf(character: string, bold: boolean): string {
	const key = `${bold} ${character}`;
	const known = shapes.get(key);
	if (known !== undefined) return known;
	const shape = glyph(character, bold).getPath(0, 0, drawnAt).toPathData(1);
	shapes.set(key, shape);
	return shape;
}

const glyph = (character: string, bold: boolean) => font(bold).charToGlyph(character);

const advance = (character: string, { size, bold }: { size: number; bold: boolean }) =>
	((glyph(character, bold).advanceWidth ?? 0) * size) / font(bold).unitsPerEm;
