import type { BlockKind } from "#domain";
import type { Draft, Picture } from "../draft-page.ts";
import { attribute, descendants, type Element, isElement, type Node, textOf, wordSet } from "./markup.ts";
import { captionOfTable, cellsOf, cellText, tableText } from "./table.ts";

/** Read for nothing: code, styles, forms' controls, drawings, what other systems play. */
const unread = wordSet(
	"script style template noscript iframe head svg canvas audio video map input button select textarea " +
		"option object embed annotation annotation-xml",
);
/** Elements that stand on lines of their own. */
const ownLines = wordSet(
	"address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure " +
		"footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary " +
		"table td th tr ul",
);
const lists = wordSet("ul ol menu dl");
const lineBreak = "\u2028";

export interface BlocksOptions {
	/** The picture that an `img` names, where it is at hand; of others the alternative text is read. */
	picture?(image: Element): Picture | undefined;
	/** Elements that are left out. */
	skip?(element: Element): boolean;
}

/** The blocks of HTML in document order. */
export function blocksOf(root: Element, options: BlocksOptions = {}): Draft[] {
	const out: Draft[] = [];
	let inline = "";
	let figures: Draft[] = [];
	// the list that lines are added to while nothing else comes between
	let list: { draft: Draft | undefined; depth: number } | undefined;

	function flush(kind: BlockKind = "text", level?: number): void {
		const text = inline
			.replace(/[ \t\n\r\f\u00a0]+/g, " ")
			.replace(/ ?\u2028 ?/g, "\n")
			.trim();
		inline = "";
		if (text !== "") {
			if (list && kind === "text") {
				const line = `${"  ".repeat(Math.max(0, list.depth - 1))}${text}`;
				if (list.draft && out.at(-1) === list.draft) list.draft.text += `\n${line}`;
				else {
					list.draft = { kind: "list", text: line };
					out.push(list.draft);
				}
			} else out.push({ kind, text, ...(level === undefined ? {} : { level }) });
		}
		out.push(...figures);
		figures = [];
	}

	function walk(node: Node): void {
		if (!isElement(node)) {
			inline += node.replaceAll(lineBreak, " ");
			return;
		}
		if (unread.has(node.name) || hidden(node) || options.skip?.(node)) return;
		const { name } = node;
		if (name === "br") inline += lineBreak;
		else if (name === "img") image(node);
		else if (name === "table") table(node);
		else if (name === "div" && classed(node, admonitions)) admonition(node);
		else if (name === "pre") code(node);
		else if (name === "figure" || isFigure(node)) figure(node);
		else if (/^h[1-6]$/.test(name)) own(node, "heading", Number(name[1]));
		else if (name === "figcaption" || name === "caption") own(node, "caption");
		else if (name === "math" && attribute(node, "display") === "block") own(node, "formula");
		else if (lists.has(name) && !(name === "dl" && holdsBlocks(node))) items(node);
		else if (ownLines.has(name)) own(node);
		else for (const inner of node.children) walk(inner);
	}

	function own(element: Element, kind?: BlockKind, level?: number): void {
		flush();
		for (const inner of element.children) walk(inner);
		flush(kind, level);
	}

	function items(element: Element): void {
		flush();
		const outer = list;
		list = { draft: outer?.draft, depth: (outer?.depth ?? 0) + 1 };
		for (const inner of element.children) walk(inner);
		flush();
		if (outer) outer.draft = list.draft;
		list = outer;
	}

	function code(element: Element): void {
		flush();
		const text = verbatim(element).replace(/^\n+|\s+$/g, "");
		if (text !== "") out.push({ kind: "code", text });
	}

	function table(element: Element): void {
		flush();
		if (forLayout(element)) {
			for (const inner of element.children) walk(inner);
			flush();
			return;
		}
		const cells = cellsOf(element, cellText);
		const draft: Draft = { kind: "table", text: tableText(cells), cells };
		const title = captionOfTable(element);
		const text = title ? cellText(title) : "";
		if (draft.text !== "") out.push(draft);
		if (text !== "") {
			const caption: Draft = { kind: "caption", text };
			draft.caption = caption;
			out.push(caption);
		}
		for (const inner of descendants(element)) if (inner.name === "img") image(inner, true);
		flush();
	}

	/** A note or a warning, which DocBook puts into a table beside the icon of its kind. */
	function admonition(element: Element): void {
		flush();
		for (const inner of element.children) {
			const cells = isElement(inner) && inner.name === "table" ? [...descendants(inner, isRow)].filter(isCell) : [];
			const [first, ...others] = cells;
			if (first && textOf(first).trim() === "") for (const cell of others) own(cell);
			else walk(inner);
		}
		flush();
	}

	function image(element: Element, read = false): void {
		const picture = options.picture?.(element);
		const alt = (attribute(element, "alt") ?? "").trim();
		if (picture) figures.push({ kind: "figure", text: "", picture });
		else if (!read) inline += alt;
	}

	function figure(element: Element): void {
		flush();
		const start = out.length;
		const words = element.children.filter((node) => isElement(node) && (node.name === "figcaption" || isCaption(node)));
		for (const inner of element.children) if (!words.includes(inner)) walk(inner);
		flush();
		const text = words.map((node) => (isElement(node) ? cellText(node) : node)).join("\n");
		if (text === "") return;
		const caption: Draft = { kind: "caption", text };
		const named = out.slice(start).filter(({ kind }) => kind === "figure" || kind === "table" || kind === "code");
		if (named.length === 0 && !out.slice(start).some(({ text }) => text !== "")) {
			const missing: Draft = { kind: "figure", text: "" };
			out.push(missing);
			named.push(missing);
		}
		for (const draft of named) draft.caption = caption;
		out.push(caption);
	}

	walk(root);
	flush();
	return out;
}

