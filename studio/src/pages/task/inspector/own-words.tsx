import type { TaskStep } from "../../../../../src/studio/pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import { ownWords } from "../step-words.ts";
import styles from "./inspector.module.css";

/** What the agent wrote before a step, told apart from evidence: it is no text that came back. */
export function OwnWords({ step: { thought, tool }, lines }: { step: TaskStep; lines: number }) {
	if (thought === null) return null;
	return (
		<figure className={styles.own}>
			<figcaption>{tool === null ? "The agent's own words" : ownWords}</figcaption>
			<Clipped text={thought} lines={lines} />
		</figure>
	);
}
