import type { RunLine } from "../../../../src/studio/pages.ts";
import { RunRow } from "./run-row.tsx";
import styles from "./runs-table.module.css";

const waiting = Array.from({ length: 8 }, (_, row) => row);

/** The runs, the latest first. On a phone each becomes a card. */
export function RunsTable({
	runs,
	selected,
	chosen,
	onChoose,
	onClear,
}: {
	/** Undefined while they are being fetched. */
	runs: readonly RunLine[] | undefined;
	selected: number;
	chosen: readonly string[];
	onChoose: (id: string) => void;
	onClear: () => void;
}) {
	return (
		<>
			<table className={styles.table} aria-busy={!runs}>
				<thead>
					<tr>
						<th scope="col" className={styles.choose}>
							<span className={styles.spoken}>Chosen</span>
						</th>
						<th scope="col">Run and tags</th>
						<th scope="col">Agent and model</th>
						<th scope="col">Benchmark</th>
						<th scope="col">Progress</th>
						<th scope="col" className={styles.number}>
							Accuracy
						</th>
						<th scope="col" className={styles.number} title="Of the actions asked for, those that could be read">
							Readable
						</th>
						<th scope="col" className={styles.number} title="Seconds an answer, the median">
							Time
						</th>
						<th scope="col" className={styles.number}>
							Errors
						</th>
						<th scope="col" className={styles.number}>
							Cost
						</th>
						<th scope="col" className={styles.number}>
							Tokens
						</th>
					</tr>
				</thead>
				<tbody>
					{runs?.map((run, place) => (
						<RunRow
							key={run.id}
							run={run}
							place={place}
							selected={place === selected}
							chosen={chosen.includes(run.id)}
							onChoose={onChoose}
						/>
					))}
					{!runs &&
						waiting.map((row) => (
							<tr key={row} className={styles.waiting}>
								<td colSpan={11} />
							</tr>
						))}
				</tbody>
			</table>
			{runs?.length === 0 && (
				<div className={styles.none}>
					<p>No run has all of these words.</p>
					<button type="button" onClick={onClear}>
						Clear the filter
					</button>
				</div>
			)}
		</>
	);
}
