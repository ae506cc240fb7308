import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import styles from "./help-dialog.module.css";
import { KeyCap } from "./key-cap.tsx";
import type { KeyBinding } from "./keys.ts";

/** What the keys of a page do, and below it whatever else helps to read the page. */
export function HelpDialog({
	open,
	onClose,
	bindings,
	children,
}: {
	open: boolean;
	onClose: () => void;
	bindings: readonly KeyBinding[];
	children?: ReactNode;
}) {
	return (
		<Dialog open={open} onClose={onClose} title="Keys and marks">
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
			<section className={styles.body} tabIndex={0} aria-label="Help">
				<dl className={styles.keys}>
					{bindings.map(({ keys, shown, says }) => (
						<div key={says}>
							<dt>{shown ? <KeyCap>{shown}</KeyCap> : keys.map((key) => <KeyCap key={key}>{nameOf(key)}</KeyCap>)}</dt>
							<dd>{says}</dd>
						</div>
					))}
				</dl>
				{children}
			</section>
		</Dialog>
	);
}

const names: Record<string, string> = {
	Enter: "↵",
	Escape: "Esc",
	ArrowDown: "↓",
	ArrowUp: "↑",
	ArrowLeft: "←",
	ArrowRight: "→",
	" ": "Space",
};
const nameOf = (key: string) => names[key] ?? key;
