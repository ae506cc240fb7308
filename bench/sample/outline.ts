/** Outline maps: a country's shape on a plain ground, without any text. */
import { seeded } from "#recipes";

type Point = [x: number, y: number];

const grounds = ["#dbe9f4", "#eef3e6", "#f4efe1", "#e6e6ee", "#e3f1ee"];
const lands = ["#8aa36b", "#c9a66b", "#7f93b2", "#b98b73", "#9a8fb0"];
const size = 512;
const margin = 36;

/** Fewer corners than this make a shape that nobody can tell from others. */
const fewestCorners = 30;
/** Islands scattered over more water than this share of land leaves are hardly a shape. */
const leastCovered = 0.03;

/**
 * The SVG of a country's outline, or nothing where the data is too coarse. Longitudes are squeezed by the cosine of the
 * middle latitude; lands across the date line are put together; small pieces
 * far from the largest one are left out.
 */
export function outlineSvg(polygons: number[][][][], options: { key: string }): string | undefined {
	const rings = joined(polygons.map(([shore]) => (shore ?? []).map(([lon = 0, lat = 0]): Point => [lon, lat])));
	const areas = new Map(rings.map((ring) => [ring, areaOf(ring)]));
	const areaAt = (ring: Point[]) => areas.get(ring) ?? 0;
	const largest = rings.reduce<Point[]>((most, ring) => (areaAt(ring) > areaAt(most) ? ring : most), []);
	const centre = middleOf(boundsOf([largest]));
	const reach = 0.65 * spanOf(boundsOf([largest])) + 2;
	const near = rings.filter((ring) => {
		const [x, y] = middleOf(boundsOf([ring]));
		const distance = Math.hypot(x - centre[0], y - centre[1]);
		return (
			(distance <= reach && areaAt(ring) > areaAt(largest) / 4000) ||
			(distance <= 80 && areaAt(ring) > areaAt(largest) / 20)
		);
	});
	if (near.reduce((sum, ring) => sum + ring.length, 0) < fewestCorners) return undefined;
	const squeeze = Math.max(0.25, Math.cos((centre[1] * Math.PI) / 180));
	const flat = near.map((ring) => ring.map(([x, y]): Point => [x * squeeze, -y]));
	const bounds = boundsOf(flat);
	const scale = (size - 2 * margin) / spanOf(bounds);
	const covered = flat.reduce((sum, ring) => sum + areaOf(ring) / 2, 0) * scale * scale;
	if (covered < leastCovered * size * size) return undefined;
	const [midX, midY] = middleOf(bounds);
	const place = ([x, y]: Point) =>
		`${(size / 2 + (x - midX) * scale).toFixed(1)},${(size / 2 + (y - midY) * scale).toFixed(1)}`;
	const path = flat.map((ring) => `M${ring.map(place).join("L")}Z`).join("");
	const ground = seeded(options.key, "ground").pick(grounds);
	const land = seeded(options.key, "land").pick(lands);
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">` +
		`<rect width="${size}" height="${size}" fill="${ground}"/>` +
		`<path d="${path}" fill="${land}" stroke="#4a4a4a" stroke-width="1.5" stroke-linejoin="round"/></svg>`
	);
}

/** Moves western pieces one turn east where the whole spans the date line. */
function joined(rings: Point[][]): Point[][] {
	const [west, , east] = boundsOf(rings);
	if (east - west < 300) return rings;
	return rings.map((ring) => (middleOf(boundsOf([ring]))[0] < 0 ? ring.map(([x, y]): Point => [x + 360, y]) : ring));
}

type Bounds = [west: number, south: number, east: number, north: number];

function boundsOf(rings: Point[][]): Bounds {
	const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
	for (const ring of rings)
		for (const [x, y] of ring) {
			bounds[0] = Math.min(bounds[0], x);
			bounds[1] = Math.min(bounds[1], y);
			bounds[2] = Math.max(bounds[2], x);
			bounds[3] = Math.max(bounds[3], y);
		}
	return bounds;
}

const middleOf = ([west, south, east, north]: Bounds): Point => [(west + east) / 2, (south + north) / 2];
const spanOf = ([west, south, east, north]: Bounds) => Math.max(east - west, north - south, 1e-6);

/** Twice the area within a ring, in square degrees. */
function areaOf(ring: Point[]): number {
	let sum = 0;
	ring.forEach(([x, y], index) => {
		const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
		sum += x * nextY - nextX * y;
	});
	return Math.abs(sum);
}
