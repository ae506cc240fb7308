/** Changing a filter as text: what the facets do to it, so that the field always shows what is set. */
import { isNamed } from "../../../../src/studio/where.ts";

const quoted = String.raw`"(?:[^"\\]|\\.)*"?`;
const list = `(?:${quoted}|[^\\s",]+)(?:,(?:${quoted}|[^\\s",]+))*`;

/** A term that names values, `outcome:wrong,error`; one that is turned round by `-` is another matter. */
const termOf = (name: string) => new RegExp(`(?<=^|\\s)${escaped(name)}:(${list})(?=\\s|$)`, "iu");

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");

const valuesIn = (text: string): string[] => text.match(new RegExp(`${quoted}|[^\\s",]+`, "gu")) ?? [];

/** The values, as they are written, that a filter wants of a column. */
export const wantedValues = (where: string, name: string): string[] => valuesIn(termOf(name).exec(where)?.[1] ?? "");

/** Whether a value, as it is written in a filter, means one of a column: `page` means `page_search` too. */
export const means = (written: string, value: string): boolean =>
	isNamed(new Set([written.replace(/^"|"$/g, "").toLowerCase()]), value);

/** The filter with one value of a column wanted besides, or no longer. `written` is how it is added, quoted where it must be. */
export function toggleValue(
	where: string,
	name: string,
	{ value, written }: { value: string; written: string },
): string {
	const found = termOf(name).exec(where);
	if (!found) return `${where.trim()} ${name}:${written}`.trim();
	const wanted = valuesIn(found[1] ?? "");
	const rest = wanted.filter((one) => !means(one, value));
	const left = rest.length < wanted.length ? rest : [...wanted, written];
	const term = left.length === 0 ? "" : `${name}:${left.join(",")}`;
	const before = where.slice(0, found.index);
	return tidy(`${before}${term}${where.slice(found.index + found[0].length)}`);
}

/** The filter without what it says of a column. */
export const withoutColumn = (where: string, name: string): string => tidy(where.replace(termOf(name), ""));

const tidy = (where: string) => where.replace(/\s{2,}/g, " ").trim();

/** The piece of a filter that somebody is writing: from the last space outside of quotes to the cursor. */
export function pieceAt(where: string, cursor: number): { from: number; text: string } {
	let [from, inQuotes] = [0, false];
	for (let at = 0; at < cursor; at++) {
		if (where[at] === '"' && where[at - 1] !== "\\") inQuotes = !inQuotes;
		else if (!inQuotes && /\s/u.test(where[at] ?? "")) from = at + 1;
	}
	return { from, text: where.slice(from, cursor) };
}
