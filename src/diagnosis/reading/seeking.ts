import type { Step } from "#domain";
import type { Aimed, SearchModality } from "#scoring";

/** A step that looked something up, or was handed evidence without a call. */
export interface Seeking {
	/** Its place among the trajectory's steps. */
	place: number;
	step: Step;
	/** What it searched; undefined where it was handed its results. */
	modality: SearchModality | undefined;
	/** By its words or image; where they aim at nothing, as `shareAims` and `followValues` say. */
	aimed: readonly Aimed[];
}
