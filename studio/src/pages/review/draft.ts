/** What a reviewer has put together on an item and not yet decided: kept in the browser, so that nothing is lost on a reload. */
import type {
	PointedBox,
	ReviewAsk,
	ReviewEntry,
	ReviewSaid,
	ReviewSeat,
} from "../../../../src/studio/review-pages.ts";

export type HopSaid = "right" | "wrong" | "unsure";
export type Decision = Extract<ReviewSaid, { is: "decision" }>["decision"];

export interface Draft {
	hops: Record<string, HopSaid>;
	reasons: string[];
	/** The wording and the accepted answers, one a line, while they are edited; null: as they are. */
	question: string | null;
	accepted: string | null;
	comment: string;
	boxes: PointedBox[];
	/** By what is asked, the options chosen. */
	given: Record<string, string[]>;
}

export const blankDraft: Draft = {
	...{ hops: {}, reasons: [], question: null, accepted: null, comment: "", boxes: [], given: {} },
};

/** A decision that was made, taken up again. */
export function draftOf(said: ReviewSaid | null): Draft {
	if (!said) return blankDraft;
	if (said.is === "options")
		return { ...blankDraft, given: Object.fromEntries(said.given.map(({ ask, values }) => [ask, values])) };
	const { reasons, comment, boxes, hops, question, accepted } = said;
	return {
		...{ reasons, comment, boxes, given: {}, question: question ?? null, accepted: accepted?.join("\n") ?? null },
		hops: Object.fromEntries(hops.map(({ hop, right }) => [hop, right ? "right" : "wrong"])),
	};
}

export function decisionOf(draft: Draft, decision: Decision, entry: ReviewEntry): ReviewSaid {
	const { hops, reasons, comment, boxes } = draft;
	const question = draft.question?.trim();
	const accepted = linesOf(draft.accepted ?? "");
	const changed = question !== undefined && question !== "" && question !== entry.question;
	const before = [entry.answer ?? "", ...entry.alsoRight].join("\n");
	return {
		...{ is: "decision", decision, reasons, comment, boxes },
		hops: Object.entries(hops).flatMap(([hop, said]) => (said === "unsure" ? [] : [{ hop, right: said === "right" }])),
		...(decision === "edit" && changed ? { question } : {}),
		...(decision === "edit" && accepted.length > 0 && accepted.join("\n") !== before ? { accepted } : {}),
	};
}

/** Whether an edit says anything new. */
export function editsAnything(draft: Draft, entry: ReviewEntry): boolean {
	const said = decisionOf(draft, "edit", entry);
	return said.is === "decision" && (said.question !== undefined || said.accepted !== undefined);
}

export const optionsOf = ({ given }: Draft, asks: readonly ReviewAsk[]): ReviewSaid => ({
	is: "options",
	given: asks.flatMap(({ name }) => (given[name] ? [{ ask: name, values: given[name] }] : [])),
});

const linesOf = (text: string) => text.split("\n").flatMap((line) => line.trim() || []);

const keyOf = ({ kind, of, reviewer, round }: ReviewSeat, item: string) =>
	`hopscope review ${JSON.stringify([kind, of, reviewer, round, item])}`;

/** A browser may refuse to keep anything: the draft then lives as long as the page. */
export function keptDraft(seat: ReviewSeat, item: string): Draft | undefined {
	try {
		const text = localStorage.getItem(keyOf(seat, item));
		return text === null ? undefined : { ...blankDraft, ...(JSON.parse(text) as Partial<Draft>) };
	} catch {
		return undefined;
	}
}

export function keepDraft(seat: ReviewSeat, item: string, draft: Draft | undefined): void {
	try {
		if (draft) localStorage.setItem(keyOf(seat, item), JSON.stringify(draft));
		else localStorage.removeItem(keyOf(seat, item));
	} catch {
		// nothing that could be done about it here
	}
}
