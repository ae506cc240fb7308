import { brokenOrder, type Diagnosis, type FindingKind } from "#domain";

/** Findings that need a gold chain. */
const ofChains = [
	...brokenOrder,
	...(["premature-stop", "order", "composition", "over-extension", "spurious-step", "lucky"] as const),
] satisfies FindingKind[];
/** Findings that rest on whether the answer is right. */
const ofAnswers = ["composition", "lucky"] as const;
/** Findings that rest on steps. */
const ofSteps = [...ofChains, "repeated-query", "unsearched", "invalid-call", "unsupported-answer"] as const;

export interface Limits {
	chain: boolean;
	answerOnly: boolean;
	/** Why its hops cannot be held against what was searched: their evidence is not attached yet. */
	waits: string | undefined;
	searchOnly: boolean;
	broken: string | undefined;
	right: boolean | undefined;
	/** Texts of what came back can be looked up. */
	texts: boolean;
	plan: boolean;
	/** Why some values could not be found nor missed in what came back. */
	unclear: readonly { what: "unsupported" | "unsupported-answer"; reason: string }[];
	cut: boolean;
}

/** What cannot be said of a record, and why. */
export function notJudged(limits: Limits): Diagnosis["notJudged"] {
	const found: Diagnosis["notJudged"] = [];
	const add = (what: readonly FindingKind[], reason: string) => void found.push({ what: [...new Set(what)], reason });
	if (limits.answerOnly) {
		add(ofSteps, "only the answer is known, not its steps");
		return found;
	}
	if (limits.cut) add(ofChains, "the chain or the trajectory is too long to be read whole");
	if (!limits.chain) add([...ofChains, "bad-plan"], "the task has no gold chain");
	else if (limits.waits !== undefined) add([...ofChains, "bad-plan"], limits.waits);
	else if (!limits.plan) add(["bad-plan"], "no plan is recorded");
	if (limits.searchOnly) add(["composition", "lucky", "unsupported-answer"], "the agent answers nothing by design");
	else if (limits.broken !== undefined)
		add(["composition", "lucky", "premature-stop", "unsearched", "unsupported-answer"], limits.broken);
	else if (limits.right === undefined) add(ofAnswers, "whether the answer is right is not known");
	if (!limits.texts) {
		add(["unsupported", "unsupported-answer"], "the texts of what came back are not at hand");
		return found;
	}
	for (const what of ["unsupported", "unsupported-answer"] as const)
		for (const reason of new Set(limits.unclear.filter((one) => one.what === what).map((one) => one.reason)))
			add([what], reason);
	return found;
}
