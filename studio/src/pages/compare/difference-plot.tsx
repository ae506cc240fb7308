import type { DifferenceLine } from "../../../../src/studio/pages.ts";
import styles from "./difference-plot.module.css";

/** A difference with its 95 % interval about zero, drawn to a scale; the figures stand beside it. */
export function DifferencePlot({
	difference: { value, low, high },
	scale,
	tone,
}: {
	difference: DifferenceLine["difference"];
	/** What lies at either end. */
	scale: number;
	tone: "ok" | "bad" | "dim";
}) {
	if (value === null || scale === 0) return null;
	const at = (figure: number) => `${50 + 50 * Math.max(-1, Math.min(1, figure / scale))}%`;
	return (
		<svg className={styles.plot} width="100%" height="18" data-tone={tone} aria-hidden="true">
			<line className={styles.axis} x1="0" x2="100%" y1="9" y2="9" />
			<line className={styles.zero} x1="50%" x2="50%" y1="0" y2="18" />
			{low !== null && high !== null && (
				<g className={styles.interval}>
					<line x1={at(low)} x2={at(high)} y1="9" y2="9" />
					<line x1={at(low)} x2={at(low)} y1="5" y2="13" />
					<line x1={at(high)} x2={at(high)} y1="5" y2="13" />
				</g>
			)}
			<circle className={styles.value} cx={at(value)} cy="9" r="4.5" />
		</svg>
	);
}
