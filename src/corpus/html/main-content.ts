/**
 * What a page is about, without its menus. Mozilla's Readability says where a page's article stands, and no more: of
 * what it would keep it takes headings, tables and paragraphs with links away, which in reference pages is most of
 * them. So the element that it finds is read from the page itself, and only navigation is left out of it.
 */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import {
	attribute,
	countCharacters,
	descendants,
	type Element,
	find,
	isElement,
	parseMarkup,
	textOf,
	wordSet,
} from "./markup.ts";

export interface MainContent {
	title: string | undefined;
	/** The element that holds what the page is about. */
	root: Element;
	/** What inside it is left out. */
	skip(element: Element): boolean;
	/** How it was found. */
	by: "declared" | "readability" | "body";
}

/** Larger and deeper pages are read whole: finding their content would take too long. */
const mostElements = 20_000;
const mostNesting = 400_000;
/** An element of less text than this, or than this share of the page's, is not taken for all that it is about. */
const leastCharacters = 140;
const leastShare = 0.8;
/** A page with less of its text outside of links is a list of links. */
const leastProse = 0.5;

export function mainContent(html: string, page = parseMarkup(html, "html")): MainContent {
	const body = find(page, "body") ?? page;
	const title = words(find(find(page, "head") ?? page, "title"));
	const declared = declaredMain(body);
	if (declared) return { title, root: declared, skip: isNavigation, by: "declared" };
	const all = prose(body);
	const article = articleOf(page);
	if (article && prose(article.root) >= Math.max(leastCharacters, leastShare * all))
		return { title: article.title || title, root: article.root, skip: isNavigation, by: "readability" };
	// of a page that is mostly links, they are what it is about
	const skip = all < leastProse * countCharacters(textOf(body)) ? isNavigation : isMenu;
	return { title, root: body, skip, by: "body" };
}

/** The one element that the page names as its main content. */
function declaredMain(body: Element): Element | undefined {
	const found: Element[] = [];
	for (const element of descendants(body, (element) => !isMain(element))) if (isMain(element)) found.push(element);
	const [main] = found;
	return main && found.length === 1 && countCharacters(textOf(main)) >= leastCharacters ? main : undefined;
}

const isMain = (element: Element) => element.name === "main" || attribute(element, "role") === "main";

/** The smallest element of the page around all that Readability keeps of it. */
function articleOf(page: Element): { title: string; root: Element } | undefined {
	const elements: Element[] = [];
	const parents = new Map<Element, Element>();
	const depths = new Map<Element, number>();
	let nesting = 0;
	for (const element of descendants(page)) {
		const depth = 1 + (depths.get(parents.get(element) ?? element) ?? 0);
		for (const node of element.children) if (isElement(node)) parents.set(node, element);
		depths.set(element, depth);
		elements.push(element);
		nesting += depth;
	}
	if (elements.length > mostElements || nesting > mostNesting) return undefined;
	const numbers = new Map(elements.map((element, number) => [element, number]));
	try {
		const { document } = parseHTML(`<!doctype html>${numbered(page, numbers)}`);
		const article = new Readability(document as never, { disableJSONLD: true }).parse();
		if (!article?.content) return undefined;
		let around: Element[] | undefined;
		for (const [, number] of article.content.matchAll(/ data-n="(\d+)"/g)) {
			const path: Element[] = [];
			for (let at = elements[Number(number)]; at; at = parents.get(at)) path.unshift(at);
			around = around?.filter((element, depth) => path[depth] === element) ?? path;
		}
		const root = around?.at(-1);
		return root && { title: article.title ?? "", root };
	} catch {
		// a page that it cannot take apart is read whole
		return undefined;
	}
}

const unread = wordSet("script style template noscript iframe svg canvas");
const empty = wordSet("area base br col embed hr img input link meta param source track wbr");

/** The page as HTML again, every element with its number, without what is never read. */
function numbered(element: Element, numbers: Map<Element, number>): string {
	const inner = element.children.map((node) => {
		if (!isElement(node)) return escaped(node);
		if (unread.has(node.name)) return "";
		const attributes = [
			"class",
			"id",
			"role",
			"style",
			"hidden",
			"aria-hidden",
			"href",
			"src",
			"alt",
			"name",
			"content",
		]
			.filter((name) => node.attributes[name] !== undefined)
			.map((name) => ` ${name}="${escaped(node.attributes[name] ?? "").slice(0, 300)}"`);
		const tag = `${node.name.replace(/[^a-z0-9-]/g, "-")}`;
		const open = `<${tag} data-n="${numbers.get(node)}"${attributes.join("")}>`;
		return empty.has(node.name) ? open : `${open}${numbered(node, numbers)}</${tag}>`;
	});
	return inner.join("");
}

const escaped = (text: string) =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Characters outside of links and of what pages repeat. */
function prose(element: Element): number {
	let characters = 0;
	for (const node of element.children)
		if (!isElement(node)) characters += countCharacters(node);
		else if (!repeated.has(node.name) && !isNavigation(node)) characters += prose(node);
	return characters;
}

const repeated = wordSet("a aside button footer form header label noscript script select style template");

const isNavigation = (element: Element) =>
	element.name === "nav" ||
	attribute(element, "role") === "navigation" ||
	(element.name === "a" && /^\s*[¶#§🔗]\s*$/u.test(textOf(element)));
const containers = wordSet("div dl footer header ol section table td ul aside p");
const fewestLinks = 3;

/** Navigation, or a container of links and little else. */
function isMenu(element: Element): boolean {
	if (isNavigation(element)) return true;
	if (!containers.has(element.name)) return false;
	let links = 0;
	let linked = 0;
	for (const inner of descendants(element, ({ name }) => name !== "a")) {
		if (/^(?:h[1-6]|pre|img|th|figure|math)$/.test(inner.name)) return false;
		if (inner.name !== "a" || attribute(inner, "href") === undefined) continue;
		links += 1;
		linked += countCharacters(textOf(inner));
	}
	return links >= fewestLinks && linked > 0.75 * countCharacters(textOf(element));
}

function words(element: Element | undefined): string | undefined {
	const text = element && textOf(element).replace(/\s+/g, " ").trim();
	return text === "" ? undefined : text;
}
