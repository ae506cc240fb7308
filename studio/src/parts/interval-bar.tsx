import type { Estimate } from "../../../src/studio/pages.ts";
import styles from "./interval-bar.module.css";

const per = (share: number) => `${100 * Math.max(0, Math.min(1, share))}%`;

/** A share between 0 and 1: filled to its value, its 95 % interval as a whisker. The figures stand beside it. */
export const IntervalBar = ({ estimate: { value, low, high } }: { estimate: Estimate }) =>
	value === null ? null : (
		<svg className={styles.bar} width="100%" height="14" aria-hidden="true">
			<rect className={styles.ground} y="4" width="100%" height="6" rx="3" />
			<rect className={styles.value} y="4" width={per(value)} height="6" rx="3" />
			{low !== null && high !== null && (
				<g className={styles.whisker}>
					<line x1={per(low)} x2={per(high)} y1="7" y2="7" />
					<line x1={per(low)} x2={per(low)} y1="2" y2="12" />
					<line x1={per(high)} x2={per(high)} y1="2" y2="12" />
				</g>
			)}
		</svg>
	);
