import type { EvidenceCard } from "../../../../src/studio/evidence-card.ts";
import type { PointedBox, ReviewEntry, ReviewOf, ReviewPart } from "../../../../src/studio/review-pages.ts";
import { useReviewData } from "../../data/reviews.ts";
import { showCount } from "../../parts/format.ts";
import { BoxedPicture } from "./boxed-picture.tsx";
import { boxesOf, withBox, withoutLast } from "./boxes.ts";
import styles from "./evidence-pane.module.css";
import { MarkedText } from "./marked-text.tsx";
import { partName } from "./part-list.tsx";

/** What a part rests on: its texts with the answer told apart, its pictures large enough to read. */
export function EvidencePane({
	queue,
	entry,
	part,
	boxes,
	onBoxes,
}: {
	queue: ReviewOf;
	entry: ReviewEntry;
	part: ReviewPart | undefined;
	boxes: readonly PointedBox[];
	onBoxes: ((boxes: PointedBox[]) => void) | undefined;
}) {
	const reviews = useReviewData();
	if (!part) return <section className={styles.pane} aria-label="Evidence" />;
	const { evidence, more, highlight, region } = part;
	// what a chain begins with is seen in a picture of the question: it stands beside what it should be
	const begins = entry.kind === "items" && part.needs.length === 0 && /image/i.test(part.modality);
	const looked = entry.images.filter((_, at) => (region ? at === region.image : begins));
	const drawing = (picture: NonNullable<EvidenceCard["picture"]>) => ({
		...{ src: reviews.media(queue, picture.name), picture, boxes: boxesOf(boxes, picture) },
		onBox:
			onBoxes && ((box: readonly [number, number, number, number]) => onBoxes(withBox(boxes, picture, box, part.id))),
		onRemove: onBoxes && (() => onBoxes(withoutLast(boxes, picture))),
	});
	const of = partName(entry.kind, part.id, part.place).toLowerCase();
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
		<section className={styles.pane} key={part.id} tabIndex={0} aria-label={`Evidence of ${of}`}>
			<h3 className={styles.title}>
				{entry.kind === "hops" ? "What came back in" : "Evidence of"} {of}
				<span> {evidence.length > 1 && entry.kind === "items" && "any of these"}</span>
			</h3>
			{looked.map((picture) => (
				<article key={picture.name} className={styles.card}>
					<BoxedPicture {...drawing(picture)} caption="In the question" region={region?.box} />
				</article>
			))}
			{evidence.map((card) => (
				<article key={card.id} className={styles.card} data-gold={entry.kind === "items" || undefined}>
					<header className={styles.head}>
						<b>
							<bdi>{card.title || card.id}</bdi>
						</b>
						{card.kind !== "unknown" && <span>{card.kind}</span>}
					</header>
					{card.picture && (
						<BoxedPicture {...drawing(card.picture)} places={(card.boxes ?? []).map(({ corners }) => corners)} />
					)}
					{card.kind === "unknown" ? (
						<i className={styles.dim}>The knowledge base does not hold it.</i>
					) : (
						card.text !== "" && <MarkedText text={card.text} marked={highlight} />
					)}
					<footer className={styles.foot}>
						<code title={card.id}>
							<bdi>{card.id}</bdi>
						</code>
						{card.length > card.text.length && card.text !== "" && (
							<span>
								{showCount(card.text.length)} of {showCount(card.length)} characters
							</span>
						)}
					</footer>
				</article>
			))}
			{more > 0 && (
				<p className={styles.dim}>
					and {showCount(more)} more{entry.kind === "items" ? " that would do as well" : ""}
				</p>
			)}
			{evidence.length === 0 && looked.length === 0 && (
				<p className={styles.dim}>
					{entry.kind === "items"
						? part.needs.length > 0
							? "It is worked out from the answers of the hops that it needs."
							: "No evidence is named for it."
						: "Nothing came back."}
				</p>
			)}
		</section>
	);
}
