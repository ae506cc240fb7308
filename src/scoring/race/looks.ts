/** Tasks of the first look: below it hardly any difference can be sure. */
const firstLook = 20;

/**
 * After how many tasks a race over so many is looked at: 20, then twice as many each time, at last all of them; a last step
 * of less than half of what stands is joined to the one before.
 */
export function looksOver(tasks: number, { first = firstLook }: { first?: number } = {}): number[] {
	const looks: number[] = [];
	for (let at = first; 1.5 * at < tasks; at *= 2) looks.push(at);
	return [...looks, tasks];
}
