import type { z } from "zod";
import type { BlockKind, Box } from "#domain";
import type { Draft, Picture } from "../draft-page.ts";
import { countCharacters } from "../html/markup.ts";

/** Finds the picture at an address that another parser's file names: in the file itself or beside it. */
export type FindPicture = (address: string, alt: string) => Picture | undefined;

/** Another parser's labels, listed by what they are to us, as a table from each to that. */
export const kindsOf = (labels: Partial<Record<BlockKind, string>>): Record<string, BlockKind> =>
	Object.fromEntries(
		Object.entries(labels).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as BlockKind])),
	);

/** Of a list those that fit a schema. */
export const fitting = <Item>(list: readonly unknown[], schema: z.ZodType<Item>): Item[] =>
	list.flatMap((raw) => schema.safeParse(raw).data ?? []);

/** What another parser read of a document, in our words, before it is made into pages. */
export interface ParsedDocument {
	/** Name and version as the file states them, e.g. `docling 1.8.0`. */
	by: string;
	title: string | undefined;
	pages: Map<number, ParsedPage>;
	/** Labels that are not known: what bears them is read as text. */
	unknown: Set<string>;
	/** What else a person should know, once each. */
	notes: Set<string>;
	/** Characters other than white space of all texts found. */
	characters: number;
}

export interface ParsedPage {
	/** Points where the file says so, else the unit of its boxes. */
	size?: [number, number];
	drafts: Draft[];
}

export const emptyDocument = (by: string): ParsedDocument => ({
	by,
	title: undefined,
	pages: new Map(),
	unknown: new Set(),
	notes: new Set(),
	characters: 0,
});

/** Lengths beyond this are a mistake: English metric units, which some files are in, stay below. */
const longestSide = 1e8;

/** A page, made when it is first named. What is no page number is taken for the first page. */
export function pageOf(document: ParsedDocument, number: number, size?: [number, number]): ParsedPage {
	const place = Number.isInteger(number) && number >= 0 && number < 1_000_000 ? number : 0;
	const page = document.pages.get(place) ?? { drafts: [] };
	document.pages.set(place, page);
	if (size && !page.size && size.every((side) => Number.isFinite(side) && side > 0 && side < longestSide))
		page.size = size;
	return page;
}

const mostFilled = 20_000;

/** Pages between those that have blocks are there too, though nothing is on them. */
export function fillPages(document: ParsedDocument): void {
	const last = [...document.pages.keys()].reduce((most, number) => Math.max(most, number), 0);
	if (last < mostFilled) for (let number = 0; number <= last; number += 1) pageOf(document, number);
}

/** Adds a block and counts what it says. */
export function put(document: ParsedDocument, page: ParsedPage, draft: Draft): Draft {
	page.drafts.push(draft);
	const text = draft.cells ? draft.cells.map((cell) => cell.text).join("") : draft.text;
	document.characters += countCharacters(text);
	return draft;
}

/** A box whose corners may be given in any order; undefined where they are no numbers. */
export function boxOf(x0: unknown, y0: unknown, x1: unknown, y1: unknown): Box | undefined {
	const corners = [x0, y0, x1, y1];
	if (!corners.every((value): value is number => typeof value === "number" && Math.abs(value) < longestSide))
		return undefined;
	const [a = 0, b = 0, c = 0, d = 0] = corners as number[];
	const round = (value: number) => Math.round(value * 100) / 100;
	return [round(Math.min(a, c)), round(Math.min(b, d)), round(Math.max(a, c)), round(Math.max(b, d))];
}

export function around(first: Box | undefined, second: Box | undefined): Box | undefined {
	if (!first || !second) return first ?? second;
	const [a, b, c, d] = first;
	const [e, f, g, h] = second;
	return [Math.min(a, e), Math.min(b, f), Math.max(c, g), Math.max(d, h)];
}

/** Items of a list that stand one after the other become one block. */
export function joinLists(drafts: Draft[]): Draft[] {
	const out: Draft[] = [];
	for (const draft of drafts) {
		const before = out.at(-1);
		if (draft.kind !== "list" || before?.kind !== "list") out.push(draft);
		else {
			const box = around(before.box, draft.box);
			out[out.length - 1] = { ...before, text: `${before.text}\n${draft.text}`, ...(box ? { box } : {}) };
		}
	}
	return out;
}
