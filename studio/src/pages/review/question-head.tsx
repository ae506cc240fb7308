import { useState } from "react";
import type { Media } from "../../../../src/studio/evidence-card.ts";
import type { PointedBox, ReviewEntry, ReviewOf } from "../../../../src/studio/review-pages.ts";
import { useReviewData } from "../../data/reviews.ts";
import { Clipped } from "../../parts/clipped.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { BoxedPicture } from "./boxed-picture.tsx";
import { boxesOf, withBox, withoutLast } from "./boxes.ts";
import styles from "./question-head.module.css";

/** What is asked, with its pictures, and what counts as right. */
export function QuestionHead({
	queue,
	entry,
	boxes,
	hop,
	onBoxes,
}: {
	queue: ReviewOf;
	entry: ReviewEntry;
	boxes: readonly PointedBox[];
	hop: string | undefined;
	onBoxes: ((boxes: PointedBox[]) => void) | undefined;
}) {
	const reviews = useReviewData();
	const [shown, setShown] = useState<Media | null>(null);
	const bare = entry.kind === "answers" && entry.parts.length === 0;
	const { question, images, answer, alsoRight, submitted } = entry;
	return (
		<section className={styles.head} aria-label="Question">
			{images.map((picture) => (
				<button
					key={picture.name}
					type="button"
					className={styles.thumb}
					data-opens-picture=""
					onClick={() => setShown(picture)}
					aria-label={`Show in full: ${picture.alt}`}
				>
					<img src={reviews.media(queue, picture.name, { small: true })} alt="" width={72} height={72} />
				</button>
			))}
			<h2 className={styles.question}>
				<Clipped text={question} lines={3} most={400} />
			</h2>
			<dl className={styles.answers} hidden={bare}>
				{entry.kind !== "hops" && !bare && (
					<div data-is="gold">
						<dt>
							<span aria-hidden="true">◆</span> {entry.kind === "items" ? "Answer" : "Right"}
						</dt>
						<dd>
							<b dir="auto">{answer ?? "none: declining is right"}</b>
							{alsoRight.length > 0 && <small dir="auto">also {alsoRight.join(" · ")}</small>}
						</dd>
					</div>
				)}
				{submitted !== undefined && !bare && (
					<div data-is="submitted">
						<dt>{entry.kind === "hops" ? "Answered" : "Submitted"}</dt>
						<dd>
							<b>{submitted === null ? <i>no answer</i> : <Clipped text={submitted} lines={3} most={200} />}</b>
						</dd>
					</div>
				)}
			</dl>
			<Dialog open={shown !== null} onClose={() => setShown(null)} title={shown?.alt || "Picture"} wide>
				{shown && (
					<div className={styles.full}>
						<BoxedPicture
							src={reviews.media(queue, shown.name)}
							picture={shown}
							boxes={boxesOf(boxes, shown)}
							onBox={onBoxes && ((box) => onBoxes(withBox(boxes, shown, box, hop)))}
							onRemove={onBoxes && (() => onBoxes(withoutLast(boxes, shown)))}
						/>
					</div>
				)}
			</Dialog>
		</section>
	);
}
