import { useMemo, useRef } from "react";
import type { BenchmarkTask, GoldHop } from "../../../../../src/studio/sources-pages.ts";
import { Unseen } from "../../../parts/unseen.tsx";
import { type Rect, useMeasured } from "../../../parts/use-measured.ts";
import { chainLayers, type Placed } from "../../task/chain-shape.ts";
import styles from "./gold-graph.module.css";

/** The hops of a task in layers, each behind all that it needs; a line only where a hop needs another. */
export function GoldGraph({
	page: { hops, sink },
	pointed,
	onPoint,
}: {
	page: BenchmarkTask;
	pointed: string | undefined;
	onPoint: (hop: string) => void;
}) {
	const graph = useRef<HTMLDivElement>(null);
	const placed = useMemo(() => chainLayers(hops), [hops]);
	const { rects, width, height } = useMeasured(graph, hops);
	const edges = hops.flatMap(({ id, needs }) => needs.map(({ hop, role }) => ({ from: hop, to: id, role })));
	return (
		<nav className={styles.scroller} aria-label="Gold chain">
			<div ref={graph} className={styles.graph}>
				<svg className={styles.edges} width={width} height={height} aria-hidden="true">
					{edges.map((edge) => (
						<path key={`${edge.from} ${edge.to}`} data-role={edge.role} d={lineOf(edge, rects, placed)} />
					))}
				</svg>
				{placed.map(({ hop, layer, lane }) => (
					<button
						key={hop.id}
						type="button"
						className={styles.box}
						style={{ gridColumn: layer + 1, gridRow: lane + 1 }}
						data-measured={hop.id}
						aria-current={pointed === hop.id || undefined}
						title={hop.question}
						onClick={() => onPoint(hop.id)}
					>
						<small>
							{hop.place} · {hop.modality.toLowerCase()}
							{hop.id === sink && " · gives the answer"}
							{needsWords(hop, hops)}
						</small>
						<bdi>{hop.gold}</bdi>
					</button>
				))}
			</div>
		</nav>
	);
}

/** For those who hear the page: what a line says to the eye. */
function needsWords({ needs }: GoldHop, hops: readonly GoldHop[]) {
	const needed = needs.flatMap(({ hop, role }) => {
		const place = hops.find(({ id }) => id === hop)?.place;
		return place === undefined ? [] : [`${role} hop ${place}`];
	});
	return needed.length > 0 && <Unseen>{`, needs ${needed.join(", ")}: `}</Unseen>;
}

/**
 * From the end of one box to the beginning of another: along the line of the first up to the second, so that it crosses
 * none; past boxes on that line it runs beneath.
 */
function lineOf(
	{ from, to }: { from: string; to: string },
	rects: ReadonlyMap<string, Rect>,
	placed: readonly Placed<GoldHop>[],
): string {
	const [start, end] = [rects.get(from), rects.get(to)];
	const [before, after] = [from, to].map((id) => placed.find(({ hop }) => hop.id === id));
	if (!start || !end || !before || !after) return "";
	const [x0, y0] = [start.left + start.width, start.top + start.height / 2];
	const [x1, y1] = [end.left, end.top + end.height / 2];
	const between = placed.some(({ lane, layer }) => lane === before.lane && layer > before.layer && layer < after.layer);
	if (between) {
		const beneath = start.top + start.height + 4;
		return `M${x0 - 14} ${start.top + start.height}V${beneath}H${x1 - 20}C${x1 - 8} ${beneath} ${x1 - 12} ${y1} ${x1} ${y1}`;
	}
	if (Math.abs(y0 - y1) < 3) return `M${x0} ${y0}H${x1}`;
	return `M${x0} ${y0}H${x1 - 30}C${x1 - 12} ${y0} ${x1 - 18} ${y1} ${x1} ${y1}`;
}
