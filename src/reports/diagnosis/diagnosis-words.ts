/** What verdicts, findings and causes are called, and what each of them says. */
import type { BudgetPart, DiagnosisSummary, FailurePart, Share } from "#diagnosis";
import type { FindingKind, HopDiagnosis, HopVerdict, MissCause, SeenBy } from "#domain";
import { showInSentence, showShare } from "../number-format.ts";
import { plural } from "../wording.ts";

interface Worded {
	/** As a column or tag has it. */
	name: string;
	/** What it says, in a sentence. */
	meaning: string;
}

/** Words by their meanings; a name is the key's own words where `names` has no other. */
function worded<Kind extends string>(meanings: Record<Kind, string>, names: Partial<Record<Kind, string>> = {}) {
	const entries = Object.entries<string>(meanings).map(([kind, meaning]): [string, Worded] => [
		kind,
		{ name: names[kind as Kind] ?? kind.replaceAll("-", " "), meaning },
	]);
	return Object.fromEntries(entries) as Record<Kind, Worded>;
}

export const verdictWords: Record<HopVerdict, Worded> = worded(
	{
		solved: "What states it came back, and its right value was seen afterwards.",
		"skipped-known": "Its evidence did not come back, but its right answer is used later: known, not found.",
		unobserved:
			"Nothing that the agent wrote shows whether its evidence, which came back, was read rightly, or what it was asked with.",
		"tool-failed": "Its searches ended in errors of the tool, which says nothing of the agent nor of the retriever.",
		"not-planned": "No step looked for it.",
		"wrong-modality": "The steps that aimed at it searched another kind of source, such as texts for an image.",
		"out-of-order": "It was tried only before a hop that it needs was solved.",
		"retrieval-miss": "A step aimed at it, and its evidence did not come back.",
		unsupported: "A value is used for it that is neither right nor in any evidence that came back.",
		misread: "Its evidence came back, and another value was taken from it.",
	},
	{ "skipped-known": "known, not searched", unobserved: "not observed" },
);

export const findingWords: Record<FindingKind, Worded> = {
	...verdictWords,
	...worded(
		{
			"premature-stop": "It stopped of its own accord with the end of the chain not planned.",
			"bad-plan": "The stated plan leaves gold hops out, or was neither followed nor revised.",
			order: "A hop was solved before one that it needs.",
			"format-failure": "Too few of its actions could be read, so nothing is said of what it planned.",
			"ended-without-answer": "It declined, or a limit ended it first.",
			"endless-repetition": "It repeated the same searches until a limit ended it.",
			composition: "Every hop with evidence was seen to be solved, and the final answer is wrong.",
			unobserved:
				"The final answer is wrong, no hop is seen to be broken, and of some nothing shows how they were read.",
			"over-extension": "It searched on after every hop was solved.",
			"spurious-step": "A search that no hop asks for.",
			"repeated-query": "The same search as an earlier one.",
			lucky: "The answer is right, the chain is broken.",
			"unsupported-answer": "The final answer stands in no evidence that came back.",
			unsearched: "It answered wrongly without any search.",
			known: "It answered rightly without any search: known, not found.",
			"invalid-call": "A call that could not be carried out as written.",
			"broken-off": "An error or the run's budget ended it: what is missing says nothing of the agent.",
		},
		{ unobserved: "not observed", "over-extension": "over-extension" },
	),
};

type JudgedHop = Extract<HopDiagnosis, { is: "judged" }>;

const seenWords: Record<SeenBy, { of: string; alone: string }> = {
	"sub-answer": { of: "seen by the sub-answer of", alone: "seen by its sub-answer" },
	query: { of: "seen by the query of", alone: "seen by a later query" },
	thought: { of: "seen by what it wrote before", alone: "seen by what it wrote between its steps" },
	answer: { of: "seen by the final answer after", alone: "seen by the final answer" },
	implied: { of: "implied by", alone: "implied: what rests on it came out right" },
	settled: { of: "settled by re-runs from", alone: "settled by re-runs with the hops before it given" },
	judge: { of: "seen by a judge, in words of", alone: "seen by a judge, in words that it quotes" },
};

