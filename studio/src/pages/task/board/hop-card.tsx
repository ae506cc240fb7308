import type { Legend, TaskHop } from "../../../../../src/studio/pages.ts";
import { markOf } from "../../../data/legend.ts";
import { Unseen } from "../../../parts/unseen.tsx";
import { VerdictMark } from "../../../parts/verdict-mark.tsx";
import styles from "./hop-card.module.css";

interface Props {
	hop: TaskHop;
	legend: Legend;
	/** It needs a hop that is broken, and is not the first itself. */
	behind: boolean;
	selected: boolean;
	onSelect: () => void;
}

/** A gold hop: what was to be found, what became of it, and what was taken in its place. */
export function HopCard({ hop, legend, behind, selected, onSelect }: Props) {
	const mark = markOf(legend.verdicts, hop.verdict);
	return (
		<button
			type="button"
			className={styles.hop}
			data-measured={`hop:${hop.id}`}
			data-tone={mark.tone}
			data-first={hop.first || undefined}
			data-behind={behind || undefined}
			aria-pressed={selected}
			onClick={onSelect}
		>
			<VerdictMark mark={mark} first={hop.first} />
			<span className={styles.name}>
				<b>Hop {hop.place}</b> <b className={styles.verdict}>{mark.plainly}</b>
				{hop.possible && <span className={styles.possible}>may have broken here</span>}
			</span>
			<span className={styles.modality}>{hop.modality.toLowerCase()}</span>
			<span className={styles.question} dir="auto">
				{hop.question}
			</span>
			<span className={styles.values}>
				<span className={styles.gold}>
					<span aria-hidden>◆ </span>
					<Unseen>gold </Unseen>
					<bdi>{hop.gold}</bdi>
				</span>
				{hop.took !== null && (
					<span className={styles.took} title={hop.took}>
						took{" "}
						<b>
							<bdi>{hop.took || "nothing"}</bdi>
						</b>
					</span>
				)}
				<span className={styles.found}>{foundWords(hop)}</span>
			</span>
			{hop.notes.map((note) => (
				<span key={note} className={styles.note} dir="auto">
					{note}
				</span>
			))}
		</button>
	);
}

function foundWords({ wanted, more, found, verdict }: TaskHop): string {
	const all = wanted.length + more;
	if (all > 0 && verdict === "not-judged") return "";
	return all === 0 ? "nothing to find" : `${found} gold found`;
}
