import styles from "./tear.module.css";

/** Where the chain is first seen to break: as wide as what it stands in. */
export const Tear = () => (
	<p className={styles.tear}>
		<span>chain breaks here</span>
	</p>
);