/** By what a hop's reading was seen: "seen by the query of step 3"; empty where its verdict does not rest on reading. */
export function seenText({ seen, verdict }: Pick<JudgedHop, "seen" | "verdict">): string {
	if (!seen || verdict === "unobserved") return "";
	const { of, alone } = seenWords[seen.by];
	return seen.step === undefined || seen.by === "implied" || seen.by === "answer"
		? alone
		: `${of} step ${seen.step + 1}`;
}

/** What one would name first, with the hops that may have broken before: "misread at hop 3 or, not observed, hop 1". */
export function orBefore(places: readonly number[]): string {
	if (places.length === 0) return "";
	const last = places.at(-1);
	const names = places.length === 1 ? `hop ${last}` : `hops ${places.slice(0, -1).join(", ")} or ${last}`;
	return `or before, at ${names}, where nothing shows how it was read`;
}

/** The parts that failures are put down to by the record alone. */
export const partWords: Record<FailurePart, Worded> = worded(
	{
		planning: "Not planned, out of order, stopped early, or searched in a circle.",
		retrieval: "Searched, and the evidence did not come back.",
		reading: "The evidence came back, and another value was taken or made up.",
		composition: "Every hop was seen to be solved, and the answer is wrong.",
		tool: "A search ended in an error of the tool.",
		format: "No answer was given, or too little could be read.",
		unnamed: "No finding names what went wrong.",
	},
	{ format: "no answer or form", unnamed: "nothing found" },
);

/** The parts that a failure is given to by what recovers it. */
export const budgetWords: Record<BudgetPart, Worded> = worded(
	{
		planning: "Right once the gold sub-questions are asked, one at a time.",
		retrieval: "Right once the gold evidence comes first in what a search brings.",
		reading: "Right once what the gold evidence answers is stated with it.",
		combined: "Right only once all hops are given as solved.",
		composition: "Wrong even with all hops given as solved.",
	},
	{ combined: "more than one part", composition: "composition, not recovered" },
);

/** "reading seen at 61 % of hops (42 of 69)": how much of what was read an agent shows. */
export const coverageText = ({ count, of }: Share): string =>
	of === 0
		? "no hop's evidence came back, so nothing could be read"
		: `reading seen at ${showShare(count, of)} % of hops (${count} of ${of} whose evidence came back)`;

/** What the ends of a share are. */
export const boundsNote =
	"The low end counts what is certain, the high end adds what nothing rules out; both then leave room for the luck of the sample (95 %).";

/** Why runs are not ranked by how they read; `names` as they are called beside. */
export const notRankedText = (coverages: readonly { name: string; seen: Share }[]): string =>
	`Not ranked on reading: it was seen at ${coverages
		.map(({ name, seen }) => `${seen.of === 0 ? "none" : `${showShare(seen.count, seen.of)} %`} of the hops of ${name}`)
		.join(", at ")}; what one shows and another does not is no difference between them.`;

export const failuresNote = ({ withoutChain, notJudged }: { withoutChain: number; notJudged: number }): string[] => [
	...(withoutChain > 0 ? [`${plural(withoutChain, "wrong answer")} to tasks without a gold chain in no share.`] : []),
	...(notJudged > 0 ? [`${plural(notJudged, "wrong answer")} of which no step is known in no share.`] : []),
];

export const primaryName = (primary: FindingKind | "nothing" | null): string =>
	primary === null || primary === "nothing" ? "nothing found" : findingWords[primary].name;

export const causeWords: Record<MissCause["is"], Worded> = worded(
	{
		"not-in-knowledge-base": "None of its acceptable evidence is in the knowledge base.",
		"tool-or-k": "The agent's own query finds the evidence now: the tool failed then, or showed fewer results.",
		"bad-query":
			"The gold sub-question finds the evidence among as many results as the agent was shown, its own does not.",
		"weak-retriever": "Not even the gold sub-question finds it among as many results as the agent was shown.",
	},
	{ "not-in-knowledge-base": "not in the knowledge base" },
);

