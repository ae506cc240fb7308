import type { GoldFreeFlag, PseudoHop } from "#domain";

/** Below this, what came back holds too little of what the query asks for. */
export const leastRelevance = 0.5;

/** The flags of a pseudo-hop, by what was read of it. */
export function hopFlags(
	{ relevance, results, use, brings, repeated, errors, steps }: Omit<PseudoHop, "flags">,
	{ isAimless }: { isAimless: boolean },
): GoldFreeFlag[] {
	const holds: Record<GoldFreeFlag, boolean> = {
		"low-relevance": relevance.is === "measured" && relevance.value < leastRelevance,
		"nothing-came-back": results === 0 && errors.length < steps.length,
		"unused-results": use.is === "unused",
		"unsupported-by-results": isUnsupported(brings),
		"repeated-search": repeated.length > 0,
		"aimless-search": isAimless,
		"tool-error": errors.length > 0,
	};
	return (Object.keys(holds) as GoldFreeFlag[]).filter((flag) => holds[flag]);
}

/** The flags of the final answer. */
export const answerFlags = (brings: PseudoHop["brings"]): GoldFreeFlag[] =>
	isUnsupported(brings) ? ["unsupported-by-results"] : [];

const isUnsupported = ({ entities }: PseudoHop["brings"]): boolean =>
	entities.some(({ first }) => first.is === "unsupported");
