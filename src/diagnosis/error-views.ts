import { brokenOrder, type Diagnosis, type FindingKind, identifyingHops, type Task } from "#domain";
import { type AlikeRecords, alikeRecords, type JudgedRight } from "./alike-records.ts";
import { hiddenAt, isBeforeHops, possibleCauses } from "./causes.ts";
import { type BoundedShare, boundedShareIn, type Sight } from "./shares.ts";
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
	/** Findings that show no type of the list, and why. With those of `types` they are all there are. */
	none: Partial<Record<FindingKind, string>>;
	/** Types that findings alone do not tell; they go before the others, in this order. */
	beyond?: Record<string, "judged-right" | "anchor-broken">;
}

const toolOrForm = {
	"tool-failed": "the tool's error, not the agent's",
	"format-failure": "too little could be read to say what was planned, searched or read",
	unobserved: "nothing shows which type it is, and it is none of them by default",
	lucky: "the answer is right",
	known: "the answer is right",
	"invalid-call": "a matter of form",
	"broken-off": "an error or the budget ended it: no failure of the agent's",
} as const satisfies Partial<Record<FindingKind, string>>;

/**
 * MC-Search's eight error types and VistaHop's five, as data: a finding shows at most one type of each list, and one that
 * shows none says why.
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
			"spurious-step": ["spurious-step", "repeated-query", "endless-repetition", "over-extension"],
			"order-dependency": ["out-of-order", "order"],
			"multi-hop-failure": ["composition"],
			"evidence-misinterpretation": ["misread"],
		},
		none: {
			...toolOrForm,
			"ended-without-answer": "no type is about giving no answer; what went wrong before it has types of its own",
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
				...(["over-extension", "repeated-query", "endless-repetition", "ended-without-answer"] as const),
			],
			"fusion-calculation": ["misread", "composition"],
			"normalisation-boundary": [],
		},
		none: toolOrForm,
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
	if (gives === "all") {
		const found = new Set(diagnosis.findings.map(({ is }) => typeOf(types, is)));
		return Object.keys(types).filter((type) => found.has(type));
	}
	if (diagnosis.right !== false) return [];
	const rules = {
		"judged-right": () => judgedRight === true,
		"anchor-broken": () => isAnchorBroken(diagnosis, task),
	};
	const told = Object.entries(beyond).find(([, rule]) => rules[rule]());
	const type = told?.[0] ?? (diagnosis.primary === null ? undefined : typeOf(types, diagnosis.primary));
	return type === undefined ? [] : [type];
}

/** Types whose findings say how evidence was read, or that all of it was: what one agent shows of that and another does not. */
export function restsOnReading(view: ErrorViewName, type: string): boolean {
	const { types, beyond = {} }: ErrorView = errorViews[view];
	const kinds: readonly FindingKind[] = ["misread", "unsupported", "composition"];
	return beyond[type] === "anchor-broken" || (types[type]?.some((kind) => kinds.includes(kind)) ?? false);
}

type Asked = Parameters<typeof errorTypesOf>[1] & { type: string };

/**
 * Whether a diagnosis shows a type; null where nothing shows it and nothing rules it out (hops that were not observed or
 * not judged, findings that were not looked for), or, of types beyond findings, no judge graded the answer or no hop was
 * judged.
 */
export function showsErrorType(diagnosis: Diagnosis, options: Asked): boolean | null {
	const sight = sightOfType(diagnosis, options);
	return sight === null || sight === "hidden" ? null : sight !== "absent";
}

/** What is seen of a type; null where none of what shows it was looked for. */
export function sightOfType(diagnosis: Diagnosis, asked: Asked): Sight | null {
	return errorViews[asked.view].gives === "all" ? sightAmongAll(diagnosis, asked) : sightOfFirst(diagnosis, asked);
}

/** Kinds that were not looked for. Without a stated plan there is no bad one. */
const notLooked = ({ notJudged }: Diagnosis): Set<FindingKind> =>
	new Set(notJudged.flatMap(({ what }) => what).filter((kind) => kind !== "bad-plan"));

function sightAmongAll(diagnosis: Diagnosis, { type, ...options }: Asked): Sight | null {
	const { task, view } = options;
	if (errorTypesOf(diagnosis, options).includes(type)) return "shown";
	const { types }: ErrorView = errorViews[view];
	const kinds = types[type] ?? [];
	const unseen = notLooked(diagnosis);
	if (kinds.every((kind) => unseen.has(kind))) return null;
	const hidden = new Set<FindingKind>([...unseen, ...diagnosis.hops.flatMap((hop) => hiddenAt(hop, task))]);
	if (diagnosis.right === false && possibleCauses(diagnosis, task).hidden.has("composition")) hidden.add("composition");
	if (diagnosis.hops.some(({ is }) => is === "not-judged")) for (const kind of brokenOrder) hidden.add(kind);
	return kinds.some((kind) => hidden.has(kind)) ? "hidden" : "absent";
}

