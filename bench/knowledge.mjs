/**
 * The knowledge base against the engine under it and against others, on text and vectors made here (seeded): times as
 * ratios within one run, recall beside every latency, memory and disk. `npm run bench -- knowledge [rows] [part…]`, parts:
 * words, vectors, others, documents. The others want `npm ci --prefix bench/peers` once; without it they are left out.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSources } from "#corpus";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { dimensions, queryOf, questionOf, sample, textOf, titleOf, vectorOf } from "./knowledge/data.mjs";
import { idsOf, inTurns, memory, milliseconds, ratio, recall, seconds, timed } from "./knowledge/measure.mjs";

const k = 10;
const program = fileURLToPath(import.meta.url);
const steps = {
	words: ["corpus", "words", "words-search", "fts5"],
	vectors: ["corpus", "vectors", "vectors-search"],
	others: ["scan", "hnsw"],
	documents: ["documents"],
};

if (process.argv[2] === "--step") await step(process.argv[3], process.argv[4], Number(process.argv[5]));
else all();

function all() {
	const rows = Number(process.argv[2] ?? 200_000);
	const parts = process.argv.length > 3 ? process.argv.slice(3) : Object.keys(steps);
	const place = join(tmpdir(), `hopscope-bench-${rows}`);
	rmSync(place, { recursive: true, force: true });
	mkdirSync(place, { recursive: true });
	console.log(`${rows} passages, vectors of ${dimensions}, k = ${k}`);
	try {
		for (const name of new Set(parts.flatMap((part) => steps[part] ?? []))) {
			// a process each, so that memory is its own
			const { status } = spawnSync(process.execPath, [program, "--step", name, place, String(rows)], {
				stdio: "inherit",
			});
			if (status !== 0) console.log(`${name}: failed`);
		}
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}

async function step(name, place, rows) {
	const numbers = sample(rows, 200);
	const corpus = join(place, "corpus");
	if (name === "corpus") {
		await writeRecords(join(place, "records.jsonl"), rows);
		const started = performance.now();
		await readSources([join(place, "records.jsonl")], { dir: corpus, name: "bench" }, { onProblem: console.log });
		console.log(`read: ${seconds(started)}, at most ${memory().most} MB beside its reading processes`);
	} else if (name === "words" || name === "vectors") {
		const started = performance.now();
		const text = name === "words" ? false : encoder(rows, new Map());
		// BENCH_INDEX=hnsw-sq or ivf-rq: a form other than the one chosen by size
		const form = process.env.BENCH_INDEX ? { exact: false, vectorIndex: process.env.BENCH_INDEX } : {};
		await buildKnowledge(corpus, join(place, name), { encoders: { text }, ...form });
		console.log(
			`${name}, index: ${seconds(started)}, at most ${memory().most} MB, ${megabytes(join(place, name))} MB on disk`,
		);
	} else if (name === "words-search") await searchWords(join(place, "words"), numbers);
	else if (name === "vectors-search") await searchVectors(join(place, "vectors"), rows, numbers);
	else if (name === "fts5")
		await others("fts5.mjs", ({ fts5 }) => measureFts5(fts5, join(place, "fts5.db"), rows, numbers));
	else if (name === "scan" || name === "hnsw")
		await others("vectors.mjs", (peers) => measureVectors(name, peers, rows, numbers));
	else if (name === "documents") await measureDocuments();
}

async function writeRecords(file, rows) {
	const out = createWriteStream(file);
	for (let n = 0; n < rows; n += 1)
		if (!out.write(`${JSON.stringify({ id: `${n}`, title: titleOf(n), text: textOf(n) })}\n`)) await once(out, "drain");
	out.end();
	await once(out, "finish");
}

/** Gives a passage the vector of the number in its title, and a question that of the passage it was made of. */
function encoder(rows, questions) {
	const numberIn = (text) => Number(/passage p(\d+)/.exec(text)?.[1] ?? 0);
	const near = (text) =>
		questions.get(text) ?? [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % rows, 7);
	return {
		about: { name: "bench", version: "1", dimensions },
		dear: false,
		encodePassages: async (texts) => texts.map((text) => vectorOf(numberIn(text))),
		encodeQueries: async (texts) => texts.map((text) => queryOf(near(text))),
	};
}

