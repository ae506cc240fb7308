/**
 * Which form of index carries the 21 million passages of wiki18_100w (E5, 768 dimensions): each form is built at a
 * million rows on the engine itself, by a process of its own, and told with its time, size, memory, latency and recall
 * against the flat scan of the same table. `npm run bench -- large [rows] [form…]`.
 *
 * Of unit vectors the distance l2 orders as the inner product does, and the graph index needs it: with inner product its
 * recall was 0.39 where l2 gave 1.0. The vectors lie about a common mean, as E5's do (cosines of unrelated texts near 0.75): the hard case for coarse codes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.env.BENCH_DIMENSIONS ??= "768";
process.env.LANCE_LOG ??= "error";
const { dimensions, queryOf, randomOf, sample, vectorOf } = await import("./knowledge/data.mjs");
const { memory, milliseconds, recall, seconds, timed } = await import("./knowledge/measure.mjs");
const { connect, Index } = await import("@lancedb/lancedb");
// the engine knows only the tables of the copy that it requires itself
const arrow = createRequire(import.meta.url)("apache-arrow");

const program = fileURLToPath(import.meta.url);
const k = 10;
/** Where the flat scan's answers are kept, for the others to be held against. */
const truth = "flat.json";
/** Rows written at once; a hundred megabytes and more a file, as a joined table has. */
const batch = 100_000;
/** Questions asked of each form: fewer of a large table, since the flat scan is asked them too. */
const asked = (rows) => (rows > 2_000_000 ? 50 : 100);
const forms = {
	flat: { searches: [{}] },
	"ivf-flat": {
		config: (rows) => Index.ivfFlat({ distanceType: "l2", numPartitions: partitions(rows) }),
		searches: [{ nprobes: 20 }, { nprobes: 60 }, { nprobes: 150 }],
	},
	"ivf-pq": {
		config: (rows) =>
			Index.ivfPq({ distanceType: "l2", numPartitions: partitions(rows), numSubVectors: dimensions / 8 }),
		searches: [
			{ nprobes: 20, refine: 10 },
			{ nprobes: 60, refine: 20 },
			{ nprobes: 150, refine: 50 },
		],
	},
	"ivf-rq": {
		config: (rows) => Index.ivfRq({ distanceType: "l2", numPartitions: partitions(rows) }),
		searches: [
			{ nprobes: 20, refine: 10 },
			{ nprobes: 60, refine: 20 },
			{ nprobes: 150, refine: 50 },
		],
	},
	"hnsw-sq": {
		config: (rows) => Index.hnswSq({ distanceType: "l2", numPartitions: Math.max(1, Math.round(rows / 250_000)) }),
		searches: [
			{ nprobes: 4, ef: 60, refine: 3 },
			{ nprobes: 4, ef: 150, refine: 4 },
			{ nprobes: 4, ef: 400, refine: 4 },
		],
	},
};
const partitions = (rows) => Math.round(Math.sqrt(rows));

/** The common mean of all vectors: they are unit vectors of it and their own direction. */
const mean = (() => {
	const random = randomOf(99);
	const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
	const length = Math.hypot(...vector);
	return vector.map((value) => (value / length) * 1.7);
})();
function biased(vector) {
	const sum = vector.map((value, at) => value + mean[at]);
	const length = Math.hypot(...sum);
	return sum.map((value) => value / length);
}

const [step, folder, rowsText, part, form] = process.argv.slice(2);
if (step === "--step") await oneStep(part, { place: folder, rows: Number(rowsText), form });
else all();

