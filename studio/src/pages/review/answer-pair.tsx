import type { ReviewEntry } from "../../../../src/studio/review-pages.ts";
import styles from "./answer-pair.module.css";
import { MarkedText } from "./marked-text.tsx";

/** An answer to be judged beside what counts as right. */
export const AnswerPair = ({ entry: { answer, alsoRight, submitted } }: { entry: ReviewEntry }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
	<section className={styles.pair} tabIndex={0} aria-label="The answer and what counts as right">
		<article className={styles.card}>
			<h3>Submitted</h3>
			{typeof submitted === "string" ? (
				<MarkedText text={submitted} marked={[answer ?? "", ...alsoRight].filter((form) => form.length > 1)} />
			) : (
				<i>no answer</i>
			)}
		</article>
		<article className={styles.card} data-gold>
			<h3>
				<span aria-hidden="true">◆</span> Counts as right{alsoRight.length > 0 && ": any of these"}
			</h3>
			{answer === null ? (
				<p>Nothing: declining is right.</p>
			) : (
				<ul>
					{[answer, ...alsoRight].map((form) => (
						<li key={form} dir="auto">
							{form}
						</li>
					))}
				</ul>
			)}
		</article>
	</section>
);
