import { type FormEvent, useId, useRef, useState } from "react";
import type { RunLine } from "../../../../src/studio/pages.ts";
import { useTagRuns } from "../../data/manage.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { plural } from "../../parts/format.ts";
import styles from "./manage-dialog.module.css";

/** The tags of one run, or of several at once: each can be taken away, and others given. */
export function TagsDialog({
	runs,
	known,
	onClose,
}: {
	/** As they are now; closed where there are none. */
	runs: readonly RunLine[];
	/** Tags that any run has, to choose from. */
	known: readonly string[];
	onClose: () => void;
}) {
	const [only] = runs;
	const title = runs.length === 1 && only ? `Tags of ${only.id}` : `Tags of ${plural(runs.length, "run")}`;
	return (
		<Dialog open={runs.length > 0} onClose={onClose} title={title}>
			<Tags runs={runs} known={known} onClose={onClose} />
		</Dialog>
	);
}

function Tags({ runs, known, onClose }: Parameters<typeof TagsDialog>[0]) {
	const tagging = useTagRuns();
	const [text, setText] = useState("");
	const field = useRef<HTMLInputElement>(null);
	const list = useId();
	const ids = runs.map(({ id }) => id);
	const tags = [...new Set(runs.flatMap((run) => run.tags))].sort();
	const add = (event: FormEvent) => {
		event.preventDefault();
		const given = text.split(/[\s,]+/u).filter(Boolean);
		if (given.length > 0) tagging.mutate({ runs: ids, change: { add: given } }, { onSuccess: () => setText("") });
	};
	return (
		<form className={styles.body} onSubmit={add}>
			{tags.length === 0 ? (
				<p className={styles.goes}>No tags yet. A tag is a word to find runs by.</p>
			) : (
				<ul className={styles.tags}>
					{tags.map((tag) => {
						const having = runs.filter((run) => run.tags.includes(tag)).map(({ id }) => id);
						return (
							<li key={tag}>
								<bdi>{tag}</bdi>
								{having.length < runs.length && (
									<small>
										{having.length} of {runs.length}
									</small>
								)}
								<button
									type="button"
									aria-label={`Take away the tag ${tag}`}
									disabled={tagging.isPending}
									onClick={() => {
										tagging.mutate({ runs: having, change: { remove: [tag] } });
										field.current?.focus();
									}}
								>
									✕
								</button>
							</li>
						);
					})}
				</ul>
			)}
			<div className={styles.field}>
				<input
					ref={field}
					data-focus
					aria-label="New tags"
					placeholder="new tags: paper baseline"
					list={list}
					value={text}
					onChange={({ target }) => setText(target.value)}
				/>
				<datalist id={list}>
					{known.map((tag) => (
						<option key={tag} value={tag} />
					))}
				</datalist>
				<button type="submit" disabled={tagging.isPending || text.trim() === ""}>
					Add
				</button>
			</div>
			{tagging.error && (
				<p role="alert" className={styles.problem}>
					{tagging.error.message}
				</p>
			)}
			<div className={styles.buttons}>
				<button type="button" onClick={onClose}>
					Done
				</button>
			</div>
		</form>
	);
}
