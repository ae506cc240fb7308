/** What stands below a table: how sure its numbers are, what its signs claim, and why a number is missing. */
import { plainLine } from "#domain";
import { methodNames, missingWords } from "../../explanations.ts";
import { isMarked } from "../marks.ts";
import type { Mark, View } from "../view.ts";

const signList = ["†", "‡", "§", "¶"];
export const signKey = ({ against, better }: Mark) => JSON.stringify([against, better]);

/** A sign for better and one for worse, for each run that others were compared with; letters where signs end. */
export function signsOf(view: View): Map<string, string> {
	const against = [...new Set(allMarks(view).map((mark) => mark.against))];
	return new Map(
		against.flatMap((name, place) =>
			[true, false].map((better, side): [string, string] => {
				const index = place * 2 + side;
				return [signKey({ against: name, better, p: 0 }), signList[index] ?? `(${index - signList.length + 1})`];
			}),
		),
	);
}

const allMarks = (view: View): Mark[] =>
	view.rows.flatMap(({ cells }) =>
		Object.values(cells).flatMap((cell) => (cell.is === "measured" && cell.marks) || []),
	);

export function notesOf(
	view: View,
	{ signs, bestIs }: { signs: ReadonlyMap<string, string>; bestIs: string | undefined },
): string[] {
	const cells = view.rows.flatMap((row) => view.columns.flatMap(({ key }) => row.cells[key] ?? []));
	const counted = view.rows.flatMap((row) =>
		view.columns.flatMap(({ key, bounded }) => (bounded ? [] : (row.cells[key] ?? []))),
	);
	const measured = cells.flatMap((cell) =>
		cell.is === "measured" && cell.measured.value !== null ? [cell.measured] : [],
	);
	const notes = [...view.notes];
	const withInterval = measured.filter(({ low }) => low !== null);
	if (view.intervals !== undefined) notes.push(...(view.intervals === "" ? [] : [view.intervals]));
	else if (withInterval.length > 0) {
		const methods = [...new Set(withInterval.map(({ method }) => methodNames[method]))].sort();
		notes.push(
			`Intervals are of 95 % (${methods.join(", ")}); numbers rest on ${rangeOf(measured.map(({ n }) => n))} ${view.over ?? "task"}s each.`,
		);
	}
	if (counted.some((cell) => cell.is === "measured" && cell.measured.scored < cell.measured.expected))
		notes.push("a/b: a of b expected answers were scored.");
	if (bestIs !== undefined)
		notes.push(`${bestIs}: the best of the runs that stand together, whether or not the difference is significant.`);
	if (view.rows.some(({ kind }) => kind === "reference"))
		notes.push("Reference agents are there to be compared with: none is called the best or tested.");
	notes.push(...marksNotes(view, signs));
	const reasons = new Map<string, number>();
	for (const cell of cells) {
		const reason =
			cell.is === "unscored"
				? cell.reason
				: cell.is === "measured" && cell.measured.value === null
					? (cell.measured.reason ?? (missingWords(cell.measured) || "nothing was scored"))
					: undefined;
		if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	}
	if (reasons.size > 0) {
		const shown = [...reasons]
			.slice(0, 6)
			.map(([reason, count]) => (count === 1 ? reason : `${reason} (${count} cells)`));
		notes.push(
			`– is no number: ${shown.join("; ")}${reasons.size > 6 ? `; and ${reasons.size - 6} other reasons` : ""}.`,
		);
	}
	const kinds = new Set(view.rows.map(({ kind }) => kind));
	if (kinds.has("published") || cells.some(({ is }) => is === "published"))
		notes.push(
			"Published figures are as printed in the paper; they were not run here and nothing was tested against them.",
		);
	if (kinds.has("intervention"))
		notes.push("Interventions are re-runs with a part of the world changed; they are no plain scores.");
	return notes.map((note) => plainLine(note, 1000));
}

function marksNotes(view: View, signs: ReadonlyMap<string, string>): string[] {
	const marks = allMarks(view);
	return [...new Set(marks.map(({ against }) => against))].map((against) => {
		const own = marks.filter((mark) => mark.against === against);
		const tests = `paired tests, Holm over ${marks.length} of them, p ≤ 0.05`;
		const sides = [true, false].flatMap((better) =>
			own.some((mark) => mark.better === better && isMarked(mark))
				? [`${signs.get(signKey({ against, better, p: 0 }))} significantly ${better ? "better" : "worse"}`]
				: [],
		);
		return sides.length > 0
			? `${sides.join(", ")} than ${against} (${tests}).`
			: `No difference to ${against} is significant (${tests}).`;
	});
}

function rangeOf(counts: readonly number[]): string {
	const [least, most] = [Math.min(...counts), Math.max(...counts)];
	return least === most ? String(least) : `${least}–${most}`;
}
