import { useEffect, useRef, useState } from "react";
import type { ReviewEntry, ReviewSaid, ReviewSeat } from "../../../../src/studio/review-pages.ts";
import { useDecide } from "../../data/reviews.ts";
import { blankDraft, type Draft, draftOf, keepDraft, keptDraft } from "./draft.ts";

/**
 * The draft of an item and the way to decide on it. A draft is kept at every change; a decision clears it once it is on
 * disk, and comes back as a draft when it is taken back.
 */
export function useDecision(seat: ReviewSeat, entry: ReviewEntry) {
	const { put, undo } = useDecide(seat);
	const [draft, setDraft] = useState<Draft>(() => keptDraft(seat, entry.id) ?? draftOf(entry.mine));
	const time = useTime();
	// from the very key that sends it, where `busy` is told with the next drawing
	const underWay = useRef(false);
	const ended = () => {
		underWay.current = false;
	};
	const change = (part: Partial<Draft>) => {
		const next = { ...draft, ...part };
		setDraft(next);
		keepDraft(seat, entry.id, next);
	};
	return {
		draft,
		change,
		busy: put.isPending || undo.isPending,
		underWay,
		error: put.error ?? undo.error,
		decide(said: ReviewSaid): void {
			if (underWay.current) return;
			underWay.current = true;
			undo.reset();
			put.mutate(
				{ ...seat, item: entry.id, said, ms: time() },
				{ onSuccess: () => keepDraft(seat, entry.id, undefined), onSettled: ended },
			);
		},
		takeBack(): void {
			if (underWay.current) return;
			underWay.current = true;
			put.reset();
			const before = draftOf(entry.mine);
			undo.mutate(
				{ ...seat, item: entry.id },
				{
					onSuccess: ({ mine }) => {
						const next = mine ? draftOf(mine) : { ...blankDraft, ...before };
						setDraft(next);
						keepDraft(seat, entry.id, next);
					},
					onSettled: ended,
				},
			);
		},
	};
}

/** Milliseconds in which the page was in view. */
function useTime(): () => number {
	const clock = useRef({ seen: 0, since: performance.now() });
	useEffect(() => {
		const turn = () => {
			const now = performance.now();
			if (document.hidden) clock.current.seen += now - clock.current.since;
			clock.current.since = now;
		};
		document.addEventListener("visibilitychange", turn);
		return () => document.removeEventListener("visibilitychange", turn);
	}, []);
	return () => Math.min(86_400_000, clock.current.seen + performance.now() - clock.current.since);
}
