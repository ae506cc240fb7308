import type { TaskHop } from "../../../../../src/studio/pages.ts";
import styles from "./path-join.module.css";

/** The line between a gold hop and what a run did for it: solid where its evidence came back, dashed where it was missed. */
export function PathJoin({
	hop: { aimed, brought },
	towards,
	far,
}: {
	hop: TaskHop;
	towards: "left" | "right";
	/** Where another run stands between, the line only begins. */
	far: boolean;
}) {
	if (aimed.length + brought.length === 0) return null;
	const is = aimed.some((step) => brought.includes(step)) ? "gold" : brought.length > 0 ? "besides" : "missed";
	return (
		<span className={styles.join} data-is={is} data-towards={towards} data-far={far || undefined} aria-hidden="true">
			<span>{is === "missed" ? "✕" : is === "gold" ? "◆" : "◇"}</span>
		</span>
	);
}