/** The engine's own table of a knowledge base, searched without anything of ours. */
async function rawTable(folder) {
	const { connect, MatchQuery } = await import("@lancedb/lancedb");
	const table = await (
		await connect(join(folder, "versions", readdirSync(join(folder, "versions"))[0], "index"))
	).openTable("passage");
	return { table, MatchQuery };
}

async function searchWords(folder, numbers) {
	const { queryTerms } = await import("../dist-rooms/knowledge/terms.js");
	const before = memory().now;
	const knowledge = await openKnowledge(folder);
	const { table, MatchQuery } = await rawTable(folder);
	const ours = (n) => knowledge.search({ text: questionOf(n), target: "passage", mode: "lexical", k });
	const raw = (n) =>
		table
			.query()
			.fullTextSearch(new MatchQuery(queryTerms(questionOf(n), []).own.join(" "), "terms"))
			.select(["id", "json", "_score"])
			.limit(k)
			.toArray();
	const told = await inTurns(numbers, ours, raw);
	const first = told.answers.first.filter((results, at) => results[0]?.title === titleOf(numbers[at])).length;
	console.log(
		`words: ours ${milliseconds(told.first)}, the engine ${milliseconds(told.second)}: ${ratio(told.first, told.second)}; own passage first ${first}/${numbers.length}; ${memory().now - before} MB above the process`,
	);
	await knowledge.close();
}

async function searchVectors(folder, rows, numbers) {
	const questions = new Map(numbers.map((n) => [questionOf(n), n]));
	const before = memory().now;
	const knowledge = await openKnowledge(folder, { encoders: { text: encoder(rows, questions) } });
	const index = knowledge.manifest.indexes.find(({ name }) => name === "dense");
	console.log(
		`vectors, as the manifest says: ${JSON.stringify({ exact: index.exact, recall: index.recall, search: index.search })}`,
	);
	const { table } = await rawTable(folder);
	const dense = (n) => knowledge.search({ text: questionOf(n), target: "passage", mode: "dense", k });
	const exact = (n) => knowledge.search({ text: questionOf(n), target: "passage", mode: "dense", k, exact: true });
	const raw = (n) => {
		const { ef, nprobes, refine } = index.search ?? {};
		const query = table.vectorSearch(queryOf(n)).distanceType("l2");
		if (index.search) query.ef(ef).nprobes(nprobes).refineFactor(refine);
		return query.select(["id", "json", "_distance"]).limit(k).toArray();
	};
	const told = await inTurns(numbers, dense, raw);
	const few = numbers.filter((_, at) => at % 5 === 0);
	const scanned = await timed(few, exact, { warm: 1 });
	const truth = scanned.answers.map(idsOf);
	const share = (answers) =>
		recall(
			truth,
			few.map((n) => idsOf(answers[numbers.indexOf(n)])),
		).toFixed(4);
	console.log(
		`vectors: ours ${milliseconds(told.first)}, recall@${k} ${share(told.answers.first)}; the engine ${milliseconds(told.second)}, recall@${k} ${share(told.answers.second)}: ${ratio(told.first, told.second)}; ours, exact ${milliseconds(scanned)}`,
	);
	const hybrid = await timed(numbers, (n) =>
		knowledge.search({ text: questionOf(n), target: "passage", mode: "hybrid", k }),
	);
	console.log(`hybrid: ${milliseconds(hybrid)}; ${memory().now - before} MB above the process`);
	await knowledge.close();
}

/** The peers are not of the project: without them their figures are missing, and that is said. */
async function others(file, measure) {
	if (existsSync(join(dirname(program), "peers", "node_modules"))) await measure(await import(`./peers/${file}`));
	else console.log(`${file}: not measured; npm ci --prefix bench/peers`);
}

