/** The geometry of the lines between hops and steps, from where both stand. */
import type { Rect } from "../../../parts/use-measured.ts";
import type { Join } from "./board-rows.ts";

type Rects = ReadonlyMap<string, Rect>;

interface Point {
	x: number;
	y: number;
}

export interface JoinLine {
	join: Join;
	/** Path of the line, and of the mark at its end. */
	line: string;
	end: string;
}

/** Where the lines of a hop with many of them run down together. */
export interface Trunk {
	hop: string;
	is: Join["is"];
	line: string;
}

/** A hop with more lines than these has them bundled: a curve to each of a hundred steps says nothing, and draws slowly. */
const mostCurves = 8;
const kinds: readonly Join["is"][] = ["gold", "missed", "besides"];

/** Lines of one hop leave it beneath each other, and those of one step reach it so, that they can be told apart. */
export function joinLines(joins: readonly Join[], rects: Rects): { lines: JoinLine[]; trunks: Trunk[] } {
	const ofHop = places(joins, ({ hop }) => hop);
	const ofStep = places(joins, ({ step }) => step);
	const hops = [...new Set(joins.map(({ hop }) => hop))];
	const reached = new Map<string, { from: Point; x: number; ys: number[]; hop: string; is: Join["is"] }>();
	const lines = joins.flatMap((join, at): JoinLine[] => {
		const [hop, step] = [rects.get(`hop:${join.hop}`), rects.get(`step:${join.step}`)];
		if (!hop || !step) return [];
		const [place, of] = ofHop[at] ?? [0, 1];
		const out = { x: hop.left + hop.width, y: spread(hop, place, of, hop.height) };
		const [stepPlace, stepOf] = ofStep[at] ?? [0, 1];
		const to = { x: step.left, y: spread(step, stepPlace, stepOf, 44) };
		const end = join.is === "missed" ? cross(to.x - 15, to.y) : diamond(to.x - 10, to.y);
		const stop = { x: to.x - 14, y: to.y };
		if (of <= mostCurves) return [{ join, line: curve(out, stop), end }];
		const kind = kinds.indexOf(join.is);
		const x = out.x + 10 + (hops.indexOf(join.hop) % 3) * 12 + kind * 4;
		const key = `${join.hop} ${join.is}`;
		const trunk = reached.get(key) ?? {
			...{ from: { x: out.x, y: hop.top + hop.height * (0.3 + kind * 0.2) }, x, ys: [], hop: join.hop, is: join.is },
		};
		trunk.ys.push(to.y);
		reached.set(key, trunk);
		return [{ join, line: `M${x} ${to.y}H${stop.x}`, end }];
	});
	const trunks = [...reached.values()].map(({ from, x, ys, hop, is }) => {
		const [top, bottom] = [Math.min(from.y, ...ys), Math.max(from.y, ...ys)];
		return { hop, is, line: `M${from.x} ${from.y}H${x}M${x} ${top}V${bottom}` };
	});
	return { lines, trunks };
}

const spread = (rect: Rect, place: number, of: number, room: number) =>
	rect.top + rect.height / 2 + ((place + 1) / (of + 1) - 0.5) * Math.min(room, rect.height * 0.8);

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

function curve(from: Point, to: Point): string {
	const bend = Math.max(24, (to.x - from.x) * 0.6);
	return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}

const diamond = (x: number, y: number) => `M${x - 6} ${y}l6-6l6 6l-6 6z`;
const cross = (x: number, y: number) => `M${x - 5} ${y - 5}l10 10M${x - 5} ${y + 5}l10-10`;
