/** What the command line, and later the studio, say of results in the same words; nothing here loads a room. */
import type { Format, Reading, StatisticsTable } from "#benchmarks";
import { type CorpusManifest, counted, grouped, plainLine } from "#domain";
import type { SearchMode } from "#knowledge";
import type { View } from "#reports";

export const searchModes: SearchMode[] = ["lexical", "dense", "joint", "late", "graph", "hybrid"];

/** Forms of files with labelled answers. */
export const labelFormats = ["hopscope", "ragchecker", "r1-searcher"] as const;
export type LabelFormat = (typeof labelFormats)[number];

/** What a format's source counts, measures and writes in its own way. */
export function conventionWords({ conventions: { pages, boxes, listsAsText } }: Format): string[] {
	return [
		...(pages === undefined ? [] : [`pages counted from ${pages}`]),
		...(boxes === undefined ? [] : [`boxes: ${boxes}`]),
		...(listsAsText === undefined || listsAsText.length === 0 ? [] : [`lists as text: ${listsAsText.join(", ")}`]),
	];
}

/** `file:line (id): reason`. */
export function refusalLine({ file, row, id, reason }: Reading["refused"][number]): string {
	const place = row > 0 ? `${file}:${row}` : file;
	return `${[place, id === undefined ? "" : `(${id})`].filter(Boolean).join(" ")}: ${reason}`;
}

/** A line a reason: of rows refused for the same one the first is named and the others are counted. */
export const refusalLines = (refused: Reading["refused"]): string[] =>
	[...grouped(refused, ({ file, reason }) => `${file}\n${reason}`).values()].flatMap(([first, ...others]) =>
		first ? [`${refusalLine(first)}${others.length > 0 ? ` (and ${counted(others.length, "more row")})` : ""}`] : [],
	);

/** `3 passages, 1 page, 2 images`. */
export const countsInWords = ({ passage, page, image }: CorpusManifest["counts"]) =>
	[
		counted(passage, "passage"),
		...(page > 0 ? [counted(page, "page")] : []),
		...(image > 0 ? [counted(image, "image")] : []),
	].join(", ");

/** Why a view has nothing to show, in one line. */
export const whyEmpty = ({ name, notes }: View): string =>
	plainLine(`${name}: ${notes.length > 0 ? notes.join(" ") : "these runs have no data for it"}`, 300);

/** A number of a benchmark's statistics as tables show it. */
export function statisticsCell(cell: StatisticsTable["rows"][number][string]): View["rows"][number]["cells"][string] {
	if (typeof cell === "string") return { is: "text", text: cell };
	if (typeof cell === "number") return { is: "count", value: cell };
	return "none" in cell ? { is: "unscored", reason: cell.none } : { is: "count", ...cell };
}
