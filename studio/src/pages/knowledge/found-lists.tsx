import { useState } from "react";
import type { Media } from "../../../../src/studio/pages.ts";
import type { FoundBy, KnowledgeFound } from "../../../../src/studio/sources-pages.ts";
import { showTime } from "../../parts/format.ts";
import { FoundCard } from "./found-card.tsx";
import styles from "./found-lists.module.css";

/** What a mode is called at the head of its list. */
export const modeTitles: Record<string, string> = {
	lexical: "Lexical",
	dense: "Dense",
	joint: "Joint",
	late: "Late interaction",
	graph: "Graph",
	hybrid: "Hybrid",
	image: "Picture",
	passages: "Through passages",
	both: "Text and picture",
};

export const titleOf = (mode: string): string => modeTitles[mode] ?? mode;

/** What came back from each index, side by side; a result that one looks at is marked wherever else it came back. */
export function FoundLists({
	name,
	found,
	onPicture,
	onAlike,
}: {
	name: string;
	found: KnowledgeFound;
	onPicture: (picture: Media) => void;
	/** Looks for pictures like that of an evidence. */
	onAlike: (id: string) => void;
}) {
	const [looked, setLooked] = useState<string | null>(null);
	const ranks = ranksOf(found.lists);
	return (
		<div className={styles.lists}>
			{found.lists.map((list) => (
				<section key={list.mode} className={styles.list} aria-labelledby={`list-${list.mode}`}>
					<header className={styles.head}>
						<h2 id={`list-${list.mode}`}>{titleOf(list.mode)}</h2>
						{list.usual && (
							<span className={styles.usual} title="A query that names no mode is answered so">
								usual
							</span>
						)}
						<span className={styles.ms}>{showTime(list.ms)}</span>
						<p>{list.says}</p>
					</header>
					{list.problem !== null ? (
						<p className={styles.problem} dir="auto">
							{list.problem}
						</p>
					) : list.hits.length === 0 ? (
						<p className={styles.nothing}>Nothing came back.</p>
					) : (
						<ol className={styles.hits}>
							{list.hits.map((hit) => (
								<FoundCard
									key={hit.id}
									name={name}
									hit={hit}
									card={found.evidence[hit.id]}
									elsewhere={(ranks.get(hit.id) ?? []).filter(({ mode }) => mode !== list.mode)}
									fused={list.fused}
									looked={looked === hit.id}
									onLook={setLooked}
									onPicture={onPicture}
									onAlike={onAlike}
								/>
							))}
						</ol>
					)}
				</section>
			))}
		</div>
	);
}

/** Where else a result came back. */
export interface Elsewhere {
	mode: string;
	rank: number;
}

function ranksOf(lists: readonly FoundBy[]): Map<string, Elsewhere[]> {
	const ranks = new Map<string, Elsewhere[]>();
	for (const { mode, hits } of lists)
		for (const { id, rank } of hits) ranks.set(id, [...(ranks.get(id) ?? []), { mode, rank }]);
	return ranks;
}
