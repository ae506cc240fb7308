import type { Diagnosis, FindingKind, Task } from "#domain";

/** A published list of error types, as a view of the findings. */
export interface ErrorView {
	title: string;
	source: string;
	/** The rubric whose judge gives the same labels. */
	rubric: string;
	/** `all`: a trajectory may have several; `first`: the earliest dominant one of a wrong trajectory. */
	gives: "all" | "first";
	/** By type, the findings that show it. */
	types: Record<string, readonly FindingKind[]>;
}

/** MC-Search's eight error types and VistaHop's five, as data: a finding may show one type of each list. */
export const errorViews = {
	"mc-search": {
		title: "Error types",
		source: "MC-Search, Figure 5",
		rubric: "mc-search-errors",
		gives: "all",
		types: {
			"retrieval-failure": ["retrieval-miss"],
			"hallucinated-entity": ["unsupported", "unsupported-answer"],
			"step-omission": ["not-planned", "premature-stop", "bad-plan"],
			"modality-mismatch": ["wrong-modality"],
			"spurious-step": ["spurious-step", "repeated-query", "over-extension"],
			"order-dependency": ["out-of-order", "order"],
			"multi-hop-failure": ["composition"],
			"evidence-misinterpretation": ["misread"],
		},
	},
	vistahop: {
		title: "Earliest dominant failure",
		source: "VistaHop, Table 9",
		rubric: "vistahop-failures",
		gives: "first",
		types: {
			/** Any broken hop that has to look at the question's image; the others count below. */
			"visual-anchor": [],
			"retrieval-drift": ["wrong-modality", "retrieval-miss", "unsupported", "unsupported-answer", "spurious-step"],
			"planning-collapse": ["not-planned", "premature-stop", "bad-plan", "out-of-order", "order", "unsearched"],
			"fusion-calculation": ["misread", "composition"],
			/** The typed metric and a judge disagree: read off the verdicts, not the findings. */
			"normalisation-boundary": [],
		},
	},
} as const satisfies Record<string, ErrorView>;
export type ErrorViewName = keyof typeof errorViews;

/** The types of a list that a diagnosis shows, in the list's order. */
export function errorTypesOf(diagnosis: Diagnosis, { view }: { view: ErrorViewName; task: Task }): string[] {
	const found = new Set<FindingKind>(diagnosis.findings.map(({ is }) => is));
	const types: Record<string, readonly FindingKind[]> = errorViews[view].types;
	return Object.keys(types).filter((type) => types[type]?.some((kind) => found.has(kind)));
}
