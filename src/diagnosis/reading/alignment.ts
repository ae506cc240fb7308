import type { Aimed } from "#scoring";
import { maximumWeightMatching } from "#scoring";

/** What a step has to do with a hop. */
export interface Tie {
	/** It brought back acceptable evidence of the hop. */
	evidence: boolean;
	/** It brought back something of the document that acceptable evidence belongs to. */
	document: boolean;
	aimed: Aimed | undefined;
	/** Its sub-answer is the hop's. */
	right: boolean;
}

/**
 * One-to-one alignment of hops and steps: `ties[hop][step]` in, the step of each hop out, undefined where it has none.
 *
 * Weights keep to an order: one more pair that shares evidence outweighs any number that share a document, and one more
 * of those any number that only aim. Below that a step is preferred that aims at the hop, whose sub-answer is the hop's,
 * that came early (what comes again repeats), and whose words are more like.
 */
export function alignSteps(ties: readonly (readonly Tie[])[]): (number | undefined)[] {
	const columns = ties[0]?.length ?? 0;
	const most = Math.min(ties.length, columns) + 1;
	const weights = ties.map((row) =>
		row.map(({ evidence, document, aimed, right }, place) => {
			if (!evidence && !document && !aimed) return 0;
			const early = 1 - place / columns;
			const aim = (aimed ? 0.5 : 0) + (right ? 0.25 : 0) + 0.15 * early + 0.05 * (aimed?.similarity ?? 0);
			return (evidence ? most * most : document ? most : 0) + aim;
		}),
	);
	const aligned: (number | undefined)[] = ties.map(() => undefined);
	for (const { row, column } of maximumWeightMatching(weights).pairs) aligned[row] = column;
	return aligned;
}

/** The part of an id that names its document, where nothing better is known. */
export const documentInId = (id: string): string => id.split("#", 1)[0] ?? id;
