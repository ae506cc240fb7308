import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./dialog.module.css";

/**
 * A native dialog: it keeps the focus, closes with Escape or a click beside it, and gives the focus back. Its content is
 * mounted only while it is open.
 */
export function Dialog({
	open,
	onClose,
	title,
	actions,
	wide = false,
	sheet = false,
	onKeyDown,
	children,
}: {
	open: boolean;
	onClose: () => void;
	title: string;
	/** Beside the title. */
	actions?: ReactNode;
	/** As large as the window allows. */
	wide?: boolean;
	/** Comes up from the lower edge: for what stands beside the page on a wider one. */
	sheet?: boolean;
	/** Keys beside Escape that it heeds. */
	onKeyDown?: (event: KeyboardEvent) => void;
	children: ReactNode;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const shown = dialog.current;
		if (open && shown && !shown.open) {
			shown.showModal();
			// what is meant to have the focus; else what the arrow keys scroll, or where Enter begins a box
			const meant = shown.querySelector<HTMLElement>("[data-focus]");
			(meant ?? shown.querySelector<HTMLElement>("section[tabindex], [data-boxes]"))?.focus();
		}
		if (!open && shown?.open) shown.close();
	}, [open]);
	return (
		<dialog
			ref={dialog}
			className={[styles.dialog, wide && styles.wide, sheet && styles.sheet].filter(Boolean).join(" ")}
			aria-label={title}
			// one that the page itself closes, to show another, is not closed by anybody
			onClose={() => open && onClose()}
			onKeyDown={onKeyDown}
			onClick={(event) => event.target === event.currentTarget && onClose()}
		>
			{open && (
				<div className={styles.inside}>
					<header className={styles.head}>
						<h2 className={styles.title}>
							<bdi>{title}</bdi>
						</h2>
						{actions}
						<button type="button" className={styles.close} onClick={onClose} aria-label="Close">
							✕
						</button>
					</header>
					{children}
				</div>
			)}
		</dialog>
	);
}