/** A cause in words that complete "its evidence did not come back: …". */
export function causeText(miss: MissCause): string {
	switch (miss.is) {
		case "not-in-knowledge-base":
			return "it is not in the knowledge base";
		case "tool-or-k":
			return `its own query finds it now, at rank ${miss.rank}`;
		case "bad-query":
			return `the query was bad, since the gold sub-question finds it at rank ${miss.rank}`;
		case "weak-retriever":
			return miss.rank === null
				? "the retriever is weak, since the gold sub-question does not find it among 100 results"
				: `the retriever is weak, since the gold sub-question finds it only at rank ${miss.rank}`;
	}
}

/** Published error types whose names are more than their keys' words. */
const typeNames: Record<string, string> = {
	"hallucinated-entity": "hallucinated entity or attribute",
	"order-dependency": "order or dependency",
	"multi-hop-failure": "multi-hop failure",
	"visual-anchor": "wrong or missing visual anchor",
	"retrieval-drift": "retrieval drift or unsupported evidence",
	"planning-collapse": "long-chain planning collapse",
	"fusion-calculation": "fusion or calculation",
	"normalisation-boundary": "answer normalisation or judge boundary",
};

/** A published error type as its list calls it. */
export const typeName = (type: string): string =>
	(Object.hasOwn(typeNames, type) ? typeNames[type] : undefined) ?? type.replaceAll("-", " ");

/** The hop at which most chains break first, in a line, with the hops that lie within its interval. */
export function headline({
	firstBroken,
	unbroken,
	withChain,
	recorded,
}: Pick<DiagnosisSummary, "firstBroken" | "unbroken" | "withChain" | "recorded">): string {
	if (recorded === 0) return "The run has no record yet.";
	if (withChain === 0) return "No task has a gold chain, so no hop can be called solved or broken.";
	const [most, ...others] = [...firstBroken].sort((a, b) => b.share.count - a.share.count);
	if (!most || most.share.count === 0)
		return unbroken.of === 0 ? "No hop could be judged." : `No chain of ${unbroken.of} is seen to be broken.`;
	const [verdict] = Object.entries(most.verdicts).sort(([, a], [, b]) => b - a)[0] ?? [];
	const why =
		verdict === undefined ? "" : `, most often with the verdict “${verdictWords[verdict as HopVerdict].name}”`;
	const alike = others.filter(({ share }) => share.count > 0 && (share.value ?? 0) >= (most.share.low ?? 1));
	const beside =
		alike.length === 0
			? ""
			: `; no significant difference from it: ${alike.map(({ place, share }) => `hop ${place} (${share.count})`).join(", ")}`;
	return `Chains are first seen to break at hop ${most.place}: ${most.share.count} of ${most.share.of}, ${showInSentence(most.share, "percent")}${why}${beside}; ${unbroken.count} have no hop that is seen to be broken.`;
}

/** How a verdict is drawn and said where there is room for a mark or a headline. */
export interface VerdictMark {
	/** One character, which needs no colour. */
	mark: string;
	/** The verdict in words that need no explanation: "Breaks at hop 3: evidence not found". */
	plainly: string;
	tone: "ok" | "bad" | "dim";
}

/** The marks of verdicts: one table for every page. */
export const verdictMarks: Record<HopVerdict, VerdictMark> = {
	solved: { mark: "✓", plainly: "solved", tone: "ok" },
	"skipped-known": { mark: "≈", plainly: "known without searching", tone: "ok" },
	unobserved: { mark: "◌", plainly: "not observed", tone: "dim" },
	"tool-failed": { mark: "⚠", plainly: "the tool failed", tone: "bad" },
	"not-planned": { mark: "∅", plainly: "never tried", tone: "bad" },
	"wrong-modality": { mark: "⇄", plainly: "searched the wrong kind of source", tone: "bad" },
	"out-of-order": { mark: "↕", plainly: "tried too early", tone: "bad" },
	"retrieval-miss": { mark: "✕", plainly: "evidence not found", tone: "bad" },
	unsupported: { mark: "?", plainly: "value made up", tone: "bad" },
	misread: { mark: "≠", plainly: "evidence misread", tone: "bad" },
};
