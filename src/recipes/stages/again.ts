import type { Check } from "../engine/check.ts";

/** The checks once more, for a later state of the item: the same looks under names of their own. */
export const again = <Checked extends Check>(...checks: Checked[]): Checked[] =>
	checks.map((check) => ({ ...check, name: `${check.name}-again` }));
