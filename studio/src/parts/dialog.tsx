import { type ReactNode, useEffect, useRef } from "react";
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
	children,
}: {
	open: boolean;
	onClose: () => void;
	title: string;
	/** Beside the title. */
	actions?: ReactNode;
	/** As large as the window allows. */
	wide?: boolean;
	children: ReactNode;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const shown = dialog.current;
		if (open && shown && !shown.open) shown.showModal();
		if (!open && shown?.open) shown.close();
	}, [open]);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog, the click beside it is a mouse's way
		<dialog
			ref={dialog}
			className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
			aria-label={title}
			onClose={onClose}
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
