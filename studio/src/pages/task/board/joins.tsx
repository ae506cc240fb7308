import { useMemo } from "react";
import type { Rect } from "../../../parts/use-measured.ts";
import type { Edge } from "../chain-shape.ts";
import type { Join } from "./board-rows.ts";
import { joinLines } from "./join-lines.ts";
import styles from "./joins.module.css";

type Rects = ReadonlyMap<string, Rect>;

/** The lines of the board: which steps had to do with which hop, and at the left which hop needs which. */
export function Joins({
	joins,
	edges,
	rects,
	height,
	selected,
}: {
	joins: readonly Join[];
	edges: readonly Edge[];
	rects: Rects;
	height: number;
	/** The hop whose lines are told apart. */
	selected: string | null;
}) {
	const { lines, trunks } = useMemo(() => joinLines(joins, rects), [joins, rects]);
	// nothing is drawn beyond where the steps begin
	const width = Math.max(0, ...joins.map(({ step }) => rects.get(`step:${step}`)?.left ?? 0), hopsEnd(rects));
	return (
		<svg className={styles.joins} width={width} height={height} aria-hidden="true">
			{edges.map((edge) => (
				<Dependency key={`${edge.from} ${edge.to}`} edge={edge} rects={rects} />
			))}
			{trunks.map(({ hop, is, line }) => (
				<g key={`${hop} ${is}`} data-is={is} data-selected={hop === selected || undefined}>
					<path className={styles.line} d={line} />
				</g>
			))}
			{lines.map(({ join: { hop, step, is }, line, end }) => (
				<g key={`${hop} ${step}`} data-is={is} data-selected={hop === selected || undefined}>
					<path className={styles.line} d={line} />
					<path className={styles.end} d={end} />
				</g>
			))}
		</svg>
	);
}

const hopsEnd = (rects: Rects) =>
	Math.max(0, ...[...rects].map(([name, { left, width }]) => (name.startsWith("hop:") ? left + width : 0)));

function Dependency({ edge, rects }: { edge: Edge; rects: Rects }) {
	const [from, to] = [rects.get(`hop:${edge.from}`), rects.get(`hop:${edge.to}`)];
	if (!from || !to) return null;
	const [start, end] = [from.top + from.height * 0.35, to.top + to.height * 0.3];
	// the further it reaches, the further out it runs
	const out = Math.min(26, 14 + Math.abs(end - start) / 40);
	const x = to.left;
	return (
		<g data-is={edge.is} className={styles.dependency}>
			<path
				d={`M${from.left} ${start}C${from.left - out} ${start} ${x - out} ${start} ${x - out} ${start + Math.min(30, (end - start) / 2)}V${end - Math.min(30, (end - start) / 2)}C${x - out} ${end} ${x - out} ${end} ${x - 5} ${end}`}
			/>
			<path className={styles.arrow} d={`M${x - 8} ${end - 4}l7 4l-7 4z`} />
		</g>
	);
}
