import type { Making } from "../data/made.ts";
import { showCount } from "./format.ts";
import styles from "./in-the-making.module.css";

/** In place of a page that is being made: how far it is. */
export const InTheMaking = ({ what, making }: { what: string; making: Making | undefined }) => (
	<div className={styles.making} role="status" aria-label={what}>
		<p className={styles.what}>{what} …</p>
		<progress
			className={styles.progress}
			aria-label={making?.work ?? "asking"}
			{...(making?.total ? { value: making.done, max: making.total } : {})}
		/>
		<p className={styles.work}>
			{making?.work ?? "asking"}
			{making?.total ? ` · ${showCount(making.done)} of ${showCount(making.total)}` : ""}
		</p>
		<p className={styles.hint}>Thousands of records take some seconds; the page is then kept until a run changes.</p>
	</div>
);
