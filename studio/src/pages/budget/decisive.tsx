import type { BudgetPage } from "../../../../src/studio/pages.ts";
import { showShare } from "../../parts/estimate.ts";
import { plural, showCount } from "../../parts/format.ts";
import { IntervalBar } from "../../parts/interval-bar.tsx";
import styles from "./grid.module.css";

type Chains = BudgetPage["decisive"][number];

/** The hop from which on, once it and those before it are given, the agent is right and stays so; by length of chain. */
export const Decisive = ({ decisive }: { decisive: readonly Chains[] }) => {
	const unsure = decisive.reduce((sum, one) => sum + one.unsure, 0);
	return (
		<section aria-labelledby="decisive">
			<h2 id="decisive">The decisive hop</h2>
			<p className={styles.note}>
				Once it and the hops before it are given as solved, the agent succeeds, and stays successful with every further
				one.
				{unsure > 0 &&
					` ◌ Of ${plural(unsure, "answer")} it cannot be told: a prefix was not run or ended by an error.`}
			</p>
			<div className={styles.chains}>
				{decisive.map(({ hops, places }) => (
					<div key={hops}>
						<h3>
							Chains of {plural(hops, "hop")}, {plural(places[0]?.share.n ?? 0, "answer")}
						</h3>
						{places.map(({ place, share, count }) => (
							<div key={place} className={styles.line}>
								<span className={styles.name}>{wordsOf(place)}</span>
								<IntervalBar estimate={share} />
								<span className={styles.count}>{showCount(count)}</span>
								<span className={styles.share}>{showShare(share)}</span>
							</div>
						))}
					</div>
				))}
			</div>
		</section>
	);
};

const wordsOf = (place: Chains["places"][number]["place"]): string =>
	place === "none" ? "no hop needed" : place === "never" ? "not with all given" : `hop ${place}`;
