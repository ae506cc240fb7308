import styles from "./tear.module.css";

/** Where the chain is first seen to break: across the whole board, or the gold chain alone. */
export const Tear = ({ across = true }: { across?: boolean }) => (
	<p className={styles.tear} data-across={across || undefined}>
		<span>chain breaks here</span>
	</p>
);
