/** Bar charts with the values written on the bars, drawn as SVG whose texts are outlines. */
import { textPath, textWidth } from "./glyphs.ts";

export interface Bar {
	label: string;
	value: number;
	/** The value as it is written at the bar. */
	text: string;
}

const palettes = [
	["#35607f", "#9dbdd3"],
	["#7a4f2a", "#d6b48f"],
	["#3f6b4a", "#a9cbb0"],
	["#6a4a78", "#c6b2cf"],
] as const;

/** Horizontal or vertical bars, the first one in the stronger colour; `style` chooses among the looks. */
export function chartSvg(title: string, bars: Bar[], options: { style: number }): string {
	const [strong, soft] = palettes[options.style % palettes.length] ?? palettes[0];
	const colour = (index: number) => (index === 0 ? strong : soft);
	const drawn =
		Math.floor(options.style / palettes.length) % 2 === 0
			? horizontal(title, bars, colour)
			: vertical(title, bars, colour);
	const { width, height, parts } = drawn;
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
		`<rect width="${width}" height="${height}" fill="#ffffff"/>${parts.join("")}</svg>`
	);
}

type Drawn = { width: number; height: number; parts: string[] };
type Colour = (index: number) => string;

function horizontal(title: string, bars: Bar[], colour: Colour): Drawn {
	const width = 640;
	const row = 44;
	const height = 84 + bars.length * row;
	const labels = Math.max(...bars.map(({ label }) => textWidth(label, { size: 15 })));
	const left = 28 + labels + 12;
	const numbers = Math.max(...bars.map(({ text }) => textWidth(text, { size: 15, bold: true })));
	const room = width - left - numbers - 36;
	const top = Math.max(...bars.map(({ value }) => value), 1e-9);
	const parts = bars.flatMap(({ label, value, text }, index) => {
		const y = 64 + index * row;
		const length = Math.max(2, (value / top) * room);
		return [
			textPath(label, { x: left - 12, y: y + 20, size: 15, anchor: "end" }),
			`<rect x="${left.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="28" fill="${colour(index)}"/>`,
			textPath(text, { x: left + length + 8, y: y + 20, size: 15, bold: true }),
		];
	});
	const axis = `<path d="M${left.toFixed(1)},56V${height - 16}" stroke="#666666" fill="none"/>`;
	return { width, height, parts: [heading(title, width), axis, ...parts] };
}

function vertical(title: string, bars: Bar[], colour: Colour): Drawn {
	const width = 640;
	const height = 420;
	const floor = height - 76;
	const room = floor - 96;
	const slot = (width - 48) / bars.length;
	const top = Math.max(...bars.map(({ value }) => value), 1e-9);
	const parts = bars.flatMap(({ label, value, text }, index) => {
		const middle = 24 + slot * (index + 0.5);
		const length = Math.max(2, (value / top) * room);
		const wide = Math.min(64, slot * 0.6);
		return [
			`<rect x="${(middle - wide / 2).toFixed(1)}" y="${(floor - length).toFixed(1)}" width="${wide.toFixed(1)}" height="${length.toFixed(1)}" fill="${colour(index)}"/>`,
			textPath(text, { x: middle, y: floor - length - 8, size: 14, anchor: "middle", bold: true }),
			...inLines(label, slot - 8).map((line, row) =>
				textPath(line, { x: middle, y: floor + 20 + row * 16, size: 13, anchor: "middle" }),
			),
		];
	});
	const axis = `<path d="M24,${floor}H${width - 24}" stroke="#666666" fill="none"/>`;
	return { width, height, parts: [heading(title, width), axis, ...parts] };
}

function heading(title: string, width: number): string {
	const size = Math.min(19, (19 * (width - 48)) / textWidth(title, { size: 19, bold: true }));
	return textPath(title, { x: 24, y: 36, size, bold: true });
}

/** Breaks a label at its spaces so that each line fits, in four lines at most. */
function inLines(label: string, room: number): string[] {
	const lines: string[] = [];
	for (const word of label.split(" ")) {
		const last = lines.at(-1);
		const longer = last === undefined ? word : `${last} ${word}`;
		if (last !== undefined && textWidth(longer, { size: 13 }) <= room) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines.slice(0, 4);
}
