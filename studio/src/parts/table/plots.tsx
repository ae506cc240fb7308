import type { TablePlot } from "../../../../src/studio/pages.ts";
import styles from "./plots.module.css";

/** An SVG document as an address: shown by `img` it can neither run nor fetch anything. */
const addressOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** The drawings of a table's figures. */
export const Plots = ({ plots }: { plots: readonly TablePlot[] }) =>
	plots.length === 0 ? null : (
		<div className={styles.plots}>
			{plots.map((plot, place) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: plots of a table never change places, and may share a title
				<figure key={place} className={styles.plot}>
					<figcaption className={styles.title}>
						<bdi>{plot.title}</bdi>
					</figcaption>
					<img
						className={styles.drawing}
						src={addressOf(plot.svg)}
						alt={plot.alt}
						width={plot.width}
						height={plot.height}
						loading="lazy"
						decoding="async"
					/>
					{plot.legend.length > 0 && (
						<ul className={styles.legend}>
							{plot.legend.map(({ name, svg }) => (
								<li key={name}>
									<img src={addressOf(svg)} alt="" width={14} height={14} />
									<bdi>{name}</bdi>
								</li>
							))}
						</ul>
					)}
				</figure>
			))}
		</div>
	);
