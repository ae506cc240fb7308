import type { BrokenVerdict, Finding } from "#domain";
import type { SearchModality } from "#scoring";
import type { HopJudged } from "./hop-judged.ts";

/** Ids of one finding; more show nothing more. */
export const mostIds = 8;
const longest = 120;

/** Text as a finding quotes it: on one line, cut. */
export function quoted(text: string): string {
	const line = text.replace(/\s+/g, " ").trim();
	return `“${line.length > longest ? `${line.slice(0, longest - 1)}…` : line}”`;
}

/** "step 3", "steps 1 and 4": counted from 1, as people count. */
export function stepsInWords(indexes: readonly number[]): string {
	const numbers = indexes.slice(0, mostIds).map((index) => String(index + 1));
	if (indexes.length > mostIds) return `steps ${numbers.join(", ")} and ${indexes.length - mostIds} more`;
	const last = numbers.pop() ?? "";
	return numbers.length === 0 ? `step ${last}` : `steps ${numbers.join(", ")} and ${last}`;
}

type Broken = Extract<HopJudged, { is: "judged" }>;

/** The finding that a hop is broken: its steps, and the evidence that should have come or that was misread. */
export function brokenHopFinding(judged: Broken, verdict: BrokenVerdict, steps: number[]): Finding {
	const { reading } = judged;
	const { hop } = reading;
	const came = verdict === "misread" || verdict === "unsupported";
	const evidence = (came && reading.evidence.length > 0 ? reading.evidence : hop.evidence).slice(0, mostIds);
	return {
		is: verdict,
		hop: hop.id,
		steps,
		evidence,
		says: `Hop ${hop.id} (${quoted(hop.question)}): ${words(judged, verdict, steps)}`,
	};
}

function words({ reading, used, late, unread }: Broken, verdict: BrokenVerdict, steps: readonly number[]): string {
	const made = stepsInWords(steps);
	const aimed = steps.length === 1 ? "aims" : "aim";
	switch (verdict) {
		case "tool-failed":
			return `${made} ${aimed} at it and ended in an error of the tool.`;
		case "not-planned":
			return reading.evidence.length > 0
				? "no step aims at it, and what came back of it by the way was not used."
				: "no step aims at it.";
		case "wrong-modality": {
			const searched = new Set(reading.own.flatMap(({ modality }) => modality ?? []));
			return `${made} ${aimed} at it but searched ${sources(searched, "and")}, and its evidence is in ${sources(reading.modalities, "or")}.`;
		}
		case "out-of-order":
			return `${made} ${aimed} at it before hop ${late ?? ""}, which it needs, was solved.`;
		case "retrieval-miss":
			return reading.evidence.length > 0
				? `${made} ${aimed} at it and missed its evidence, which came back by the way and was not used.`
				: `${made} ${aimed} at it, and none of its evidence came back.`;
		case "unsupported":
			return `${quoted(used ?? "")} is used for it, which stands nowhere in what came back; right is ${quoted(reading.hop.answer.value)}.`;
		case "misread":
			return unread
				? `its evidence came back in ${made}, but no answer was read from it.`
				: `its evidence came back, but ${quoted(used ?? "")} was read; right is ${quoted(reading.hop.answer.value)}.`;
	}
}

const sourceNames: Record<SearchModality, string> = { text: "texts", image: "images", page: "pages" };

const sources = (modalities: Iterable<SearchModality>, last: "and" | "or"): string =>
	[...modalities].map((modality) => sourceNames[modality]).join(` ${last} `);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
