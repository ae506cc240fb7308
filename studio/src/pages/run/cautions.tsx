import styles from "./cautions.module.css";

/** What to know before the scores: whether replies could be read and attempts could end. */
export const Cautions = ({ cautions }: { cautions: readonly string[] }) =>
	cautions.length === 0 ? null : (
		<section className={styles.cautions} aria-label="Cautions">
			<span className={styles.mark} aria-hidden="true">
				⚠
			</span>
			<ul>
				{cautions.map((caution) => (
					<li key={caution} dir="auto">
						{caution}
					</li>
				))}
			</ul>
		</section>
	);
