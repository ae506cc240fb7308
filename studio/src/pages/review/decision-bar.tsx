import type { ReviewKind, ReviewSaid } from "../../../../src/studio/review-pages.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import styles from "./decision-bar.module.css";
import type { Decision } from "./draft.ts";

const words: Record<Decision, string> = { retain: "kept", discard: "dropped", edit: "edited", unsure: "left unsure" };

/** The decision: to be made, or made, with what comes next. */
export function DecisionBar({
	kind,
	mine,
	busy,
	error,
	ready,
	onDecide,
	onPanel,
	onKeep,
	onSkip,
	onUndo,
	onward,
}: {
	kind: ReviewKind;
	mine: ReviewSaid | null;
	busy: boolean;
	error: Error | null;
	/** Whether all that is asked is answered. */
	ready: boolean;
	onDecide: (decision: Decision) => void;
	onPanel: (panel: "reasons" | "edit" | "comment") => void;
	onKeep: () => void;
	onSkip: () => void;
	onUndo: () => void;
	onward: () => void;
}) {
	const state = busy
		? "saving …"
		: error
			? error.message
			: mine
				? "saved"
				: kind === "items"
					? "drafts are kept in this browser"
					: "answer what is asked, then keep it";
	return (
		<div className={styles.bar} data-decided={mine ? "" : undefined}>
			<p className={styles.state} role={error ? "alert" : "status"} data-error={error ? "" : undefined} dir="auto">
				{mine && !busy && !error && (
					<b>
						<span aria-hidden="true">✓</span> {mine.is === "decision" ? `You ${said(mine.decision)} it` : "Labelled"} ·{" "}
					</b>
				)}
				{state}
			</p>
			{mine ? (
				<div className={styles.buttons}>
					<button type="button" onClick={onUndo} disabled={busy}>
						<KeyCap>z</KeyCap> Take back
					</button>
					<button type="button" className={styles.main} onClick={onward}>
						Next item <KeyCap>↵</KeyCap>
					</button>
				</div>
			) : (
				<div className={styles.buttons}>
					<button type="button" onClick={onSkip}>
						<KeyCap>s</KeyCap> Skip
					</button>
					{kind === "items" ? (
						<>
							<button type="button" onClick={() => onPanel("comment")}>
								<KeyCap>c</KeyCap> Comment
							</button>
							<button type="button" onClick={() => onDecide("unsure")} disabled={busy}>
								<KeyCap>U</KeyCap> Unsure
							</button>
							<button type="button" onClick={() => onPanel("edit")}>
								<KeyCap>e</KeyCap> Edit
							</button>
							<button type="button" className={styles.drop} onClick={() => onPanel("reasons")}>
								<KeyCap>d</KeyCap> ✕ Drop
							</button>
							<button type="button" className={styles.keep} onClick={() => onDecide("retain")} disabled={busy}>
								<KeyCap>r</KeyCap> ✓ Keep
							</button>
						</>
					) : (
						<button type="button" className={styles.main} onClick={onKeep} disabled={busy || !ready}>
							Keep these answers <KeyCap>↵</KeyCap>
						</button>
					)}
				</div>
			)}
		</div>
	);
}

const said = (decision: Decision) => words[decision];
