/**
 * How often nominal 95 % intervals of right or wrong answers hold the truth: for n tasks in clusters of several shapes,
 * whose members are alike to several degrees, over a grid of true shares. `npm run bench -- coverage [rounds]`, 1,000
 * rounds a cell where not given (minutes; 5,000 for the table in docs/guides/scoring.md). Two ways of being alike:
 * members copy their cluster's luck, or clusters have rates of their own (beta-binomial). Exits with 1 where a mean over
 * the grid leaves 94 to 96.5 % or a cell falls below 92 % (90 % where fewer than one outcome of the rarer kind is to be
 * expected), by more than 3 standard errors of the simulation.
 */
import { interval } from "#scoring";

const rounds = Number(process.argv[2] ?? 1000);
const only = process.argv[3];
const grid = Array.from({ length: 10 }, (_, at) => 0.5 + 0.05 * at).concat(0.97, 0.98, 0.99);
/** What a share of the grid stands for: the width around it of the shares from 0.5 to 1. */
const weights = grid.map((_, at) => ((grid[at + 1] ?? 1) - (grid[at - 1] ?? 0.5)) / 2);
const shapes = {
	1: () => 1,
	2: () => 2,
	3: () => 3,
	5: () => 5,
	10: () => 10,
	"1 to 10": (at) => 1 + ((at * 7) % 10),
	"10, 2, 4, 2": (at) => [10, 2, 4, 2][at % 4],
};

let state = 20240611;
/** mulberry32 */
function random() {
	state = (state + 0x6d2b79f5) >>> 0;
	let mixed = state;
	mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
	mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

function gaussian() {
	return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Gamma of any shape (Marsaglia and Tsang 2000). */
function gamma(shape) {
	if (shape < 1) return gamma(shape + 1) * (1 - random()) ** (1 / shape);
	const d = shape - 1 / 3;
	for (;;) {
		const x = gaussian();
		const v = (1 + x / Math.sqrt(9 * d)) ** 3;
		if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
	}
}

const worlds = {
	copied: (alike, p) => {
		const chance = Math.sqrt(alike);
		return () => {
			const common = random() < p ? 1 : 0;
			return () => (random() < chance ? common : random() < p ? 1 : 0);
		};
	},
	"own rates": (alike, p) => () => {
		const [yes, no] = [gamma((p * (1 - alike)) / alike), gamma(((1 - p) * (1 - alike)) / alike)];
		const rate = yes + no > 0 ? yes / (yes + no) : random() < p ? 1 : 0;
		return () => (random() < rate ? 1 : 0);
	},
};

let failed = false;
const noise = (share) => 3 * Math.sqrt((share * (1 - share)) / rounds);
console.log("| tasks | clusters of | alike | mean over p | least, 1 rare outcome or more | least, fewer |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const n of [20, 50, 100, 300, 1000])
	for (const [shape, sizeOf] of Object.entries(shapes)) {
		if (only !== undefined && only !== shape) continue;
		const sizes = [];
		for (let left = n; left > 0; left -= sizes.at(-1)) sizes.push(Math.min(left, sizeOf(sizes.length)));
		if (sizes.length < 10) continue;
		const clusters = sizes.flatMap((size, cluster) => Array.from({ length: size }, () => `c${cluster}`));
		const typical = sizes.reduce((sum, size) => sum + size * size, 0) / n;
		for (const alike of shape === "1" ? [0] : [0, 0.1, 0.3, 0.6, 1])
			for (const [name, world] of Object.entries(worlds)) {
				if (name === "own rates" && (alike === 0 || alike === 1)) continue;
				const effective = n / (1 + (typical - 1) * alike);
				let [mean, whole, inside, edge] = [0, 0, 1, 1];
				for (const [at, p] of grid.entries()) {
					const cluster = world(alike, p);
					let held = 0;
					for (let round = 0; round < rounds; round++) {
						const values = sizes.flatMap((size) => Array.from({ length: size }, cluster()));
						const { low, high } = interval(values, { clusters });
						if (low < 0 || high > 1) throw new Error(`an interval from ${low} to ${high}`);
						if (low <= p && p <= high) held += 1;
					}
					const share = held / rounds;
					mean += weights[at] * share;
					whole += weights[at];
					if (effective * (1 - p) >= 1 - 1e-9) inside = Math.min(inside, share);
					else edge = Math.min(edge, share);
				}
				mean /= whole;
				const wrong =
					mean < 0.94 ||
					mean > 0.965 + noise(0.965) / grid.length ** 0.5 ||
					inside < 0.92 - noise(0.92) ||
					edge < 0.9 - noise(0.9);
				failed ||= wrong;
				const how = alike === 0 || alike === 1 ? `${alike}` : `${alike}, ${name}`;
				const percent = (share) => (100 * share).toFixed(1);
				console.log(
					`| ${n} | ${shape} | ${how} | ${percent(mean)} | ${percent(inside)} | ${edge < 1 ? percent(edge) : ""} |${wrong ? " <- outside" : ""}`,
				);
			}
	}
process.exitCode = failed ? 1 : 0;
