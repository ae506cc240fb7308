/**
 * Where hops and steps stand beside each other. Hops keep the order of the chain and steps that of time; a hop stands
 * beside the first of its steps wherever both orders allow it, and lines join the rest.
 */
import type { TaskHop, TaskStep } from "../../../../../src/studio/pages.ts";

export interface BoardRow {
	hops: TaskHop[];
	steps: TaskStep[];
	/** Nothing was done for this row's hop, though there was something to find. */
	hole: boolean;
}

/** The hop that a step is counted to: the first that it aimed at. */
export const hopOfStep = ({ aimed }: TaskStep): string | undefined => aimed[0];

/** Whether nothing was tried for a hop that evidence is wanted of. */
export const neverTried = ({ aimed, brought, wanted, verdict }: TaskHop): boolean =>
	verdict !== "not-judged" && aimed.length + brought.length === 0 && wanted.length > 0;

/** What is said in such a hop's place: of one behind a break, a step may have asked it with a wrong value. */
export const holeWords = ({ verdict }: TaskHop): string =>
	verdict === "unobserved" ? "no step is known to be for it" : "never tried";

export function boardRows(hops: readonly TaskHop[], steps: readonly TaskStep[]): BoardRow[] {
	const anchors = hops.map((hop) => steps.findIndex((step) => hopOfStep(step) === hop.id));
	const aligned = longestAscending(anchors);
	const tried = anchors.filter((anchor) => anchor >= 0).length;
	// where the agent went mostly against the chain, hops and steps stand in two columns of their own
	if (tried > 1 && aligned.size * 2 <= tried) return [rowOf([...hops], [...steps])];
	const [earliest = steps.length] = anchors.filter((anchor, place) => anchor >= 0 && aligned.has(place));
	// steps before the first hop's own stand beside the hops that come before it
	const rows: BoardRow[] = earliest > 0 && hops.length > 0 ? [rowOf([], steps.slice(0, earliest))] : [];
	hops.forEach((hop, place) => {
		const anchor = anchors[place] ?? -1;
		const last = rows.at(-1);
		if (aligned.has(place)) {
			const next = anchors.find((later, at) => at > place && aligned.has(at) && later >= 0) ?? steps.length;
			rows.push(rowOf([hop], steps.slice(anchor, next)));
		} else if (hop.first || neverTried(hop) || !last || last.hole || (last.hops.length > 0 && last.steps.length < 2))
			rows.push({ ...rowOf([hop], []), hole: neverTried(hop) && steps.length > 0 });
		else last.hops.push(hop);
	});
	return rows;
}

const rowOf = (hops: TaskHop[], steps: TaskStep[]): BoardRow => ({
	hops,
	steps,
	hole: false,
});

/** Places of the longest ascending run of those numbers that are not negative: as many hops as can stand by their steps. */
function longestAscending(numbers: readonly number[]): Set<number> {
	const best: number[][] = [];
	numbers.forEach((number, place) => {
		const before = number < 0 ? [] : best.filter((run) => (numbers[run.at(-1) ?? -1] ?? -1) < number);
		const longest = before.reduce<number[]>((most, run) => (run.length > most.length ? run : most), []);
		best.push(number < 0 ? [] : [...longest, place]);
	});
	return new Set(best.reduce((most, run) => (run.length > most.length ? run : most), []));
}

/** How a step has to do with a hop. */
export interface Join {
	hop: string;
	step: number;
	/** `gold`: aimed at it and brought its evidence; `missed`: aimed and did not; `besides`: brought it, made for another. */
	is: "gold" | "missed" | "besides";
}

export const joinsOf = (hops: readonly TaskHop[]): Join[] =>
	hops.flatMap(({ id, aimed, brought }) =>
		[...new Set([...aimed, ...brought])]
			.sort((a, b) => a - b)
			.map((step) => ({
				hop: id,
				step,
				is: !aimed.includes(step) ? "besides" : brought.includes(step) ? "gold" : "missed",
			})),
	);
