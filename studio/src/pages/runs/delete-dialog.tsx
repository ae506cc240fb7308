import { useRemoval, useRemoveRuns } from "../../data/manage.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { plural } from "../../parts/format.ts";
import styles from "./manage-dialog.module.css";

/** Asks before runs are deleted, and says what goes with them. */
export function DeleteDialog({
	runs,
	onClose,
	onDeleted,
}: {
	/** Ids; closed where there are none. */
	runs: readonly string[];
	onClose: () => void;
	onDeleted: (removed: readonly string[]) => void;
}) {
	return (
		<Dialog open={runs.length > 0} onClose={onClose} title={`Delete ${plural(runs.length, "run")}?`}>
			<Asked runs={runs} onClose={onClose} onDeleted={onDeleted} />
		</Dialog>
	);
}

function Asked({ runs, onClose, onDeleted }: Parameters<typeof DeleteDialog>[0]) {
	const removal = useRemoval(runs);
	const removing = useRemoveRuns();
	const { data } = removal;
	const blocked = data ? data.written.length > 0 : true;
	return (
		<div className={styles.body}>
			<Ids of={runs} />
			<div className={styles.goes} aria-live="polite">
				{!data && !removal.isError && <p>Looking at what goes with {runs.length === 1 ? "it" : "them"} …</p>}
				{data && data.reruns.length > 0 && (
					<>
						<p>
							{plural(data.reruns.length, "re-run")} with a part of the world changed{" "}
							{data.reruns.length === 1 ? "goes" : "go"} with {runs.length === 1 ? "it" : "them"}:
						</p>
						<Ids of={data.reruns} />
					</>
				)}
				{data && data.pages.length > 0 && (
					<p>
						{data.runs.length === 1 ? "Its" : "Their"} pages go too:{" "}
						{data.pages.map((name, place) => (
							<span key={name}>
								{place > 0 && ", "}
								<code>reports/{name}</code>
							</span>
						))}
						. Pages of several runs stay.
					</p>
				)}
				{data && (
					<p>
						Records, scores, verdicts, labels and diagnoses of {data.runs.length === 1 ? "it" : "them"} are gone then,
						for good.
					</p>
				)}
				{data && blocked && (
					<p className={styles.problem}>
						<bdi>{data.written.join(", ")}</bdi> {data.written.length === 1 ? "is" : "are"} being written: stop that
						first.
					</p>
				)}
			</div>
			{(removal.error ?? removing.error) && (
				<p role="alert" className={styles.problem}>
					{(removal.error ?? removing.error)?.message}
				</p>
			)}
			<div className={styles.buttons}>
				<button type="button" data-focus onClick={onClose}>
					Keep
				</button>
				<button
					type="button"
					className={styles.grave}
					disabled={blocked || removing.isPending}
					onClick={() => removing.mutate(runs, { onSuccess: ({ removed }) => onDeleted(removed) })}
				>
					Delete {plural(data?.runs.length ?? runs.length, "run")}
				</button>
			</div>
		</div>
	);
}

const Ids = ({ of }: { of: readonly string[] }) => (
	<ul className={styles.ids}>
		{of.map((id) => (
			<li key={id}>
				<bdi>{id}</bdi>
			</li>
		))}
	</ul>
);
