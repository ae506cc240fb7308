/**
 * HTML by tagged template: every value is escaped unless it is markup made by the same tag. Attribute values must be
 * quoted in the template. There is no way to pass a string through unescaped but `trusted`, used for our own style
 * sheet and for the plots' serialised SVG.
 */
import { plain } from "#domain";

export class Markup {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
}

export type Content = Markup | string | number | null | undefined | false | Content[];

/** Markup from a template; nested markup is kept, arrays are joined, null, undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Markup {
	let text = parts[0] ?? "";
	for (const [index, value] of values.entries()) text += render(value) + (parts[index + 1] ?? "");
	return new Markup(text);
}

/** Text of our own making that is markup already. Never data. */
export function trusted(text: string): Markup {
	return new Markup(text);
}

function render(value: Content): string {
	if (value === null || value === undefined || value === false) return "";
	if (value instanceof Markup) return value.text;
	if (Array.isArray(value)) return value.map(render).join("");
	return escapeText(String(value));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeText(text: string): string {
	return plain(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
