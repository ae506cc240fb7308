import styles from "./trouble.module.css";

/** In place of what could not be fetched: what happened, and a way to try again. */
export const Trouble = ({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) => (
	<div className={styles.trouble} role="alert">
		<h2>{what}</h2>
		<p dir="auto">{error instanceof Error && error.message !== "" ? error.message : String(error)}</p>
		<button type="button" onClick={onRetry}>
			Try again
		</button>
	</div>
);
