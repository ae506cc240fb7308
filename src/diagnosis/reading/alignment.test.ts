import fc from "fast-check";
import { expect, test } from "vitest";
import { alignSteps, type Tie } from "./alignment.ts";

const tie = (parts: Partial<Tie> = {}): Tie => ({
	evidence: false,
	document: false,
	aimed: undefined,
	right: false,
	...parts,
});
const aim = (similarity: number) => ({ aimed: { hop: "h", similarity } });

test("what brought the evidence goes before what only aims, and the earlier of two alike", () => {
	expect(alignSteps([[tie(aim(1)), tie({ evidence: true })]])).toEqual([1]);
	expect(alignSteps([[tie({ document: true }), tie(aim(1))]])).toEqual([0]);
	expect(alignSteps([[tie({ evidence: true, ...aim(0.5) }), tie({ evidence: true, ...aim(0.9) })]])).toEqual([0]);
	expect(alignSteps([[tie(aim(0.5)), tie({ ...aim(0.5), right: true })]])).toEqual([1]);
	expect(alignSteps([[tie()], [tie()]])).toEqual([undefined, undefined]);
	expect(alignSteps([])).toEqual([]);
	expect(alignSteps([[]])).toEqual([undefined]);
});

test("no number of lesser ties outweighs one greater", () => {
	const anyTie = fc.record({
		evidence: fc.boolean(),
		document: fc.boolean(),
		right: fc.boolean(),
		aimed: fc.option(fc.record({ hop: fc.constant("h"), similarity: fc.double({ min: 0.35, max: 1, noNaN: true }) }), {
			nil: undefined,
		}),
	});
	const table = fc
		.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }))
		.chain(([rows, columns]) =>
			fc.array(fc.array(anyTie, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
		);
	fc.assert(
		fc.property(table, (ties) => {
			const found = countsOf(ties, alignSteps(ties));
			for (const other of matchings(ties)) {
				const counts = countsOf(ties, other);
				expect(found.evidence).toBeGreaterThanOrEqual(counts.evidence);
				if (found.evidence === counts.evidence) expect(found.document).toBeGreaterThanOrEqual(counts.document);
			}
		}),
		{ numRuns: 100 },
	);
});

function countsOf(ties: readonly (readonly Tie[])[], columns: readonly (number | undefined)[]) {
	const taken = ties.flatMap((row, index) => row[columns[index] ?? -1] ?? []);
	const evidence = taken.filter((one) => one.evidence).length;
	return { evidence, document: taken.filter((one) => one.document && !one.evidence).length };
}

/** Every one-to-one matching. */
function* matchings(
	ties: readonly (readonly Tie[])[],
	from = 0,
	used: number[] = [],
): Generator<(number | undefined)[]> {
	if (from === ties.length) {
		yield [];
		return;
	}
	for (const column of [undefined, ...(ties[from] ?? []).keys()]) {
		if (column !== undefined && used.includes(column)) continue;
		const next = column === undefined ? used : [...used, column];
		for (const rest of matchings(ties, from + 1, next)) yield [column, ...rest];
	}
}
