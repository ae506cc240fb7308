import type { Mark } from "../../../src/studio/pages.ts";
import { shapeOf } from "./mark-shape.ts";
import styles from "./verdict-mark.module.css";

/** One verdict, finding or outcome as its mark. Its name usually stands beside it; where it does not, say so with `alone`. */
export function VerdictMark({ mark, first = false, alone = false }: { mark: Mark; first?: boolean; alone?: boolean }) {
	const named = alone ? { role: "img", "aria-label": mark.plainly } : { "aria-hidden": true };
	return (
		<span
			className={`${styles.mark} ${styles[shapeOf(mark.tone, first)]}`}
			title={`${mark.plainly}: ${mark.meaning}`}
			{...named}
		>
			{mark.mark}
		</span>
	);
}
