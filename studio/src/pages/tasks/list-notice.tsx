import styles from "./list-notice.module.css";

/** Over the end of a list of which some rows could not be fetched. */
export const ListNotice = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
	<div className={styles.notice} role="alert">
		<span dir="auto">Some rows could not be fetched. {error.message}</span>
		<button type="button" onClick={onRetry}>
			Try again
		</button>
	</div>
);
