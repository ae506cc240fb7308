/**
 * Measures what decides the offline encoders: lexical, dense and hybrid search on MoreHopQA's sub-questions in one pool
 * with 2WikiMultihopQA's passages, and image search under alterations on flags, outline maps and photographs.
 * Needs ../shared/data and a build (npm run build). `node bench/encoders.mjs [every]`: every n-th image, default 4.
 * `node bench/encoders.mjs onnx:FOLDER…`: the texts alone, by each of these encoders too; also the share of MoreHopQA's
 * supporting paragraphs found by the whole questions.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { readSources } from "#corpus";
import { imageDistance, lookAlikeDistance, openTextEncoder } from "#encoders";
import { buildKnowledge, openKnowledge } from "#knowledge";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const data = join(root, "../shared/data");
if (!existsSync(join(data, "morehopqa"))) {
	console.log("bench/encoders: ../shared/data is absent, nothing measured");
	process.exit(0);
}
const named = process.argv.slice(2).filter((one) => one.includes(":"));
const every = Number(process.argv[2] ?? 4);
async function measureText() {
	const items = JSON.parse(readFileSync(join(data, "morehopqa/morehopqa_150.json"), "utf8"));
	const pool = JSON.parse(readFileSync(join(data, "twowiki-corpus/corpus.json"), "utf8"));
	for (const item of items)
		for (const [title, sentences] of item.context) pool.push({ title, text: sentences.join("") });
	const once = [...new Map(pool.map((record) => [`${record.title}\n${record.text}`, record])).values()];
	await mkdir(join(work, "text"));
	await writeFile(join(work, "text/pool.json"), JSON.stringify(once));
	const hops = items.flatMap((item) => item.question_decomposition.filter((hop) => hop.paragraph_support_title));
	const questions = hops.map((hop) => ({ text: hop.question, title: hop.paragraph_support_title }));
	const whole = items.map(({ question, context }) => ({ text: question, titles: context.map(([title]) => title) }));
	for (const name of [undefined, ...named]) await measureTextBy(name, questions, whole);
}

async function measureTextBy(name, questions, whole) {
	const text = name && (await openTextEncoder(name));
	const { knowledge } = await index("text", text ? { encoders: { text } } : {});
	console.log(`text encoder: ${name ?? "characters"}`);
	for (const mode of ["lexical", "dense", "hybrid"]) {
		const found = { 2: 0, 5: 0, 10: 0, 20: 0 };
		let all = 0;
		for (const { text, titles } of whole) {
			all += titles.length;
			const results = await knowledge.search({ text, target: "passage", mode, k: 20 });
			const ranks = titles.map((title) => results.findIndex((result) => result.title === title) + 1);
			for (const k in found) found[k] += ranks.filter((rank) => rank > 0 && rank <= Number(k)).length;
		}
		const recall = Object.entries(found).map(([k, n]) => `@${k} ${(n / all).toFixed(3)}`);
		console.log(`whole questions ${mode}: recall ${recall.join(" ")}; n ${whole.length}, ${all} paragraphs`);
	}
	for (const [kind, change] of [
		["as asked", (text) => text],
		["misspelt", misspelt],
	]) {
		for (const mode of ["lexical", "dense", "hybrid"]) {
			const ranks = [];
			const times = [];
			for (const question of questions) {
				const started = performance.now();
				const results = await knowledge.search({ text: change(question.text), target: "passage", mode, k: 20 });
				times.push(performance.now() - started);
				ranks.push(results.findIndex((result) => result.title === question.title) + 1);
			}
			const hit = (k) => (ranks.filter((rank) => rank > 0 && rank <= k).length / ranks.length).toFixed(3);
			const mrr = (ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length).toFixed(3);
			console.log(
				`${kind} ${mode}: hit@1 ${hit(1)} @3 ${hit(3)} @5 ${hit(5)} MRR ${mrr}; ${spread(times)}; n ${ranks.length}`,
			);
		}
	}
	await knowledge.close();
}

async function measureImages() {
	const images = await drawImages();
	await mkdir(join(work, "images"));
	for (const { id, bytes } of images) await writeFile(join(work, `images/${id}.png`), bytes);
	const { knowledge } = await index("images");
	const chosen = images.filter(({ id }, place) => place % every === 0 || id.startsWith("photo"));
	const confusions = new Map();
	const own = [];
	for (const [name, alter] of Object.entries(alterations)) {
		const random = randomOf(5);
		const right = {};
		const times = [];
		for (const { id, bytes } of chosen) {
			const altered = await alter(bytes, random);
			const started = performance.now();
			const [first, second] = await knowledge.search({ image: altered, target: "image", k: 2 });
			times.push(performance.now() - started);
			const kind = id.split("-")[0];
			right[kind] ??= [];
			right[kind].push(first.title === id.replaceAll("-", " "));
			if (first.title !== id.replaceAll("-", " ")) confusions.set(`${id} > ${first.id.slice(7, -4)}`, name);
			else own.push([1 / first.score - 1, 1 / second.score - 1]);
		}
		const figures = Object.entries(right).map(
			([kind, hits]) => `${kind} ${hits.filter(Boolean).length}/${hits.length}`,
		);
		console.log(`${name}: ${figures.join(", ")}; ${spread(times)}`);
	}
	const distances = own.map(([distance]) => distance).sort((a, b) => a - b);
	const at = (share) => distances[Math.floor((distances.length - 1) * share)]?.toFixed(3);
	console.log(`distance of an altered image to its own: p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)}`);
	const bytesOf = new Map(images.map(({ id, bytes }) => [id, bytes]));
	for (const [pair, alteration] of confusions) {
		const [asked, found] = pair.split(" > ");
		const apart = await imageDistance(bytesOf.get(asked), bytesOf.get(found));
		console.log(
			`confused (${alteration}): ${pair}, ${apart.toFixed(3)} apart${apart < lookAlikeDistance ? ", look-alikes" : ""}`,
		);
	}
	await knowledge.close();
}

async function index(name, options = {}) {
	const corpus = join(work, `${name}-corpus`);
	const started = performance.now();
	const { counts } = await readSources(
		[join(work, name)],
		{ dir: corpus, name },
		{ onProblem: (problem) => console.log(problem) },
	);
	const read = performance.now();
	await buildKnowledge(corpus, join(work, `${name}-knowledge`), { ...options, fresh: true });
	const built = performance.now();
	console.log(
		`${name}: ${JSON.stringify(counts)} read in ${seconds(read - started)}, indexed in ${seconds(built - read)}`,
	);
	return { knowledge: await openKnowledge(join(work, `${name}-knowledge`)) };
}

async function drawImages() {
	const folder = join(root, "node_modules/world-countries/data");
	const images = [];
	const files = readdirSync(folder).sort();
	for (const file of files.filter((name) => name.endsWith(".svg")))
		images.push({ id: `flag-${file.slice(0, 3)}`, bytes: await plain(join(folder, file)) });
	for (const file of files.filter((name) => name.endsWith(".geo.json"))) {
		const drawing = outline(JSON.parse(readFileSync(join(folder, file), "utf8")));
		if (drawing) images.push({ id: `map-${file.slice(0, 3)}`, bytes: await plain(Buffer.from(drawing)) });
	}
	for (const file of readdirSync(join(data, "infoseek-images")).sort())
		images.push({ id: `photo-${file.slice(0, -4)}`, bytes: await plain(join(data, "infoseek-images", file)) });
	return images;
}

const plain = (image) => sharp(image).resize({ width: 480 }).flatten({ background: "#fff" }).png().toBuffer();

function outline({ features }) {
	const geometries = features.map((feature) => feature.geometry).filter(Boolean);
	const polygons = geometries.flatMap((shape) => (shape.type === "Polygon" ? [shape.coordinates] : shape.coordinates));
	const points = polygons.flatMap(([ring]) => ring);
	if (points.length === 0) return undefined;
	const [west, east] = extent(points.map(([x]) => x));
	const [south, north] = extent(points.map(([, y]) => y));
	const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
	const scale = 400 / Math.max((east - west) * squeeze, north - south, 1e-6);
	const left = (480 - (east - west) * squeeze * scale) / 2;
	const top = (480 - (north - south) * scale) / 2;
	const place = ([x, y]) =>
		`${((x - west) * squeeze * scale + left).toFixed(1)},${((north - y) * scale + top).toFixed(1)}`;
	const path = polygons
		.flat()
		.map((ring) => `M${ring.map(place).join("L")}Z`)
		.join("");
	return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480"><rect width="480" height="480" fill="#dfe8f0"/>
		<path d="${path}" fill="#c9b98a" stroke="#4a4030" stroke-width="2" fill-rule="evenodd"/></svg>`;
}

/** Alterations that keep identity, each drawn at random within its bounds. */
const alterations = {
	"turned up to 20°": (bytes, random) => {
		const grey = Math.round(60 + random() * 180);
		return sharp(bytes)
			.rotate((random() * 2 - 1) * 20, { background: { r: grey, g: grey, b: grey } })
			.jpeg({ quality: 85 })
			.toBuffer();
	},
	"turned within its frame": async (bytes, random) => {
		const { width, height } = await sharp(bytes).metadata();
		const turned = await sharp(bytes)
			.rotate((random() * 2 - 1) * 20, { background: "#808080" })
			.png()
			.toBuffer();
		const size = await sharp(turned).metadata();
		const [left, top] = [(size.width - width) >> 1, (size.height - height) >> 1];
		return sharp(turned).extract({ left, top, width, height }).png().toBuffer();
	},
	"cropped up to 15 %": async (bytes, random) => {
		const size = await sharp(bytes).metadata();
		const [width, height] = [size.width, size.height].map((side) => Math.round(side * (1 - 0.15 * random())));
		const [left, top] = [Math.floor(random() * (size.width - width)), Math.floor(random() * (size.height - height))];
		return sharp(bytes).extract({ left, top, width, height }).png().toBuffer();
	},
	"small and recompressed": (bytes) => sharp(bytes).resize({ width: 200 }).jpeg({ quality: 15 }).toBuffer(),
	"noisy and blurred": async (bytes, random) => {
		const { data: pixels, info } = await sharp(bytes)
			.blur(1 + random() * 3)
			.raw()
			.toBuffer({ resolveWithObject: true });
		for (const [at, value] of pixels.entries()) pixels[at] = clamp(value + (random() + random() + random() - 1.5) * 50);
		return sharp(pixels, { raw: info }).png().toBuffer();
	},
	"in other light": (bytes, random) => {
		const level = 0.75 + random() * 0.45;
		const gains = [1 + (random() - 0.5) * 0.2, 1, 1 + (random() - 0.5) * 0.2].map((gain) => gain * level);
		const offset = (random() - 0.5) * 30;
		return sharp(bytes).linear(gains, [offset, offset, offset]).jpeg().toBuffer();
	},
	"photographed on a table": photographed,
};

