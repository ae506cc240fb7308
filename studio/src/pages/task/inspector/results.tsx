import { useState } from "react";
import type { EvidenceCard as Card, Span, TaskHop, TaskPage, TaskStep } from "../../../../../src/studio/pages.ts";
import { EvidenceCard, resultMarks } from "../../../parts/evidence-card.tsx";
import styles from "./inspector.module.css";
import type { Inspected } from "./inspector.tsx";

const missing = (id: string): Card => ({
	...{ id, kind: "unknown", title: "", text: "", length: 0, document: "", picture: null },
});

export const cardOf = ({ evidence }: TaskPage, id: string): Card =>
	(Object.hasOwn(evidence, id) ? evidence[id] : undefined) ?? missing(id);

/** The parts of a text that matter to a hop, where any do. */
export const excerptOf = ({ excerpts }: Pick<TaskHop, "excerpts">, id: string): readonly Span[] | undefined =>
	Object.hasOwn(excerpts, id) ? excerpts[id] : undefined;

/** The hops that a step was made for, then those whose evidence a result is. */
const concerned = ({ hops }: TaskPage, { aimed }: TaskStep, wanting: readonly string[]): TaskHop[] =>
	[...aimed, ...wanting].flatMap((id) => hops.find((hop) => hop.id === id) ?? []);

/** What one step brought back, the first ones in full; what stands above already is only named. */
export function Results({
	step,
	page,
	hop,
	shownBefore,
	most = 3,
	onPicture,
}: Pick<Inspected, "page" | "onPicture"> & {
	step: TaskStep;
	/** Whose gold is meant; the step's own where absent. */
	hop?: TaskHop;
	/** Evidence by id with the number of the step that it is shown at above. */
	shownBefore?: ReadonlyMap<string, number>;
	most?: number;
}) {
	const [all, setAll] = useState(false);
	const { results, more, error } = step;
	const shown = all ? results : results.slice(0, most);
	if (results.length === 0)
		return <p className={styles.note}>{error === null ? "Nothing came back." : `⚠ ${error}`}</p>;
	return (
		<>
			{shown.map((result) => {
				const { id, rank, score, hops, externalId, readAs } = result;
				const is =
					hop === undefined ? result.is : hops.includes(hop.id) ? "gold" : hops.length > 0 ? "other-hop" : "other";
				const card = cardOf(page, readAs ?? id);
				const before = shownBefore?.get(id);
				if (before !== undefined && is !== "gold" && before !== step.index)
					return (
						<p key={`${rank} ${id}`} className={styles.again}>
							<span role="img" aria-label={resultMarks[is].words}>
								{resultMarks[is].mark}
							</span>
							<span>{rank}.</span>
							<b>
								<bdi>{card.title || id}</bdi>
							</b>
							<span>as in step {before + 1}</span>
						</p>
					);
				return (
					<EvidenceCard
						key={`${rank} ${id}`}
						run={page.run}
						card={card}
						is={is}
						rank={rank}
						score={score}
						{...(externalId !== undefined && { note: `came as ${externalId}` })}
						excerpt={(hop ? [hop] : concerned(page, step, hops))
							.map((one) => excerptOf(one, readAs ?? id))
							.find((found) => found)}
						onPicture={onPicture}
					/>
				);
			})}
			{results.length > most && (
				<button type="button" className={styles.link} aria-expanded={all} onClick={() => setAll(!all)}>
					{all ? "show fewer" : `show ${results.length - most} more`}
				</button>
			)}
			{more > 0 && (all || results.length <= most) && (
				<p className={styles.note}>and {more} more that are not listed</p>
			)}
		</>
	);
}
