import type { ScoringMode } from "#domain";
import type { TypedMode } from "./typed-mode.ts";

/**
 * The reading that is nearest to a mode which the typed rules do not have as their own yet. To be deleted, with its one
 * use, once `typedAccuracy` knows every mode.
 */
export function nearestMode(mode: ScoringMode = "hopscope"): TypedMode {
	switch (mode) {
		case "hopscope":
		case "mmlongbench":
		case "tracer-official":
			return "relative-10";
		default:
			return mode;
	}
}
