import { type Handler, Parser } from "htmlparser2";

/** An element of XML (prefixes taken off its name) or HTML (name in lower case). */
export interface Element {
	name: string;
	attributes: Record<string, string>;
	children: Node[];
}

/** Text is a string. */
export type Node = Element | string;

/**
 * Deeper elements are taken apart: their text joins the deepest one kept. What walks a tree may therefore recurse,
 * whatever a file nests.
 */
const deepest = 256;

/** The parser takes time in the square of how many elements are open: beyond this many it is begun anew. */
const mostOpen = 2000;
const stride = 8192;

/**
 * Parses text that may be broken or hostile, in time linear in its length; never throws. Entities that a document
 * declares are not expanded.
 */
export function parseMarkup(text: string, form: "xml" | "html"): Element {
	const root: Element = { name: "", attributes: {}, children: [] };
	const open = [root];
	let beyond = 0;
	const xml = form === "xml";
	const handler: Partial<Handler> = {
		onopentag(name, attributes) {
			const element: Element = { name: xml ? withoutPrefix(name) : name, attributes, children: [] };
			if (open.length > deepest) beyond += 1;
			else {
				open.at(-1)?.children.push(element);
				open.push(element);
			}
		},
		onclosetag() {
			if (beyond > 0) beyond -= 1;
			else if (open.length > 1) open.pop();
		},
		ontext(piece) {
			const children = open.at(-1)?.children;
			if (!children) return;
			// the parser gives a run of text in pieces, cut at entities
			if (typeof children.at(-1) === "string") children[children.length - 1] += piece;
			else children.push(piece);
		},
	};
	const begin = () => new Parser(handler, { xmlMode: xml, decodeEntities: true, recognizeCDATA: xml });
	let parser = begin();
	for (let start = 0; start < text.length; ) {
		const tag = text.indexOf("<", start + stride);
		const end = tag === -1 ? text.length : tag;
		parser.write(text.slice(start, end));
		start = end;
		if (beyond > mostOpen) {
			parser = begin();
			beyond = 0;
		}
	}
	parser.end();
	return root;
}
const withoutPrefix = (name: string) => name.slice(name.indexOf(":") + 1);

/** Names of elements, told as one text. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

export const isElement = (node: Node): node is Element => typeof node !== "string";

/** An attribute by its name, else by its name behind any prefix. */
export function attribute(element: Element | undefined, name: string): string | undefined {
	return element?.attributes[name] ?? prefixed(element, name);
}

/** An attribute by its name behind a prefix, such as `r:id` beside an `id`. */
export function prefixed(element: Element | undefined, name: string): string | undefined {
	const key = element && Object.keys(element.attributes).find((key) => key.endsWith(`:${name}`));
	return key === undefined ? undefined : element?.attributes[key];
}

/** The first child of that name. */
export const child = (element: Element | undefined, name: string): Element | undefined =>
	element?.children.find((node): node is Element => isElement(node) && node.name === name);

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
	(element?.children ?? []).filter((node): node is Element => isElement(node) && node.name === name);

/** The element that a path of names leads to, e.g. `at(slide, "sld", "cSld", "spTree")`. */
export const at = (element: Element | undefined, ...names: string[]): Element | undefined =>
	names.reduce<Element | undefined>((found, name) => child(found, name), element);

/** Every element below, in document order; not entered are those that `enter` refuses. */
export function* descendants(element: Element, enter: (element: Element) => boolean = () => true): Generator<Element> {
	for (const node of element.children) {
		if (!isElement(node)) continue;
		yield node;
		if (enter(node)) yield* descendants(node, enter);
	}
}

export function find(element: Element | undefined, name: string): Element | undefined {
	if (element) for (const inner of descendants(element)) if (inner.name === name) return inner;
	return undefined;
}

/** All text below, as it stands in the file. */
export function textOf(node: Node): string {
	return isElement(node) ? node.children.map(textOf).join("") : node;
}

/** Characters other than white space. */
export const countCharacters = (text: string) => text.replace(/\s+/g, "").length;
