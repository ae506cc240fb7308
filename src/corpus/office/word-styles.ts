import { remembering } from "#domain";
import { at, attribute, child, childrenOf, type Element } from "../html/markup.ts";

/** What a paragraph is by its style. */
export interface ParagraphStyle {
	kind: "text" | "heading" | "list" | "caption" | "code" | "title";
	/** Of a heading. */
	level?: number;
}

/**
 * What the styles of a word-processor file mean: by outline level where they have one, else by the built-in names,
 * which stay English in every language's version, followed through what a style is based on.
 */
export function readStyles(styles: Element | undefined): (id: string | undefined) => ParagraphStyle {
	const byId = new Map(
		childrenOf(at(styles, "styles"), "style").map((style) => [attribute(style, "styleId") ?? "", style]),
	);
	const plain: ParagraphStyle = { kind: "text" };

	function look(id: string | undefined, steps: number): ParagraphStyle {
		const style = id === undefined ? undefined : byId.get(id);
		// files without a styles part still use the built-in ids
		if (!style) return byName(id ?? "") ?? plain;
		const own = byName(attribute(child(style, "name"), "val") ?? "") ?? byOutline(child(style, "pPr"));
		if (own) return own;
		if (child(child(style, "pPr"), "numPr")) return { kind: "list" };
		return steps > 0 ? look(attribute(child(style, "basedOn"), "val"), steps - 1) : plain;
	}

	return remembering((id) => look(id, 12));
}

/** Outline levels count from 0; 9 is body text. */
export function byOutline(properties: Element | undefined): ParagraphStyle | undefined {
	const level = Number(attribute(child(properties, "outlineLvl"), "val") ?? "9");
	return level >= 0 && level < 9 ? { kind: "heading", level: level + 1 } : undefined;
}

function byName(name: string): ParagraphStyle | undefined {
	const plain = name.toLowerCase().replace(/[\s_-]+/g, "");
	const heading = /^heading([1-9])$/.exec(plain)?.[1];
	if (heading) return { kind: "heading", level: Number(heading) };
	if (plain === "title") return { kind: "title" };
	if (plain === "caption") return { kind: "caption" };
	if (/^(?:htmlpreformatted|sourcecode|code|macrotext|plaintextcode)$/.test(plain)) return { kind: "code" };
	if (/^(?:list|listbullet|listnumber|listparagraph)[1-9]?$/.test(plain))
		return plain === "listparagraph" ? undefined : { kind: "list" };
	return undefined;
}
