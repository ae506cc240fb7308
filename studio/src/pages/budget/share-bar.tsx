import { useId } from "react";
import type { Estimate } from "../../../../src/studio/pages.ts";
import styles from "./share-bar.module.css";

const per = (share: number) => `${100 * Math.max(0, Math.min(1, share))}%`;

/** A share of all failures as a bar with its 95 % interval; what is not known is hatched. The figures stand beside it. */
export function ShareBar({
	estimate: { value, low, high },
	tone,
}: {
	estimate: Estimate;
	tone: "accent" | "bad" | "unknown";
}) {
	const pattern = useId();
	return (
		<svg className={styles.bar} data-tone={tone} width="100%" height="24" aria-hidden="true">
			{tone === "unknown" && (
				<defs>
					<pattern id={pattern} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
						<path className={styles.hatch} d="M0 0V6" />
					</pattern>
				</defs>
			)}
			<rect className={styles.ground} y="3" width="100%" height="18" rx="2" />
			{value !== null && value > 0 && (
				<rect
					className={styles.value}
					y="3"
					width={per(value)}
					height="18"
					rx="2"
					style={tone === "unknown" ? { fill: `url(#${pattern})` } : undefined}
				/>
			)}
			{low !== null && high !== null && (
				<g className={styles.whisker}>
					<line x1={per(low)} x2={per(high)} y1="12" y2="12" />
					<line x1={per(low)} x2={per(low)} y1="7" y2="17" />
					<line x1={per(high)} x2={per(high)} y1="7" y2="17" />
				</g>
			)}
		</svg>
	);
}
