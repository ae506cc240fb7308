import { useState } from "react";
import styles from "./clipped.module.css";

/**
 * A text of any length: of a long one some lines, with a button that shows the whole. Measured by its characters, so that
 * nothing moves once it is drawn.
 */
export function Clipped({ text, lines = 4, most = 60 * lines }: { text: string; lines?: number; most?: number }) {
	const [all, setAll] = useState(false);
	const long = text.length > most || text.split("\n", lines + 2).length > lines;
	if (!long)
		return (
			<span className={styles.text} dir="auto">
				{text}
			</span>
		);
	return (
		<>
			<span className={styles.text} dir="auto" data-clipped={!all || undefined} style={{ "--lines": lines }}>
				{all ? text : text.slice(0, most * 3)}
			</span>
			<button type="button" className={styles.more} aria-expanded={all} onClick={() => setAll(!all)}>
				{all ? "show less" : "show all"}
			</button>
		</>
	);
}
