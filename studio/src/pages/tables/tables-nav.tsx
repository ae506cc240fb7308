import type { Group } from "./contents.ts";
import styles from "./tables-nav.module.css";
import type { Folds } from "./use-folds.ts";

/** What the page holds; each entry unfolds what it names and brings it into view. */
export const TablesNav = ({
	contents,
	folds,
	glossary,
}: {
	contents: readonly Group[];
	folds: Folds;
	glossary: boolean;
}) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
	<nav className={styles.nav} aria-label="Tables of this page" tabIndex={0}>
		{contents.map((group, place) => (
			<div key={group.id}>
				{group.of !== "" && group.of !== contents[place - 1]?.of && (
					<p className={styles.of}>
						<bdi>{group.of}</bdi>
					</p>
				)}
				<button type="button" className={styles.group} onClick={() => folds.show(group)}>
					{group.title}
				</button>
				<ul className={styles.tables}>
					{group.tables.map(({ id, title }) => (
						<li key={id}>
							<button type="button" className={styles.table} title={title} onClick={() => folds.show(group, id)}>
								<bdi>{title}</bdi>
							</button>
						</li>
					))}
				</ul>
			</div>
		))}
		{glossary && (
			<button
				type="button"
				className={styles.group}
				onClick={() => document.getElementById("glossary")?.scrollIntoView({ block: "start" })}
			>
				What the numbers mean
			</button>
		)}
	</nav>
);
