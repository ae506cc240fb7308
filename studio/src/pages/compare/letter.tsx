import styles from "./letter.module.css";

/** A run among those that are compared, by its letter: A, B, … */
export const Letter = ({ letter, label }: { letter: string; label?: string | undefined }) => (
	<span className={styles.letter} title={label}>
		{letter.toUpperCase()}
	</span>
);
