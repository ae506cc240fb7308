import type { ReviewEntry, ReviewKind, SaidInWords } from "../../../../src/studio/review-pages.ts";
import styles from "./revealed.module.css";

/** What models and others said: not before one's own decision. */
export function Revealed({ entry: { revealed, disagreement, kind } }: { entry: ReviewEntry }) {
	return (
		<>
			{disagreement.length > 0 && (
				<section className={styles.group}>
					<h3>What you settle</h3>
					<Said list={disagreement} nameless="Reviewer" />
				</section>
			)}
			{revealed ? (
				<>
					<section className={styles.group}>
						<h3>Other reviewers</h3>
						{revealed.others.length > 0 ? (
							<Said list={revealed.others} nameless="Reviewer" />
						) : (
							<p className={styles.none}>Nobody else has decided yet.</p>
						)}
					</section>
					<section className={styles.group}>
						<h3>{modelsOf[kind]}</h3>
						{revealed.models.length > 0 ? (
							<Said list={revealed.models} nameless="Model" />
						) : (
							<p className={styles.none}>Nothing was recorded.</p>
						)}
					</section>
				</>
			) : (
				<section className={styles.hidden}>
					<h3>
						<span aria-hidden="true">◌</span> Hidden until you decide
					</h3>
					<p>
						{disagreement.length > 0
							? "What models said of it."
							: "What models and other reviewers said of it. Your vote is blind."}
					</p>
				</section>
			)}
		</>
	);
}

const modelsOf: Record<ReviewKind, string> = {
	items: "Checks of models and rules",
	answers: "Judges",
	hops: "The reading without gold",
};

const Said = ({ list, nameless }: { list: readonly SaidInWords[]; nameless: string }) => (
	<ul className={styles.list}>
		{list.map(({ who, says, why }, at) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: two may say the same, and none changes its place
			<li key={at}>
				<span className={styles.who}>
					<bdi>{who || `${nameless}${list.length > 1 ? ` ${at + 1}` : ""}`}</bdi>
				</span>
				<b className={styles.says} data-says={says}>
					<bdi>{says}</bdi>
				</b>
				{why !== "" && (
					<span className={styles.why} dir="auto">
						{why}
					</span>
				)}
			</li>
		))}
	</ul>
);
