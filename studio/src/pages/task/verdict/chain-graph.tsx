import { useEffect, useMemo, useRef } from "react";
import type { Legend, TaskHop } from "../../../../../src/studio/pages.ts";
import { markOf } from "../../../data/legend.ts";
import { Unseen } from "../../../parts/unseen.tsx";
import { useMeasured } from "../../../parts/use-measured.ts";
import { VerdictMark } from "../../../parts/verdict-mark.tsx";
import { brokenOnwards, chainEdges, chainLayers, type Edge } from "../chain-shape.ts";
import styles from "./chain-graph.module.css";

/** The gold chain as boxes that carry values: parallel branches beneath each other, lines only where a hop needs another. */
export function ChainGraph({
	hops,
	legend,
	onSelect,
}: {
	hops: readonly TaskHop[];
	legend: Legend;
	onSelect: (id: string) => void;
}) {
	const scroller = useRef<HTMLElement>(null);
	const graph = useRef<HTMLDivElement>(null);
	const placed = useMemo(() => chainLayers(hops), [hops]);
	const { rects, width, height } = useMeasured(graph, hops);
	const behind = useMemo(() => brokenOnwards(hops, legend), [hops, legend]);
	const edges = useMemo(() => chainEdges(hops, legend), [hops, legend]);
	const lanes = Math.max(...placed.map(({ lane }) => lane)) + 1;
	const first = hops.find((hop) => hop.first);
	const broken = first && rects.get(`box:${first.id}`);
	// a long chain opens where it breaks
	useEffect(() => {
		const shown = scroller.current;
		if (!shown || !broken) return;
		shown.scrollLeft = broken.left + broken.width / 2 - shown.clientWidth / 2;
		shown.scrollTop = broken.top + broken.height / 2 - shown.clientHeight / 2;
	}, [broken]);
	return (
		<nav ref={scroller} className={styles.scroller} aria-label="Gold chain">
			<div
				ref={graph}
				className={styles.graph}
				data-dense={lanes > 2 || undefined}
				data-many={hops.length > 6 || undefined}
			>
				<svg className={styles.edges} width={width} height={height} aria-hidden="true">
					{edges.map((edge) => (
						<path key={`${edge.from} ${edge.to}`} data-is={edge.is} d={lineOf(edge, rects, placed)} />
					))}
				</svg>
				{placed.map(({ hop, layer, lane }) => {
					const mark = markOf(legend.verdicts, hop.verdict);
					return (
						<button
							key={hop.id}
							type="button"
							className={styles.box}
							style={{ gridColumn: layer + 1, gridRow: lane + 1 }}
							data-measured={`box:${hop.id}`}
							data-tone={mark.tone}
							data-first={hop.first || undefined}
							data-behind={(behind.has(hop.id) && !hop.first) || undefined}
							title={`Hop ${hop.place}: ${mark.plainly}`}
							onClick={() => onSelect(hop.id)}
						>
							<VerdictMark mark={mark} first={hop.first} />
							<Unseen>{`Hop ${hop.place}, ${mark.plainly}: gold `}</Unseen>
							<span className={styles.values} data-long={hop.gold.length > 60 || undefined}>
								<bdi className={styles.gold}>{hop.gold}</bdi>
								{hop.took !== null && (
									<span className={styles.took}>
										took <bdi>{hop.took || "nothing"}</bdi>
									</span>
								)}
								{hop.possible && hop.took === null && <span className={styles.maybe}>may have broken</span>}
							</span>
						</button>
					);
				})}
			</div>
		</nav>
	);
}

/** From the end of one box to the beginning of another; past boxes that stand between them it runs beneath. */
function lineOf(
	{ from, to }: Edge,
	rects: ReturnType<typeof useMeasured>["rects"],
	placed: ReturnType<typeof chainLayers>,
): string {
	const [start, end] = [rects.get(`box:${from}`), rects.get(`box:${to}`)];
	const [before, after] = [from, to].map((id) => placed.find(({ hop }) => hop.id === id));
	if (!start || !end || !before || !after) return "";
	const [x0, y0, x1, y1] = [start.left + start.width, start.top + start.height / 2, end.left, end.top + end.height / 2];
	const between = placed.some(({ lane, layer }) => lane === before.lane && layer > before.layer && layer < after.layer);
	if (!between) {
		// along its own line as far as it can, so that it crosses no box of another
		const turn = Math.max(x0, x1 - 24);
		const straight = Math.abs(y0 - y1) < 3;
		return straight ? `M${x0} ${y0}H${x1}` : `M${x0} ${y0}H${turn}C${turn + 16} ${y0} ${x1 - 16} ${y1} ${x1} ${y1}`;
	}
	const beneath = Math.max(start.top + start.height, end.top + end.height) + 7;
	const [out, back] = [x0 - 18, x1 + 18];
	return `M${out} ${start.top + start.height}Q${out} ${beneath} ${out + 8} ${beneath}H${back - 8}Q${back} ${beneath} ${back} ${end.top + end.height}`;
}
