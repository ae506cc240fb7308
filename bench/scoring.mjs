/**
 * What scoring costs on one core, without a judge: pairs of EM and F1, and whole trajectories, both made here (seeded), with
 * the memory that it takes. Making them is not counted.
 * `npm run bench -- scoring [pairs] [trajectories]`, 1,000,000 and 100,000 where not given.
 */
import { metrics, scoreTrajectory } from "#scoring";

const pairs = Number(process.argv[2] ?? 1_000_000);
const trajectories = Number(process.argv[3] ?? 100_000);
const batch = 1000;

let state = 20240611;
/** A whole number from 0 to below `count`. */
function chance(count) {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 4294967296) * count);
}
const pick = (list) => list[chance(list.length)];
const words =
	"the river of old stone bridges that a painter from Lyon crossed in 1887 with her brother's map O'Neill said north-western Álava".split(
		" ",
	);
const phrase = (least, most) => Array.from({ length: least + chance(most - least + 1) }, () => pick(words)).join(" ");

function answer() {
	const text = phrase(1, 6);
	const number = 1 + chance(5_000_000);
	const year = 1500 + chance(500);
	return pick([
		{ type: "string", value: text, accepted: [text, phrase(1, 4), phrase(1, 3)] },
		{ type: "string", value: text, accepted: [text] },
		{
			type: "number",
			value: `${number.toLocaleString("en")} km`,
			accepted: [`${number.toLocaleString("en")} km`, String(number)],
			number: { value: number, unit: "km" },
		},
		{ type: "time", value: String(year), accepted: [String(year)], time: { iso: String(year), precision: "year" } },
		list([text, phrase(1, 3), chance(10) === 0 ? `${phrase(1, 2)} and ${phrase(1, 2)}` : phrase(1, 2)]),
	]);
}

function list(items) {
	const value = items.join("; ");
	return { type: "list", value, accepted: [value], items };
}

/** Right, nearly right, in a sentence, or something else. */
function prediction({ type, value, number, time }) {
	if (type === "number")
		return pick([value, `about ${number.value * 1.04} kilometres`, String(number.value * 3), phrase(1, 5)]);
	if (type === "time") return pick([value, `12 March ${time.iso}`, String(Number(time.iso) + 1), phrase(1, 5)]);
	return pick([value, `The ${value}.`, `${phrase(1, 3)} ${value}`, phrase(1, 8)]);
}

function task(id) {
	const count = 2 + chance(3);
	const hops = Array.from({ length: count }, (_, hop) => ({
		id: `h${hop}`,
		question: "?",
		modality: pick(["text", "text", "image", "page", "table"]),
		needs: hop === 0 ? [] : [{ hop: `h${hop - 1}`, role: "bridge" }],
		evidence: Array.from({ length: 1 + chance(3) }, (_, place) => `passage-${id}-${hop}-${place}`),
		answer: { type: "string", value: "Lyon", accepted: ["Lyon"] },
	}));
	const images = chance(3) === 0 ? [{ id: "i", file: "i.png", width: 9, height: 9, sha256: "0".repeat(64) }] : [];
	const chain = { hops, sink: `h${count - 1}` };
	return { id, question: "?", images, answer: answer(), chain, tags: { language: "en" }, source: "", rights: "" };
}

const tools = [
	"text_search",
	"text_search",
	"image_search_by_text",
	"image_search_by_image",
	"page_search",
	"image_crop",
];

function trajectory({ id, answer: gold, chain }) {
	const steps = Array.from({ length: 3 + chance(4) }, (_, index) => ({
		index,
		call: { tool: pick(tools), arguments: { query: phrase(2, 6) }, valid: chance(10) > 0 },
		results: Array.from({ length: 3 + chance(3) }, (_, place) => {
			const hop = chance(chain.hops.length);
			const found = chance(4) === 0 ? pick(chain.hops[hop].evidence) : `other-${id}-${chance(1000)}`;
			return { id: found, score: 1 - place / 10, rank: place + 1 };
		}),
		ms: 5,
	}));
	const said = (role) => ({ role, content: [{ type: "text", text: phrase(5, 20) }] });
	const abstained = chance(20) === 0;
	return {
		steps,
		answer: abstained ? null : prediction(gold),
		abstained,
		stop: "answered",
		usage: { calls: steps.length, inputTokens: 4000, outputTokens: 300 },
		ms: 900,
		messages: [said("system"), said("user"), ...steps.flatMap(() => [said("assistant"), said("user")])],
	};
}

const memory = () => process.memoryUsage().rss / 2 ** 20;

/** Makes `count` inputs in batches and measures them; `seconds` (and `processor`, which other
 * work on the machine does not lengthen) are of measuring alone, `grown` the most memory above the start. */
function timed(count, make, measure) {
	for (let warm = 0; warm < batch; warm++) measure(make(warm));
	const before = memory();
	let seconds = 0;
	let processor = 0;
	let grown = 0;
	for (let from = 0; from < count; from += batch) {
		const inputs = Array.from({ length: Math.min(batch, count - from) }, (_, index) => make(from + index));
		const used = process.cpuUsage();
		const started = performance.now();
		for (const input of inputs) measure(input);
		seconds += (performance.now() - started) / 1000;
		const { user, system } = process.cpuUsage(used);
		processor += (user + system) / 1e6;
		grown = Math.max(grown, memory() - before);
	}
	return { seconds, processor, grown };
}

function say(what, count, { seconds, processor, grown }) {
	const rate = Math.round(count / seconds).toLocaleString("en");
	const time = `${seconds.toFixed(1)} s (processor ${processor.toFixed(1)} s)`;
	console.log(`${count.toLocaleString("en")} ${what}: ${time}, ${rate}/s, memory +${Math.round(grown)} MiB`);
}

const pair = () => {
	const gold = answer();
	return { prediction: prediction(gold), accepted: gold.accepted };
};
let sum = 0;
const { em, f1 } = metrics;
say(
	"pairs by EM and F1",
	pairs,
	timed(pairs, pair, (input) => {
		sum += em.measure(input).result.value + f1.measure(input).result.value;
	}),
);
const attempt = (index) => {
	const made = task(`t${index}`);
	return { task: made, trajectory: trajectory(made) };
};
say(
	"trajectories by every score",
	trajectories,
	timed(trajectories, attempt, (input) => {
		sum += Object.keys(scoreTrajectory(input.task, input.trajectory, { limit: 8 }).scores).length;
	}),
);
if (!Number.isFinite(sum)) throw new Error("a score was no number");
