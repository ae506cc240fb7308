import { useState } from "react";
import type { DocumentPage } from "../../../../../src/studio/sources-pages.ts";
import { useData } from "../../../data/source.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import type { PictureBox } from "../../../parts/picture-dialog.tsx";
import styles from "./document-sheet.module.css";

type Corners = readonly [number, number, number, number];

const share = (of: number) => `${Math.max(0, Math.min(1, of)) * 100}%`;
const placed = ([left, top, right, bottom]: Corners) => ({
	left: share(left),
	top: share(top),
	width: share(right - left),
	height: share(bottom - top),
});

/** One page: its picture where it is kept, the blocks that were read on it, and their texts. */
export function DocumentSheet({
	media,
	sheet: { card, label, page, ratio, blocks, failed },
	pointed,
	chosen,
	onOpen,
}: {
	media: string;
	sheet: DocumentPage["pages"][number];
	/** Where the passage stands that is looked at. */
	pointed: readonly Corners[];
	chosen: boolean;
	onOpen: (boxes: PictureBox[]) => void;
}) {
	const data = useData();
	const [looked, setLooked] = useState<number | null>(null);
	const boxed = blocks.some(({ box }) => box !== null);
	const shown = pointed.map(
		(corners, at): PictureBox => ({ corners, label: pointed.length > 1 ? String(at + 1) : "", is: "gold" }),
	);
	return (
		<article className={styles.sheet} data-pointed={chosen || undefined} aria-label={`Page ${label}`}>
			<header>
				<b>Page {page + 1}</b>
				{label !== String(page + 1) && (
					<span>
						printed <bdi>{label.slice(0, 60)}</bdi>
					</span>
				)}
				{card.picture && (
					<button type="button" onClick={() => onOpen(shown)}>
						full size
					</button>
				)}
			</header>
			{failed !== "" && <p className={styles.failed}>{failed}</p>}
			{(card.picture || boxed) && (
				<div className={styles.paper} style={{ "--ratio": ratio ?? Math.SQRT1_2 }}>
					{card.picture && (
						<img src={data.media(media, card.picture.name)} alt={card.picture.alt} loading="lazy" decoding="async" />
					)}
					{blocks.map(
						({ kind, box, text }, at) =>
							box && (
								// biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only marks its text in the list, which says all
								<div
									// biome-ignore lint/suspicious/noArrayIndexKey: blocks stand in their order and have no name
									key={at}
									className={styles.block}
									data-kind={kind}
									data-looked={looked === at || undefined}
									style={placed(box)}
									title={`${kind}: ${text.slice(0, 300)}`}
									onMouseEnter={() => setLooked(at)}
									onMouseLeave={() => setLooked(null)}
								/>
							),
					)}
					{pointed.map((box) => (
						<div key={box.join(" ")} className={styles.pointed} style={placed(box)} />
					))}
				</div>
			)}
			{blocks.length > 0 ? (
				<details>
					<summary>{blocks.length} blocks</summary>
					<ol className={styles.blocks}>
						{blocks.map(({ kind, text }, at) => (
							<li
								// biome-ignore lint/suspicious/noArrayIndexKey: blocks stand in their order and have no name
								key={at}
								data-looked={looked === at || undefined}
								onMouseEnter={() => setLooked(at)}
								onMouseLeave={() => setLooked(null)}
							>
								<span>{kind}</span> <Clipped text={text} lines={3} />
							</li>
						))}
					</ol>
				</details>
			) : (
				<Clipped text={card.text} lines={10} />
			)}
		</article>
	);
}