function all() {
	const rows = Number(process.argv[2] ?? 1_000_000);
	const chosen = process.argv.length > 3 ? process.argv.slice(3) : Object.keys(forms).filter((name) => name !== "flat");
	const place = join(tmpdir(), `hopscope-large-${rows}-${dimensions}`);
	mkdirSync(place, { recursive: true });
	console.log(`${rows} x ${dimensions}, k = ${k}, ${asked(rows)} questions near stored vectors`);
	// a process each, so that time and memory are its own: what answers has built nothing
	const run = (...step) => {
		const { status } = spawnSync(process.execPath, [program, "--step", place, String(rows), ...step], {
			stdio: "inherit",
		});
		if (status !== 0) console.log(`${step.join(" ")}: failed`);
		return status === 0;
	};
	try {
		if (!run("data") || !run("search", "flat")) return;
		for (const name of chosen.filter((name) => name !== "flat")) if (run("build", name)) run("search", name);
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}

async function oneStep(part, { place, rows, form }) {
	const connection = await connect(place);
	if (part === "data") return writeData(connection, rows, place);
	const table = await connection.openTable("vectors");
	if (part === "build") return build(table, { place, rows, form });
	const { config, searches } = forms[form];
	const questions = sample(rows, asked(rows)).map((n) => biased(queryOf(n)));
	for (const setting of searches) {
		const { nprobes, ef, refine } = setting;
		const search = async (question) => {
			let request = table.vectorSearch(question).distanceType("l2").limit(k);
			if (!config) request = request.bypassVectorIndex();
			if (nprobes) request = request.nprobes(nprobes);
			if (ef) request = request.ef(ef);
			if (refine) request = request.refineFactor(refine);
			return idsOf(request);
		};
		const firstAsked = performance.now();
		await search(questions[0]);
		const first = performance.now() - firstAsked;
		const told = await timed(questions, search, { warm: config ? 5 : 1 });
		if (!config) writeFileSync(join(place, truth), JSON.stringify(told.answers));
		const share = recall(JSON.parse(readFileSync(join(place, truth), "utf8")), told.answers);
		const words = Object.entries(setting).map(([key, value]) => `${key} ${value}`);
		console.log(
			`${[form, ...words].join(" ")}: recall@${k} ${share.toFixed(4)}, ${milliseconds(told)}, first ${first.toFixed(0)} ms, ${used()}`,
		);
	}
}

async function build(table, { place, rows, form }) {
	const started = performance.now();
	await table.createIndex("vector", { config: forms[form].config(rows), replace: true });
	const size = indexBytes(place) / 1e6;
	console.log(`${form}: built in ${seconds(started)}, ${size.toFixed(0)} MB on disk, ${used()}`);
}

async function writeData(connection, rows, place) {
	const item = new arrow.Field("item", new arrow.Float32(), true);
	const vectorType = new arrow.FixedSizeList(dimensions, item);
	const schema = new arrow.Schema([
		new arrow.Field("n", new arrow.Int32(), false),
		new arrow.Field("vector", vectorType, false),
	]);
	const table = await connection.createEmptyTable("vectors", schema);
	const started = performance.now();
	for (let from = 0; from < rows; from += batch) {
		const count = Math.min(batch, rows - from);
		const values = new Float32Array(count * dimensions);
		for (let at = 0; at < count; at += 1) values.set(biased(vectorOf(from + at)), at * dimensions);
		const inner = arrow.makeData({ type: new arrow.Float32(), length: values.length, data: values });
		const list = arrow.makeData({ type: vectorType, length: count, child: inner });
		const numbers = arrow.makeData({
			type: new arrow.Int32(),
			length: count,
			data: Int32Array.from({ length: count }, (_, at) => from + at),
		});
		const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length: count, children: [numbers, list] });
		await table.add(new arrow.Table([new arrow.RecordBatch(schema, struct)]));
	}
	console.log(`data: written in ${seconds(started)}, ${(sizeOf(place) / 1e6).toFixed(0)} MB on disk, ${used()}`);
}

/** What this process took so far. */
function used() {
	const { user, system } = process.cpuUsage();
	const { now, most } = memory();
	return `process ${now} MB, at most ${most} MB, ${((user + system) / 1e6).toFixed(0)} s of processor time`;
}

async function idsOf(request) {
	return (await request.select(["n", "_distance"]).toArray()).map(({ n }) => Number(n));
}

function indexBytes(place) {
	const folder = join(place, "vectors.lance", "_indices");
	if (!existsSync(folder)) return 0;
	// the newest folder is the index just built
	const newest = readdirSync(folder)
		.map((name) => join(folder, name))
		.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
	return newest ? sizeOf(newest) : 0;
}

function sizeOf(folder) {
	return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
		(sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
		0,
	);
}
