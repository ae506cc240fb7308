import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ReviewSeat } from "../../../../src/studio/review-pages.ts";
import { useReviewEntry, useReviewQueue } from "../../data/reviews.ts";
import { Bar } from "../../parts/bar.tsx";
import { showCount } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import { AllDone } from "./all-done.tsx";
import { ReviewItem } from "./review-item.tsx";
import { helpOf } from "./review-keys.ts";
import { QueueLink } from "./review-links.tsx";
import styles from "./review-seat-page.module.css";

/** One person's queue: one item at a time, those decided marked as done and those skipped not. */
export function ReviewSeatPage({ seat, item }: { seat: ReviewSeat; item: string | undefined }) {
	const navigate = useNavigate();
	const queue = useReviewQueue(seat);
	const items = queue.data?.items ?? [];
	const [help, setHelp] = useState(false);
	const named = items.findIndex(({ id }) => id === item);
	const at = named >= 0 ? named : items.findIndex(({ done }) => !done);
	const current = items[at]?.id;
	const done = items.filter((one) => one.done).length;
	const ahead = nextOpen(items, at);
	const entry = useReviewEntry(seat, current, ahead === undefined ? undefined : items[ahead]?.id);

	/** The items that were decided one after the other: the way back. */
	const trail = useRef<string[]>([]);
	const show = useCallback(
		(id: string | undefined) => {
			const { kind, of, reviewer, round } = seat;
			const search = { reviewer, ...(round === 1 ? {} : { round }), ...(id === undefined ? {} : { item: id }) };
			if (kind === "items") void navigate({ to: "/review/$of", params: { of }, search, replace: true });
			else void navigate({ to: "/review/$kind/$of", params: { kind, of }, search, replace: true });
			window.scrollTo(0, 0);
		},
		[seat, navigate],
	);
	// a decision must not turn the page: what is shown stands in the address
	useEffect(() => {
		if (item === undefined && current !== undefined) show(current);
	}, [item, current, show]);
	const step = (by: number) => items[at + by] && show(items[at + by]?.id);
	function onward() {
		if (current !== undefined && items[at]?.done) trail.current.push(current);
		show(ahead === undefined ? undefined : items[ahead]?.id);
	}
	function onBack() {
		const before = trail.current.pop() ?? items.slice(0, Math.max(0, at)).findLast((one) => one.done)?.id;
		if (before !== undefined) show(before);
	}

	return (
		<div className={styles.page}>
			<Bar
				path={[
					<Link key="reviews" to="/review">
						Reviews
					</Link>,
					<span key="queue" className={styles.queue}>
						/{" "}
						<QueueLink queue={seat}>
							<bdi>{queue.data?.title ?? seat.of}</bdi>
						</QueueLink>{" "}
						/
					</span>,
				]}
				title={seat.reviewer}
				tags={[
					...(seat.round === "adjudication" ? ["adjudication"] : seat.round === 1 ? [] : [`round ${seat.round}`]),
					...(at < 0 ? [] : [`item ${at + 1}`]),
				]}
				onHelp={() => setHelp(true)}
			>
				{queue.data && (
					<p className={styles.count} aria-live="polite">
						<progress value={done} max={Math.max(1, items.length)} aria-label="decided" />
						<b>{showCount(done)}</b> of {showCount(items.length)} <span className={styles.word}>decided</span>
					</p>
				)}
				<button type="button" className={styles.step} onClick={() => step(-1)} disabled={at <= 0}>
					<span aria-hidden="true">‹</span> <span className={styles.word}>Previous</span> <KeyCap>k</KeyCap>
				</button>
				<button
					type="button"
					className={styles.step}
					onClick={() => step(1)}
					disabled={at < 0 || at >= items.length - 1}
				>
					<KeyCap>j</KeyCap> <span className={styles.word}>Next</span> <span aria-hidden="true">›</span>
				</button>
			</Bar>
			{queue.isError ? (
				<main>
					<Trouble what="The queue could not be opened" error={queue.error} onRetry={() => void queue.refetch()} />
				</main>
			) : queue.data && current === undefined ? (
				<AllDone seat={seat} items={items.length} />
			) : entry.isError ? (
				<main>
					<Trouble what="The item could not be fetched" error={entry.error} onRetry={() => void entry.refetch()} />
				</main>
			) : entry.data && queue.data ? (
				<ReviewItem
					key={entry.data.id}
					seat={seat}
					entry={entry.data}
					reasons={queue.data.reasons}
					onStep={step}
					onward={onward}
					onBack={onBack}
					onHelp={() => setHelp(true)}
				/>
			) : (
				<main className={styles.waiting}>
					<p role="status">Fetching the item …</p>
				</main>
			)}
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={helpOf(seat.kind)}>
				<p className={styles.note}>
					A vote is blind: what models and other reviewers said of an item is shown once you have decided on it.
					Whatever you put together stays in this browser until then; a decision is on disk at once. What you skip stays
					open.
				</p>
			</HelpDialog>
		</div>
	);
}

/** The next item that is not decided, from the beginning again after the end. */
function nextOpen(items: readonly { done: boolean }[], at: number): number | undefined {
	for (let step = 1; step < items.length; step += 1) {
		const place = (at + step) % items.length;
		if (!items[place]?.done) return place;
	}
	return undefined;
}
