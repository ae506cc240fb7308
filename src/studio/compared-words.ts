/** What of compared runs is called what, and by which score they went right or wrong: on a server and in a page alike. */
import { type JoinedTable, letterAt } from "./join-runs.ts";
import type { ComparePage } from "./pages.ts";
import { type FacetGiven, type FacetWords, titledFacets } from "./select.ts";
import { type Table, valueAt } from "./table.ts";

/** What tells right from wrong in these runs: accuracy, of runs that answer nothing hits per step. */
export const headlineOf = ([first]: readonly Table[]): string => (first && answersIn(first) ? "accuracy" : "hps");

/** Whether a run was asked for answers; one that only searches declines them all. */
export function answersIn({ rows, numbers, categories }: Table): boolean {
	const [accuracy, outcome] = [numbers.get("accuracy"), categories.get("outcome")];
	if (rows === 0 || accuracy?.some((value) => !Number.isNaN(value))) return true;
	return Array.from({ length: rows }, (_, row) => outcome && valueAt(outcome, row)).some(
		(said) => said !== "abstained",
	);
}

const standingWords: Record<string, string> = { unscored: "not scored", missing: "no answer" };
const standingWord = (word: string) => standingWords[word] ?? word;

/** "A right, B wrong". */
const flipTitle = (flip: string) =>
	flip
		.split("-")
		.map((word, place) => `${letterAt(place).toUpperCase()} ${standingWord(word)}`)
		.join(", ");

const partTitles: Record<string, string> = { same: "nowhere seen", none: "cannot be said" };

/** What the list of compared tasks is filtered by most; `own`: what the list of a run is. */
export function comparedFacets(table: JoinedTable, own: readonly FacetGiven[]): FacetWords[] {
	const named = (name: string) => own.filter((facet) => facet.name === name);
	const inEach = (name: string) =>
		table.letters.flatMap((letter) =>
			named(name).map((facet) => ({
				...facet,
				name: `${letter}.${name}`,
				title: `${facet.title}, ${letter.toUpperCase()}`,
			})),
		);
	return titledFacets(table, [
		{ name: "flip", title: "How they went", titleOf: flipTitle },
		{
			name: "parts",
			title: "Where they part",
			titleOf: (value) => partTitles[value] ?? `hop ${value}`,
		},
		...inEach("broken"),
		...inEach("primary"),
		...named("topology"),
		...named("language"),
	]);
}

const ownTitles: Record<string, string> = {
	flip: "How they went",
	differs: "Some right, others wrong",
	parts: "Where they part",
};

/** The columns of a comparison; `columnTitle` says what those of a run are called. */
export function comparedColumns(
	{ categories, numbers, letters }: JoinedTable,
	columnTitle: (name: string) => string,
): ComparePage["columns"] {
	const titleOf = (name: string): string => {
		if (ownTitles[name] !== undefined) return ownTitles[name];
		if (letters.includes(name)) return `How ${name.toUpperCase()} went`;
		const [, letter, own] = /^([a-z]|diff)\.(.+)$/.exec(name) ?? [];
		if (!letter || !own) return columnTitle(name);
		return `${columnTitle(own)}, ${letter === "diff" ? "A − B" : letter.toUpperCase()}`;
	};
	return [
		...[...categories.keys()].map((name) => ({ name, title: titleOf(name), numeric: false })),
		...[...numbers.keys()].map((name) => ({ name, title: titleOf(name), numeric: true })),
	];
}
