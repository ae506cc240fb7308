import { useEffect, useRef } from "react";
import type { ReviewEntry } from "../../../../src/studio/review-pages.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import type { HopSaid } from "./draft.ts";
import styles from "./part-list.module.css";

const marks: Record<HopSaid, { mark: string; words: string }> = {
	right: { mark: "✓", words: "right" },
	wrong: { mark: "✕", words: "wrong" },
	unsure: { mark: "?", words: "cannot be told" },
};
const buttons = [
	["right", "y", "Right"],
	["wrong", "n", "Wrong"],
	["unsure", "u", "Cannot tell"],
] as const;

/** The parts of an item in their order: hops to be judged one by one, or the steps of an agent. */
export function PartList({
	entry: { parts, kind },
	said,
	at,
	onGo,
	onSay,
}: {
	entry: ReviewEntry;
	/** By hop, what the reviewer said; absent where parts are not judged. */
	said: Readonly<Record<string, HopSaid>> | undefined;
	at: number;
	onGo: (at: number) => void;
	onSay: ((said: HopSaid) => void) | undefined;
}) {
	const list = useRef<HTMLOListElement>(null);
	useEffect(() => {
		const around = list.current?.parentElement;
		// on a phone the whole page scrolls, and that is left to the finger
		if (around && getComputedStyle(around).overflowY === "auto")
			list.current?.children[at]?.scrollIntoView({ block: "nearest" });
	}, [at]);
	if (parts.length === 0) return <p className={styles.none}>No step is shown with this answer.</p>;
	return (
		<ol className={styles.list} ref={list}>
			{parts.map(({ id, place, question, modality, answer, needs, asked }, index) => {
				const own = said?.[id];
				return (
					<li key={id} className={styles.part} data-said={own} data-here={index === at || undefined} data-asked={asked}>
						<button
							type="button"
							className={styles.open}
							onClick={() => onGo(index)}
							aria-current={index === at ? "step" : undefined}
						>
							<span className={styles.number} aria-hidden="true">
								{own ? marks[own].mark : place}
							</span>
							<span className={styles.body}>
								<span className={styles.line}>
									<b>
										{partName(kind, id, place)}
										{own && <span className={styles.said}> {marks[own].words}</span>}
									</b>
									<span className={styles.modality}>
										{kind === "hops" && asked ? `asked about · ${modality}` : modality}
									</span>
								</span>
								<span className={styles.question} dir="auto">
									{question}
								</span>
								{answer !== null && (
									<span className={styles.answer}>
										<span aria-hidden="true">{kind === "items" ? "◆" : "→"}</span> <bdi>{answer}</bdi>
									</span>
								)}
								{needs.length > 0 && <span className={styles.needs}>needs hop {needs.join(", ")}</span>}
							</span>
						</button>
						{index === at && onSay && (
							<span className={styles.says}>
								{buttons.map(([value, key, words]) => (
									<button
										key={value}
										type="button"
										data-said={value}
										aria-pressed={own === value}
										onClick={() => onSay(value)}
									>
										<KeyCap>{key}</KeyCap> {words}
									</button>
								))}
							</span>
						)}
					</li>
				);
			})}
		</ol>
	);
}

/** "Hop 2"; of an answer's steps "Gold step 2" and "Step 2". */
export const partName = (kind: ReviewEntry["kind"], id: string, place: number): string =>
	kind === "items" ? `Hop ${place}` : `${id.charAt(0).toUpperCase()}${id.slice(1).replace(/\d+$/, "")}${place}`;