/** Of dominant failures the named one is certain only where nothing that was not seen could have come before it. */
function sightOfFirst(diagnosis: Diagnosis, { type, ...options }: Asked): Sight | null {
	const { task, view, judgedRight } = options;
	const { types, beyond = {} }: ErrorView = errorViews[view];
	if (diagnosis.right === undefined) return null;
	if (diagnosis.right) return "absent";
	const [named] = errorTypesOf(diagnosis, options);
	const isTold = named !== undefined && Object.hasOwn(beyond, named);
	if (type === named && isTold) return "shown";
	if (beyond[type] === "judged-right") return judgedRight === undefined ? null : "absent";
	if (isTold || (diagnosis.primary !== null && isBeforeHops(diagnosis.primary)))
		return type === named ? "shown" : "absent";
	if (beyond[type] === "anchor-broken" && !diagnosis.hops.some(({ is }) => is === "judged")) return null;
	const unseen = notLooked(diagnosis);
	const isBlind = brokenOrder.some((kind) => unseen.has(kind)) || diagnosis.hops.some(({ is }) => is === "not-judged");
	const kinds = types[type] ?? [];
	if (type !== named && kinds.length > 0 && kinds.every((kind) => unseen.has(kind))) return null;
	const { hidden } = possibleCauses(diagnosis, task);
	const possible = new Set([...hidden].flatMap((kind) => typeOf(types, kind) ?? []));
	const anchor = Object.keys(beyond).find((one) => beyond[one] === "anchor-broken");
	if (anchor !== undefined && isAnchorHidden(diagnosis, task)) possible.add(anchor);
	const isAlone = !isBlind && [...possible].every((one) => one === named);
	if (type === named) return isAlone ? "shown" : "named";
	const mayBe = possible.has(type) || (isBlind && kinds.some((kind) => unseen.has(kind)));
	return mayBe ? "hidden" : "absent";
}

const typeOf = (types: ErrorView["types"], kind: FindingKind) =>
	Object.keys(types).find((type) => types[type]?.includes(kind));

/**
 * The share of records that show one of some types, all taken together; of a list of dominant failures, of the answers
 * that are not right. Records in which none of the types was looked for are left out.
 */
export function errorTypeShare(
	records: readonly { task: Task; diagnosis: Diagnosis }[],
	{
		judgedRight,
		...asked
	}: {
		view: ErrorViewName;
		types: readonly string[];
		/** What judges say of a record's answer (`judgedRightIn`). */
		judgedRight: JudgedRight;
	},
): BoundedShare {
	return errorTypeShareIn(alikeRecords(records, judgedRight), asked);
}

const strongest: readonly (Sight | null)[] = ["shown", "named", "hidden"];

/** The same of records that are counted by kind. */
export function errorTypeShareIn(
	{ kinds, counts }: AlikeRecords,
	{ view, types }: { view: ErrorViewName; types: readonly string[] },
): BoundedShare {
	const { gives } = errorViews[view];
	const seen = kinds.map(({ task, diagnosis, judgedRight }): Sight[] => {
		if (!diagnosis || (gives === "first" && diagnosis.right !== false)) return [];
		const sights = types.map((type) => sightOfType(diagnosis, { view, type, task, judgedRight }));
		if (sights.every((sight) => sight === null)) return [];
		return [strongest.find((one) => sights.includes(one)) ?? (sights.includes(null) ? "hidden" : "absent")];
	});
	return boundedShareIn(counts, seen);
}

function isAnchorBroken(diagnosis: Diagnosis, task: Task): boolean {
	return anchorsOf(diagnosis, task, diagnosis.firstBroken).some((hop) => brokenOf(hop) !== undefined);
}

/** Whether a hop that would be the anchor was not observed. */
function isAnchorHidden(diagnosis: Diagnosis, task: Task): boolean {
	const open = new Set(diagnosis.unobserved);
	const first = diagnosis.hops.find(({ hop }) => open.has(hop))?.hop ?? null;
	return anchorsOf(diagnosis, task, first).some((hop) => hiddenAt(hop, task).length > 0);
}

/** Hops that have to look at the question's image, and the first image hop where it is the one that broke first. */
function anchorsOf({ hops }: Diagnosis, task: Task, brokenFirst: string | null): Diagnosis["hops"] {
	const anchors = identifyingHops(task);
	const modality = new Map((task.chain?.hops ?? []).map((hop) => [hop.id, hop.modality]));
	const firstImage = hops.find(({ hop }) => modality.get(hop) === "image")?.hop;
	return hops.filter(({ hop }) => anchors.has(hop) || (hop === firstImage && hop === brokenFirst));
}
