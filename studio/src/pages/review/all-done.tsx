import type { ReviewSeat } from "../../../../src/studio/review-pages.ts";
import { plural } from "../../parts/format.ts";
import styles from "./all-done.module.css";
import { QueueLink } from "./review-links.tsx";

/** In place of an item where none is open. */
export const AllDone = ({ seat, items }: { seat: ReviewSeat; items: number }) => (
	<main className={styles.done}>
		<h2>{items === 0 ? "Nothing waits for you here" : `All ${plural(items, "item")} decided`}</h2>
		<p>
			{items === 0 && seat.round === "adjudication"
				? "No item is in conflict."
				: "Nothing is left open. You can still look at an item again, and decide anew."}
		</p>
		<QueueLink queue={seat}>See how far the review is, and where reviewers disagree</QueueLink>
	</main>
);
