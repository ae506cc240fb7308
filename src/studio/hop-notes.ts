/** What a hop's card says besides its verdict, in plain words. */
import type { Step } from "#domain";
import type { TaskHop } from "./pages.ts";
import { listed, queryOf, stepsSaid } from "./recorded-words.ts";
import { isRightFor, isSolved, judgedHop, type Known } from "./task-hops.ts";
import { markValues } from "./value-spans.ts";

/** What a hop's card says besides, once all hops and steps are known. */
export function withNotes(
	hop: TaskHop,
	{ hops, record, task, diagnosis }: Known & { hops: readonly TaskHop[] },
): TaskHop {
	const { aimed, brought, verdict, read, carried, wanted, found } = hop;
	const { steps } = record.trajectory;
	const gold = task.chain?.hops.find(({ id }) => id === hop.id);
	const told = (judgedHop(diagnosis, hop.id)?.otherEvidence ?? []).length > 0;
	const places = hops.flatMap((one) => (one.aimed.some((step) => brought.includes(step)) ? [one.place] : []));
	const notes = [
		...(isSolved(verdict) && wanted.length > 0 && found === 0
			? [`right value, without its evidence${told ? ": other texts told it" : ""}`]
			: []),
		...(aimed.length === 0 && brought.length > 0
			? [
					`found by ${stepsSaid(brought)}, ${
						places.length === 0
							? "which searched for no hop"
							: `which searched for ${places.length === 1 ? "hop" : "hops"} ${listed(places)}`
					}`,
				]
			: []),
	];
	if (isSolved(verdict) && carried !== null && gold) {
		const stated = steps.filter(
			({ index, subAnswer }) => aimed.includes(index) && subAnswer !== undefined && isRightFor(gold, subAnswer, task),
		);
		const where = stated.length > 0 ? ` in ${stepsSaid(stated.map(({ index }) => index))}` : "";
		notes.push(`read ${read ?? hop.gold}${where}; later searches used ${asWritten(carried, steps)}`);
	}
	return { ...hop, notes };
}

/** A value as a query writes it: it may be known without its capitals alone. */
function asWritten(value: string, steps: readonly Step[]): string {
	for (const step of steps) {
		const written = markValues(queryOf(step), { gold: [], wrong: [value] }).find(({ is }) => is === "wrong");
		if (written) return written.text;
	}
	return value;
}
