import type { FindingKind, HopVerdict } from "#domain";
import { endingNames, findingWords, stopWords, verdictMarks, verdictWords } from "#reports";
import type { Legend, Mark } from "./pages.ts";

const verdict = (kind: HopVerdict): Mark => ({ ...verdictWords[kind], ...verdictMarks[kind] });

/** Findings that say nothing against the agent. */
const neutral: ReadonlySet<string> = new Set(["known", "unobserved", "broken-off", "lucky", "tool-failed"]);

/** Marks of findings that are no verdict on a hop: characters that the fonts of every system have. */
const findingMarks: Partial<Record<FindingKind, string>> = {
	"premature-stop": "◂",
	"bad-plan": "≡",
	order: "↕",
	"format-failure": "#",
	"ended-without-answer": "∅",
	"endless-repetition": "↻",
	composition: "Σ",
	"over-extension": "→",
	"spurious-step": "·",
	"repeated-query": "↻",
	lucky: "♣",
	"unsupported-answer": "?",
	unsearched: "∅",
	known: "≈",
	"invalid-call": "⚠",
	"broken-off": "¦",
};

function finding(kind: FindingKind): Mark {
	if (kind in verdictMarks) return verdict(kind as HopVerdict);
	const { name, meaning } = findingWords[kind];
	const tone = neutral.has(kind) ? "dim" : "bad";
	return { mark: findingMarks[kind] ?? "•", name, plainly: name, meaning, tone };
}

const outcomeMarks: Record<keyof typeof endingNames, Pick<Mark, "mark" | "meaning" | "tone">> = {
	right: { mark: "✓", tone: "ok", meaning: "The answer is right." },
	"partly-right": { mark: "◐", tone: "dim", meaning: "Part of the answer is right." },
	wrong: { mark: "✕", tone: "bad", meaning: "The answer is wrong." },
	abstained: { mark: "–", tone: "dim", meaning: "It declined to answer." },
	"context-limit": { mark: "▣", tone: "bad", meaning: "The conversation no longer fitted the model's context." },
	budget: { mark: "◷", tone: "dim", meaning: "The run's budget was used up." },
	error: { mark: "⚠", tone: "dim", meaning: "An error ended it; it is not scored." },
	ungraded: { mark: "○", tone: "dim", meaning: "Nobody has said what the right answer is, so it is not scored." },
	"unparsed-judge": { mark: "◌", tone: "dim", meaning: "What the judge said could not be read." },
	missing: { mark: "◌", tone: "dim", meaning: "There is no answer yet." },
};

/** The words and marks of all that pages name by a key: the diagnosis' and the reports' own. */
export function legend(): Legend {
	const verdicts = Object.keys(verdictMarks) as HopVerdict[];
	const notJudged = {
		mark: "–",
		name: "not judged",
		plainly: "not judged",
		meaning: "Nothing can be said of it.",
		tone: "dim" as const,
	};
	return {
		verdicts: { ...Object.fromEntries(verdicts.map((kind) => [kind, verdict(kind)])), "not-judged": notJudged },
		findings: Object.fromEntries((Object.keys(findingWords) as FindingKind[]).map((kind) => [kind, finding(kind)])),
		outcomes: Object.fromEntries(
			Object.entries(outcomeMarks).map(([kind, mark]) => {
				const name = endingNames[kind as keyof typeof endingNames];
				return [kind, { ...mark, name, plainly: name }];
			}),
		),
		stops: stopWords,
	};
}
