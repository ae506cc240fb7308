import { type ReactNode, useEffect, useRef } from "react";
import styles from "./sheet.module.css";

/** On a phone: what stands beside a list elsewhere, over its lower part. A native dialog, which Escape and a tap close. */
export function Sheet({
	open,
	onClose,
	title,
	done,
	children,
}: {
	open: boolean;
	onClose: () => void;
	title: string;
	/** What closing it shows: "Show 45,417 tasks". */
	done: string;
	children: ReactNode;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const shown = dialog.current;
		if (open && shown && !shown.open) shown.showModal();
		if (!open && shown?.open) shown.close();
	}, [open]);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog, the tap beside it is a finger's way
		<dialog
			ref={dialog}
			className={styles.sheet}
			aria-label={title}
			onClose={onClose}
			onClick={(event) => event.target === event.currentTarget && onClose()}
		>
			{open && (
				<div className={styles.inside}>
					<div className={styles.content}>{children}</div>
					<button type="button" className={styles.done} onClick={onClose}>
						{done}
					</button>
				</div>
			)}
		</dialog>
	);
}
