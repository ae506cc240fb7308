import { type Diagnosis, type FindingKind, identifyingHops, type Task } from "#domain";
import { brokenOf } from "./verdicts/primary.ts";

/** A published list of error types, as a view of the findings. */
export interface ErrorView {
	title: string;
	source: string;
	/** The rubric whose judge gives the same labels. */
	rubric: string;
	/** `all`: a trajectory may have several; `first`: the earliest dominant one of an answer that is not right. */
	gives: "all" | "first";
	/** By type, the findings that show it. */
	types: Record<string, readonly FindingKind[]>;
	/** Types that findings alone do not tell; they go before the others, in this order. */
	beyond?: Record<string, "judged-right" | "anchor-broken">;
}

/**
 * MC-Search's eight error types and VistaHop's five, as data: a finding shows at most one type of each list. `lucky`,
 * `invalid-call` and `broken-off` show none; a broken-off trajectory has no dominant failure of the agent's.
 */
export const errorViews = {
	"mc-search": {
		title: "Error types",
		source: "MC-Search, Figure 5",
		rubric: "mc-search-errors",
		gives: "all",
		types: {
			"retrieval-failure": ["retrieval-miss"],
			"hallucinated-entity": ["unsupported", "unsupported-answer"],
			"step-omission": ["not-planned", "premature-stop", "bad-plan", "unsearched"],
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
			"visual-anchor": [],
			"retrieval-drift": ["wrong-modality", "retrieval-miss", "unsupported", "unsupported-answer", "spurious-step"],
			"planning-collapse": [
				...(["not-planned", "premature-stop", "bad-plan", "out-of-order", "order", "unsearched"] as const),
				...(["over-extension", "repeated-query"] as const),
			],
			"fusion-calculation": ["misread", "composition"],
			"normalisation-boundary": [],
		},
		beyond: {
			/** A judge takes the answer that the typed metric does not: nothing before it decided the outcome. */
			"normalisation-boundary": "judged-right",
			/** A hop that has to look at the question's image is broken, or the first image hop is the first that broke. */
			"visual-anchor": "anchor-broken",
		},
	},
} as const satisfies Record<string, ErrorView>;
export type ErrorViewName = keyof typeof errorViews;

/**
 * The types of a list that a diagnosis shows, in the list's order; of a list of dominant failures one, or none where the
 * answer is right or nobody knows. `judgedRight`: what a judge says of the answer (`judgedRightIn`).
 */
export function errorTypesOf(
	diagnosis: Diagnosis,
	{ view, task, judgedRight }: { view: ErrorViewName; task: Task; judgedRight?: boolean | undefined },
): string[] {
	const { types, gives, beyond = {} }: ErrorView = errorViews[view];
	const typeOf = (kind: FindingKind) => Object.keys(types).find((type) => types[type]?.includes(kind));
	if (gives === "all") {
		const found = new Set(diagnosis.findings.map(({ is }) => typeOf(is)));
		return Object.keys(types).filter((type) => found.has(type));
	}
	if (diagnosis.right !== false) return [];
	const rules = {
		"judged-right": () => judgedRight === true,
		"anchor-broken": () => isAnchorBroken(diagnosis, task),
	};
	const told = Object.entries(beyond).find(([, rule]) => rules[rule]());
	const type = told?.[0] ?? (diagnosis.primary === null ? undefined : typeOf(diagnosis.primary));
	return type === undefined ? [] : [type];
}

/**
 * Whether a diagnosis shows a type; null where it could not: none of the findings that show it was looked for, or, of types
 * beyond findings, no judge graded the answer or no hop was judged.
 */
export function showsErrorType(
	diagnosis: Diagnosis,
	{ type, ...options }: Parameters<typeof errorTypesOf>[1] & { type: string },
): boolean | null {
	if (errorTypesOf(diagnosis, options).includes(type)) return true;
	const { types, beyond = {} }: ErrorView = errorViews[options.view];
	const needs = {
		"judged-right": options.judgedRight !== undefined,
		"anchor-broken": diagnosis.hops.some(({ is }) => is === "judged"),
	};
	const unseen = new Set(diagnosis.notJudged.flatMap(({ what }) => what));
	const rule = beyond[type];
	return (rule ? needs[rule] : types[type]?.some((kind) => !unseen.has(kind))) ? false : null;
}

function isAnchorBroken({ hops, firstBroken }: Diagnosis, task: Task): boolean {
	const anchors = identifyingHops(task);
	const modality = new Map((task.chain?.hops ?? []).map((hop) => [hop.id, hop.modality]));
	const firstImage = hops.find(({ hop }) => modality.get(hop) === "image")?.hop;
	return hops.some((hop) => {
		const isAnchor = anchors.has(hop.hop) || (hop.hop === firstImage && hop.hop === firstBroken);
		return isAnchor && brokenOf(hop) !== undefined;
	});
}
