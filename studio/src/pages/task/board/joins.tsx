import type { Rect } from "../../../parts/use-measured.ts";
import type { Edge } from "../chain-shape.ts";
import type { Join } from "./board-rows.ts";
import styles from "./joins.module.css";

type Rects = ReadonlyMap<string, Rect>;

/** The lines of the board: which steps had to do with which hop, and at the left which hop needs which. */
export function Joins({
	joins,
	edges,
	rects,
	width,
	height,
	selected,
}: {
	joins: readonly Join[];
	edges: readonly Edge[];
	rects: Rects;
	width: number;
	height: number;
	/** The hop whose lines are told apart. */
	selected: string | null;
}) {
	return (
		<svg className={styles.joins} width={width} height={height} aria-hidden="true">
			{edges.map((edge) => (
				<Dependency key={`${edge.from} ${edge.to}`} edge={edge} rects={rects} />
			))}
			{placedJoins(joins, rects).map(({ join, from, to, trunk }) => (
				<g key={`${join.hop} ${join.step}`} data-is={join.is} data-selected={join.hop === selected || undefined}>
					<path className={styles.line} d={lineBetween(from, { x: to.x - 14, y: to.y }, trunk)} />
					<path className={styles.end} d={join.is === "missed" ? cross(to.x - 15, to.y) : diamond(to.x - 10, to.y)} />
				</g>
			))}
		</svg>
	);
}

interface Point {
	x: number;
	y: number;
}

interface PlacedJoin {
	join: Join;
	from: Point;
	to: Point;
	/** Where the lines of a hop with many of them run down together. */
	trunk?: number;
}

/** A hop with more lines than these has them bundled. */
const mostCurves = 8;
/** Where bundles leave a hop, as shares of its height. */
const departures: Record<Join["is"], number> = { gold: 0.3, missed: 0.55, besides: 0.8 };

/** Lines of one hop leave it beneath each other, and those of one step reach it so, that they can be told apart. */
function placedJoins(joins: readonly Join[], rects: Rects): PlacedJoin[] {
	const ofHop = places(joins, ({ hop }) => hop);
	const hops = [...new Set(joins.map(({ hop }) => hop))];
	const ofStep = places(joins, ({ step }) => step);
	return joins.flatMap((join, at) => {
		const [hop, step] = [rects.get(`hop:${join.hop}`), rects.get(`step:${join.step}`)];
		if (!hop || !step) return [];
		const spread = (rect: Rect, [place, of]: readonly [number, number], room: number) =>
			rect.top + rect.height / 2 + ((place + 1) / (of + 1) - 0.5) * Math.min(room, rect.height * 0.8);
		const bundled = (ofHop[at]?.[1] ?? 1) > mostCurves;
		if (bundled) {
			const y = hop.top + hop.height * departures[join.is];
			const trunk = hop.left + hop.width + 10 + (hops.indexOf(join.hop) % 4) * 7;
			return { join, from: { x: hop.left + hop.width, y }, to: { x: step.left, y: step.top + step.height / 2 }, trunk };
		}
		return {
			join,
			from: { x: hop.left + hop.width, y: spread(hop, ofHop[at] ?? [0, 1], hop.height) },
			to: { x: step.left, y: spread(step, ofStep[at] ?? [0, 1], 44) },
		};
	});
}

/** Of each, its place among those of the same key, and how many these are. */
function places(joins: readonly Join[], keyOf: (join: Join) => string | number): (readonly [number, number])[] {
	const counted = new Map<string | number, number>();
	const at = joins.map((join) => {
		const place = counted.get(keyOf(join)) ?? 0;
		counted.set(keyOf(join), place + 1);
		return place;
	});
	return joins.map((join, place) => [at[place] ?? 0, counted.get(keyOf(join)) ?? 1]);
}

function lineBetween(from: Point, to: Point, trunk?: number): string {
	if (trunk !== undefined) {
		const turn = Math.min(6, Math.abs(to.y - from.y) / 2) * Math.sign(to.y - from.y);
		return `M${from.x} ${from.y}H${trunk - 6}Q${trunk} ${from.y} ${trunk} ${from.y + turn}V${to.y - turn}Q${trunk} ${to.y} ${trunk + 6} ${to.y}H${to.x}`;
	}
	const bend = Math.max(24, (to.x - from.x) * 0.6);
	return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}

const diamond = (x: number, y: number) => `M${x - 6} ${y}l6-6l6 6l-6 6z`;
const cross = (x: number, y: number) => `M${x - 5} ${y - 5}l10 10M${x - 5} ${y + 5}l10-10`;

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
