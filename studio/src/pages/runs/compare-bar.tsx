import { Link } from "@tanstack/react-router";
import { plural } from "../../parts/format.ts";
import styles from "./compare-bar.module.css";

/** At the foot while runs are chosen: compares, tags and deletes them. */
export function CompareBar({
	chosen,
	onClear,
	onTag,
	onDelete,
}: {
	chosen: readonly string[];
	onClear: () => void;
	/** Absent of an export: nothing can be changed there. */
	onTag?: (() => void) | undefined;
	onDelete?: (() => void) | undefined;
}) {
	if (chosen.length === 0) return null;
	const enough = chosen.length > 1;
	return (
		<section className={styles.bar} aria-label="Chosen runs">
			<p className={styles.says} aria-live="polite">
				{plural(chosen.length, "run")} chosen{enough ? "" : "; choose another to compare them"}
			</p>
			<button type="button" className={styles.clear} onClick={onClear}>
				Choose none
			</button>
			{onDelete && (
				<button type="button" className={styles.clear} onClick={onDelete}>
					Delete …
				</button>
			)}
			{onTag && (
				<button type="button" className={styles.clear} onClick={onTag}>
					Tags …
				</button>
			)}
			<Link className={styles.tables} to="/tables" search={{ runs: chosen.join(",") }}>
				Tables
			</Link>
			{enough && (
				<a className={styles.compare} href={`#/compare?runs=${chosen.map(encodeURIComponent).join(",")}`}>
					Compare
				</a>
			)}
		</section>
	);
}
