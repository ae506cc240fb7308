/**
 * Rollout deviation: |predicted retrieval steps - T|, with the signed difference `delta` beside it (above 0: searched
 * too often). Both counts are whole numbers >= 0; T counts gold hops that need retrieval. Its mean over tasks is
 * unbounded above and best at 0. Source: MC-Search eq. 5.
 */
export function rolloutDeviation(gold: number, steps: number): { value: number; delta: number } {
	return { value: Math.abs(steps - gold), delta: steps - gold };
}
