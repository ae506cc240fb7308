import type { TaskPage } from "../../../../../src/studio/pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import shared from "./about-answer.module.css";
import type { Inspected } from "./inspector.tsx";
import styles from "./without-gold.module.css";

type Search = TaskPage["withoutGold"][number];

const marks = { flag: "⚑", plain: "·", untold: "?" } as const;
const meanings = { flag: "It stands out", plain: "", untold: "It cannot be told" } as const;

/** What one search shows without a gold chain; that something stands out makes it no error. */
export const SearchShows = ({ shows }: Pick<Search, "shows">) => (
	<ul className={styles.lines}>
		{shows.map(({ is, says }) => (
			<li key={says} data-is={is} title={meanings[is]}>
				<span aria-hidden>{marks[is]}</span>
				<Clipped text={says} />
			</li>
		))}
	</ul>
);

/** What stands out in the searches of an answer, and in the answer itself. */
export function WithoutGold({ searches, onSelect }: { searches: readonly Search[] } & Pick<Inspected, "onSelect">) {
	const flagged = searches.filter(({ shows }) => shows.some(({ is }) => is === "flag"));
	if (flagged.length === 0) return <p>Nothing stands out. That says nothing of whether the answer is right.</p>;
	return (
		<ul className={styles.searches}>
			{flagged.map(({ steps, shows }) => (
				<li key={steps.join(" ")}>
					{steps.length === 0 ? (
						<b>The answer</b>
					) : (
						steps.map((index) => (
							<button key={index} type="button" className={shared.step} onClick={() => onSelect({ is: "step", index })}>
								step {index + 1}
							</button>
						))
					)}
					<SearchShows shows={shows.filter(({ is }) => is === "flag")} />
				</li>
			))}
		</ul>
	);
}
