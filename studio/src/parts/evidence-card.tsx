import { useState } from "react";
import type { EvidenceCard as Card, Media, Span } from "../../../src/studio/pages.ts";
import { Clipped } from "./clipped.tsx";
import styles from "./evidence-card.module.css";
import { showCount } from "./format.ts";
import { Picture } from "./picture.tsx";
import { Spans } from "./spans.tsx";

/** What a piece of evidence is to the hop that is looked at. */
export type EvidenceIs = "wanted" | "gold" | "other-hop" | "other";

/** Marks of results, as every page has them; `words` say what they mean. */
export const resultMarks: Record<EvidenceIs, { mark: string; words: string }> = {
	wanted: { mark: "◆", words: "gold" },
	gold: { mark: "◆", words: "gold" },
	"other-hop": { mark: "◇", words: "gold of another hop" },
	other: { mark: "○", words: "other" },
};

/** One piece of evidence: what it is, what it says, and its picture. */
export function EvidenceCard({
	run,
	card,
	is,
	rank,
	score,
	note,
	excerpt,
	onPicture,
}: {
	run: string;
	card: Card;
	is: EvidenceIs;
	rank?: number;
	score?: number;
	/** What is said of it here: "did not come back". */
	note?: string;
	/** The parts of its text that matter here, shown in place of its beginning. */
	excerpt?: readonly Span[] | undefined;
	onPicture: (picture: Media, card: Card) => void;
}) {
	const { picture } = card;
	const [whole, setWhole] = useState(false);
	const known = card.kind !== "unknown";
	return (
		<article className={styles.card} data-is={is}>
			<header className={styles.head}>
				<span className={styles.mark} role="img" aria-label={resultMarks[is].words}>
					{resultMarks[is].mark}
				</span>
				{rank !== undefined && <span className={styles.rank}>{rank}.</span>}
				<b className={styles.title}>
					<bdi>{card.title || card.id}</bdi>
				</b>
				{known && <span className={styles.kind}>{card.kind}</span>}
				{score !== undefined && <span className={styles.score}>{score.toPrecision(4)}</span>}
			</header>
			<div className={styles.body}>
				{picture && (
					<Picture
						run={run}
						picture={picture}
						height={72}
						width={card.kind === "page" ? 54 : 92}
						whole
						onOpen={() => onPicture(picture, card)}
					/>
				)}
				<div className={styles.text}>
					{!known ? (
						<i>The knowledge base no longer holds it.</i>
					) : excerpt && !whole ? (
						<>
							<span className={styles.excerpt} dir="auto">
								<Spans spans={excerpt} />
							</span>
							{excerpt.reduce((sum, { text }) => sum + text.length, 0) < card.text.length && (
								<button type="button" className={styles.more} aria-expanded={false} onClick={() => setWhole(true)}>
									show all
								</button>
							)}
						</>
					) : (
						<Clipped text={card.text} {...(whole && { lines: 40 })} />
					)}
					{whole && (
						<button type="button" className={styles.more} aria-expanded={true} onClick={() => setWhole(false)}>
							show what matters
						</button>
					)}
					{(!excerpt || whole) && card.length > card.text.length && card.text !== "" && (
						<small className={styles.length}>
							{showCount(card.text.length)} of {showCount(card.length)} characters
						</small>
					)}
				</div>
			</div>
			<footer className={styles.foot}>
				<code className={styles.id} title={card.id}>
					<bdi>{card.id}</bdi>
				</code>
				{note !== undefined && <span className={styles.note}>{note}</span>}
			</footer>
		</article>
	);
}