/** Seen at an angle, turned, on a grained table, in warm or cold light, slightly out of focus. */
async function photographed(bytes, random) {
	const { data: source, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
	const margin = 0.08 + random() * 0.12;
	const [width, height] = [info.width * (1 + 2 * margin), info.height * (1 + 2 * margin) + info.width * 0.1].map(
		Math.round,
	);
	const turn = ((random() * 2 - 1) * 15 * Math.PI) / 180;
	const tilt = [(random() - 0.5) * 0.16, (random() - 0.5) * 0.16];
	const base = [
		[120, 85, 55],
		[190, 180, 165],
		[70, 72, 78],
	][Math.floor(random() * 3)];
	const pixels = Buffer.alloc(width * height * 3);
	for (let y = 0; y < height; y += 1)
		for (let x = 0; x < width; x += 1) {
			const [dx, dy] = [x - width / 2, y - height / 2];
			const [rx, ry] = [dx * Math.cos(turn) + dy * Math.sin(turn), dy * Math.cos(turn) - dx * Math.sin(turn)];
			const depth = 1 + (tilt[0] * rx) / info.width + (tilt[1] * ry) / info.height;
			const [u, v] = [Math.floor(rx / depth + info.width / 2), Math.floor(ry / depth + info.height / 2)];
			const inside = u >= 0 && v >= 0 && u < info.width && v < info.height;
			const grain = Math.sin(x * 0.07 + Math.sin(y * 0.013) * 3) * 8 + Math.sin(y * 0.2 + x * 0.01) * 5;
			for (let channel = 0; channel < 3; channel += 1)
				pixels[(y * width + x) * 3 + channel] = inside
					? source[(v * info.width + u) * info.channels + channel]
					: clamp(base[channel] + grain);
		}
	const level = 0.8 + random() * 0.35;
	const gains = [level * (1 + (random() - 0.5) * 0.12), level, level * (1 + (random() - 0.5) * 0.12)];
	return sharp(pixels, { raw: { width, height, channels: 3 } })
		.linear(gains, [0, 0, 0])
		.blur(0.8)
		.jpeg({ quality: 70 })
		.toBuffer();
}

/** One letter of every longer word dropped, swapped or replaced. */
function misspelt(text) {
	const random = randomOf(text.length * 31 + text.charCodeAt(0));
	return text.replace(/\p{L}{5,}/gu, (word) => {
		const at = 1 + Math.floor(random() * (word.length - 2));
		const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
		const choice = random();
		if (choice < 0.34) return before + next + after;
		return choice < 0.67
			? before + next + letter + after
			: before + String.fromCharCode(97 + random() * 26) + next + after;
	});
}

function randomOf(seed) {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let bits = Math.imul(state ^ (state >>> 15), 1 | state);
		bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
		return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
	};
}

const clamp = (value) => Math.min(255, Math.max(0, Math.round(value)));
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const extent = (values) =>
	values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
function spread(times) {
	const sorted = [...times].sort((a, b) => a - b);
	const at = (share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(1);
	return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

const work = await mkdtemp(join(tmpdir(), "hopscope-encoders-"));
try {
	await measureText();
	if (named.length === 0) await measureImages();
} finally {
	await rm(work, { recursive: true, force: true });
}
