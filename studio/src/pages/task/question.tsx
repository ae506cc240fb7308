import { useState } from "react";
import type { Legend, TaskPage } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";
import { Clipped } from "../../parts/clipped.tsx";
import { Picture } from "../../parts/picture.tsx";
import styles from "./question.module.css";

/** What was asked, and beside it what the agent answered over what is right. */
export function Question({
	page,
	legend,
	onPicture,
}: {
	page: TaskPage;
	legend: Legend;
	onPicture: (image: number) => void;
}) {
	const { run, question, images, answer, answerFrom, accepted, outcome } = page;
	const mark = markOf(legend.outcomes, outcome);
	const [gold, ...also] = accepted;
	return (
		<section className={styles.question} aria-label="Question and answers">
			{images.length > 0 && (
				<div className={styles.images}>
					{images.map((image, at) => (
						<Picture key={image.name} run={run} picture={image} height={72} onOpen={() => onPicture(at)} />
					))}
				</div>
			)}
			<div className={styles.text}>
				<Clipped text={question} lines={4} most={420} />
			</div>
			<dl className={styles.answers}>
				<div className={styles.answer} data-tone={mark.tone} title={`${mark.plainly}: ${mark.meaning}`}>
					<dt>
						<span aria-hidden>{mark.mark} </span>Agent
					</dt>
					<dd>
						{answer === null || answer === "" ? <i>no answer</i> : <Clipped text={answer} lines={2} most={70} />}
						{outcome !== "right" && outcome !== "wrong" && <small className={styles.outcome}>{mark.plainly}</small>}
					</dd>
					{answerFrom !== null && (
						<dd className={styles.from} dir="auto">
							{answerFrom}
						</dd>
					)}
				</div>
				<div className={styles.answer} data-tone="gold">
					<dt>
						<span aria-hidden>◆ </span>Gold
					</dt>
					<dd>
						{gold === undefined ? <i>none is known</i> : <bdi>{gold}</bdi>} <Also accepted={also} />
					</dd>
				</div>
			</dl>
		</section>
	);
}

/** Other answers that are taken for right. */
function Also({ accepted }: { accepted: readonly string[] }) {
	const [shown, setShown] = useState(false);
	if (accepted.length === 0) return null;
	return (
		<>
			{shown && (
				<ul className={styles.also}>
					{accepted.map((one) => (
						<li key={one}>
							<bdi>{one}</bdi>
						</li>
					))}
				</ul>
			)}
			<button type="button" className={styles.more} aria-expanded={shown} onClick={() => setShown(!shown)}>
				{shown ? "less" : `or ${accepted.length} more`}
			</button>
		</>
	);
}
