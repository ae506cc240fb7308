import type { GoldFreeFlag, PseudoHop } from "#domain";

/** Below this, what came back holds too little of what the query asks for. */
export const leastRelevance = 0.5;

/** The flags of a pseudo-hop, by what was read of it. */
export function hopFlags(
	{ relevance, results, use, brings, repeated, errors, steps }: Omit<PseudoHop, "flags">,
	{ isAimless }: { isAimless: boolean },
): GoldFreeFlag[] {
	const holds: Record<Exclude<GoldFreeFlag, JudgedFlag>, boolean> = {
		"low-relevance": relevance.is === "measured" && relevance.value < leastRelevance,
		"nothing-came-back": results === 0 && errors.length < steps.length,
		"unused-results": use.is === "unused",
		"unsupported-by-results": isUnsupported(brings),
		"repeated-search": repeated.length > 0,
		"aimless-search": isAimless,
		"tool-error": errors.length > 0,
	};
	return (Object.keys(holds) as (keyof typeof holds)[]).filter((flag) => holds[flag]);
}

export type JudgedFlag = "not-answered" | "does-not-follow";

/** The flags that what a judge said raises. */
export const judgedFlags = ({ answers, follows }: Pick<Judged, "answers" | "follows">): JudgedFlag[] => [
	...(answers === false ? ["not-answered" as const] : []),
	...(follows === false ? ["does-not-follow" as const] : []),
];
type Judged = NonNullable<PseudoHop["judged"]>;

/** Why a flag could not be told of a pseudo-hop; undefined where it could, and null where it was not asked. */
export function untold(hop: PseudoHop, flag: GoldFreeFlag): string | null | undefined {
	const { relevance, use, judged, brings, flags } = hop;
	if (flags.includes(flag)) return undefined;
	switch (flag) {
		case "low-relevance":
			return relevance.is === "unobserved" ? relevance.reason : undefined;
		case "unused-results":
			return use.is === "unobserved" ? use.reason : undefined;
		case "unsupported-by-results":
			return untoldNames(brings);
		case "not-answered":
			return judged ? (judged.answers === null ? judgeCannotTell : undefined) : null;
		case "does-not-follow":
			return judged
				? judged.follows === null
					? judged.carried === null
						? "nothing shows what was carried on"
						: judgeCannotTell
					: undefined
				: null;
		default:
			return undefined;
	}
}

const judgeCannotTell = "the judge cannot tell";

/** Why it could not be told whether names stand in results. */
export const untoldNames = ({ unread, entities }: PseudoHop["brings"]): string | undefined => {
	if (entities.some(({ first }) => first.is === "unsupported")) return undefined;
	return unread ?? entities.flatMap(({ first }) => (first.is === "unobserved" ? [first.reason] : []))[0];
};

/** The flags of the final answer. */
export const answerFlags = (brings: PseudoHop["brings"]): GoldFreeFlag[] =>
	isUnsupported(brings) ? ["unsupported-by-results"] : [];

const isUnsupported = ({ entities }: PseudoHop["brings"]): boolean =>
	entities.some(({ first }) => first.is === "unsupported");