function hidden(element: Element): boolean {
	const { attributes } = element;
	return (
		"hidden" in attributes ||
		attributes["aria-hidden"] === "true" ||
		/(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style ?? "")
	);
}

/** A table that only arranges: it says so, or it holds tables or has no two cells. */
function forLayout(element: Element): boolean {
	const role = attribute(element, "role");
	if (role === "presentation" || role === "none") return true;
	let cells = 0;
	for (const inner of descendants(element)) {
		if (inner.name === "table") return true;
		if (inner.name === "th") return false;
		if (inner.name === "td") cells += 1;
	}
	return cells < 2;
}

/** Divisions that DocBook, Sphinx, MediaWiki and WordPress write for figures and tables with their captions. */
const figures = wordSet("figure table thumbinner wp-caption");
const captions = wordSet("title caption thumbcaption wp-caption-text");

/** Divisions for notes and warnings, as DocBook calls them. */
const admonitions = wordSet("note tip important warning caution");

const isCell = ({ name }: Element) => name === "td" || name === "th";
const isRow = (element: Element) => !isCell(element);
const classed = (element: Element, classes: ReadonlySet<string>) =>
	(attribute(element, "class") ?? "").split(/\s+/).some((one) => classes.has(one));
const isCaption = (element: Element) => (element.name === "p" || element.name === "div") && classed(element, captions);
const isFigure = (element: Element) =>
	element.name === "div" &&
	classed(element, figures) &&
	element.children.some((inner) => isElement(inner) && isCaption(inner));

/** Definitions that are more than lines: they become blocks of their own. */
function holdsBlocks(element: Element): boolean {
	for (const inner of descendants(element))
		if (["p", "pre", "table", "figure", "dl", "ul", "ol", "blockquote"].includes(inner.name)) return true;
	return false;
}

function verbatim(node: Node): string {
	if (!isElement(node)) return node;
	return node.name === "br" ? "\n" : node.children.map(verbatim).join("");
}
