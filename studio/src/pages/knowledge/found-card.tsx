import { Link } from "@tanstack/react-router";
import type { EvidenceCard, Media } from "../../../../src/studio/pages.ts";
import type { FoundBy } from "../../../../src/studio/sources-pages.ts";
import { knowledgeMedia } from "../../data/sources.ts";
import { Picture } from "../../parts/picture.tsx";
import styles from "./found-card.module.css";
import { type Elsewhere, titleOf } from "./found-lists.tsx";

/** One result of one index: its rank and score, what it says, and where else it came back. */
export function FoundCard({
	name,
	hit: { id, rank, score, snippet, indexes },
	card,
	elsewhere,
	fused,
	looked,
	onLook,
	onPicture,
	onAlike,
}: {
	name: string;
	hit: FoundBy["hits"][number];
	card: EvidenceCard | undefined;
	elsewhere: readonly Elsewhere[];
	fused: boolean;
	looked: boolean;
	onLook: (id: string | null) => void;
	onPicture: (picture: Media) => void;
	onAlike: (id: string) => void;
}) {
	const picture = card?.picture;
	return (
		<li
			className={styles.card}
			data-looked={looked || undefined}
			onMouseEnter={() => onLook(id)}
			onMouseLeave={() => onLook(null)}
			onFocus={() => onLook(id)}
		>
			<div className={styles.head}>
				<span className={styles.rank}>{rank}</span>
				<Link
					className={styles.title}
					to="/knowledge/$name/documents/$document"
					params={{ name, document: card?.document ?? id }}
					search={{ at: id }}
					data-hit=""
				>
					<bdi>{card?.title || id}</bdi>
				</Link>
				<span className={styles.score} title="Score: comparable within this list only">
					{score.toPrecision(4)}
				</span>
			</div>
			<div className={styles.body}>
				{picture && (
					<Picture
						run={knowledgeMedia(name)}
						picture={picture}
						height={64}
						width={card.kind === "page" ? 48 : 64}
						onOpen={() => onPicture(picture)}
					/>
				)}
				<p className={styles.text} dir="auto">
					{snippet === card?.title ? "" : snippet}
				</p>
			</div>
			<p className={styles.foot}>
				<code title={id}>
					<bdi>{id}</bdi>
				</code>
				{card?.kind === "image" && (
					<button type="button" className={styles.alike} onClick={() => onAlike(id)}>
						like this
					</button>
				)}
			</p>
			{(elsewhere.length > 0 || (fused && indexes.length > 0)) && (
				<p className={styles.elsewhere}>
					{fused && indexes.length > 0 && <span>by {indexes.join(", ")}</span>}
					{!fused &&
						elsewhere.map((other) => (
							<span key={other.mode}>
								{titleOf(other.mode).toLowerCase()} {other.rank}
							</span>
						))}
				</p>
			)}
		</li>
	);
}
