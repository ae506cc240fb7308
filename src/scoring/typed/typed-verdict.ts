/** A score in [0, 1] (1 or 0 in all modes but `mmlongbench`), or null where the gold states nothing to compare with. */
export interface TypedVerdict {
	value: number | null;
	reason?: string;
	/** Which rule decided, and what was read. */
	details: Record<string, unknown>;
}
