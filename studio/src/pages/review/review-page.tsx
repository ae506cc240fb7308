import { useParams, useSearch } from "@tanstack/react-router";
import type { ReviewKind, ReviewOf } from "../../../../src/studio/review-pages.ts";
import { ReviewSeatPage } from "./review-seat-page.tsx";
import { StandingPage } from "./standing-page.tsx";

const kinds: readonly string[] = ["items", "answers", "hops"] satisfies ReviewKind[];

/** A queue: as the person sees it whom the address names, else how far it is. */
export function ReviewPage() {
	const { of = "", kind = "items" } = useParams({ strict: false });
	const { reviewer, round = 1, item } = useSearch({ strict: false });
	const queue: ReviewOf = { kind: kinds.includes(kind) ? (kind as ReviewKind) : "items", of };
	if (reviewer === undefined) return <StandingPage queue={queue} />;
	const seat = { ...queue, reviewer, round };
	return <ReviewSeatPage key={JSON.stringify(seat)} seat={seat} item={item} />;
}
