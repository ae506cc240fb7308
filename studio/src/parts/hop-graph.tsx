import { memo } from "react";
import type { GoldHopMark } from "../../../src/studio/sources-pages.ts";
import { chainLayers } from "../pages/task/chain-shape.ts";
import { plural } from "./format.ts";
import styles from "./hop-graph.module.css";

/** A letter for the kind of a hop, which needs no colour. */
const modalityLetters: Record<string, string> = {
	text: "T",
	image: "I",
	page: "P",
	table: "▦",
	graph: "G",
	compute: "Σ",
};

const step = 27;
const most = 8;

/** A gold chain as one small drawing: layers from left to right, a line only where a hop needs another. */
export const HopGraph = memo(function HopGraph({ hops }: { hops: readonly GoldHopMark[] }) {
	if (hops.length === 0) return <span className={styles.none}>no chain</span>;
	const placed = chainLayers(
		hops.map(({ modality, needs }, at) => ({
			...{ id: String(at), modality },
			needs: needs.map((place) => ({ hop: String(place) })),
		})),
	).filter(({ layer }) => layer < most);
	const lanes = Math.max(...placed.map(({ lane }) => lane)) + 1;
	const [height, size] = [40, lanes > 2 ? 11 : lanes > 1 ? 17 : 20];
	const line = height / lanes;
	const at = (layer: number, lane: number) => ({ x: layer * step + 12, y: lane * line + line / 2 });
	const spots = new Map(placed.map(({ hop, layer, lane }) => [hop.id, at(layer, lane)]));
	const layers = Math.max(...placed.map(({ layer }) => layer)) + 1;
	const says = `${plural(hops.length, "hop")}: ${hops.map(({ modality }) => modality).join(", ")}`;
	return (
		<svg className={styles.graph} width={layers * step} height={height} role="img" aria-label={says}>
			{placed.flatMap(({ hop }) =>
				hop.needs.map(({ hop: needed }) => {
					const [from, to] = [spots.get(needed), spots.get(hop.id)];
					if (!from || !to) return null;
					const [x0, x1] = [from.x + size / 2, to.x - size / 2];
					return (
						<path
							key={`${needed} ${hop.id}`}
							d={`M${x0} ${from.y}H${x1 - (step - size)}C${x1 - 2} ${from.y} ${x1 - 4} ${to.y} ${x1} ${to.y}`}
						/>
					);
				}),
			)}
			{placed.map(({ hop }) => {
				const { x = 0, y = 0 } = spots.get(hop.id) ?? {};
				return (
					<g key={hop.id}>
						<rect x={x - size / 2} y={y - size / 2} width={size} height={size} rx={4} />
						{size > 12 && (
							<text x={x} y={y + 4}>
								{modalityLetters[hop.modality] ?? "?"}
							</text>
						)}
					</g>
				);
			})}
		</svg>
	);
});
