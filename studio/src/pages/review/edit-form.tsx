import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ReviewEntry, ReviewQueue } from "../../../../src/studio/review-pages.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import type { Draft } from "./draft.ts";
import styles from "./edit-form.module.css";
import { ReasonList } from "./reason-palette.tsx";

/** Another wording and other accepted answers, or a comment. */
export function EditForm({
	entry,
	draft,
	reasons,
	comment,
	onChange,
	onToggle,
	onDone,
	onClose,
}: {
	entry: ReviewEntry;
	draft: Draft;
	reasons: ReviewQueue["reasons"];
	/** Only a comment is written. */
	comment: boolean;
	onChange: (part: Partial<Draft>) => void;
	onToggle: (reason: string) => void;
	/** Absent while nothing was changed. */
	onDone: (() => void) | undefined;
	onClose: () => void;
}) {
	const first = useRef<HTMLTextAreaElement>(null);
	useEffect(() => first.current?.focus(), []);
	function press(event: KeyboardEvent) {
		if (event.key === "Escape") onClose();
		else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onDone?.();
		else return;
		event.preventDefault();
	}
	const answers = draft.accepted ?? [entry.answer ?? "", ...entry.alsoRight].join("\n");
	const written = (
		<label className={styles.field}>
			Comment
			<textarea
				ref={comment ? first : undefined}
				rows={comment ? 4 : 2}
				dir="auto"
				maxLength={10_000}
				value={draft.comment}
				onChange={({ target }) => onChange({ comment: target.value })}
			/>
		</label>
	);
	return (
		<section className={styles.form} aria-label={comment ? "Comment" : "Edit"} onKeyDown={press}>
			{comment ? (
				written
			) : (
				<>
					<div className={styles.fields}>
						<label className={styles.field}>
							Question
							<textarea
								ref={first}
								rows={3}
								dir="auto"
								maxLength={20_000}
								value={draft.question ?? entry.question}
								onChange={({ target }) => onChange({ question: target.value })}
							/>
						</label>
						<label className={styles.field}>
							Accepted answers, one a line
							<textarea
								rows={3}
								dir="auto"
								value={answers}
								onChange={({ target }) => onChange({ accepted: target.value })}
							/>
						</label>
						{written}
					</div>
					<ReasonList reasons={reasons.slice(0, 9)} chosen={draft.reasons} onToggle={onToggle} />
				</>
			)}
			<footer className={styles.foot}>
				<button type="button" onClick={onClose}>
					{comment ? "Close" : "Not edited"} <KeyCap>Esc</KeyCap>
				</button>
				{!comment && (
					<button type="button" className={styles.keep} onClick={onDone} disabled={!onDone}>
						{onDone ? "Keep the edit" : "Nothing changed yet"} <KeyCap>Ctrl ↵</KeyCap>
					</button>
				)}
			</footer>
		</section>
	);
}
