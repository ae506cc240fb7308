import type { TaskHop } from "../../../../../src/studio/pages.ts";
import { Unseen } from "../../../parts/unseen.tsx";
import styles from "./gold-card.module.css";

/** A hop of the gold chain, which is the same for every run. */
export const GoldCard = ({
	hop: { place, question, modality, gold, needs },
	onSelect,
}: {
	hop: TaskHop;
	onSelect: () => void;
}) => (
	<button type="button" className={styles.hop} data-gold="" onClick={onSelect} title={question}>
		<span className={styles.head}>
			<b>Hop {place}</b>
			<span>{modality.toLowerCase()}</span>
		</span>
		<span className={styles.question} dir="auto">
			{question}
		</span>
		<span className={styles.gold}>
			<span aria-hidden>◆ </span>
			<Unseen>gold </Unseen>
			<bdi>{gold}</bdi>
		</span>
		{needs.length > 0 && (
			<Unseen>{needs.length === 1 ? "needs an earlier hop" : `needs ${needs.length} earlier hops`}</Unseen>
		)}
	</button>
);
