import { type RefObject, useEffect, useState } from "react";
import type { Legend, TaskPage } from "../../../../../src/studio/pages.ts";
import { ChainMarks } from "../../../parts/chain-marks.tsx";
import styles from "./band-in-brief.module.css";

/** On a narrow page the verdict in one line, kept at the top while the band itself is out of sight. */
export function BandInBrief({
	page: { hops, title, tone },
	legend,
	band,
}: {
	page: TaskPage;
	legend: Legend;
	band: RefObject<HTMLElement | null>;
}) {
	const [away, setAway] = useState(false);
	useEffect(() => {
		if (!band.current) return;
		const observer = new IntersectionObserver(([entry]) =>
			setAway(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 0),
		);
		observer.observe(band.current);
		return () => observer.disconnect();
	}, [band]);
	// it repeats what stands above, so it is for the eye alone
	return (
		<div className={styles.brief} data-tone={tone} data-shown={away || undefined} aria-hidden>
			<ChainMarks hops={hops} marks={legend.verdicts} most={6} />
			<b>{title}</b>
		</div>
	);
}
