/**
 * How often the race of `hopscope sweep` errs, and what it saves: made-up settings whose true shares are known, over tasks
 * whose difficulty they share to a degree. `node bench/sweep-race.mjs [races] [seed]`; the figures are in docs/guides/sweep.md.
 */
import { randomInt } from "node:crypto";
import { finish, looksOver, losers, scorerOf } from "#scoring";

const races = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));
const accuracy = scorerOf("accuracy");
const [alpha, margin] = [0.05, 0.02];

/** xorshift128 by Marsaglia: another generator than the library's. */
function generator(start) {
	let [x, y, z, w] = [start | 1, 362436069, 521288629, 88675123];
	const next = () => {
		const t = x ^ (x << 11);
		[x, y, z] = [y, z, w];
		w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
		return (w >>> 0) / 4294967296;
	};
	for (let at = 0; at < 64; at++) next();
	return next;
}
const random = generator(seed);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The normal distribution function, by Abramowitz and Stegun 26.2.17. */
function below(x) {
	const t = 1 / (1 + 0.2316419 * Math.abs(x));
	const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
	const upper = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
	return x >= 0 ? 1 - upper : upper;
}
function quantile(p) {
	let [low, high] = [-9, 9];
	for (let step = 0; step < 60; step++) {
		const middle = (low + high) / 2;
		if (below(middle) < p) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}

const steps = (count, from, by) => Array.from({ length: count }, (_, at) => from - at * by);
/** True shares, the cheapest last; `alike` is the correlation of two settings on one task. */
const worlds = {
	"8 alike": { shares: Array(8).fill(0.5), tasks: 400, alike: 0.5 },
	"8 spread": { shares: [0.7, 0.68, 0.65, 0.6, 0.5, 0.4, 0.3, 0.2], tasks: 400, alike: 0.5 },
	"8, one ahead by 3": { shares: [0.6, ...Array(7).fill(0.57)], tasks: 400, alike: 0.5 },
	"8 near the top": { shares: steps(8, 0.98, 0.01), tasks: 400, alike: 0.3 },
	"12, independent": { shares: steps(12, 0.6, 0.04), tasks: 400, alike: 0 },
	"12, very alike": { shares: steps(12, 0.6, 0.04), tasks: 400, alike: 0.9 },
	"24 spread": { shares: steps(24, 0.75, 0.025), tasks: 1000, alike: 0.5 },
	"6, in clusters of 5": { shares: steps(6, 0.6, 0.05), tasks: 400, alike: 0.5, cluster: 5 },
	"2, exactly the margin apart": { shares: [0.6, 0.58], tasks: 400, alike: 0.5 },
	"6 of few tasks": { shares: steps(6, 0.7, 0.1), tasks: 60, alike: 0.5 },
};

function answers({ shares, tasks, alike, cluster = 1 }) {
	const cuts = shares.map(quantile);
	let common = 0;
	let own = [];
	return Array.from({ length: tasks }, (_, at) => {
		// of a cluster all have the difficulty, and each setting's luck, half in common
		if (at % cluster === 0) [common, own] = [normal(), shares.map(normal)];
		const hard = cluster === 1 ? common : (common + normal()) * Math.SQRT1_2;
		return cuts.map((cut, setting) => {
			const luck = cluster === 1 ? own[setting] : (own[setting] + normal()) * Math.SQRT1_2;
			return Math.sqrt(alike) * hard + Math.sqrt(1 - alike) * luck < cut ? 1 : 0;
		});
	});
}

function race(world) {
	const { shares, tasks, cluster = 1 } = world;
	const matrix = answers(world);
	const items = shares.map((_, setting) =>
		matrix.map((row, at) => ({
			task: { id: `t${at}`, cluster: `c${Math.floor(at / cluster)}`, tags: {} },
			row: { task: `t${at}`, repeat: 0, outcome: "right", scores: { accuracy: { is: "scored", value: row[setting] } } },
		})),
	);
	// tasks come in random order
	const order = matrix.map((_, at) => at);
	for (let at = order.length - 1; at > 0; at--) {
		const to = Math.floor(random() * (at + 1));
		[order[at], order[to]] = [order[to], order[at]];
	}
	const rules = { metric: accuracy, alpha, margin, settings: shares.length, tasks };
	const asked = (setting, look) => ({ name: setting, items: order.slice(0, look).map((at) => items[setting][at]) });
	let still = shares.map((_, at) => at);
	let given = 0;
	let before = 0;
	for (const look of looksOver(tasks)) {
		given += still.length * (look - before);
		before = look;
		if (look === tasks) break;
		const lost = new Set(
			losers(
				still.map((one) => asked(one, look)),
				rules,
			).map(({ name }) => name),
		);
		still = still.filter((one) => !lost.has(one));
		if (still.length === 1) break;
	}
	const last = before;
	const ended = finish(
		still.map((one) => asked(one, last)),
		rules,
	);
	const whole = finish(
		shares.map((_, one) => asked(one, tasks)),
		rules,
	);
	// the cheapest is the last
	const named = (all) => all.filter(({ worse }) => !worse).at(-1)?.name;
	const sure = (all) => all.filter(({ within }) => within).at(-1)?.name;
	const best = Math.max(...shares);
	const isBad = (setting) => setting !== undefined && shares[setting] < best - margin - 1e-12;
	return {
		dropped:
			!still.some((one) => shares[one] === best) ||
			(shares.filter((one) => one === best).length === 1 && !still.includes(shares.indexOf(best))),
		bad: isBad(named(ended)),
		badWhole: isBad(named(whole)),
		badSure: isBad(sure(ended)),
		hasSure: sure(ended) !== undefined,
		same: named(ended) === named(whole),
		saved: 1 - given / (tasks * shares.length),
	};
}

console.log(`${races} races a world, seed ${seed}; alpha ${alpha}, margin ${margin}`);
console.log(
	"world | best dropped | named worse by more than the margin | the same from the whole table | named as within, and is not | some named as within | names as the whole table | answers saved",
);
for (const [name, world] of Object.entries(worlds)) {
	const all = Array.from({ length: races }, () => race(world));
	const share = (what) => `${((100 * all.reduce((sum, one) => sum + Number(one[what]), 0)) / races).toFixed(1)} %`;
	console.log([name, ...["dropped", "bad", "badWhole", "badSure", "hasSure", "same", "saved"].map(share)].join(" | "));
}