async function measureFts5(fts5, file, rows, numbers) {
	function* records() {
		for (let n = 0; n < rows; n += 1) yield { n, title: titleOf(n), text: textOf(n) };
	}
	const making = performance.now();
	for (const _ of records());
	const made = performance.now() - making;
	const started = performance.now();
	const index = fts5(file, records());
	// what making the text took is not its own
	const built = (performance.now() - started - made) / 1000;
	const told = await timed(numbers.slice(0, 100), (n) => index.search(questionOf(n), k));
	const first = told.answers.filter((ids, at) => ids[0] === numbers[at]).length;
	console.log(
		`SQLite FTS5: index ${built.toFixed(1)} s, ${(statSync(file).size / 1e6).toFixed(0)} MB on disk with the texts, ${milliseconds(told)}; own passage first ${first}/100`,
	);
	index.close();
}

async function measureVectors(name, peers, rows, numbers) {
	const few = numbers.slice(0, 100);
	const scan = peers.scan(rows, dimensions, vectorOf);
	const exact = await timed(few, (n) => scan.search(queryOf(n), k));
	if (name === "scan") return console.log(`usearch, exact, one thread: ${milliseconds(exact)}`);
	const started = performance.now();
	const graph = peers.hnsw(rows, dimensions, vectorOf);
	const built = seconds(started);
	for (const ef of [16, 32, 64]) {
		const told = await timed(few, (n) => graph.search(queryOf(n), k, ef));
		console.log(
			`hnswlib, M 16, ef ${ef}: built in ${built}, ${milliseconds(told)}, recall@${k} ${recall(exact.answers, told.answers).toFixed(4)}, process ${memory().now} MB`,
		);
	}
}

/** Pages a second of PDF with text, and of page pictures that are recognised. */
async function measureDocuments() {
	const { default: PDFDocument } = await import("pdfkit");
	const { default: sharp } = await import("sharp");
	const folder = join(tmpdir(), `hopscope-bench-documents-${process.pid}`);
	mkdirSync(join(folder, "text"), { recursive: true });
	mkdirSync(join(folder, "scans"), { recursive: true });
	for (let file = 0; file < 4; file += 1) {
		const document = new PDFDocument({ size: "A4", margin: 60 });
		const out = document.pipe(createWriteStream(join(folder, "text", `${file}.pdf`)));
		for (let page = 0; page < 60; page += 1) {
			if (page > 0) document.addPage();
			document
				.fontSize(16)
				.text(`Section ${page + 1}`)
				.moveDown()
				.fontSize(10);
			for (let part = 0; part < 6; part += 1)
				document.text(`${textOf(file * 1000 + page * 6 + part)}.`, { align: "justify" }).moveDown();
		}
		document.end();
		await once(out, "finish");
	}
	for (let page = 0; page < 8; page += 1) {
		const words = [0, 1, 2, 3].flatMap((part) => textOf(90_000 + page * 4 + part).split(" "));
		const lines = Array.from({ length: Math.ceil(words.length / 9) }, (_, at) =>
			words.slice(at * 9, at * 9 + 9).join(" "),
		);
		const drawn = lines.map((line, at) => `<text x="120" y="${160 + at * 44}">${line}</text>`).join("");
		const page_ = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="1754"><rect width="1240" height="1754" fill="#fff"/><g font-family="DejaVu Sans" font-size="24">${drawn}</g></svg>`;
		const picture = await sharp(Buffer.from(page_)).png().toBuffer();
		const document = new PDFDocument({ size: "A4", margin: 0 });
		const out = document.pipe(createWriteStream(join(folder, "scans", `${page}.pdf`)));
		document.image(picture, 0, 0, { width: 595 });
		document.end();
		await once(out, "finish");
	}
	for (const kind of ["text", "scans"]) {
		const started = performance.now();
		const { counts } = await readSources(
			[join(folder, kind)],
			{ dir: join(folder, `${kind}-corpus`), name: kind },
			{ onProblem: console.log },
		);
		const rate = counts.page / ((performance.now() - started) / 1000);
		console.log(
			`${kind === "text" ? "PDF with text" : "PDF of scans (OCR)"}: ${counts.page} pages, ${rate.toFixed(1)} pages/s`,
		);
	}
	rmSync(folder, { recursive: true, force: true });
}

function megabytes(folder) {
	const bytes = readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
		(sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
		0,
	);
	return Math.round(bytes / 1e6);
}
